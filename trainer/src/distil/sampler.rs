//! An evaluator that keeps some of the positions it is asked about.

use alfiere::arena::random::Random;
use alfiere::board::Board;
use alfiere::eval::{Evaluator, Judge};
use alfiere::types::{Color, Move};

use crate::data::{Label, MAX_CENTIPAWNS, Row};
use crate::teacher::Pupil;

/// Evaluates for the search, and puts the teacher's value of some positions aside.
pub(super) struct Sampler<'a> {
    judge: Judge,
    pupil: Pupil<'a>,
    /// One position in so many is kept.
    every: u32,
    numbers: Random,
    rows: Vec<Row>,
}

impl<'a> Sampler<'a> {
    pub(super) fn new(judge: Judge, pupil: Pupil<'a>, every: u32) -> Self {
        Self { judge, pupil, every, numbers: Random::new(0), rows: Vec::new() }
    }

    /// Draws from another stream of numbers from now on.
    pub(super) fn reseed(&mut self, seed: u64) {
        self.numbers = Random::new(seed);
    }

    /// What was put aside since this was asked before.
    pub(super) fn take_rows(&mut self) -> Vec<Row> {
        std::mem::take(&mut self.rows)
    }

    fn keep(&mut self, board: &Board) {
        let value = self.pupil.evaluate(board);
        let for_white = if board.side_to_move() == Color::White { value } else { -value };
        let limit = i32::from(MAX_CENTIPAWNS);
        self.rows.push(Row::of_board(board).with_label(Label::Centipawns(for_white.clamp(-limit, limit) as i16)));
    }
}

impl Evaluator for Sampler<'_> {
    fn reset(&mut self, board: &Board) {
        self.judge.reset(board);
    }

    fn play(&mut self, board: &mut Board, mv: Move) {
        self.judge.play(board, mv);
    }

    fn undo(&mut self) {
        self.judge.undo();
    }

    fn evaluate(&mut self, board: &Board) -> i32 {
        if self.numbers.below(u64::from(self.every)) == 0 && !board.in_check() {
            self.keep(board);
        }
        self.judge.evaluate(board)
    }
}
