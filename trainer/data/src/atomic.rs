//! Atomic writes of files with [`alfiere_chess::files`], and errors that name the file.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use alfiere_chess::files::{self, FinishedFile, TempFile};

use super::error::DataError;

/// Writes a file with `write`. An existing file at `path` is replaced only when the new one is completely on disk.
///
/// # Errors
/// The file cannot be written, or `write` fails.
pub fn write(path: &Path, write: impl FnOnce(&mut File) -> io::Result<()>) -> Result<(), DataError> {
    files::write_atomic_with(path, write).map_err(|source| DataError::io(path, "write it", source))
}

/// A complete output that is not yet at its path; dropping it deletes the file.
#[derive(Debug)]
pub struct CompleteOutput {
    path: PathBuf,
    file: FinishedFile,
}

impl CompleteOutput {
    /// Flushes the file to disk.
    pub(super) fn new(path: PathBuf, file: TempFile) -> Result<Self, DataError> {
        match file.finish() {
            Ok(file) => Ok(Self { path, file }),
            Err(source) => Err(DataError::io(&path, "write it", source)),
        }
    }

    /// Closes the file, which then no longer keeps other runs away.
    pub(super) fn close(&mut self) {
        self.file.close();
    }

    /// Renames the file to its final path and replaces an existing one.
    ///
    /// # Errors
    /// If the file cannot be renamed.
    pub fn publish(self) -> Result<(), DataError> {
        self.file.publish().map_err(|source| DataError::io(&self.path, "write it", source))
    }
}

/// Checks that a file can be written at `path`, without leaving a file there.
///
/// # Errors
/// The folder is missing or cannot be written to, or `path` is a folder.
pub fn check_writable(path: &Path) -> Result<(), DataError> {
    files::check_writable(path).map_err(|source| DataError::io(path, "write there", source))
}
