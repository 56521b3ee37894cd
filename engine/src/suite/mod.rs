//! Test suites: positions, the UCI engine that solves them, and scores by kind of position. Prints nothing.

mod test_position;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use alfiere_arena::player::{GameView, MoveLimits, PlayError, Player, Reply};
use alfiere_arena::spec::PlayerSpec;
use alfiere_arena::uci_player::UciPlayer;
use alfiere_chess::board::Board;
use alfiere_chess::game::{Limit, ReportedScore};
use alfiere_chess::movegen::{CastlingNotation, format_san, format_uci_move, parse_uci_move};
use alfiere_chess::types::Move;
use serde::Serialize;
use thiserror::Error;

pub use test_position::{MateIn, TaskKind, TestPosition, TestSuite, read_suite};

/// Maximum time of a search that is limited by depth or nodes.
const TIMEOUT: Duration = Duration::from_hours(1);
/// Tolerance for overstepping the time, larger than in matches.
const MARGIN: Duration = Duration::from_secs(5);

/// A solver's answer. Scores are from the point of view of the side to move.
#[derive(Clone, Debug, Default)]
pub struct Answer {
    pub played: Option<Move>,
    /// Moves to mate: positive if the side to move mates.
    pub mate: Option<i32>,
    /// Score in centipawns; `None` with a mate score.
    pub centipawns: Option<i32>,
    pub depth: u32,
    pub nodes: u64,
    pub time: Duration,
}

/// Why a position has no answer.
#[derive(Debug, Error)]
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
        let ready = player.new_game(game.notation, &self.stop);
        ready.and_then(|()| player.choose(&game, &limits, &self.stop)).map_err(|error| {
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
    pub fn solve(&mut self, board: &Board, limit: Limit) -> Result<Answer, SolveError> {
        let reply = self.ask(board, limit)?;
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

/// The result of one position, as printed and written to JSON.
#[derive(Clone, Debug, Serialize)]
pub struct Attempt {
    pub id: String,
    pub fen: String,
    pub kind: TaskKind,
    pub solution: String,
    pub played: Option<String>,
    pub played_uci: Option<String>,
    pub solved: bool,
    pub points: Option<(u64, u64)>,
    /// For mate positions: whether the mate found is as short as possible.
    pub shortest_mate: Option<bool>,
    /// Score in centipawns, from the point of view of the side to move.
    pub centipawns: Option<i32>,
    /// Moves to mate, from the point of view of the side to move.
    pub mate: Option<i32>,
    pub depth: u32,
    pub nodes: u64,
    pub milliseconds: u64,
    /// Why there is no answer; the position then counts as unsolved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fault: Option<String>,
}

impl Attempt {
    /// A position without an answer.
    pub fn failed(position: &TestPosition, fault: String) -> Self {
        Self { fault: Some(fault), ..Self::new(position, &Answer::default()) }
    }

    pub fn new(position: &TestPosition, answer: &Answer) -> Self {
        Self {
            id: position.id.clone(),
            fen: position.board.to_fen(),
            kind: position.kind(),
            solution: position.solution(),
            played: answer.played.map(|mv| format_san(&position.board, mv)),
            played_uci: answer.played.map(|mv| format_uci_move(mv, CastlingNotation::Standard).to_string()),
            solved: position.is_solved_by(answer.played, answer.mate),
            points: position.points_of(answer.played),
            shortest_mate: position.mate.map(|_| position.is_shortest_mate(answer.mate)),
            centipawns: answer.centipawns,
            mate: answer.mate,
            depth: answer.depth,
            nodes: answer.nodes,
            milliseconds: answer.time.as_millis() as u64,
            fault: None,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Solved {
    pub solved: u32,
    pub total: u32,
}

/// The score of a suite, or of the part tried so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct SuiteScore {
    pub all: Solved,
    /// Positions with best moves.
    pub best: Solved,
    /// Positions with moves to avoid only.
    pub avoid: Solved,
    pub mate: Solved,
    /// Mates found that are as short as possible.
    pub shortest_mates: u32,
    pub points: (u64, u64),
    /// Positions without an answer.
    pub faults: u32,
    pub nodes: u64,
    pub milliseconds: u64,
}

impl SuiteScore {
    pub fn add(&mut self, attempt: &Attempt) {
        let kind = match attempt.kind {
            TaskKind::Best => &mut self.best,
            TaskKind::Avoid => &mut self.avoid,
            TaskKind::Mate => &mut self.mate,
        };
        for share in [kind, &mut self.all] {
            share.total += 1;
            share.solved += u32::from(attempt.solved);
        }
        self.shortest_mates += u32::from(attempt.shortest_mate == Some(true));
        if let Some((earned, most)) = attempt.points {
            self.points.0 += earned;
            self.points.1 += most;
        }
        self.faults += u32::from(attempt.fault.is_some());
        self.nodes += attempt.nodes;
        self.milliseconds += attempt.milliseconds;
    }
}

#[cfg(test)]
mod tests {
    use alfiere_chess::epd::EpdRecord;

    use super::*;

    #[test]
    fn kinds_are_counted_separately() {
        let mut score = SuiteScore::default();
        for (operations, mate, solved) in [
            ("bm Kd1;", None, true),
            ("bm Kd2; c0 \"Kd2=10, Kd1=4\";", None, false),
            ("bm Kd2; c0 \"Kd2=4294967295, Kd1=4294967295\";", None, false),
            ("am Kd1;", None, false),
            ("am Kd2;", None, true),
            ("bm #2;", Some(3), true),
        ] {
            let record = EpdRecord::parse(&format!("4k3/8/8/8/8/8/8/4K2R w - - {operations}")).expect("valid");
            let position = TestPosition::from_record(record, 1).expect("valid");
            let played = parse_uci_move(&position.board, "e1d1").ok();
            let attempt = Attempt::new(&position, &Answer { played, mate, ..Answer::default() });
            assert_eq!(attempt.solved, solved, "{operations}");
            score.add(&attempt);
        }
        assert_eq!(score.all, Solved { solved: 3, total: 6 });
        assert_eq!(score.best, Solved { solved: 1, total: 3 });
        assert_eq!(score.avoid, Solved { solved: 1, total: 2 });
        assert_eq!((score.mate.solved, score.shortest_mates), (1, 0));
        assert_eq!(score.points, (4_294_967_299, 4_294_967_305));
    }
}
