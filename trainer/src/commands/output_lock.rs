//! Prevents two runs from writing to the same output, by a locked file next to it that is removed at the end.
//!
//! The lock belongs to the process, so the file of a killed run does not block later runs.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use alfiere_chess::files::try_lock;

use super::Failure;

/// A lock on an output; dropping it removes the file.
pub(crate) struct OutputLock {
    path: PathBuf,
    _locked: File,
}

impl OutputLock {
    /// Locks `output`; fails if another run holds the lock.
    pub(crate) fn new(output: &Path) -> Result<Self, Failure> {
        let taken = || Failure::at(output, "another run is writing this file");
        Self::attempt(output)?.ok_or_else(taken)
    }

    /// Locks `output`; `None` if another run holds the lock.
    pub(crate) fn attempt(output: &Path) -> Result<Option<Self>, Failure> {
        let mut name = output.as_os_str().to_owned();
        name.push(".lock");
        let path = PathBuf::from(name);
        let failure = |error: std::io::Error| Failure::at(&path, error);
        let file = File::options().create(true).truncate(false).write(true).open(&path).map_err(failure)?;
        Ok(try_lock(&file).map_err(failure)?.then_some(Self { path, _locked: file }))
    }
}

impl Drop for OutputLock {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_has_one_writer() {
        let folder = tempfile::tempdir().expect("a folder");
        let output = folder.path().join("a.checkpoint");
        let first = OutputLock::new(&output).expect("free");
        assert!(OutputLock::new(&output).err().expect("taken").0.ends_with("another run is writing this file"));
        drop(first);
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 0);
        OutputLock::new(&output).expect("free again");
    }
}
