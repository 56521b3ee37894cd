//! Shuffles any number of rows: they are distributed at random to buckets on disk, then each bucket is shuffled in
//! memory.
//!
//! Every order is equally likely, because each row goes to a random bucket and each bucket is shuffled. The order
//! depends only on the seed and the input order. A bucket holds about a 256th of the rows: 125 MB of a billion rows.

use std::fs::File;
use std::io::{BufWriter, Read, Seek, SeekFrom, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use alfiere_chess::random::Random;

use crate::dataset::LoadObserver;
use crate::error::DataError;
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
            let written = self.files[bucket].write_all(&row.to_bytes());
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
