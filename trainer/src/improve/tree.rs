//! Rows from the nodes of a search: every position that it evaluated has a value or a bound in the table.
//!
//! TreeStrap (Veness, Silver, Uther and Blair, 2009): a network learns from all nodes of its own searches. An exact score
//! is a label, and so is a bound that the static evaluation violates; a bound that it does not violate says nothing.

use alfiere_chess::board::Board;
use alfiere_chess::random::Random;
use alfiere_chess::types::{Color, Move};
use alfiere_search::eval::{AnyEvaluator, Evaluator};
use alfiere_search::search::{KnownScore, ScoreKind, Table};

use super::settings::RowSettings;
use crate::data::{Label, Row};

/// A position as it was evaluated.
struct Evaluated {
    key: u64,
    /// The network's value for the side to move.
    value: i32,
    row: Row,
}

/// Evaluates for the search, and remembers the positions.
pub(super) struct Collector {
    evaluator: AnyEvaluator,
    every: u32,
    numbers: Random,
    /// Positions of the last search, and of the search before it.
    latest: Vec<Evaluated>,
    earlier: Vec<Evaluated>,
}

impl Collector {
    pub(super) fn new(evaluator: AnyEvaluator, every: u32) -> Self {
        Self { evaluator, every, numbers: Random::new(0), latest: Vec::new(), earlier: Vec::new() }
    }

    /// Starts a game; the sampling depends only on `seed`.
    pub(super) fn begin(&mut self, seed: u64) {
        self.numbers = Random::new(seed);
        self.latest.clear();
        self.earlier.clear();
    }

    /// Adds rows of the positions that the search before the last has evaluated: the last may have searched them more deeply.
    /// At the end of a game, another call adds those of the last search.
    pub(super) fn label(&mut self, table: &Table, settings: &RowSettings, rows: &mut Vec<Row>) {
        for Evaluated { key, value, row } in self.earlier.drain(..) {
            let target = match table.known_score(key).and_then(|known| lesson(&known, value, &row, settings)) {
                Some(Lesson::Label(target)) => target,
                Some(Lesson::Nothing) if self.numbers.chance(settings.anchors) => value,
                _ => continue,
            };
            let for_white = if row.side_to_move() == Color::White { target } else { -target };
            rows.push(row.with_label(Label::centipawns(i64::from(for_white))));
        }
        std::mem::swap(&mut self.latest, &mut self.earlier);
    }
}

/// What a network can learn from a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Lesson {
    /// The label, for the side to move.
    Label(i32),
    /// The bound does not contradict the network.
    Nothing,
}

/// What the table's score teaches about a position of this static value; `None` if such positions are left out.
fn lesson(known: &KnownScore, value: i32, row: &Row, settings: &RowSettings) -> Option<Lesson> {
    let is_tactical = settings.quiet && known.best.is_some_and(Move::is_noisy);
    if known.depth < settings.min_depth || known.score.is_decisive() || is_tactical {
        return None;
    }
    // The search scales evaluations towards a draw by the half-move clock, which the network does not see.
    let score = known.score.value() * 200 / (200 - i32::from(row.halfmove_clock().min(100)));
    let teaches = match known.kind {
        ScoreKind::Exact => true,
        ScoreKind::LowerBound => score > value,
        ScoreKind::UpperBound => score < value,
    };
    Some(if teaches { Lesson::Label(score) } else { Lesson::Nothing })
}

impl Evaluator for Collector {
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
            self.latest.push(Evaluated { key: board.key(), value, row: Row::of_board(board) });
        }
        value
    }
}
