//! Output buckets: which set of output weights a position uses, by its number of pieces. Also lists of buckets as text that a
//! person writes: lines of numbers, separated by spaces or commas; `#` begins a comment.

use std::fmt;

use thiserror::Error;

/// Numbers of pieces that a position can have: 2 to 32.
const PIECE_COUNTS: usize = 31;
/// The greatest bucket: each number of pieces has its own.
const MAX_BUCKET: u8 = PIECE_COUNTS as u8 - 1;

/// Sets of output weights, and which of them a number of pieces selects.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct OutputBuckets {
    /// For 2 to 32 pieces.
    by_pieces: [u8; PIECE_COUNTS],
    count: u8,
}

impl OutputBuckets {
    /// One set for all positions.
    pub const ONE: Self = Self { by_pieces: [0; PIECE_COUNTS], count: 1 };
    /// Eight sets: `(pieces - 1) / 4`, kings included.
    pub const EIGHT: Self = {
        let mut by_pieces = [0; PIECE_COUNTS];
        let mut index = 0;
        while index < PIECE_COUNTS {
            by_pieces[index] = (index as u8 + 1) / 4;
            index += 1;
        }
        Self { by_pieces, count: 8 }
    };

    /// Buckets by number of pieces, from 2 to 32; `None` if one up to the greatest is not used.
    pub fn new(by_pieces: [u8; PIECE_COUNTS]) -> Option<Self> {
        Some(Self { by_pieces, count: count_without_gaps(&by_pieces)? })
    }

    /// Reads 31 numbers: the buckets of 2 to 32 pieces, on any number of lines.
    ///
    /// # Errors
    /// Names the line and the number.
    pub fn from_text(text: &str) -> Result<Self, BucketError> {
        let lines = read_lines(text, MAX_BUCKET)?;
        let numbers: Vec<u8> = lines.iter().flat_map(|(_, numbers)| numbers.iter().copied()).collect();
        let by_pieces = numbers.try_into().map_err(|numbers: Vec<u8>| BucketError::PieceCounts(numbers.len()))?;
        check_gaps(&lines)?;
        Self::new(by_pieces).ok_or(BucketError::PieceCounts(0))
    }

    /// The number of sets, 1 to 31.
    pub const fn count(self) -> usize {
        self.count as usize
    }

    /// The bucket of a position with this number of pieces, kings included.
    #[inline]
    pub fn bucket(&self, piece_count: u32) -> usize {
        usize::from(self.by_pieces[(piece_count.saturating_sub(2) as usize).min(PIECE_COUNTS - 1)])
    }

    pub const fn by_pieces(&self) -> &[u8; PIECE_COUNTS] {
        &self.by_pieces
    }

    /// True for [`OutputBuckets::ONE`] and [`OutputBuckets::EIGHT`], which need no list.
    pub fn is_built_in(self) -> bool {
        [Self::ONE, Self::EIGHT].contains(&self)
    }
}

impl Default for OutputBuckets {
    fn default() -> Self {
        Self::ONE
    }
}

impl fmt::Display for OutputBuckets {
    /// The word of an architecture: `x8`, or `outputs=` and the list.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_built_in() { write!(f, "x{}", self.count) } else { write!(f, "outputs={}", joined(&self.by_pieces)) }
    }
}

impl fmt::Debug for OutputBuckets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Why a text is no list of buckets. Lines are counted from 1.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum BucketError {
    #[error("line {line}: `{word}` is no bucket, possible are 0 to {max}")]
    Number { line: usize, word: String, max: u8 },
    #[error("line {line}: {found} numbers, expected {expected}")]
    Files { line: usize, found: usize, expected: &'static str },
    #[error("expected 8 lines of numbers, one for each rank from the own first rank, found {0}")]
    Ranks(usize),
    #[error("expected 31 numbers, one for each number of pieces from 2 to 32, found {0}")]
    PieceCounts(usize),
    #[error("line {line}: bucket {bucket} is used, but bucket {missing} is not")]
    Gap { line: usize, bucket: u8, missing: u8 },
}

/// The lines that have numbers: their number in the text, and their buckets.
pub(crate) fn read_lines(text: &str, max: u8) -> Result<Vec<(usize, Vec<u8>)>, BucketError> {
    let mut lines = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let line = line.split('#').next().unwrap_or_default();
        let words = line.split([' ', '\t', ',']).filter(|word| !word.is_empty());
        let number = |word: &str| {
            let bucket = word.parse().ok().filter(|bucket| *bucket <= max);
            bucket.ok_or_else(|| BucketError::Number { line: index + 1, word: word.to_owned(), max })
        };
        let numbers = words.map(number).collect::<Result<Vec<u8>, _>>()?;
        if !numbers.is_empty() {
            lines.push((index + 1, numbers));
        }
    }
    Ok(lines)
}

/// Checks that all buckets up to the greatest are used.
pub(crate) fn check_gaps(lines: &[(usize, Vec<u8>)]) -> Result<(), BucketError> {
    let all = || lines.iter().flat_map(|(line, numbers)| numbers.iter().map(move |&bucket| (*line, bucket)));
    let greatest = all().map(|(_, bucket)| bucket).max().unwrap_or(0);
    let missing = (0..greatest).find(|&bucket| all().all(|(_, other)| other != bucket));
    match (missing, all().find(|&(_, bucket)| bucket == greatest)) {
        (Some(missing), Some((line, bucket))) => Err(BucketError::Gap { line, bucket, missing }),
        _ => Ok(()),
    }
}

/// The number of buckets if all up to the greatest are used.
pub(crate) fn count_without_gaps(buckets: &[u8]) -> Option<u8> {
    let greatest = buckets.iter().copied().max()?;
    (0..greatest).all(|bucket| buckets.contains(&bucket)).then(|| greatest + 1)
}

/// The numbers separated by commas.
pub(crate) fn joined(buckets: &[u8]) -> String {
    buckets.iter().map(u8::to_string).collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eight_buckets_cover_two_to_thirty_two_pieces() {
        let bucket = |count| OutputBuckets::EIGHT.bucket(count);
        assert_eq!([bucket(2), bucket(4), bucket(5), bucket(32)], [0, 0, 1, 7]);
        assert_eq!([bucket(0), bucket(64)], [0, 7]);
        assert_eq!(OutputBuckets::ONE.bucket(32), 0);
        assert!((2..=32).all(|count| bucket(count) == (count as usize - 1) / 4));
    }

    #[test]
    fn a_list_names_a_bucket_for_each_number_of_pieces() {
        let quarters = "# (pieces - 2) / 4\n0 0 0 0\n1 1 1 1, 2 2 2 2\n3 3 3 3\n4 4 4 4 5 5 5 5\n\n6 6 6 6 7 7 7\n";
        let buckets = OutputBuckets::from_text(quarters).expect("31 numbers");
        assert_eq!(buckets.count(), 8);
        assert!((2..=32).all(|count| buckets.bucket(count) == (count as usize - 2) / 4));
        assert!(!buckets.is_built_in());
        let word = buckets.to_string();
        assert_eq!(word, "outputs=0,0,0,0,1,1,1,1,2,2,2,2,3,3,3,3,4,4,4,4,5,5,5,5,6,6,6,6,7,7,7");
        assert_eq!(OutputBuckets::from_text("0 ".repeat(31).as_str()), Ok(OutputBuckets::ONE));
    }

    #[test]
    fn errors_name_line_and_number() {
        let error = |text: &str| OutputBuckets::from_text(text).expect_err(text).to_string();
        assert_eq!(error("0 0\n0 x 1"), "line 2: `x` is no bucket, possible are 0 to 30");
        assert_eq!(error("0 31"), "line 1: `31` is no bucket, possible are 0 to 30");
        assert_eq!(error("0 1"), "expected 31 numbers, one for each number of pieces from 2 to 32, found 2");
        let gap = format!("{}\n2 0", "0 ".repeat(29));
        assert_eq!(error(&gap), "line 2: bucket 2 is used, but bucket 1 is not");
    }
}
