//! Atomic writes of files with [`alfiere_chess::files`], and errors that name the file.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use alfiere_chess::files;

use super::error::DataError;

/// Writes a file with `write`. An existing file at `path` is replaced only when the new one is completely on disk.
///
/// # Errors
/// The file cannot be written, or `write` fails.
pub fn write(path: &Path, write: impl FnOnce(&mut File) -> io::Result<()>) -> Result<(), DataError> {
    files::write_through(path, write).map_err(|source| DataError::io(path, "write it", source))
}

/// A temporary file next to its final path; dropping it deletes the file.
#[derive(Debug)]
pub struct Staged {
    path: PathBuf,
    staged: files::Staged,
}

impl Staged {
    /// Creates a temporary file for `path`.
    ///
    /// # Errors
    /// The folder cannot be written to.
    pub fn beside(path: &Path) -> Result<Self, DataError> {
        let staged = files::Staged::new(path).map_err(|source| DataError::io(path, "write it", source))?;
        Ok(Self { path: path.to_path_buf(), staged })
    }

    /// The file to write to.
    pub fn file(&mut self) -> &mut File {
        self.staged.file()
    }

    /// Flushes the file to disk and closes it.
    ///
    /// # Errors
    /// If the file cannot be flushed.
    pub fn finish(self) -> Result<Ready, DataError> {
        let Self { path, staged } = self;
        match staged.finish() {
            Ok(ready) => Ok(Ready { path, ready }),
            Err(source) => Err(DataError::io(&path, "write it", source)),
        }
    }
}

/// A complete temporary file next to its final path; dropping it deletes the file.
#[derive(Debug)]
pub struct Ready {
    path: PathBuf,
    ready: files::Ready,
}

impl Ready {
    /// Renames the file to its final path and replaces an existing one.
    ///
    /// # Errors
    /// If the file cannot be renamed.
    pub fn publish(self) -> Result<(), DataError> {
        self.ready.publish().map_err(|source| DataError::io(&self.path, "write it", source))
    }
}

/// Checks that a file can be written at `path`, without leaving a file there.
///
/// # Errors
/// The folder is missing or cannot be written to, or `path` is a folder.
pub fn check_writable(path: &Path) -> Result<(), DataError> {
    files::check_writable(path).map_err(|source| DataError::io(path, "write there", source))
}
