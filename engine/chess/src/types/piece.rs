//! Colours, piece kinds, and pieces with a colour.

use std::fmt;
use std::ops::Not;

use super::impl_by_index;

/// The kind of a piece, without its colour.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum PieceKind {
    /// Moves one square ahead, captures diagonally, is promoted on the last rank.
    Pawn,
    /// Leaps.
    Knight,
    /// Slides along diagonals; the piece this engine is named after.
    Bishop,
    /// Slides along ranks and files.
    Rook,
    /// Slides along all lines.
    Queen,
    /// The royal piece.
    King,
}

impl_by_index! { PieceKind: Pawn Knight Bishop Rook Queen King }

impl PieceKind {
    /// All kinds, from pawn to king.
    pub const ALL: [Self; 6] = [Self::Pawn, Self::Knight, Self::Bishop, Self::Rook, Self::Queen, Self::King];

    /// 0 for the pawn to 5 for the king.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The English letter in lower case, as in FEN and UCI.
    #[inline]
    pub const fn letter(self) -> char {
        match self {
            Self::Pawn => 'p',
            Self::Knight => 'n',
            Self::Bishop => 'b',
            Self::Rook => 'r',
            Self::Queen => 'q',
            Self::King => 'k',
        }
    }

    /// The kind with this English letter, in either case.
    #[inline]
    pub fn from_letter(letter: char) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.letter() == letter.to_ascii_lowercase())
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Piece {
    WhitePawn,
    WhiteKnight,
    WhiteBishop,
    WhiteRook,
    WhiteQueen,
    WhiteKing,
    BlackPawn,
    BlackKnight,
    BlackBishop,
    BlackRook,
    BlackQueen,
    BlackKing,
}

impl_by_index! {
    Piece:
    WhitePawn WhiteKnight WhiteBishop WhiteRook WhiteQueen WhiteKing
    BlackPawn BlackKnight BlackBishop BlackRook BlackQueen BlackKing
}

impl Piece {
    /// All twelve: White's from pawn to king, then Black's.
    pub const ALL: [Self; 12] = [
        Self::WhitePawn,
        Self::WhiteKnight,
        Self::WhiteBishop,
        Self::WhiteRook,
        Self::WhiteQueen,
        Self::WhiteKing,
        Self::BlackPawn,
        Self::BlackKnight,
        Self::BlackBishop,
        Self::BlackRook,
        Self::BlackQueen,
        Self::BlackKing,
    ];

    #[inline]
    pub const fn new(color: Color, kind: PieceKind) -> Self {
        Self::by_index(color as usize * 6 + kind as usize)
    }

    /// The index in [`Piece::ALL`], 0 to 11.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    #[inline]
    pub const fn color(self) -> Color {
        if (self as usize) < 6 { Color::White } else { Color::Black }
    }

    #[inline]
    pub const fn kind(self) -> PieceKind {
        PieceKind::by_index(self as usize % 6)
    }

    /// The FEN letter: upper case for White.
    #[inline]
    pub const fn letter(self) -> char {
        let letter = self.kind().letter();
        match self.color() {
            Color::White => letter.to_ascii_uppercase(),
            Color::Black => letter,
        }
    }

    #[inline]
    pub fn from_letter(letter: char) -> Option<Self> {
        static PIECES: [Option<Piece>; 128] = {
            let mut pieces = [None; 128];
            let mut index = 0;
            while index < Piece::ALL.len() {
                pieces[Piece::ALL[index].letter() as usize] = Some(Piece::ALL[index]);
                index += 1;
            }
            pieces
        };
        PIECES.get(letter as usize).copied().flatten()
    }
}

/// The side that owns a piece or is to move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Color {
    /// The side that moves first.
    White,
    /// The side that moves second.
    Black,
}

impl Color {
    /// Both sides, White first.
    pub const ALL: [Self; 2] = [Self::White, Self::Black];

    /// 0 for White, 1 for Black.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }
}

impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::White => "White",
            Self::Black => "Black",
        })
    }
}

impl Not for Color {
    type Output = Self;

    #[inline]
    fn not(self) -> Self {
        match self {
            Self::White => Self::Black,
            Self::Black => Self::White,
        }
    }
}
