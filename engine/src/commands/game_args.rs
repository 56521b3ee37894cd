//! Arguments of commands that play games: limits, openings, adjudication.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use alfiere_arena::game::{EndgameAdjudicator, GameSettings};
use alfiere_chess::game::{DrawRule, GameRules, Limit, ResignRule, TimeControl};
use alfiere_chess::movegen::CastlingNotation;
use alfiere_chess::openings::{Opening, read_openings, shuffle};
use alfiere_syzygy::TablebaseError;
use clap::Args;

use super::progress::say;
use super::{Failure, endgames};

/// Arguments common to all commands that play games.
#[derive(Args)]
#[command(group(clap::ArgGroup::new("limit").required(true).args(["tc", "nodes", "depth", "movetime"])))]
pub(crate) struct GameArgs {
    /// Time control: [MOVES/]SECONDS[+INCREMENT]
    #[arg(long)]
    tc: Option<TimeControl>,
    /// Nodes per move
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Depth per move
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,
    /// Milliseconds per move
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    movetime: Option<u64>,
    /// Openings in EPD or PGN, optionally .gz [default: the initial position]
    #[arg(long, value_name = "FILE")]
    pub(crate) openings: Option<PathBuf>,
    /// Random seed for the order of the openings
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
    /// Draw adjudication: from move FROM, if both scores stay within CP for MOVES moves: FROM,MOVES,CP
    #[arg(long, value_name = "RULE")]
    draw: Option<DrawRule>,
    /// Win adjudication: if both scores agree beyond CP for MOVES moves: MOVES,CP
    #[arg(long, value_name = "RULE")]
    resign: Option<ResignRule>,
    /// Folders of Syzygy tables, separated by ":": a game ends when they know the result with best play
    #[arg(long, value_name = "PATH")]
    syzygy: Option<String>,
    /// Maximum number of plies, after which the game is a draw
    #[arg(long, default_value_t = 600, value_parser = clap::value_parser!(u32).range(1..))]
    max_plies: u32,
    /// Tolerance for overstepping the time, in milliseconds
    #[arg(long, default_value_t = 5)]
    margin_ms: u64,
    /// Seconds without a move after which a player without a time limit counts as hanging
    #[arg(long, default_value_t = 120, value_parser = clap::value_parser!(u64).range(1..=31_536_000))]
    patience: u64,
    /// Chess960: castling is king takes rook, and `UCI_Chess960` is set
    #[arg(long)]
    chess960: bool,
}

impl GameArgs {
    /// The search limit of players without a limit of their own.
    pub(crate) fn limit(&self) -> Limit {
        match (self.tc, self.nodes, self.depth, self.movetime) {
            (Some(control), ..) => Limit::Clock(control),
            (_, Some(nodes), ..) => Limit::Nodes(nodes),
            (_, _, Some(depth), _) => Limit::Depth(depth),
            (_, _, _, time) => Limit::MoveTime(Duration::from_millis(time.unwrap_or(1))),
        }
    }

    /// All arguments as names and values, for comparison with a stopped match.
    pub(crate) fn setup(&self) -> impl Iterator<Item = (String, String)> {
        let openings = self.openings.as_ref().map_or_else(String::new, |path| path.display().to_string());
        [
            ("limit", self.limit().to_string()),
            ("--openings", openings),
            ("--seed", self.seed.to_string()),
            ("game rules", format!("{:?}", self.settings())),
        ]
        .into_iter()
        .chain(self.syzygy.clone().map(|path| ("--syzygy", path)))
        .map(|(name, value)| (name.to_owned(), value))
    }

    /// The openings in the order of the seed; at least one.
    pub(crate) fn openings(&self) -> Result<Vec<Opening>, Failure> {
        let mut openings = match &self.openings {
            Some(path) => {
                let list = read_openings(path)?;
                list.remark.iter().for_each(say);
                list.openings
            }
            None => vec![Opening::startpos()],
        };
        let is_standard = |opening: &&Opening| opening.start.has_standard_castling();
        if let (false, Some(path), Some(opening)) =
            (self.chess960, &self.openings, openings.iter().find(|opening| !is_standard(opening)))
        {
            return Err(Failure::at(
                path,
                format_args!("`{}` has castling rights of Chess960; expected --chess960", opening.start.to_fen()),
            ));
        }
        shuffle(&mut openings, self.seed);
        Ok(openings)
    }

    /// The tables that adjudicate games.
    pub(crate) fn endgames(&self) -> Result<Option<Arc<dyn EndgameAdjudicator>>, TablebaseError> {
        self.syzygy.as_deref().map(endgames::open).transpose()
    }

    /// The settings of each game.
    pub(crate) fn settings(&self) -> GameSettings {
        GameSettings {
            rules: GameRules { draw: self.draw, resign: self.resign, max_plies: self.max_plies },
            margin: Duration::from_millis(self.margin_ms),
            patience: Duration::from_secs(self.patience),
            notation: if self.chess960 { CastlingNotation::Chess960 } else { CastlingNotation::Standard },
        }
    }
}
