//! Shuffles any number of rows: they are distributed at random to buckets on disk, then each bucket is shuffled in
//! memory.
//!
//! Every order is equally likely, because each row goes to a random bucket and each bucket is shuffled. The order
//! depends only on the seed and the input order. A bucket holds about a 256th of the rows: 125 MB of a billion rows.

use std::collections::HashSet;
use std::fs::File;
use std::io::{BufWriter, Read, Seek, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};

use alfiere_chess::random::Random;
use xxhash_rust::xxh3::xxh3_128;

use crate::dataset::LoadObserver;
use crate::error::DataError;
use crate::row_batcher::{BATCH_ROWS, OnRows, ReadProgress};
use crate::rows::row::{ROW_BYTES, Row};

/// Number of temporary files.
const FILES: usize = 256;

/// Unnamed files in a folder, which the system deletes when they are closed.
struct TemporaryFiles {
    folder: PathBuf,
    files: Vec<BufWriter<File>>,
}

impl TemporaryFiles {
    fn new(folder: &Path) -> Result<Self, DataError> {
        let file = |_| tempfile::tempfile_in(folder).map(|file| BufWriter::with_capacity(64 << 10, file));
        let files = (0..FILES).map(file).collect::<Result<_, _>>();
        let files = files.map_err(|source| DataError::io(folder, "write there", source))?;
        Ok(Self { folder: folder.to_path_buf(), files })
    }

    fn write(&mut self, file: usize, bytes: &[u8]) -> Result<(), DataError> {
        let written = self.files[file].write_all(bytes);
        written.map_err(|source| DataError::io(&self.folder, "write there", source))
    }

    /// Reads the files one after another.
    fn into_contents(self) -> impl Iterator<Item = Result<Vec<u8>, DataError>> {
        let Self { folder, files } = self;
        files.into_iter().map(move |file| {
            // The end of what was written is still in memory.
            let written = file.into_inner().map_err(std::io::IntoInnerError::into_error);
            let mut file = written.map_err(|source| DataError::io(&folder, "write there", source))?;
            let mut bytes = Vec::new();
            let read = file.rewind().and_then(|()| file.read_to_end(&mut bytes));
            read.map(|_| bytes).map_err(|source| DataError::io(&folder, "read there", source))
        })
    }
}

/// Rows in random files.
pub(super) struct Buckets {
    files: TemporaryFiles,
    random: Random,
    rows: u64,
}

impl Buckets {
    /// Creates the buckets in a folder, which needs 32 bytes of free space per row.
    pub(super) fn new(folder: &Path, seed: u64) -> Result<Self, DataError> {
        Ok(Self { files: TemporaryFiles::new(folder)?, random: Random::for_part(seed, 0), rows: 0 })
    }

    /// Distributes rows to random buckets.
    pub(super) fn push(&mut self, rows: &[Row]) -> Result<(), DataError> {
        for row in rows {
            let bucket = self.random.below(FILES as u64) as usize;
            self.files.write(bucket, &row.with_game(None).to_bytes())?;
        }
        self.rows += rows.len() as u64;
        Ok(())
    }

    /// Passes all rows to `on_rows` in shuffled order.
    pub(super) fn drain(mut self, observer: &mut dyn LoadObserver, on_rows: &mut OnRows<'_>) -> Result<(), DataError> {
        observer.step("the shuffled rows");
        let folder = self.files.folder.clone();
        let mut done = 0;
        for bytes in self.files.into_contents() {
            let mut bytes = bytes?;
            let (records, _) = bytes.as_chunks_mut::<ROW_BYTES>();
            for last in (1..records.len()).rev() {
                records.swap(last, self.random.below(last as u64 + 1) as usize);
            }
            for batch in records.chunks(BATCH_ROWS) {
                let rows: Vec<Row> = batch.iter().filter_map(Row::from_bytes).collect();
                on_rows(&rows)?;
                done += rows.len() as u64;
                if observer.progress(ReadProgress::of_rows(done, self.rows)).is_break() {
                    return Err(DataError::Stopped { path: folder });
                }
            }
        }
        Ok(())
    }
}

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
    files: TemporaryFiles,
    rows: u64,
}

impl KeyFiles {
    /// Creates the files in a folder, which needs 24 bytes of free space per row.
    pub(super) fn new(folder: &Path) -> Result<Self, DataError> {
        Ok(Self { files: TemporaryFiles::new(folder)?, rows: 0 })
    }

    pub(super) fn push(&mut self, rows: &[Row]) -> Result<(), DataError> {
        for row in rows {
            let key = position_key(row);
            let mut entry = [0; ENTRY];
            entry[..16].copy_from_slice(&key.to_le_bytes());
            entry[16..].copy_from_slice(&self.rows.to_le_bytes());
            self.files.write(key as usize % FILES, &entry)?;
            self.rows += 1;
        }
        Ok(())
    }

    /// The rows whose position is that of an earlier row.
    pub(super) fn repeats(self, observer: &mut dyn LoadObserver) -> Result<Repeats, DataError> {
        observer.step("the keys of positions");
        let folder = self.files.folder.clone();
        let mut repeats = Repeats { bits: vec![0; self.rows.div_ceil(64) as usize], rows: self.rows };
        let (mut seen, mut done) = (HashSet::new(), 0);
        for bytes in self.files.into_contents() {
            seen.clear();
            for entry in bytes?.as_chunks::<ENTRY>().0 {
                let key: [u8; 16] = std::array::from_fn(|index| entry[index]);
                let row = u64::from_le_bytes(std::array::from_fn(|index| entry[16 + index]));
                // The rows of a file are in ascending order, so the first of equal ones is kept.
                if !seen.insert(key) {
                    repeats.add(row);
                }
                done += 1;
            }
            let bytes = |rows: u64| rows * ENTRY as u64;
            let now = ReadProgress { bytes: bytes(done), total_bytes: bytes(self.rows), rows: done };
            if observer.progress(now).is_break() {
                return Err(DataError::Stopped { path: folder });
            }
        }
        Ok(repeats)
    }
}

/// Which rows repeat the position of an earlier one: a bit for each row.
pub(super) struct Repeats {
    bits: Vec<u64>,
    rows: u64,
}

impl Repeats {
    fn add(&mut self, row: u64) {
        self.bits[(row / 64) as usize] |= 1 << (row % 64);
    }

    /// True if the row repeats an earlier position. A file that grew since has more rows than are known.
    pub(super) fn contains(&self, row: u64) -> bool {
        row < self.rows && self.bits[(row / 64) as usize] >> (row % 64) & 1 == 1
    }

    pub(super) fn count(&self, rows: Range<u64>) -> u64 {
        rows.filter(|&row| self.contains(row)).count() as u64
    }
}
