//! One finished chunk as a line of the work file: checksum, space, JSON.

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

/// The results of a chunk.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(super) struct Record {
    /// Number of the chunk.
    pub(super) chunk: usize,
    /// Its labelled rows, as lines of CSV.
    pub(super) text: String,
    /// Number of labelled rows.
    pub(super) rows: u64,
    /// Number of positions in which the game is over.
    pub(super) over: u64,
    /// Number of positions that are not standard chess.
    pub(super) refused: u64,
    /// Positions on which the engine failed repeatedly.
    pub(super) failed: Vec<String>,
}

/// Serialises a value to a line, including the line end.
pub(super) fn to_line(value: &impl Serialize) -> serde_json::Result<String> {
    let json = serde_json::to_string(value)?;
    Ok(format!("{:016x} {json}\n", xxh3_64(json.as_bytes())))
}

/// Parses a line; `None` if it is damaged.
pub(super) fn from_line<T: for<'a> Deserialize<'a>>(line: &[u8]) -> Option<T> {
    let line = std::str::from_utf8(line.strip_suffix(b"\n")?).ok()?;
    let (hash, json) = line.split_once(' ')?;
    let is_whole = u64::from_str_radix(hash, 16).ok()? == xxh3_64(json.as_bytes());
    is_whole.then(|| serde_json::from_str(json).ok())?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn damaged_lines_are_detected() {
        let record = Record { chunk: 7, text: "a,+1,e2e4\nb,0,\"\n".to_owned(), rows: 2, ..Record::default() };
        let line = to_line(&record).expect("JSON");
        assert_eq!(from_line(line.as_bytes()), Some(record));
        assert_eq!(line.lines().count(), 1);
        for at in 0..line.len() {
            assert_eq!(from_line::<Record>(&line.as_bytes()[..at]), None);
            let mut damaged = line.clone().into_bytes();
            damaged[at] ^= 1;
            assert_eq!(from_line::<Record>(&damaged), None, "{at}");
        }
    }
}
