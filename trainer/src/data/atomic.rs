//! Files that appear whole or not at all, as [`alfiere_chess::files`] writes them, with errors that name the file.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use alfiere_chess::files;

use super::error::DataError;

/// Writes a file by a function; until all of it is on the disk, an old file at `path` stays.
///
/// # Errors
/// The file cannot be written, or `write` fails.
pub fn write(path: &Path, write: impl FnOnce(&mut File) -> io::Result<()>) -> Result<(), DataError> {
    files::write_through(path, write).map_err(|source| DataError::io(path, "write it", source))
}

/// A file that is being written beside its place; dropped, it leaves nothing.
#[derive(Debug)]
pub struct Staged {
    path: PathBuf,
    staged: files::Staged,
}

impl Staged {
    /// Begins a file that will be at `path`.
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

    /// Flushes the file to the disk and closes it.
    ///
    /// # Errors
    /// The system cannot do so.
    pub fn finish(self) -> Result<Ready, DataError> {
        let Self { path, staged } = self;
        match staged.finish() {
            Ok(ready) => Ok(Ready { path, ready }),
            Err(source) => Err(DataError::io(&path, "write it", source)),
        }
    }
}

/// A finished file beside its place; dropped, it leaves nothing.
#[derive(Debug)]
pub struct Ready {
    path: PathBuf,
    ready: files::Ready,
}

impl Ready {
    /// Moves the file to its place, over an older one.
    ///
    /// # Errors
    /// The system refuses.
    pub fn publish(self) -> Result<(), DataError> {
        self.ready.publish().map_err(|source| DataError::io(&self.path, "write it", source))
    }
}

/// Checks that a file could be written at `path`, and leaves nothing behind.
///
/// # Errors
/// The folder is missing or cannot be written to, or `path` is a folder.
pub fn check_writable(path: &Path) -> Result<(), DataError> {
    files::check_writable(path).map_err(|source| DataError::io(path, "write there", source))
}
