//! Moves in 16 bits.

use std::num::NonZeroU16;

use arrayvec::ArrayVec;

use super::{PieceKind, Square};

/// A list that holds every legal move of any position (218 at the most).
pub type MoveList = ArrayVec<Move, 256>;

/// What a move does besides carrying a piece from one square to another.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MoveKind {
    /// A piece goes to an empty square.
    Quiet,
    /// A pawn makes its double step.
    DoublePush,
    /// King and rook castle; the move's target is the square of the *rook* (Chess960's way, for every game).
    Castle,
    /// A piece takes another on the target square.
    Capture,
    /// A pawn takes the pawn that has just passed it.
    EnPassant,
    /// A pawn becomes this piece.
    Promotion(PieceKind),
    /// A pawn takes and becomes this piece.
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

    const fn promotion_code(kind: PieceKind) -> u16 {
        match kind {
            PieceKind::Knight => 0,
            PieceKind::Bishop => 1,
            PieceKind::Rook => 2,
            _ => 3,
        }
    }

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
/// It means something only together with the position it was made for. Source and target differ, so it is never
/// zero and `Option<Move>` takes 16 bits too.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Move(NonZeroU16);

impl Move {
    /// The move from `source` to `target`; for castling the target is the rook's square.
    ///
    /// # Panics
    /// If source and target are both A1, which no move is.
    pub const fn new(source: Square, target: Square, kind: MoveKind) -> Self {
        let bits = source as u16 | (target as u16) << 6 | kind.code() << 12;
        match NonZeroU16::new(bits) {
            Some(bits) => Self(bits),
            None => panic!("a move has two squares"),
        }
    }

    /// The 16 bits, for tables and files.
    pub const fn to_bits(self) -> u16 {
        self.0.get()
    }

    /// The move with these bits; `None` for zero. Whether it is legal anywhere is for the caller to check.
    pub const fn from_bits(bits: u16) -> Option<Self> {
        match NonZeroU16::new(bits) {
            Some(bits) => Some(Self(bits)),
            None => None,
        }
    }

    /// Where the piece comes from.
    pub const fn source(self) -> Square {
        Square::from_index(self.0.get() as usize)
    }

    /// Where the piece goes; for castling, where the rook stands.
    pub const fn target(self) -> Square {
        Square::from_index(self.0.get() as usize >> 6)
    }

    /// What the move does.
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

    /// Whether a piece of the other side leaves the board.
    pub const fn is_capture(self) -> bool {
        self.0.get() >> 12 & 4 != 0
    }

    /// Whether a pawn is promoted.
    pub const fn is_promotion(self) -> bool {
        self.0.get() >> 12 & 8 != 0
    }

    /// Whether it captures or promotes: what quiescence looks at.
    pub const fn is_noisy(self) -> bool {
        self.0.get() >> 12 & 0b1100 != 0
    }

    /// Whether it castles.
    pub const fn is_castle(self) -> bool {
        self.0.get() >> 12 == 2
    }

    /// Whether it takes en passant.
    pub const fn is_en_passant(self) -> bool {
        self.0.get() >> 12 == 5
    }

    /// What the pawn becomes, if it is promoted.
    pub const fn promotion(self) -> Option<PieceKind> {
        if self.is_promotion() { Some(MoveKind::promotion_kind(self.0.get() >> 12)) } else { None }
    }
}
