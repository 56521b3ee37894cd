//! What was solved, counted by kind of task.

use alfiere_chess::movegen::{format_san, format_uci_move};
use serde::Serialize;

use crate::suite::problem::{Problem, TaskKind};
use crate::suite::solver::Answer;

/// One position with what came of it, as it is printed and written to JSON.
#[derive(Clone, Debug, Serialize)]
pub struct Attempt {
    /// The position's name.
    pub id: String,
    /// The position.
    pub fen: String,
    /// The kind of its task.
    pub kind: TaskKind,
    /// What was asked for.
    pub wanted: String,
    /// The move played, in algebraic notation.
    pub played: Option<String>,
    /// The same move as UCI writes it.
    pub played_uci: Option<String>,
    /// Whether that solves it.
    pub solved: bool,
    /// Points earned and the most there are, in suites with points.
    pub points: Option<(u32, u32)>,
    /// For a mate to be seen: whether it was announced as short as it is.
    pub shortest_mate: Option<bool>,
    /// Score in centipawns, side to move's view.
    pub centipawns: Option<i32>,
    /// Moves to mate, side to move's view.
    pub mate: Option<i32>,
    /// Plies searched.
    pub depth: u32,
    /// Nodes searched.
    pub nodes: u64,
    /// Milliseconds taken.
    pub milliseconds: u64,
    /// Why there is no answer; such a position counts as not solved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fault: Option<String>,
}

impl Attempt {
    /// A position without an answer.
    pub fn failed(problem: &Problem, fault: String) -> Self {
        Self { fault: Some(fault), ..Self::new(problem, &Answer::default()) }
    }

    /// Scores an answer.
    pub fn new(problem: &Problem, answer: &Answer) -> Self {
        Self {
            id: problem.id.clone(),
            fen: problem.board.to_fen(),
            kind: problem.kind(),
            wanted: problem.wanted(),
            played: answer.played.map(|mv| format_san(&problem.board, mv)),
            played_uci: answer
                .played
                .map(|mv| format_uci_move(mv, alfiere_chess::movegen::CastlingNotation::Standard).to_string()),
            solved: problem.is_solved_by(answer.played, answer.mate),
            points: problem.points_of(answer.played),
            shortest_mate: problem.mate.map(|_| problem.is_shortest_mate(answer.mate)),
            centipawns: answer.centipawns,
            mate: answer.mate,
            depth: answer.depth,
            nodes: answer.nodes,
            milliseconds: answer.time.as_millis() as u64,
            fault: None,
        }
    }
}

/// Solved of how many.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Solved {
    /// Solved.
    pub solved: u32,
    /// Tried.
    pub total: u32,
}

/// The counts of a suite, or of the part tried so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct SuiteScore {
    /// Everything.
    pub all: Solved,
    /// Positions with best moves.
    pub best: Solved,
    /// Positions with only moves to avoid.
    pub avoid: Solved,
    /// Mates to be seen.
    pub mate: Solved,
    /// Mates announced as short as they are.
    pub shortest_mates: u32,
    /// Points earned, and the most there were.
    pub points: (u32, u32),
    /// Positions without an answer.
    pub faults: u32,
    /// Nodes searched.
    pub nodes: u64,
    /// Milliseconds taken.
    pub milliseconds: u64,
}

impl SuiteScore {
    /// Counts one more attempt.
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
    use super::*;
    use alfiere_chess::epd::EpdRecord;

    #[test]
    fn kinds_are_counted_apart() {
        let mut score = SuiteScore::default();
        for (operations, mate, solved) in [
            ("bm Kd1;", None, true),
            ("bm Kd2; c0 \"Kd2=10, Kd1=4\";", None, false),
            ("am Kd1;", None, false),
            ("am Kd2;", None, true),
            ("bm #2;", Some(3), true),
        ] {
            let record = EpdRecord::parse(&format!("4k3/8/8/8/8/8/8/4K2R w - - {operations}")).expect("valid");
            let problem = Problem::from_record(record, 1).expect("valid");
            let played = alfiere_chess::movegen::parse_uci_move(&problem.board, "e1d1").ok();
            let attempt = Attempt::new(&problem, &Answer { played, mate, ..Answer::default() });
            assert_eq!(attempt.solved, solved, "{operations}");
            score.add(&attempt);
        }
        assert_eq!(score.all, Solved { solved: 3, total: 5 });
        assert_eq!(score.best, Solved { solved: 1, total: 2 });
        assert_eq!(score.avoid, Solved { solved: 1, total: 2 });
        assert_eq!((score.mate.solved, score.shortest_mates), (1, 0));
        assert_eq!(score.points, (4, 10));
    }
}
