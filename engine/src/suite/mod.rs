//! Test suites: positions, the UCI engine that solves them, and scores. Prints nothing.

mod score;
mod test_position;

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use alfiere_arena::player::{GameView, MoveLimits, PlayError, Player, Reply};
use alfiere_arena::spec::PlayerSpec;
use alfiere_arena::uci_player::UciPlayer;
use alfiere_chess::board::Board;
use alfiere_chess::game::{Limit, ReportedScore};
use alfiere_chess::movegen::{CastlingNotation, parse_uci_move};
use alfiere_chess::types::Move;
use thiserror::Error;

pub use score::{Attempt, SuiteScore};
pub use test_position::{MateIn, TaskKind, TestPosition, TestSuite, read_suite};

/// Maximum time of a search that is limited by depth or nodes.
const TIMEOUT: Duration = Duration::from_hours(1);
/// Tolerance for overstepping the time, larger than in matches.
const MARGIN: Duration = Duration::from_secs(5);

/// A limit of each search without a clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FixedLimit {
    /// Depth in plies.
    Depth(u32),
    /// Nodes.
    Nodes(u64),
    /// Time per position.
    MoveTime(Duration),
}

impl fmt::Display for FixedLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Depth(depth) => write!(f, "depth {depth}"),
            Self::Nodes(nodes) => write!(f, "{nodes} nodes"),
            Self::MoveTime(time) => write!(f, "{} ms", time.as_millis()),
        }
    }
}

/// A solver's answer. Scores are from the point of view of the side to move.
#[derive(Clone, Debug, Default)]
pub struct Answer {
    /// The move.
    pub played: Option<Move>,
    /// Moves to mate: positive if the side to move mates.
    pub mate: Option<i32>,
    /// Score in centipawns; `None` with a mate score.
    pub centipawns: Option<i32>,
    /// Depth in plies.
    pub depth: u32,
    /// Nodes searched.
    pub nodes: u64,
    /// Time used.
    pub time: Duration,
}

/// Why a position has no answer.
#[derive(Debug, Error)]
#[allow(missing_docs, reason = "the messages say what each is")]
pub enum SolveError {
    #[error("{0}")]
    NoAnswer(String),
    #[error("{0}")]
    Unusable(String),
    #[error("stopped")]
    Stopped,
}

/// A UCI engine as a solver. Every position is a new game; after a fault the engine is restarted.
#[derive(Debug)]
pub struct UciSolver {
    spec: PlayerSpec,
    /// `None` after a fault.
    player: Option<UciPlayer>,
    stop: Arc<AtomicBool>,
}

impl UciSolver {
    /// Starts the engine; setting `stop` interrupts it.
    ///
    /// # Errors
    /// If the engine cannot be started or rejects an option.
    pub fn start(spec: PlayerSpec, stop: Arc<AtomicBool>) -> Result<Self, PlayError> {
        let player = Some(UciPlayer::start(&spec, &stop)?);
        Ok(Self { spec, player, stop })
    }

    fn ask(&mut self, board: &Board, limit: Limit) -> Result<Reply, SolveError> {
        let player = match &mut self.player {
            Some(player) => player,
            none => none.insert(UciPlayer::start(&self.spec, &self.stop).map_err(|error| match error {
                PlayError::Stopped => SolveError::Stopped,
                PlayError::Fault(fault) => SolveError::Unusable(fault.to_string()),
            })?),
        };
        let game = GameView { start: board.clone(), moves: Vec::new(), notation: CastlingNotation::Standard };
        let limits = MoveLimits { limit, clock: None, opponent_clock: None, margin: MARGIN, patience: TIMEOUT };
        let reply = player.new_game(&game, limit, &self.stop).and_then(|()| player.choose(&game, &limits, &self.stop));
        reply.map_err(|error| {
            self.player = None;
            match error {
                PlayError::Stopped => SolveError::Stopped,
                PlayError::Fault(fault) => SolveError::NoAnswer(fault.to_string()),
            }
        })
    }

    /// Searches a position independently of the previous one.
    ///
    /// # Errors
    /// If there is no legal answer.
    pub fn solve(&mut self, board: &Board, limit: FixedLimit) -> Result<Answer, SolveError> {
        let reply = self.ask(
            board,
            match limit {
                FixedLimit::Depth(depth) => Limit::Depth(depth),
                FixedLimit::Nodes(nodes) => Limit::Nodes(nodes),
                FixedLimit::MoveTime(time) => Limit::MoveTime(time),
            },
        )?;
        let played = parse_uci_move(board, &reply.text).map_err(|error| SolveError::NoAnswer(error.to_string()))?;
        let (centipawns, mate) = match reply.report.reported_score {
            Some(ReportedScore::Centipawns(value)) => (Some(value), None),
            Some(ReportedScore::Mate(moves)) => (None, Some(moves)),
            None => (None, None),
        };
        Ok(Answer {
            played: Some(played),
            mate,
            centipawns,
            depth: reply.report.depth.unwrap_or(0),
            nodes: reply.report.nodes.unwrap_or(0),
            time: reply.time,
        })
    }
}
