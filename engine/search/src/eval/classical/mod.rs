//! The hand-written evaluation: a tapered evaluation with a few hundred fitted weights.
//!
//! Each file counts one kind of term (`pawns`, `pieces`, `king`). Each term has two weights in `nets/classical.weights`,
//! for the middlegame and the endgame. The value interpolates between them by the pieces
//! left; its endgame part is scaled where an advantage is hard to win with. The evaluation is symmetric: a position and its
//! colour-flipped image have the same value for the side to move.

mod context;
mod king;
mod pair;
mod pawns;
mod pieces;
mod report;
mod term_sink;
#[cfg(test)]
mod tests;
mod weights;

use alfiere_chess::board::Board;
use alfiere_chess::types::{Bitboard, Color, Move, PieceKind};

use self::context::EvalContext;
use self::pair::Pair;
use self::pawns::{PawnFacts, PawnTable};
use self::term_sink::{Sum, TermSink};
use super::Evaluator;

use weights::Weights;

pub use report::{ClassicalReport, TermValue};
pub use weights::Term;

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
        king::threats(&context, side, sink);
        king::space(&context, side, sink);
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
        Self { phase: phase.min(FULL_PHASE), scales: Color::ALL.map(|side| scale(board, side)) }
    }

    /// The scale for an endgame's value of this sign.
    fn scale(self, endgame_is_white: bool) -> i32 {
        self.scales[usize::from(!endgame_is_white)]
    }

    /// Centipawns from White's side.
    fn value(self, pair: Pair) -> i32 {
        let (middlegame, endgame) = (pair.middlegame(), pair.endgame());
        let scaled = endgame * self.scale(endgame > 0);
        let blended = middlegame * self.phase * FULL_SCALE + scaled * (FULL_PHASE - self.phase);
        blended / (FULL_PHASE * FULL_SCALE)
    }
}

/// The scale at which the endgame value counts in full.
pub(super) const FULL_SCALE: i32 = 64;

/// Non-pawn material: minor piece 3, rook 5, queen 9.
fn pieces(board: &Board, side: Color) -> i32 {
    let count = |kind: PieceKind| board.colored(side, kind).count() as i32;
    3 * (count(PieceKind::Knight) + count(PieceKind::Bishop)) + 5 * count(PieceKind::Rook) + 9 * count(PieceKind::Queen)
}

/// The scale factor of an endgame value in favour of `side`, in sixty-fourths.
pub(super) fn scale(board: &Board, side: Color) -> i32 {
    let (own, theirs) = (pieces(board, side), pieces(board, !side));
    let pawns = board.colored(side, PieceKind::Pawn).count() as i32;
    if pawns == 0 && own - theirs <= 3 {
        // Without pawns an extra minor piece does not win, and a single minor piece cannot mate.
        return if own < 5 {
            0
        } else if theirs <= 3 {
            8
        } else {
            14
        };
    }
    if has_opposite_bishops(board) {
        return if own == 3 && theirs == 3 { 28 } else { 46 };
    }
    (40 + 6 * pawns).min(FULL_SCALE)
}

/// One bishop each, on squares of different colours.
fn has_opposite_bishops(board: &Board) -> bool {
    let [white, black] = Color::ALL.map(|side| board.colored(side, PieceKind::Bishop));
    let is_dark = |bishops: Bitboard| (bishops & Bitboard::DARK_SQUARES).is_some();
    white.count() == 1 && black.count() == 1 && is_dark(white) != is_dark(black)
}
