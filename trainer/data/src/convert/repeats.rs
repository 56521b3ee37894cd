//! Finds repeated positions among any number of rows.
//!
//! Keys of positions are distributed by their value to files on disk, so that equal ones meet in the same file, and one
//! file at a time is compared in memory. A repeat is known by the number of its row: a bit of memory per row.

use std::collections::HashSet;
use std::fs::File;
use std::io::{BufReader, BufWriter, ErrorKind, Read, Seek, SeekFrom, Write};
use std::ops::{ControlFlow, Range};
use std::path::{Path, PathBuf};

use xxhash_rust::xxh3::xxh3_128;

use super::buckets::temporary_files;
use crate::dataset::LoadObserver;
use crate::error::DataError;
use crate::rows::bits::Bits;
use crate::rows::row::Row;
use crate::text::reader::ReadProgress;

/// Number of files; each holds about a 256th of the keys.
const FILES: usize = 256;
/// Size of a key and its row's number in bytes.
const ENTRY: usize = 24;

/// When two positions are equal. Clocks, labels and results never matter.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Equality {
    /// Same pieces, side to move, castling rights and en passant.
    #[default]
    Exact,
    /// Equal [`Row::symmetric_key`]: also with colours exchanged or files mirrored, whatever the castling rights and en
    /// passant.
    Mirrored,
}

impl Equality {
    /// A hash that equal positions share: 128 bits of an exact one, 64 bits otherwise.
    fn key(self, row: &Row) -> u128 {
        match self {
            Self::Exact => {
                // Without label, result, best move and clocks.
                let mut bytes = row.to_bytes();
                bytes[24..26].fill(0);
                bytes[26] &= 0x1F;
                bytes[27] &= 0x0F;
                bytes[28..].fill(0);
                xxh3_128(&bytes)
            }
            Self::Mirrored => row.symmetric_key().into(),
        }
    }
}

/// Collects the keys of rows.
pub(super) struct KeyFiles {
    folder: PathBuf,
    equality: Equality,
    files: Vec<BufWriter<File>>,
    rows: u64,
}

impl KeyFiles {
    /// Creates the files in a folder, which needs 24 bytes of free space per row.
    pub(super) fn new(folder: &Path, equality: Equality) -> Result<Self, DataError> {
        Ok(Self { folder: folder.to_path_buf(), equality, files: temporary_files(folder, FILES)?, rows: 0 })
    }

    /// Adds rows.
    pub(super) fn push(&mut self, rows: &[Row]) -> Result<(), DataError> {
        for row in rows {
            let key = self.equality.key(row);
            let mut entry = [0; ENTRY];
            entry[..16].copy_from_slice(&key.to_le_bytes());
            entry[16..].copy_from_slice(&self.rows.to_le_bytes());
            let written = self.files[key as usize % FILES].write_all(&entry);
            written.map_err(|source| DataError::io(&self.folder, "write there", source))?;
            self.rows += 1;
        }
        Ok(())
    }

    /// The rows whose position is that of an earlier row.
    pub(super) fn repeats(self, observer: &mut dyn LoadObserver) -> Result<Repeats, DataError> {
        observer.step("the keys of positions");
        let fail = |source| DataError::io(&self.folder, "read there", source);
        // The end of what was written is still in memory.
        let written = |source| DataError::io(&self.folder, "write there", source);
        let (mut repeats, mut seen) = (Bits::default(), HashSet::new());
        repeats.grow(self.rows);
        let mut done = 0;
        for file in self.files {
            let mut file = file.into_inner().map_err(|error| written(error.into_error()))?;
            file.seek(SeekFrom::Start(0)).map_err(fail)?;
            let mut file = BufReader::with_capacity(1 << 20, file);
            seen.clear();
            let mut entry = [0; ENTRY];
            loop {
                match file.read_exact(&mut entry) {
                    Ok(()) => {}
                    Err(error) if error.kind() == ErrorKind::UnexpectedEof => break,
                    Err(error) => return Err(fail(error)),
                }
                let key: [u8; 16] = std::array::from_fn(|index| entry[index]);
                let row = u64::from_le_bytes(std::array::from_fn(|index| entry[16 + index]));
                // The rows of a file are in ascending order, so the first of equal ones is kept.
                if !seen.insert(key) {
                    repeats.set(row);
                }
                done += 1;
            }
            let bytes = |rows: u64| rows * ENTRY as u64;
            let now = ReadProgress { bytes: bytes(done), total_bytes: bytes(self.rows), rows: done };
            if observer.progress(now) == ControlFlow::Break(()) {
                return Err(DataError::Stopped { path: self.folder });
            }
        }
        Ok(Repeats { repeats, rows: self.rows })
    }
}

/// Which rows repeat the position of an earlier one, by their numbers.
pub(super) struct Repeats {
    repeats: Bits,
    rows: u64,
}

impl Repeats {
    /// True if the row repeats an earlier position. A file that grew since has more rows than are known.
    pub(super) fn contains(&self, row: u64) -> bool {
        row < self.rows && self.repeats.get(row)
    }

    /// Number of repeats among these rows.
    pub(super) fn count(&self, rows: Range<u64>) -> u64 {
        self.repeats.count(rows)
    }
}
