//! Attacks, mobility areas and king zones, shared by all terms of one evaluation.

use alfiere_chess::board::{Board, attacks};
use alfiere_chess::types::{Bitboard, Color, PieceKind, Rank, Square};

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
