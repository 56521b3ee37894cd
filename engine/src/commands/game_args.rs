//! How the games of a command are played: limits, openings, adjudication.

use std::path::PathBuf;
use std::time::Duration;

use alfiere_arena::game::GameSettings;
use alfiere_chess::game::{DrawRule, GameRules, Limit, ResignRule, TimeControl};
use alfiere_chess::movegen::CastlingNotation;
use alfiere_chess::openings::{Opening, OpeningError, read_openings, shuffle};
use clap::Args;

/// What commands that play games have in common.
#[derive(Args)]
#[command(group(clap::ArgGroup::new("limit").required(true).args(["tc", "nodes", "depth", "movetime"])))]
pub(crate) struct GameArgs {
    /// Clock: [MOVES/]SECONDS[+INCREMENT]
    #[arg(long)]
    tc: Option<TimeControl>,
    /// Nodes a move
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Plies a move
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,
    /// Milliseconds a move
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    movetime: Option<u64>,
    /// Openings, EPD or PGN, also .gz [default: the start of a game]
    #[arg(long, value_name = "FILE")]
    pub(crate) openings: Option<PathBuf>,
    /// Order of the openings
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
    /// Call a draw from this move on, when both scores stay within CP for so many moves: FROM,MOVES,CP
    #[arg(long, value_name = "RULE")]
    draw: Option<DrawRule>,
    /// Call a win when both scores agree beyond CP for so many moves: MOVES,CP
    #[arg(long, value_name = "RULE")]
    resign: Option<ResignRule>,
    /// A game of so many plies is a draw
    #[arg(long, default_value_t = 600, value_parser = clap::value_parser!(u32).range(1..))]
    max_plies: u32,
    /// How much later than its clock a move may come, in milliseconds
    #[arg(long, default_value_t = 5)]
    margin_ms: u64,
    /// After so many seconds without a move a player without a time limit counts as hanging
    #[arg(long, default_value_t = 120)]
    patience: u64,
    /// Chess960: castling as king takes rook, `UCI_Chess960` set
    #[arg(long)]
    chess960: bool,
}

impl GameArgs {
    /// What bounds the moves of players without a limit of their own.
    pub(crate) fn limit(&self) -> Limit {
        match (self.tc, self.nodes, self.depth, self.movetime) {
            (Some(control), ..) => Limit::Clock(control),
            (_, Some(nodes), ..) => Limit::Nodes(nodes),
            (_, _, Some(depth), _) => Limit::Depth(depth),
            (_, _, _, time) => Limit::MoveTime(Duration::from_millis(time.unwrap_or(1))),
        }
    }

    /// All of it by name, in words.
    pub(crate) fn setup(&self) -> impl Iterator<Item = (String, String)> {
        let openings = self.openings.as_ref().map_or_else(String::new, |path| path.display().to_string());
        [
            ("limit", self.limit().to_string()),
            ("--openings", openings),
            ("--seed", self.seed.to_string()),
            ("game rules", format!("{:?}", self.settings())),
        ]
        .into_iter()
        .map(|(name, value)| (name.to_owned(), value))
    }

    /// The openings, in the order of the seed; one at least.
    pub(crate) fn openings(&self) -> Result<Vec<Opening>, OpeningError> {
        let mut openings = match &self.openings {
            Some(path) => read_openings(path)?,
            None => vec![Opening::startpos()],
        };
        shuffle(&mut openings, self.seed);
        Ok(openings)
    }

    /// How each game is played.
    pub(crate) fn settings(&self) -> GameSettings {
        GameSettings {
            rules: GameRules { draw: self.draw, resign: self.resign, max_plies: self.max_plies },
            margin: Duration::from_millis(self.margin_ms),
            patience: Duration::from_secs(self.patience),
            notation: if self.chess960 { CastlingNotation::Chess960 } else { CastlingNotation::Standard },
        }
    }
}
