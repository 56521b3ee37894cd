//! Attacks, mobility areas and king zones, shared by all terms of one evaluation; and squares ahead, behind, beside and near.

use alfiere_chess::board::{Board, attacks};
use alfiere_chess::types::{Bitboard, Color, File, PieceKind, Rank, Square};

/// The state of one evaluation. The attacks are complete after the pieces of both sides were evaluated.
pub(super) struct EvalContext<'a> {
    pub(super) board: &'a Board,
    pub(super) occupied: Bitboard,
    pub(super) kings: [Square; 2],
    pub(super) pawns: [Bitboard; 2],
    pub(super) pawn_attacks: [Bitboard; 2],
    /// Squares that no pawn of the side can ever attack again, however it advances.
    pub(super) pawn_free: [Bitboard; 2],
    pub(super) passed: [Bitboard; 2],
    /// By side and kind.
    pub(super) attacked_by: [[Bitboard; 6]; 2],
    pub(super) attacked: [Bitboard; 2],
    pub(super) attacked_twice: [Bitboard; 2],
    /// Mobility area: not the own king or blocked pawns, not squares attacked by enemy pawns.
    pub(super) area: [Bitboard; 2],
    /// The squares beside a side's king and in front of these.
    pub(super) king_zone: [Bitboard; 2],
    /// Pieces that attack a side's king zone, and what they weigh.
    pub(super) attackers: [i32; 2],
    pub(super) attack_units: [i32; 2],
}

impl<'a> EvalContext<'a> {
    pub(super) fn new(board: &'a Board, pawn_free: [Bitboard; 2], passed: [Bitboard; 2]) -> Self {
        let occupied = board.occupied();
        let kings = Color::ALL.map(|side| board.king(side));
        let pawns = Color::ALL.map(|side| board.colored(side, PieceKind::Pawn));
        let pawn_attacks = Color::ALL.map(|side| attacks::pawn_attacks_of_all(side, pawns[side.index()]));
        let mut context = Self {
            board,
            occupied,
            kings,
            pawns,
            pawn_attacks,
            pawn_free,
            passed,
            attacked_by: [[Bitboard::EMPTY; 6]; 2],
            attacked: [Bitboard::EMPTY; 2],
            attacked_twice: [Bitboard::EMPTY; 2],
            area: Color::ALL.map(|side| area(side, occupied, kings, &pawns, &pawn_attacks)),
            king_zone: Color::ALL.map(|side| king_zone(kings[side.index()], side)),
            attackers: [0; 2],
            attack_units: [0; 2],
        };
        for side in Color::ALL {
            context.note(side, PieceKind::King, attacks::king_attacks(kings[side.index()]));
            context.note(side, PieceKind::Pawn, pawn_attacks[side.index()]);
        }
        context
    }

    /// One more piece (or all pawns) attacks these squares.
    #[inline]
    pub(super) fn note(&mut self, side: Color, kind: PieceKind, squares: Bitboard) {
        let side = side.index();
        self.attacked_twice[side] |= self.attacked[side] & squares;
        self.attacked[side] |= squares;
        self.attacked_by[side][kind.index()] |= squares;
    }

    pub(super) fn king(&self, side: Color) -> Square {
        self.kings[side.index()]
    }
}

fn area(
    side: Color,
    occupied: Bitboard,
    kings: [Square; 2],
    pawns: &[Bitboard; 2],
    pawn_attacks: &[Bitboard; 2],
) -> Bitboard {
    let low = Bitboard::rank(Rank::Second.relative_to(side)) | Bitboard::rank(Rank::Third.relative_to(side));
    let own = pawns[side.index()];
    let stuck = own & (occupied.forward(!side) | low);
    !(stuck | Bitboard::from(kings[side.index()]) | pawn_attacks[(!side).index()])
}

fn king_zone(king: Square, side: Color) -> Bitboard {
    let ring = attacks::king_attacks(king) | Bitboard::from(king);
    ring | ring.forward(side)
}

/// The ranks in front of this one, as `color` goes.
#[inline]
pub(super) const fn ranks_ahead(rank: Rank, color: Color) -> Bitboard {
    let rank = rank as u32;
    match color {
        // Two shifts, because a shift by 64 bits would overflow.
        Color::White => Bitboard(u64::MAX << (8 * rank) << 8),
        Color::Black => Bitboard((1 << (8 * rank)) - 1),
    }
}

/// The squares of the same file in front of this one, as `color` goes.
#[inline]
pub(super) fn ahead(square: Square, color: Color) -> Bitboard {
    Bitboard::file(square.file()) & ranks_ahead(square.rank(), color)
}

#[inline]
pub(super) const fn neighbours(file: File) -> Bitboard {
    let file = Bitboard::file(file);
    Bitboard(file.east().0 | file.west().0)
}

/// The rank as `color` counts it, 0 to 7.
#[inline]
pub(super) fn relative_rank(square: Square, color: Color) -> usize {
    square.relative_to(color).rank().index()
}

/// Everything in front of these squares, as `color` goes.
#[inline]
pub(super) const fn front_fill(squares: Bitboard, color: Color) -> Bitboard {
    let mut filled = squares.0;
    match color {
        Color::White => {
            filled |= filled << 8;
            filled |= filled << 16;
            filled |= filled << 32;
            Bitboard(filled << 8)
        }
        Color::Black => {
            filled |= filled >> 8;
            filled |= filled >> 16;
            filled |= filled >> 32;
            Bitboard(filled >> 8)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ahead_is_where_pawns_go() {
        for square in Square::ALL {
            for color in Color::ALL {
                let mut walked = Bitboard::EMPTY;
                let mut step = Bitboard::from(square).forward(color);
                while step.is_some() {
                    walked |= step;
                    step = step.forward(color);
                }
                assert_eq!(ahead(square, color), walked, "{square} {color:?}");
                assert_eq!(front_fill(square.into(), color), walked, "{square} {color:?}");
            }
        }
    }
}
