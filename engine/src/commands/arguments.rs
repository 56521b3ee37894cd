//! Arguments of several commands: the limit of a search, a player, this program; limits, openings and adjudication of games.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use alfiere_arena::game::{EndgameAdjudicator, GameSettings};
use alfiere_arena::player::PlayError;
use alfiere_arena::spec::PlayerSpec;
use alfiere_chess::board::Board;
use alfiere_chess::game::{DrawRule, GameResult, GameRules, Limit, ResignRule, TimeControl};
use alfiere_chess::movegen::CastlingNotation;
use alfiere_chess::openings::{Opening, read_openings, shuffle};
use alfiere_search::engine::Player;
use alfiere_syzygy::{TablebaseError, Tablebases, Wdl};
use alfiere_terminal::say;
use clap::Args;

use super::Failure;

/// The limit of each search. A command makes a group of them, so that at most one is given.
#[derive(Args)]
#[group(skip)]
pub(crate) struct LimitArgs {
    /// Depth per move
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=240))]
    depth: Option<u32>,
    /// Nodes per move
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Milliseconds per move
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    movetime: Option<u64>,
}

impl LimitArgs {
    pub(crate) fn limit(&self) -> Option<Limit> {
        let time = self.movetime.map(Duration::from_millis);
        self.depth.map(Limit::Depth).or(self.nodes.map(Limit::Nodes)).or(time.map(Limit::MoveTime))
    }
}

pub(crate) fn player(name: &str) -> Result<Player, String> {
    Player::named(name).ok_or_else(|| format!("expected one of {}", Player::names()))
}

/// The path of this program, for matches against itself.
pub(crate) fn own_program() -> Result<PathBuf, Failure> {
    std::env::current_exe().map_err(|error| Failure::new(format!("cannot find the path of this program: {error}")))
}

/// Lets a description that names `alfiere` stand for this program.
pub(crate) fn with_own_program(mut spec: PlayerSpec) -> Result<PlayerSpec, Failure> {
    if spec.program == Path::new("alfiere") {
        spec.program = own_program()?;
    }
    Ok(spec)
}

/// Why an engine did not start, or that the user stopped the work.
pub(crate) fn start_failure(error: PlayError) -> Failure {
    match error {
        PlayError::Stopped => Failure::Stopped,
        PlayError::Fault(_) => error.into(),
    }
}

/// Opens the endgame tables of these folders, and prints what was found.
pub(crate) fn open_tablebases(path: &OsStr) -> Result<Tablebases, TablebaseError> {
    let tablebases = Tablebases::open(path)?;
    for file in tablebases.damaged() {
        say(format_args!("left out: {file}"));
    }
    say(format_args!("endgame tables: {tablebases}"));
    Ok(tablebases)
}

#[derive(Debug)]
struct SyzygyEndgames(Tablebases);

impl EndgameAdjudicator for SyzygyEndgames {
    /// WDL values are exact at a halfmove clock of 0. With a higher clock a draw is still a draw, as are cursed wins and
    /// blessed losses, but a win may take too many moves: it is unknown until the next capture or pawn move.
    fn result(&self, board: &Board) -> Option<GameResult> {
        if board.occupied().count() as usize > self.0.largest() {
            return None;
        }
        let side = board.side_to_move();
        match self.0.probe_wdl(board)? {
            Wdl::Draw | Wdl::CursedWin | Wdl::BlessedLoss => Some(GameResult::Draw),
            _ if board.halfmove_clock() > 0 => None,
            Wdl::Win => Some(GameResult::Win(side)),
            Wdl::Loss => Some(GameResult::Win(!side)),
        }
    }
}

/// Arguments common to all commands that play games.
#[derive(Args)]
#[command(group(clap::ArgGroup::new("limit").required(true).args(["tc", "nodes", "depth", "movetime"])))]
pub(crate) struct GameArgs {
    /// Time control: [MOVES/]SECONDS[+INCREMENT]
    #[arg(long)]
    tc: Option<TimeControl>,
    #[command(flatten)]
    fixed: LimitArgs,
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
    syzygy: Option<OsString>,
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
        let clock = self.tc.map(Limit::Clock);
        // One of them is required.
        clock.or(self.fixed.limit()).unwrap_or(Limit::Depth(1))
    }

    /// All arguments as names and values, for comparison with a stopped match.
    pub(crate) fn setup(&self) -> impl Iterator<Item = (String, String)> {
        let draw =
            self.draw.map(|DrawRule { from_move, moves, centipawns }| format!("{from_move},{moves},{centipawns}"));
        let resign = self.resign.map(|ResignRule { moves, centipawns }| format!("{moves},{centipawns}"));
        [
            ("limit", Some(self.limit().to_string())),
            ("--openings", self.openings.as_ref().map(|path| path.display().to_string())),
            ("--seed", Some(self.seed.to_string())),
            ("--draw", draw),
            ("--resign", resign),
            ("--syzygy", self.syzygy.as_ref().map(|path| path.display().to_string())),
            ("--max-plies", Some(self.max_plies.to_string())),
            ("--margin-ms", Some(self.margin_ms.to_string())),
            ("--patience", Some(self.patience.to_string())),
            ("--chess960", self.chess960.then(String::new)),
        ]
        .into_iter()
        .filter_map(|(name, value)| Some((name.to_owned(), value?)))
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

    pub(crate) fn endgames(&self) -> Result<Option<Arc<dyn EndgameAdjudicator>>, TablebaseError> {
        let open = |path| Ok(Arc::new(SyzygyEndgames(open_tablebases(path)?)) as Arc<dyn EndgameAdjudicator>);
        self.syzygy.as_deref().map(open).transpose()
    }

    pub(crate) fn settings(&self) -> GameSettings {
        GameSettings {
            rules: GameRules { draw: self.draw, resign: self.resign, max_plies: self.max_plies },
            margin: Duration::from_millis(self.margin_ms),
            patience: Duration::from_secs(self.patience),
            notation: if self.chess960 { CastlingNotation::Chess960 } else { CastlingNotation::Standard },
        }
    }
}

#[cfg(test)]
mod tests {
    use alfiere_chess::types::Color;

    use super::*;

    #[test]
    fn results_respect_the_fifty_move_rule() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../datasets/syzygy");
        let endgames = SyzygyEndgames(Tablebases::open(folder).expect("tables"));
        let (white, black) = (Some(GameResult::Win(Color::White)), Some(GameResult::Win(Color::Black)));
        for (fen, expected) in [
            ("8/8/8/8/8/4k3/8/4K2R w - - 0 1", white),
            ("8/8/8/8/8/4k3/8/5K1R b - - 0 1", white),
            ("4k3/8/8/8/8/8/1r6/4K3 w - - 0 1", black),
            // A win at a higher clock is unknown, a draw is not.
            ("8/8/8/8/8/4k3/8/5K1R b - - 1 1", None),
            ("8/8/8/8/8/4k3/4p3/4K3 w - - 37 60", Some(GameResult::Draw)),
            ("4k3/8/8/8/8/8/8/4K1N1 w - - 5 60", Some(GameResult::Draw)),
            // Castling rights and unknown material.
            ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", None),
            ("4k3/pppp4/8/8/8/8/8/4K2R w - - 0 1", None),
            ("4k3/8/8/8/8/8/8/2B1K1N1 w - - 0 1", None),
        ] {
            assert_eq!(endgames.result(&Board::from_fen(fen).expect("valid")), expected, "{fen}");
        }
    }
}
