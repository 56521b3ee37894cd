//! Squares, files and ranks.

use std::fmt;

use super::{Color, impl_by_index};

macro_rules! lines {
    ($(#[$meta:meta])* $name:ident: $($variant:ident)*) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum $name { $($variant),* }

        impl $name {
            pub const ALL: [Self; [$(Self::$variant),*].len()] = [$(Self::$variant),*];

            #[inline]
            pub const fn index(self) -> usize {
                self as usize
            }

            /// The value with this index modulo their number, a power of two.
            #[inline]
            const fn wrapping(index: usize) -> Self {
                Self::by_index(index % Self::ALL.len())
            }
        }

        impl_by_index! { $name: $($variant)* }
    };
}

lines! {
    /// A column of the board.
    File: A B C D E F G H
}

lines! {
    /// A row of the board, numbered from White's side.
    Rank: First Second Third Fourth Fifth Sixth Seventh Eighth
}

lines! {
    /// A square, A1 = 0, B1 = 1, ... H8 = 63.
    Square:
    A1 B1 C1 D1 E1 F1 G1 H1
    A2 B2 C2 D2 E2 F2 G2 H2
    A3 B3 C3 D3 E3 F3 G3 H3
    A4 B4 C4 D4 E4 F4 G4 H4
    A5 B5 C5 D5 E5 F5 G5 H5
    A6 B6 C6 D6 E6 F6 G6 H6
    A7 B7 C7 D7 E7 F7 G7 H7
    A8 B8 C8 D8 E8 F8 G8 H8
}

impl File {
    #[inline]
    pub const fn letter(self) -> char {
        (b'a' + self as u8) as char
    }

    /// The file with this letter, in either case.
    #[inline]
    pub fn from_letter(letter: char) -> Option<Self> {
        Self::ALL.into_iter().find(|file| file.letter() == letter.to_ascii_lowercase())
    }
}

impl Rank {
    #[inline]
    pub const fn digit(self) -> char {
        (b'1' + self as u8) as char
    }

    #[inline]
    pub fn from_digit(digit: char) -> Option<Self> {
        Self::ALL.into_iter().find(|rank| rank.digit() == digit)
    }

    /// The rank from the point of view of `color`: mirrored for Black.
    #[inline]
    pub const fn relative_to(self, color: Color) -> Self {
        match color {
            Color::White => self,
            Color::Black => Self::wrapping(7 - self as usize),
        }
    }
}

impl Square {
    #[inline]
    pub const fn new(file: File, rank: Rank) -> Self {
        Self::wrapping(rank as usize * 8 + file as usize)
    }

    /// The square with this index modulo 64.
    #[inline]
    pub const fn from_index(index: usize) -> Self {
        Self::wrapping(index)
    }

    /// The king moves between two squares on an empty board (Chebyshev distance), 0 to 7.
    #[inline]
    pub fn distance(self, other: Self) -> usize {
        let files = self.file().index().abs_diff(other.file().index());
        let ranks = self.rank().index().abs_diff(other.rank().index());
        files.max(ranks)
    }

    #[inline]
    pub const fn file(self) -> File {
        File::wrapping(self as usize)
    }

    #[inline]
    pub const fn rank(self) -> Rank {
        Rank::wrapping(self as usize / 8)
    }

    /// The square mirrored vertically: A1 becomes A8.
    #[inline]
    pub const fn flip(self) -> Self {
        Self::wrapping(self as usize ^ 0b11_1000)
    }

    /// The square mirrored horizontally: A1 becomes H1.
    #[inline]
    pub const fn mirror(self) -> Self {
        Self::wrapping(self as usize ^ 0b00_0111)
    }

    /// The square from the point of view of `color`: flipped for Black.
    #[inline]
    pub const fn relative_to(self, color: Color) -> Self {
        match color {
            Color::White => self,
            Color::Black => self.flip(),
        }
    }

    #[inline]
    pub fn parse(name: &str) -> Option<Self> {
        let mut letters = name.chars();
        let square = Self::new(File::from_letter(letters.next()?)?, Rank::from_digit(letters.next()?)?);
        letters.next().is_none().then_some(square)
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.file().letter(), self.rank().digit())
    }
}
