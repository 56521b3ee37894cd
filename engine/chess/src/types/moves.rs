//! Moves in 16 bits.

use std::num::NonZeroU16;

use arrayvec::ArrayVec;

use super::{PieceKind, Square};

/// A list with room for the legal moves of any position (at most 218).
pub type MoveList = ArrayVec<Move, 256>;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MoveKind {
    /// A move to an empty square without further effects.
    Quiet,
    DoublePush,
    /// Castling; the move's target is the square of the *rook* in every game, as in Chess960.
    Castle,
    /// A piece captures another on the target square.
    Capture,
    EnPassant,
    /// A pawn moves to the last rank and becomes this piece.
    Promotion(PieceKind),
    /// A pawn captures on the last rank and becomes this piece.
    PromotionCapture(PieceKind),
}

impl MoveKind {
    const fn code(self) -> u16 {
        match self {
            Self::Quiet => 0,
            Self::DoublePush => 1,
            Self::Castle => 2,
            Self::Capture => 4,
            Self::EnPassant => 5,
            Self::Promotion(kind) => 8 + Self::promotion_code(kind),
            Self::PromotionCapture(kind) => 12 + Self::promotion_code(kind),
        }
    }

    #[inline]
    const fn promotion_code(kind: PieceKind) -> u16 {
        match kind {
            PieceKind::Knight => 0,
            PieceKind::Bishop => 1,
            PieceKind::Rook => 2,
            _ => 3,
        }
    }

    #[inline]
    const fn promotion_kind(code: u16) -> PieceKind {
        match code & 3 {
            0 => PieceKind::Knight,
            1 => PieceKind::Bishop,
            2 => PieceKind::Rook,
            _ => PieceKind::Queen,
        }
    }
}

/// A move: source in bits 0-5, target in bits 6-11, [`MoveKind`] in bits 12-15.
///
/// Valid only with the position it was created for. Source and target differ, except in [`Move::NULL`], so the bits are
/// never zero and `Option<Move>` takes 16 bits too.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Move(NonZeroU16);

impl Move {
    /// A null move of a game that is only read: never generated or searched.
    pub const NULL: Self = Self::new(Square::B1, Square::B1, MoveKind::Quiet);

    /// Creates a move from `source` to `target`; for castling the target is the rook's square.
    ///
    /// # Panics
    /// If source and target are both A1.
    #[inline]
    pub const fn new(source: Square, target: Square, kind: MoveKind) -> Self {
        let bits = source as u16 | (target as u16) << 6 | kind.code() << 12;
        match NonZeroU16::new(bits) {
            Some(bits) => Self(bits),
            None => panic!("a move has two squares"),
        }
    }

    #[inline]
    pub const fn to_bits(self) -> u16 {
        self.0.get()
    }

    /// Decodes a move; `None` for zero. The caller must check that the move is legal.
    #[inline]
    pub const fn from_bits(bits: u16) -> Option<Self> {
        match NonZeroU16::new(bits) {
            Some(bits) => Some(Self(bits)),
            None => None,
        }
    }

    #[inline]
    pub const fn source(self) -> Square {
        Square::from_index(self.0.get() as usize)
    }

    /// The target square; for castling, the rook's square.
    #[inline]
    pub const fn target(self) -> Square {
        Square::from_index(self.0.get() as usize >> 6)
    }

    pub const fn kind(self) -> MoveKind {
        let code = self.0.get() >> 12;
        match code {
            0 | 3 => MoveKind::Quiet,
            1 => MoveKind::DoublePush,
            2 => MoveKind::Castle,
            4 | 6 | 7 => MoveKind::Capture,
            5 => MoveKind::EnPassant,
            8..12 => MoveKind::Promotion(MoveKind::promotion_kind(code)),
            _ => MoveKind::PromotionCapture(MoveKind::promotion_kind(code)),
        }
    }

    /// Whether the move captures a piece, including en passant.
    #[inline]
    pub const fn is_capture(self) -> bool {
        self.0.get() >> 12 & 4 != 0
    }

    #[inline]
    pub const fn is_promotion(self) -> bool {
        self.0.get() >> 12 & 8 != 0
    }

    /// Whether the move is a capture or a promotion: the moves of quiescence search.
    #[inline]
    pub const fn is_noisy(self) -> bool {
        self.0.get() >> 12 & 0b1100 != 0
    }

    #[inline]
    pub const fn is_castle(self) -> bool {
        self.0.get() >> 12 == 2
    }

    #[inline]
    pub const fn is_en_passant(self) -> bool {
        self.0.get() >> 12 == 5
    }

    #[inline]
    pub const fn promotion(self) -> Option<PieceKind> {
        if self.is_promotion() { Some(MoveKind::promotion_kind(self.0.get() >> 12)) } else { None }
    }
}
