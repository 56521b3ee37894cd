//! Bucket numbers as text that a person writes: lines of numbers, separated by spaces or commas; `#` begins a comment.

use thiserror::Error;

/// Why a text is no list of buckets. Lines are counted from 1.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum BucketError {
    /// A word that is no bucket.
    #[error("line {line}: `{word}` is no bucket, possible are 0 to {max}")]
    Number {
        /// Where it is.
        line: usize,
        /// The word.
        word: String,
        /// The greatest bucket possible.
        max: u8,
    },
    /// A line of a king map with too many or too few numbers.
    #[error("line {line}: {found} numbers, expected {expected}")]
    Files {
        /// Where it is.
        line: usize,
        /// How many it has.
        found: usize,
        /// How many it should have.
        expected: &'static str,
    },
    /// A king map with too many or too few lines.
    #[error("expected 8 lines of numbers, one for each rank from the own first rank, found {0}")]
    Ranks(usize),
    /// A list for piece counts with too many or too few numbers.
    #[error("expected 31 numbers, one for each number of pieces from 2 to 32, found {0}")]
    PieceCounts(usize),
    /// A bucket that is not used although a higher one is.
    #[error("line {line}: bucket {bucket} is used, but bucket {missing} is not")]
    Gap {
        /// Where the higher one is used first.
        line: usize,
        /// The higher one.
        bucket: u8,
        /// The one that is not used.
        missing: u8,
    },
}

/// The lines that have numbers: their number in the text, and their buckets.
pub(super) fn read_lines(text: &str, max: u8) -> Result<Vec<(usize, Vec<u8>)>, BucketError> {
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
pub(super) fn check_gaps(lines: &[(usize, Vec<u8>)]) -> Result<(), BucketError> {
    let all = || lines.iter().flat_map(|(line, numbers)| numbers.iter().map(move |&bucket| (*line, bucket)));
    let greatest = all().map(|(_, bucket)| bucket).max().unwrap_or(0);
    let missing = (0..greatest).find(|&bucket| all().all(|(_, other)| other != bucket));
    match (missing, all().find(|&(_, bucket)| bucket == greatest)) {
        (Some(missing), Some((line, bucket))) => Err(BucketError::Gap { line, bucket, missing }),
        _ => Ok(()),
    }
}

/// The number of buckets if all up to the greatest are used.
pub(super) fn count_without_gaps(buckets: &[u8]) -> Option<u8> {
    let greatest = buckets.iter().copied().max()?;
    (0..greatest).all(|bucket| buckets.contains(&bucket)).then(|| greatest + 1)
}

/// The numbers separated by commas.
pub(super) fn joined(buckets: &[u8]) -> String {
    buckets.iter().map(u8::to_string).collect::<Vec<_>>().join(",")
}
