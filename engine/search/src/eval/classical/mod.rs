//! The hand-written evaluation: a tapered evaluation with a few hundred fitted weights.
//!
//! Each file counts one kind of term (`pawns`, `pieces`, `king`, `threats`). Each term has two weights in
//! `nets/classical.weights`, for the middlegame and the endgame, fitted by `trainer fit-classical`. The value interpolates
//! between them by the pieces left; `endgame` scales the endgame's part. The evaluation is symmetric: a position and its
//! colour-flipped image have the same value for the side to move.

mod context;
mod endgame;
mod geometry;
mod king;
mod pair;
mod pawn_table;
mod pawns;
mod pieces;
mod report;
mod term_sink;
mod terms;
#[cfg(test)]
mod tests;
mod threats;
mod trace;
mod weights;

pub use report::{ClassicalReport, TermValue};
pub use terms::{Term, WEIGHT_COUNT};
pub use trace::{ClassicalTrace, Coefficient};
pub use weights::{Weights, WeightsError};

use alfiere_chess::board::Board;
use alfiere_chess::types::{Color, Move, PieceKind};

use self::context::EvalContext;
use self::pair::Pair;
use self::pawn_table::PawnTable;
use self::pawns::PawnFacts;
use self::term_sink::{Sum, TermSink};
use super::Evaluator;

/// Game phase of each piece kind.
const PHASES: [i32; 6] = [0, 1, 1, 2, 4, 0];
/// Game phase of the initial position.
const FULL_PHASE: i32 = 24;

/// The hand-written evaluation with its pawn hash table.
pub struct Classical {
    weights: &'static Weights,
    pawns: PawnTable,
}

impl Classical {
    /// With the weights inside the program.
    pub fn new() -> Self {
        Self { weights: Weights::embedded(), pawns: PawnTable::new() }
    }
}

impl Default for Classical {
    fn default() -> Self {
        Self::new()
    }
}

impl Evaluator for Classical {
    fn reset(&mut self, _board: &Board) {}

    fn play(&mut self, board: &mut Board, mv: Move) {
        board.play(mv);
    }

    fn undo(&mut self) {}

    fn evaluate(&mut self, board: &Board) -> i32 {
        let (pawns, facts) = self.pawns.get(board, self.weights);
        let mut sum = Sum::new(self.weights);
        count_all(board, facts, &mut sum);
        let [white, black] = [sum.sides[0] + pawns[0], sum.sides[1] + pawns[1]];
        let value = Taper::of(board).value(white - black);
        if board.side_to_move() == Color::White { value } else { -value }
    }
}

/// Adds all terms except pawn structure.
fn count_all(board: &Board, facts: PawnFacts, sink: &mut impl TermSink) {
    let mut context = EvalContext::new(board, facts.free, facts.passed);
    for side in Color::ALL {
        pieces::pawns_and_king(&context, side, sink);
        pieces::pieces(&mut context, side, sink);
    }
    for side in Color::ALL {
        pawns::passed(&context, side, sink);
        king::shelter(&context, side, sink);
        king::attack(&context, side, sink);
        threats::threats(&context, side, sink);
        threats::space(&context, side, sink);
    }
    sink.add(board.side_to_move(), Term::Tempo.at(0), 1);
}

/// The taper: game phase and endgame scale factors.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Taper {
    /// 0, only kings and pawns, to 24, all pieces.
    phase: i32,
    /// Scale factor of the endgame value in sixty-fourths, by the side that it favours.
    scales: [i32; 2],
}

impl Taper {
    fn of(board: &Board) -> Self {
        let phase: i32 =
            PieceKind::ALL.iter().map(|&kind| PHASES[kind.index()] * board.pieces(kind).count() as i32).sum();
        Self { phase: phase.min(FULL_PHASE), scales: Color::ALL.map(|side| endgame::scale(board, side)) }
    }

    /// The scale for an endgame's value of this sign.
    fn scale(self, endgame_is_white: bool) -> i32 {
        self.scales[usize::from(!endgame_is_white)]
    }

    /// Centipawns from White's side.
    fn value(self, pair: Pair) -> i32 {
        let (middlegame, endgame) = (pair.middlegame(), pair.endgame());
        let scaled = endgame * self.scale(endgame > 0);
        let blended = middlegame * self.phase * endgame::FULL_SCALE + scaled * (FULL_PHASE - self.phase);
        blended / (FULL_PHASE * endgame::FULL_SCALE)
    }
}
