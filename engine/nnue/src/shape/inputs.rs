//! Input feature sets: piece-square inputs, plain or relative to the own king (king buckets, mostly with horizontal
//! mirroring), for each piece or for each of its [states](crate::Relations).
//!
//! Independent of pieces and weights.
//!
//! The own king's square selects one of K buckets, each with its own inputs. With mirroring, a view is mirrored if its own
//! king is on files e to h, so that the king is always on files a to d. The side-to-move input is shared by all buckets and
//! is always the last.

use std::fmt;

use alfiere_chess::types::{Color, Square};

use crate::shape::buckets::{BucketError, check_gaps, count_without_gaps, joined, read_lines};

/// Inputs that stand for a piece on a square: 2 owners × 6 kinds × 64 squares.
pub const PIECE_INPUTS: usize = 768;
/// The side-to-move input where inputs are plain.
///
/// `dual`: 1 in the accumulator of the side to move, 0 in the other. `white`: 1 when White moves.
pub const SIDE_TO_MOVE_INPUT: usize = PIECE_INPUTS;
/// All plain inputs.
pub const INPUTS: usize = PIECE_INPUTS + 1;
/// [States](crate::Relations::state) of a piece: one if it is not attacked, and three for each class of attacker.
pub(crate) const STATES: usize = 10;
/// The greatest bucket: each square has its own.
const MAX_BUCKET: u8 = 63;

/// An input feature set: which inputs a view uses, by the square of its king.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Inputs {
    /// By the king's square as its side sees the board.
    orientations: [Orientation; 64],
    /// King buckets, 1 for plain inputs.
    buckets: u8,
    /// Whether the input of a piece depends on what attacks and defends it.
    attacks: bool,
}

/// The king bucket and the mirroring of one view.
///
/// Equal for two positions exactly if every piece on every square has the same input in both.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Orientation {
    bucket: u8,
    /// XOR mask of squares: 7 mirrors the files, 0 does not.
    turn: u8,
}

/// The built-in sets; their number of buckets names them.
#[rustfmt::skip]
const BUILT_IN: [Inputs; 6] = [
    Inputs::PLAIN,
    Inputs::mirrored([0; 32], 1),
    // The king's first rank, and the rest.
    Inputs::mirrored([
        0, 0, 0, 0,  1, 1, 1, 1,  1, 1, 1, 1,  1, 1, 1, 1,
        1, 1, 1, 1,  1, 1, 1, 1,  1, 1, 1, 1,  1, 1, 1, 1,
    ], 2),
    // The first rank's outer and inner half, the second rank, the rest.
    Inputs::mirrored([
        0, 0, 1, 1,  2, 2, 2, 2,  3, 3, 3, 3,  3, 3, 3, 3,
        3, 3, 3, 3,  3, 3, 3, 3,  3, 3, 3, 3,  3, 3, 3, 3,
    ], 4),
    // Each square of the first rank, the second rank's halves, ranks 3 and 4, the rest.
    Inputs::mirrored([
        0, 1, 2, 3,  4, 4, 5, 5,  6, 6, 6, 6,  6, 6, 6, 6,
        7, 7, 7, 7,  7, 7, 7, 7,  7, 7, 7, 7,  7, 7, 7, 7,
    ], 8),
    // Each square of the first two ranks, halves of ranks 3 and 4, halves of two ranks beyond.
    Inputs::mirrored([
        0, 1, 2, 3,  4, 5, 6, 7,  8, 8, 9, 9,  10, 10, 11, 11,
        12, 12, 13, 13,  12, 12, 13, 13,  14, 14, 15, 15,  14, 14, 15, 15,
    ], 16),
];

impl Inputs {
    /// Pieces on squares: 769 inputs.
    pub const PLAIN: Self = Self { orientations: [Orientation { bucket: 0, turn: 0 }; 64], buckets: 1, attacks: false };

    /// With mirroring; buckets by the king's square on files a to d, rank by rank from its side's first.
    const fn mirrored(half: [u8; 32], buckets: u8) -> Self {
        let mut orientations = [Orientation { bucket: 0, turn: 0 }; 64];
        let mut square = 0;
        while square < 64 {
            let turn = if square & 4 == 0 { 0 } else { 7 };
            let seen = square ^ turn;
            orientations[square] = Orientation { bucket: half[(seen >> 3) * 4 + (seen & 3)], turn: turn as u8 };
            square += 1;
        }
        Self { orientations, buckets, attacks: false }
    }

    /// The built-in king-relative inputs with this many buckets, if there are such; 0 stands for plain ones.
    pub fn from_king_buckets(buckets: usize) -> Option<Self> {
        BUILT_IN.into_iter().find(|inputs| inputs.king_buckets() == buckets)
    }

    /// Inputs with mirroring or without, from the bucket of each square of the king, from a1 to h8 as its side sees the
    /// board. `None` if a bucket up to the greatest is not used, or if mirrored squares have different buckets.
    pub fn from_king_map(map: &[u8; 64], is_mirrored: bool) -> Option<Self> {
        let buckets = count_without_gaps(map)?;
        let turn = |square: usize| if is_mirrored && square & 4 != 0 { 7 } else { 0 };
        let is_alike = (0..64).all(|square| map[square] == map[square ^ usize::from(turn(square))]);
        let orientations = std::array::from_fn(|square| Orientation { bucket: map[square], turn: turn(square) });
        is_alike.then_some(Self { orientations, buckets, attacks: false })
    }

    /// Reads the buckets of the king's squares: eight lines from the own first rank to the last. Lines of four numbers are
    /// those of files a to d, with mirroring; lines of eight are those of all files, without.
    ///
    /// # Errors
    /// Names the line and the number.
    pub fn from_text(text: &str) -> Result<Self, BucketError> {
        let lines = read_lines(text, MAX_BUCKET)?;
        let files = lines.first().map_or(8, |(_, numbers)| numbers.len());
        let expected = match files {
            4 => "4, as in the line before",
            8 => "8, as in the line before",
            _ => "4 (files a to d, mirrored) or 8",
        };
        let is_wrong = |numbers: &[u8]| numbers.len() != files || !matches!(files, 4 | 8);
        if let Some((line, numbers)) = lines.iter().find(|(_, numbers)| is_wrong(numbers)) {
            return Err(BucketError::Files { line: *line, found: numbers.len(), expected });
        }
        if lines.len() != 8 {
            return Err(BucketError::Ranks(lines.len()));
        }
        check_gaps(&lines)?;
        let is_mirrored = files == 4;
        let seen = |file: usize| if is_mirrored && file > 3 { 7 - file } else { file };
        let map = std::array::from_fn(|square| lines[square / 8].1[seen(square % 8)]);
        Self::from_king_map(&map, is_mirrored).ok_or(BucketError::Ranks(lines.len()))
    }

    /// Number of king buckets; 0 for plain inputs.
    pub const fn king_buckets(&self) -> usize {
        if self.is_king_relative() { self.buckets() } else { 0 }
    }

    /// Whether inputs depend on the own king's square.
    #[inline]
    pub const fn is_king_relative(&self) -> bool {
        self.buckets > 1 || self.is_mirrored()
    }

    /// Whether a view is mirrored if its king is on files e to h.
    #[inline]
    pub const fn is_mirrored(&self) -> bool {
        self.orientations[7].turn != 0
    }

    /// Whether [`Inputs::from_king_buckets`] gives these inputs.
    pub fn is_built_in(&self) -> bool {
        BUILT_IN.contains(&self.with_attacks(false))
    }

    /// The bucket of each square of the king, as [`Inputs::from_king_map`] takes it.
    pub fn king_map(&self) -> [u8; 64] {
        self.orientations.map(|orientation| orientation.bucket)
    }

    /// The same inputs for each [state](crate::Relations::state) of a piece, or only one for all states.
    pub const fn with_attacks(self, attacks: bool) -> Self {
        Self { attacks, ..self }
    }

    #[inline]
    pub const fn has_attacks(&self) -> bool {
        self.attacks
    }

    /// How many states of a piece have inputs of their own.
    pub const fn states(&self) -> usize {
        if self.attacks { STATES } else { 1 }
    }

    /// The first input of a state; those of all king buckets follow. A state without inputs of its own has those of the first.
    #[inline]
    pub const fn of_state(&self, state: usize) -> usize {
        if self.attacks { state * self.buckets() * PIECE_INPUTS } else { 0 }
    }

    /// Number of king buckets, 1 for plain inputs.
    pub const fn buckets(&self) -> usize {
        self.buckets as usize
    }

    /// Sets of [`PIECE_INPUTS`] inputs: one for each state of a piece and each king bucket.
    pub const fn sets(&self) -> usize {
        self.states() * self.buckets()
    }

    /// All inputs, that of the side to move among them.
    pub const fn count(&self) -> usize {
        self.sets() * PIECE_INPUTS + 1
    }

    /// The side-to-move input, the last one.
    pub const fn side_to_move(&self) -> usize {
        self.count() - 1
    }

    /// How `view` sees the board when its king stands here.
    #[inline]
    pub const fn orientation(&self, view: Color, king: Square) -> Orientation {
        self.orientations[king.relative_to(view) as usize]
    }
}

impl Default for Inputs {
    fn default() -> Self {
        Self::PLAIN
    }
}

impl Orientation {
    /// How many orientations [`Self::index`] tells apart with these inputs.
    pub(crate) const fn count(inputs: &Inputs) -> usize {
        2 * inputs.buckets()
    }

    /// Its number among them.
    #[inline]
    pub(crate) const fn index(self) -> usize {
        2 * self.bucket as usize + (self.turn != 0) as usize
    }

    #[inline]
    pub const fn bucket(self) -> usize {
        self.bucket as usize
    }

    #[inline]
    pub const fn is_mirrored(self) -> bool {
        self.turn != 0
    }

    /// Maps a plain input (0 to 767) to the input in this orientation.
    #[inline]
    pub const fn input(self, plain: usize) -> usize {
        // An input keeps its square in the low six bits, the file in the low three.
        self.bucket as usize * PIECE_INPUTS + (plain ^ self.turn as usize)
    }
}

impl fmt::Display for Inputs {
    /// The word of an architecture: `kings=4`, or `kings=` and the map with `/` between ranks.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_built_in() {
            return write!(f, "kings={}", self.king_buckets());
        }
        let files = if self.is_mirrored() { 4 } else { 8 };
        let ranks: Vec<String> = self.king_map().chunks(8).map(|rank| joined(&rank[..files])).collect();
        write!(f, "kings={}", ranks.join("/"))
    }
}

impl fmt::Debug for Inputs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bucket_is_used_and_every_king_is_seen_on_the_left() {
        for inputs in BUILT_IN {
            let mut used = vec![false; Orientation::count(&inputs)];
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
            assert_eq!(BUILT_IN.map(|inputs| bucket(inputs, square))[1..], expected, "{square}");
        }
    }

    #[test]
    fn numbers_of_buckets_name_the_inputs() {
        for inputs in BUILT_IN {
            assert_eq!(Inputs::from_king_buckets(inputs.king_buckets()), Some(inputs));
        }
        assert_eq!(Inputs::from_king_buckets(3), None);
        assert_eq!(BUILT_IN.map(|inputs| inputs.count()), [0, 0, 1, 3, 7, 15].map(|more| 769 + 768 * more));
    }

    const MIRRORED: &str =
        "# own first rank first\n0 1 2 3\n4 4 5 5 # second\n\n6,6,6,6\n6 6 6 6\n7 7 7 7\n7 7 7 7\n7 7 7 7\n7 7 7 7";

    #[test]
    fn a_map_as_text_gives_the_bucket_of_each_square() {
        assert_eq!(Inputs::from_text(MIRRORED), Ok(BUILT_IN[4]));
        let rank = |rank: u8| format!("{rank} {rank} {rank} {rank} 8 8 8 8\n");
        let ranks = (0..8).map(rank).collect::<Vec<_>>().concat();
        let inputs = Inputs::from_text(&ranks).expect("a map");
        assert_eq!((inputs.king_buckets(), inputs.is_mirrored(), inputs.is_built_in()), (9, false, false));
        let seen = |view, king| inputs.orientation(view, king);
        assert_eq!(seen(Color::White, Square::B3), Orientation { bucket: 2, turn: 0 });
        assert_eq!(seen(Color::Black, Square::B3), Orientation { bucket: 5, turn: 0 });
        assert_eq!(seen(Color::Black, Square::G1), Orientation { bucket: 8, turn: 0 });
        assert_eq!(inputs.to_string(), format!("kings={}", ranks.trim_end().replace('\n', "/").replace(' ', ",")));
        assert_eq!(Inputs::from_text(&"0 0 0 0 0 0 0 0\n".repeat(8)), Ok(Inputs::PLAIN));
        assert_eq!(Inputs::from_text(&"0 0 0 0\n".repeat(8)), Ok(BUILT_IN[1]));
    }

    #[test]
    fn errors_of_a_map_name_line_and_number() {
        let error = |text: &str| Inputs::from_text(text).expect_err(text).to_string();
        assert_eq!(
            error(&MIRRORED.replace("4 4 5 5", "4 4 five 5")),
            "line 3: `five` is no bucket, possible are 0 to 63"
        );
        assert_eq!(error("64 0 0 0"), "line 1: `64` is no bucket, possible are 0 to 63");
        assert_eq!(
            error(&MIRRORED.replace("6,6,6,6", "6,6,6")),
            "line 5: 3 numbers, expected 4, as in the line before"
        );
        assert_eq!(error("0 0 0"), "line 1: 3 numbers, expected 4 (files a to d, mirrored) or 8");
        assert_eq!(
            error("0 0 0 0\n0 0 0 0"),
            "expected 8 lines of numbers, one for each rank from the own first rank, found 2"
        );
        assert_eq!(error(&MIRRORED.replace('7', "9")), "line 7: bucket 9 is used, but bucket 7 is not");
        assert_eq!(error(""), "expected 8 lines of numbers, one for each rank from the own first rank, found 0");
    }

    #[test]
    fn a_mirrored_map_must_be_alike_on_both_sides() {
        let map = BUILT_IN[3].king_map();
        assert_eq!(Inputs::from_king_map(&map, true), Some(BUILT_IN[3]));
        let mut other = map;
        other[7] = 1;
        assert_eq!(Inputs::from_king_map(&other, true), None);
        assert!(Inputs::from_king_map(&other, false).is_some());
        other[0] = 9;
        assert_eq!(Inputs::from_king_map(&other, false), None);
    }
}
