//! Packed files: rows as they lie in memory, with a header and a checksum.
//!
//! | bytes | holds |
//! |---|---|
//! | 0–7 | `ALFROWS` and a zero byte |
//! | 8–11 | format version, little-endian: 1 |
//! | 12–15 | bytes of a row, little-endian: 32 |
//! | 16–23 | number of rows, little-endian |
//! | 24–31 | XXH3 (64 bits, seed 0) of all row bytes, little-endian |
//! | 32– | the rows in order, each in the layout of the `row` module's table |
//!
//! Such a file is its own cache: it needs no parsing, and `--data` takes it wherever it takes a CSV.

use std::io::{self, Read, Write};
use std::path::Path;

use xxhash_rust::xxh3::Xxh3;

use super::atomic;
use super::error::DataError;
use super::row::{ROW_BYTES, Row};

const MAGIC: [u8; 8] = *b"ALFROWS\0";
const VERSION: u32 = 1;
const HEADER_BYTES: usize = 32;
/// Rows that are turned to bytes at once.
const CHUNK_ROWS: usize = 1 << 14;

/// True when a file starts as packed files do.
pub fn is_packed(path: &Path) -> bool {
    let mut head = [0; 8];
    std::fs::File::open(path).and_then(|mut file| file.read_exact(&mut head)).is_ok() && head == MAGIC
}

/// Writes rows to a packed file, beside it first and then renamed.
///
/// # Errors
/// The file cannot be written.
pub fn write_packed(path: &Path, rows: &[Row]) -> Result<(), DataError> {
    let mut hash = Xxh3::new();
    for_each_chunk(rows, |bytes| {
        hash.update(bytes);
        Ok(())
    })
    .map_err(|source| DataError::io(path, "write it", source))?;
    atomic::write(path, |file| {
        let mut file = io::BufWriter::with_capacity(1 << 20, file);
        file.write_all(&MAGIC)?;
        file.write_all(&VERSION.to_le_bytes())?;
        file.write_all(&(ROW_BYTES as u32).to_le_bytes())?;
        file.write_all(&(rows.len() as u64).to_le_bytes())?;
        file.write_all(&hash.digest().to_le_bytes())?;
        for_each_chunk(rows, |bytes| file.write_all(bytes))?;
        file.flush()
    })
}

/// Reads a packed file, at most `limit` rows of it; the checksum is checked when all of it is read.
///
/// # Errors
/// The file cannot be read, is of another version, is shorter or longer than it says, or fails its checksum.
pub fn read_packed(path: &Path, limit: Option<usize>) -> Result<Vec<Row>, DataError> {
    let fail = |source| DataError::io(path, "read it", source);
    let wrong = |problem: String| DataError::Packed { path: path.to_path_buf(), problem };
    let file = std::fs::File::open(path).map_err(fail)?;
    let size = file.metadata().map_err(fail)?.len();
    let mut file = io::BufReader::with_capacity(1 << 20, file);
    let mut header = [0; HEADER_BYTES];
    file.read_exact(&mut header).map_err(|_| wrong(format!("{size} bytes are too few for a header")))?;
    let field = |at: usize, bytes: usize| {
        header[at..at + bytes].iter().rev().fold(0u64, |value, &byte| value << 8 | u64::from(byte))
    };
    if header[..8] != MAGIC {
        return Err(wrong("it does not start as packed files do".to_owned()));
    }
    let (version, row_bytes, count, checksum) = (field(8, 4), field(12, 4), field(16, 8), field(24, 8));
    if (version, row_bytes) != (u64::from(VERSION), ROW_BYTES as u64) {
        return Err(wrong(format!("it has format version {version} with rows of {row_bytes} bytes")));
    }
    let expected = count.checked_mul(ROW_BYTES as u64).and_then(|bytes| bytes.checked_add(HEADER_BYTES as u64));
    if expected != Some(size) {
        return Err(wrong(format!("it announces {count} rows but has {size} bytes")));
    }
    let wanted = limit.map_or(count, |limit| count.min(limit as u64));
    let mut rows = Vec::with_capacity(wanted as usize);
    let mut hash = Xxh3::new();
    for index in 0..wanted {
        let mut bytes = [0; ROW_BYTES];
        file.read_exact(&mut bytes).map_err(fail)?;
        hash.update(&bytes);
        rows.push(Row::from_bytes(&bytes).ok_or_else(|| wrong(format!("row {} is no position", index + 1)))?);
    }
    if wanted == count && hash.digest() != checksum {
        return Err(wrong("its checksum does not fit its rows".to_owned()));
    }
    Ok(rows)
}

/// Hands the rows on as bytes, many at a time.
pub(super) fn for_each_chunk(rows: &[Row], mut take: impl FnMut(&[u8]) -> io::Result<()>) -> io::Result<()> {
    let mut bytes = Vec::with_capacity(CHUNK_ROWS * ROW_BYTES);
    for chunk in rows.chunks(CHUNK_ROWS) {
        bytes.clear();
        bytes.extend(chunk.iter().flat_map(Row::to_bytes));
        take(&bytes)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::sample;

    #[test]
    fn rows_come_back_and_damage_is_seen() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("rows.packed");
        let rows = sample::rows(20_000);
        write_packed(&path, &rows).expect("written");
        assert!(is_packed(&path));
        assert_eq!(read_packed(&path, None).expect("read"), rows);
        assert_eq!(read_packed(&path, Some(5)).expect("read"), rows[..5]);
        let whole = std::fs::read(&path).expect("bytes");
        assert_eq!(whole.len(), 32 + 32 * rows.len());
        for (at, what) in [(9, "version"), (13, "row size"), (17, "count"), (25, "checksum"), (62, "a row")] {
            let mut damaged = whole.clone();
            damaged[at] ^= 4;
            std::fs::write(&path, &damaged).expect("written");
            assert!(matches!(read_packed(&path, None), Err(DataError::Packed { .. })), "{what}");
        }
        for length in [0, 7, 31, 32, 63, whole.len() - 1] {
            std::fs::write(&path, &whole[..length]).expect("written");
            assert!(read_packed(&path, None).is_err(), "{length} bytes");
        }
    }
}
