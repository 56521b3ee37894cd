//! Input feature sets: piece-square inputs, plain or relative to the own king (king buckets with horizontal mirroring).
//!
//! Independent of pieces and weights.
//!
//! With king-relative inputs a view is mirrored horizontally if its own king is on files e to h, so that the king is
//! always on files a to d. The mirrored king square selects one of K buckets, each with its own inputs. The
//! side-to-move input is shared by all buckets and is always the last.

use std::fmt;

use alfiere_chess::types::{Color, Square};

/// Inputs that stand for a piece on a square: 2 owners × 6 kinds × 64 squares.
pub const PIECE_INPUTS: usize = 768;
/// The side-to-move input where inputs are plain.
///
/// `dual`: 1 in the accumulator of the side to move, 0 in the other. `white`: 1 when White moves.
pub const SIDE_TO_MOVE_INPUT: usize = PIECE_INPUTS;
/// All plain inputs.
pub const INPUTS: usize = PIECE_INPUTS + 1;

/// An input feature set.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Inputs {
    /// Pieces on squares: 769 inputs.
    #[default]
    Plain,
    /// Horizontal mirroring, one bucket.
    Kings1,
    /// Two buckets: the king's first rank, and the rest.
    Kings2,
    /// Four buckets: the first rank's outer and inner half, the second rank, the rest.
    Kings4,
    /// Eight buckets: each square of the first rank, the second rank's halves, ranks 3 and 4, the rest.
    Kings8,
    /// Sixteen buckets: each square of the first two ranks, halves of ranks 3 and 4, halves of two ranks beyond.
    Kings16,
}

/// The king bucket and the mirroring of one view.
///
/// Equal for two positions exactly if every piece on every square has the same input in both.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Orientation {
    bucket: u8,
    /// XOR mask of squares: 7 mirrors the files, 0 does not.
    turn: u8,
}

/// Buckets by the king's square as it is seen, files a to d, rank by rank from the view's first.
type BucketMap = [u8; 32];

const ONE: BucketMap = [0; 32];
#[rustfmt::skip]
const TWO: BucketMap = [
    0, 0, 0, 0,  1, 1, 1, 1,  1, 1, 1, 1,  1, 1, 1, 1,
    1, 1, 1, 1,  1, 1, 1, 1,  1, 1, 1, 1,  1, 1, 1, 1,
];
#[rustfmt::skip]
const FOUR: BucketMap = [
    0, 0, 1, 1,  2, 2, 2, 2,  3, 3, 3, 3,  3, 3, 3, 3,
    3, 3, 3, 3,  3, 3, 3, 3,  3, 3, 3, 3,  3, 3, 3, 3,
];
#[rustfmt::skip]
const EIGHT: BucketMap = [
    0, 1, 2, 3,  4, 4, 5, 5,  6, 6, 6, 6,  6, 6, 6, 6,
    7, 7, 7, 7,  7, 7, 7, 7,  7, 7, 7, 7,  7, 7, 7, 7,
];
#[rustfmt::skip]
const SIXTEEN: BucketMap = [
    0, 1, 2, 3,  4, 5, 6, 7,  8, 8, 9, 9,  10, 10, 11, 11,
    12, 12, 13, 13,  12, 12, 13, 13,  14, 14, 15, 15,  14, 14, 15, 15,
];

impl Inputs {
    /// All kinds.
    pub const ALL: [Self; 6] = [Self::Plain, Self::Kings1, Self::Kings2, Self::Kings4, Self::Kings8, Self::Kings16];

    /// The king-relative inputs with this many buckets, if there are such; 0 stands for plain ones.
    pub fn from_king_buckets(buckets: usize) -> Option<Self> {
        Self::ALL.into_iter().find(|inputs| inputs.king_buckets() == buckets)
    }

    /// Number of king buckets; 0 for plain inputs.
    pub const fn king_buckets(self) -> usize {
        match self {
            Self::Plain => 0,
            Self::Kings1 => 1,
            Self::Kings2 => 2,
            Self::Kings4 => 4,
            Self::Kings8 => 8,
            Self::Kings16 => 16,
        }
    }

    /// Whether inputs depend on the own king's square.
    pub const fn is_king_relative(self) -> bool {
        !matches!(self, Self::Plain)
    }

    /// Sets of [`PIECE_INPUTS`] inputs, at least 1.
    pub const fn sets(self) -> usize {
        if self.is_king_relative() { self.king_buckets() } else { 1 }
    }

    /// All inputs, that of the side to move among them.
    pub const fn count(self) -> usize {
        self.sets() * PIECE_INPUTS + 1
    }

    /// The side-to-move input, the last one.
    pub const fn side_to_move(self) -> usize {
        self.count() - 1
    }

    /// How `view` sees the board when its king stands here.
    #[inline]
    pub const fn orientation(self, view: Color, king: Square) -> Orientation {
        let map = match self {
            Self::Plain => return Orientation { bucket: 0, turn: 0 },
            Self::Kings1 => &ONE,
            Self::Kings2 => &TWO,
            Self::Kings4 => &FOUR,
            Self::Kings8 => &EIGHT,
            Self::Kings16 => &SIXTEEN,
        };
        let square = king.relative_to(view) as usize;
        let turn = if square & 4 == 0 { 0 } else { 7 };
        let seen = square ^ turn;
        Orientation { bucket: map[(seen >> 3) * 4 + (seen & 3)], turn: turn as u8 }
    }
}

impl Orientation {
    /// How many orientations [`Self::index`] tells apart with these inputs.
    pub(super) const fn count(inputs: Inputs) -> usize {
        2 * inputs.sets()
    }

    /// Its number among them.
    #[inline]
    pub(super) const fn index(self) -> usize {
        2 * self.bucket as usize + (self.turn != 0) as usize
    }

    /// Maps a plain input (0 to 767) to the input in this orientation.
    #[inline]
    pub const fn input(self, plain: usize) -> usize {
        // An input keeps its square in the low six bits, the file in the low three.
        self.bucket as usize * PIECE_INPUTS + (plain ^ self.turn as usize)
    }
}

impl fmt::Display for Inputs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "kings={}", self.king_buckets())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bucket_is_used_and_every_king_is_seen_on_the_left() {
        for inputs in Inputs::ALL {
            let mut used = vec![false; Orientation::count(inputs)];
            for square in Square::ALL {
                let orientation = inputs.orientation(Color::White, square);
                assert_eq!(orientation.bucket, inputs.orientation(Color::White, square.mirror()).bucket);
                let black = inputs.orientation(Color::Black, square.flip());
                assert_eq!(black, orientation);
                used[orientation.index()] = true;
                let king = orientation.input(320 + square.index());
                assert!(king < inputs.count() - 1);
                if inputs.is_king_relative() {
                    assert!(king % 8 < 4, "{inputs:?} {square}");
                }
            }
            let expected = if inputs.is_king_relative() { 2 * inputs.sets() } else { 1 };
            assert_eq!(used.into_iter().filter(|used| *used).count(), expected, "{inputs:?}");
        }
    }

    #[test]
    fn buckets_are_those_of_the_documentation() {
        let bucket = |inputs: Inputs, square: Square| inputs.orientation(Color::White, square).bucket;
        for (square, expected) in [
            (Square::G1, [0, 0, 0, 1, 1]),
            (Square::B1, [0, 0, 0, 1, 1]),
            (Square::E1, [0, 0, 1, 3, 3]),
            (Square::G2, [0, 1, 2, 4, 5]),
            (Square::D2, [0, 1, 2, 5, 7]),
            (Square::F4, [0, 1, 3, 6, 11]),
            (Square::A8, [0, 1, 3, 7, 14]),
        ] {
            assert_eq!(Inputs::ALL.map(|inputs| bucket(inputs, square))[1..], expected, "{square}");
        }
    }

    #[test]
    fn numbers_of_buckets_name_the_inputs() {
        for inputs in Inputs::ALL {
            assert_eq!(Inputs::from_king_buckets(inputs.king_buckets()), Some(inputs));
        }
        assert_eq!(Inputs::from_king_buckets(3), None);
        assert_eq!((Inputs::Plain.count(), Inputs::Kings4.count()), (769, 4 * 768 + 1));
    }
}
