//! Pawn structure with its hash table, and passed pawns in the context of the other pieces.

use alfiere_chess::board::{Board, attacks};
use alfiere_chess::types::{Bitboard, Color, PieceKind, Square};

use super::context::{EvalContext, ahead, front_fill, neighbours, ranks_ahead, relative_rank};
use super::pair::Pair;
use super::term_sink::{Sum, TermSink};
use super::weights::{Term, Weights};

/// Pawn facts that other terms use.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct PawnFacts {
    pub(super) passed: [Bitboard; 2],
    /// Squares outside the attack spans of each side's pawns.
    pub(super) free: [Bitboard; 2],
}

/// Adds the pawn structure terms of both sides.
pub(super) fn structure(board: &Board, sink: &mut impl TermSink) -> PawnFacts {
    let mut facts = PawnFacts::default();
    for side in Color::ALL {
        let own = board.colored(side, PieceKind::Pawn);
        let attacked = attacks::pawn_attacks_of_all(side, own);
        facts.free[side.index()] = !(attacked | front_fill(attacked, side));
        for square in own {
            if pawn(board, side, square, sink) {
                facts.passed[side.index()] |= Bitboard::from(square);
            }
        }
    }
    facts
}

/// Counts one pawn, and says whether it is passed.
fn pawn(board: &Board, side: Color, square: Square, sink: &mut impl TermSink) -> bool {
    let own = board.colored(side, PieceKind::Pawn);
    let theirs = board.colored(!side, PieceKind::Pawn);
    let rank = relative_rank(square, side);
    let before = ahead(square, side);
    let beside = neighbours(square.file());
    let opposed = usize::from((theirs & before).is_empty());
    let is_doubled = (own & before).is_some();
    let supporters = own & attacks::pawn_attacks(!side, square);
    let phalanx = own & beside & Bitboard::rank(square.rank());
    if is_doubled {
        sink.add(side, Term::Doubled.at(0), 1);
    }
    if (own & beside).is_empty() {
        sink.add(side, Term::Isolated.at(opposed), 1);
    } else {
        let stop = Bitboard::from(square).forward(side);
        let may_support = own & beside & !ranks_ahead(square.rank(), side);
        if may_support.is_empty() && (stop & attacks::pawn_attacks_of_all(!side, theirs)).is_some() {
            sink.add(side, Term::Backward.at(opposed), 1);
        }
    }
    if phalanx.is_some() {
        sink.add(side, Term::Phalanx.at(rank), 1);
    }
    if supporters.is_some() {
        sink.add(side, Term::Supported.at(rank), supporters.count() as i32);
    }
    // ANCHOR: passed
    let guards = theirs & (before | beside & ranks_ahead(square.rank(), side));
    let is_passed = guards.is_empty() && !is_doubled;
    if is_passed {
        sink.add(side, Term::Passed.at(rank), 1);
        if supporters.is_some() {
            sink.add(side, Term::PassedGuarded.at(0), 1);
        }
    }
    is_passed
    // ANCHOR_END: passed
}

/// Adds the terms of passed pawns that depend on other pieces.
pub(super) fn passed(context: &EvalContext<'_>, side: Color, sink: &mut impl TermSink) {
    for square in context.passed[side.index()] {
        let rank = relative_rank(square, side);
        let Some(stop) = Bitboard::from(square).forward(side).first() else { continue };
        let way = ahead(square, side);
        if rank >= 3 {
            sink.add(side, Term::PassedOwnKing.at(stop.distance(context.king(side))), 1);
            sink.add(side, Term::PassedOtherKing.at(stop.distance(context.king(!side))), 1);
        }
        if context.occupied.contains(stop) {
            sink.add(side, Term::PassedBlocked.at(rank), 1);
        } else if (way & (context.occupied | context.attacked[(!side).index()])).is_empty() {
            sink.add(side, Term::PassedFree.at(rank), 1);
        }
        if is_unstoppable(context, side, square, way) {
            sink.add(side, Term::Unstoppable.at(0), 1);
        }
    }
}

/// Whether the pawn outruns a lone king (rule of the square).
fn is_unstoppable(context: &EvalContext<'_>, side: Color, square: Square, way: Bitboard) -> bool {
    let their_pieces = context.board.color(!side);
    let simple = context.pawns[(!side).index()] | Bitboard::from(context.king(!side));
    if their_pieces != simple || (way & context.occupied).is_some() {
        return false;
    }
    let Some(goal) = (way & Bitboard::rank(alfiere_chess::types::Rank::Eighth.relative_to(side))).first() else {
        return false;
    };
    // From the second rank a pawn may advance two squares at once.
    let moves = way.count() as usize - usize::from(relative_rank(square, side) == 1);
    let head_start = usize::from(context.board.side_to_move() != side);
    context.king(!side).distance(goal) > moves + head_start
}

/// Number of entries; a power of two.
const ENTRIES: usize = 1 << 13;

/// Sums and facts of pawn structures, one entry per slot.
pub(super) struct PawnTable(Vec<Entry>);

#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
struct Entry {
    key: u64,
    sides: [Pair; 2],
    facts: PawnFacts,
}

impl PawnTable {
    pub(super) fn new() -> Self {
        // The key of no pawns is 0: the first entry must be right for it.
        let mut table = Self(vec![Entry { key: 1, ..Entry::default() }; ENTRIES]);
        table.0[1].key = 0;
        table
    }

    /// The sums and facts of the board's pawns.
    pub(super) fn get(&mut self, board: &Board, weights: &Weights) -> ([Pair; 2], PawnFacts) {
        let key = board.pawn_key();
        let entry = &mut self.0[key as usize % ENTRIES];
        if entry.key != key {
            let mut sum = Sum::new(weights);
            let facts = structure(board, &mut sum);
            *entry = Entry { key, sides: sum.sides, facts };
        }
        (entry.sides, entry.facts)
    }
}
