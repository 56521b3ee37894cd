//! Collects positions that a search evaluates.

use alfiere_chess::board::Board;
use alfiere_chess::random::Random;
use alfiere_chess::types::Move;
use alfiere_search::eval::{AnyEvaluator, Evaluator};

/// Makes rows of some of the positions.
pub(crate) trait Labeller: Send {
    /// Forgets the game before.
    fn begin(&mut self);

    /// Takes a position out of check, and its static value for the side to move.
    fn take(&mut self, board: &Board, value: i32, numbers: &mut Random);
}

/// Evaluates for the search, and shows one of `every` positions to the labeller, except those in check.
pub(crate) struct Collector<L> {
    evaluator: AnyEvaluator,
    every: u32,
    pub(crate) numbers: Random,
    pub(crate) labeller: L,
}

impl<L: Labeller> Collector<L> {
    pub(crate) fn new(evaluator: AnyEvaluator, every: u32, labeller: L) -> Self {
        Self { evaluator, every, numbers: Random::new(0), labeller }
    }

    /// Starts a game; the sampling depends only on `seed`.
    pub(crate) fn begin(&mut self, seed: u64) {
        self.numbers = Random::new(seed);
        self.labeller.begin();
    }
}

impl<L: Labeller> Evaluator for Collector<L> {
    fn reset(&mut self, board: &Board) {
        self.evaluator.reset(board);
    }

    fn play(&mut self, board: &mut Board, mv: Move) {
        self.evaluator.play(board, mv);
    }

    fn undo(&mut self) {
        self.evaluator.undo();
    }

    fn evaluate(&mut self, board: &Board) -> i32 {
        let value = self.evaluator.evaluate(board);
        if self.numbers.below(u64::from(self.every)) == 0 && !board.in_check() {
            self.labeller.take(board, value, &mut self.numbers);
        }
        value
    }
}
