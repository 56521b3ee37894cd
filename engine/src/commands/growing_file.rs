//! Files that grow while a command runs. An earlier file stays until the new one is complete.

use std::fs::File;
use std::io;
use std::path::Path;

use alfiere_chess::files::{TempFile, try_lock};

/// A file that a command appends to.
pub(crate) enum GrowingFile {
    /// At its path from the start, so that a killed run leaves what it had.
    New(File),
    /// Beside an earlier file, which it replaces when it is finished. A killed run leaves both.
    Replacement(TempFile),
}

impl GrowingFile {
    /// Creates an empty file, and locks it.
    ///
    /// # Errors
    /// If it cannot be created, or another run is writing it.
    pub(crate) fn create(path: &Path) -> io::Result<Self> {
        if has_content(path) {
            return TempFile::new(path).map(Self::Replacement);
        }
        let file = File::options().create(true).truncate(false).write(true).open(path)?;
        if !try_lock(&file)? {
            return Err(io::Error::other("another run is writing this file"));
        }
        Ok(Self::New(file))
    }

    /// The file to write to.
    pub(crate) fn file(&mut self) -> &mut File {
        match self {
            Self::New(file) => file,
            Self::Replacement(file) => file.file(),
        }
    }

    /// Replaces the earlier file, if there is one.
    ///
    /// # Errors
    /// If an I/O operation fails; the earlier file is then unchanged.
    pub(crate) fn finish(self) -> io::Result<()> {
        match self {
            Self::New(_) => Ok(()),
            Self::Replacement(file) => file.finish()?.publish(),
        }
    }
}

/// Whether the path is a regular file that is not empty.
pub(crate) fn has_content(path: &Path) -> bool {
    path.metadata().is_ok_and(|found| found.is_file() && found.len() > 0)
}
