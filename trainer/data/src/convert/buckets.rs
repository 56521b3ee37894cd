//! Shuffles any number of rows: they are distributed at random to buckets on disk, then each bucket is shuffled in
//! memory.
//!
//! Every order is equally likely, because each row goes to a random bucket and each bucket is shuffled. The order
//! depends only on the seed and the input order. A bucket holds about a 256th of the rows: 125 MB of a billion rows.

use std::collections::HashSet;
use std::fs::File;
use std::io::{BufReader, BufWriter, ErrorKind, Read, Seek, SeekFrom, Write};
use std::ops::{ControlFlow, Range};
use std::path::{Path, PathBuf};

use alfiere_chess::random::Random;
use xxhash_rust::xxh3::xxh3_128;

use crate::dataset::LoadObserver;
use crate::error::DataError;
use crate::rows::bits::Bits;
use crate::rows::row::{ROW_BYTES, Row};
use crate::text::reader::{OnRows, ReadProgress};

const BUCKETS: usize = 256;
/// Rows per call of `on_rows`.
const BATCH: usize = 16_384;

/// Temporary files of rows.
pub(super) struct Buckets {
    folder: PathBuf,
    files: Vec<BufWriter<File>>,
    random: Random,
    rows: u64,
}

/// Creates unnamed files in a folder, which the system deletes when they are closed.
pub(super) fn temporary_files(folder: &Path, count: usize) -> Result<Vec<BufWriter<File>>, DataError> {
    let file = |_| tempfile::tempfile_in(folder).map(|file| BufWriter::with_capacity(64 << 10, file));
    let files = (0..count).map(file).collect::<Result<_, _>>();
    files.map_err(|source| DataError::io(folder, "write there", source))
}

impl Buckets {
    /// Creates the buckets in a folder, which needs 32 bytes of free space per row.
    pub(super) fn new(folder: &Path, seed: u64) -> Result<Self, DataError> {
        let files = temporary_files(folder, BUCKETS)?;
        Ok(Self { folder: folder.to_path_buf(), files, random: Random::for_part(seed, 0), rows: 0 })
    }

    /// Distributes rows to random buckets.
    pub(super) fn push(&mut self, rows: &[Row]) -> Result<(), DataError> {
        for row in rows {
            let bucket = self.random.below(BUCKETS as u64) as usize;
            let written = self.files[bucket].write_all(&row.with_game(None).to_bytes());
            written.map_err(|source| DataError::io(&self.folder, "write there", source))?;
        }
        self.rows += rows.len() as u64;
        Ok(())
    }

    /// Passes all rows to `on_rows` in shuffled order.
    pub(super) fn drain(mut self, observer: &mut dyn LoadObserver, on_rows: &mut OnRows<'_>) -> Result<(), DataError> {
        let fail = |source| DataError::io(&self.folder, "read there", source);
        // The end of what was written is still in memory.
        let written = |source| DataError::io(&self.folder, "write there", source);
        observer.step("the shuffled rows");
        let total_bytes = self.rows * ROW_BYTES as u64;
        let mut done = 0;
        for bucket in self.files {
            let mut file = bucket.into_inner().map_err(|error| written(error.into_error()))?;
            let mut bytes = Vec::new();
            file.seek(SeekFrom::Start(0)).and_then(|_| file.read_to_end(&mut bytes)).map_err(fail)?;
            drop(file);
            let (records, _) = bytes.as_chunks_mut::<ROW_BYTES>();
            for last in (1..records.len()).rev() {
                records.swap(last, self.random.below(last as u64 + 1) as usize);
            }
            for batch in records.chunks(BATCH) {
                let rows: Vec<Row> = batch.iter().filter_map(Row::from_bytes).collect();
                on_rows(&rows)?;
                done += rows.len() as u64;
                let now = ReadProgress { bytes: done * ROW_BYTES as u64, total_bytes, rows: done };
                if observer.progress(now) == ControlFlow::Break(()) {
                    return Err(DataError::Stopped { path: self.folder });
                }
            }
        }
        Ok(())
    }
}

/// Number of files; each holds about a 256th of the keys.
const FILES: usize = 256;
/// Size of a key and its row's number in bytes.
const ENTRY: usize = 24;

/// A hash that rows share which differ only in label, result, best move and clocks.
fn position_key(row: &Row) -> u128 {
    let mut bytes = row.to_bytes();
    bytes[24..26].fill(0);
    bytes[26] &= 0x1F;
    bytes[27] &= 0x0F;
    bytes[28..].fill(0);
    xxh3_128(&bytes)
}

/// Collects the keys of rows.
pub(super) struct KeyFiles {
    folder: PathBuf,
    files: Vec<BufWriter<File>>,
    rows: u64,
}

impl KeyFiles {
    /// Creates the files in a folder, which needs 24 bytes of free space per row.
    pub(super) fn new(folder: &Path) -> Result<Self, DataError> {
        Ok(Self { folder: folder.to_path_buf(), files: temporary_files(folder, FILES)?, rows: 0 })
    }

    pub(super) fn push(&mut self, rows: &[Row]) -> Result<(), DataError> {
        for row in rows {
            let key = position_key(row);
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

    pub(super) fn count(&self, rows: Range<u64>) -> u64 {
        self.repeats.count(rows)
    }
}
