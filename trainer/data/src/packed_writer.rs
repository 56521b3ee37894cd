//! Writes packed files row by row, without a limit on their number: the header is completed at the end.

use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use alfiere_chess::files::TempFile;
use xxhash_rust::xxh3::Xxh3;

use super::atomic::CompleteOutput;
use super::error::DataError;
use super::packed::{HEADER_BYTES, Header, for_each_chunk};
use crate::rows::row::Row;

/// A temporary packed file next to its final path; dropping it deletes the file.
pub struct PackedWriter {
    path: PathBuf,
    file: TempFile,
    rows: u64,
    hash: Xxh3,
}

impl PackedWriter {
    /// Creates a temporary file for `path`.
    ///
    /// # Errors
    /// The folder cannot be written to.
    pub fn beside(path: &Path) -> Result<Self, DataError> {
        let begin = || -> io::Result<TempFile> {
            let mut file = TempFile::new(path)?;
            // Overwritten at the end, when the number of rows and the checksum are known.
            file.file().write_all(&[0; HEADER_BYTES])?;
            Ok(file)
        };
        let file = begin().map_err(|source| DataError::io(path, "write it", source))?;
        Ok(Self { path: path.to_path_buf(), file, rows: 0, hash: Xxh3::new() })
    }

    /// Rows written.
    pub const fn rows(&self) -> u64 {
        self.rows
    }

    /// Appends rows.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn push(&mut self, rows: &[Row]) -> Result<(), DataError> {
        let (file, hash) = (self.file.file(), &mut self.hash);
        let written = for_each_chunk(rows, |bytes| {
            hash.update(bytes);
            file.write_all(bytes)
        });
        self.rows += rows.len() as u64;
        written.map_err(|source| DataError::io(&self.path, "write it", source))
    }

    /// Completes the header and flushes the file to disk.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn finish(mut self) -> Result<CompleteOutput, DataError> {
        let header = Header { rows: self.rows, checksum: self.hash.digest() }.to_bytes();
        let file = self.file.file();
        let mut complete = || -> io::Result<()> {
            file.seek(SeekFrom::Start(0))?;
            file.write_all(&header)
        };
        complete().map_err(|source| DataError::io(&self.path, "write it", source))?;
        CompleteOutput::new(self.path, self.file)
    }
}

/// Writes rows to a packed file atomically.
///
/// # Errors
/// The file cannot be written.
pub fn write_packed(path: &Path, rows: &[Row]) -> Result<(), DataError> {
    let mut writer = PackedWriter::beside(path)?;
    writer.push(rows)?;
    writer.finish()?.publish()
}
