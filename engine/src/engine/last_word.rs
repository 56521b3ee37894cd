//! What a search had found, kept for the case that it breaks off by a fault of the program: a GUI that gets no move
//! waits for ever.

use std::any::Any;

use crate::board::Board;
use crate::movegen::legal_moves;
use crate::search::{Info, Outcome, Reporter, Score, ScoreKind};
use crate::types::Move;

/// Passes on what a search tells, and remembers its best line.
pub(super) struct LastWord<'a> {
    reporter: &'a mut dyn Reporter,
    found: Option<Outcome>,
    has_answered: bool,
}

impl<'a> LastWord<'a> {
    pub(super) fn new(reporter: &'a mut dyn Reporter) -> Self {
        Self { reporter, found: None, has_answered: false }
    }

    /// Answers in place of a search that panicked: with its best move so far, or with any.
    pub(super) fn answer(self, panic: &(dyn Any + Send), board: &Board) {
        let text = panic.downcast_ref::<&str>().copied();
        let reason = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("no reason given");
        self.reporter.failed(reason);
        if !self.has_answered {
            self.reporter.finished(&self.found.unwrap_or_else(|| any_move(board)));
        }
    }
}

fn any_move(board: &Board) -> Outcome {
    let best = legal_moves(board).first().copied();
    let variation = Vec::from_iter(best);
    Outcome { best, ponder: None, score: Score::DRAW, depth: 0, nodes: 0, time: std::time::Duration::ZERO, variation }
}

impl Reporter for LastWord<'_> {
    fn wants_lines(&self) -> bool {
        self.reporter.wants_lines()
    }

    fn info(&mut self, info: &Info<'_>) {
        let &Info { depth, score, nodes, time, variation, .. } = info;
        if let (&[best, ref rest @ ..], 1, true) = (variation, info.line, info.kind != ScoreKind::AtMost) {
            let (best, ponder, variation) = (Some(best), rest.first().copied(), variation.to_vec());
            self.found = Some(Outcome { best, ponder, score, depth, nodes, time, variation });
        }
        self.reporter.info(info);
    }

    fn current_move(&mut self, depth: u32, mv: Move, number: usize) {
        self.reporter.current_move(depth, mv, number);
    }

    fn finished(&mut self, outcome: &Outcome) {
        self.has_answered = true;
        self.reporter.finished(outcome);
    }
}
