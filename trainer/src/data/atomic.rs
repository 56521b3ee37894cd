//! Files appear whole or not at all: written beside their place, flushed to disk, then renamed.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use tempfile::{NamedTempFile, TempPath};

use super::error::DataError;

/// Writes a file through `write`; until all of it is on disk, whatever stood at `path` stays.
///
/// # Errors
/// The file cannot be written, or `write` fails.
pub fn write(path: &Path, write: impl FnOnce(&mut File) -> io::Result<()>) -> Result<(), DataError> {
    let mut staged = Staged::beside(path)?;
    write(staged.file()).map_err(|source| DataError::io(path, "write it", source))?;
    staged.finish()?.publish()
}

/// A file under way beside its place; dropped, it leaves nothing.
#[derive(Debug)]
pub struct Staged {
    path: PathBuf,
    file: NamedTempFile,
}

impl Staged {
    /// Begins a file that will stand at `path`.
    ///
    /// # Errors
    /// The folder cannot be written to.
    pub fn beside(path: &Path) -> Result<Self, DataError> {
        let file = tempfile::Builder::new().prefix(".alfiere-").tempfile_in(folder_of(path));
        let file = file.map_err(|source| DataError::io(path, "write it", source))?;
        Ok(Self { path: path.to_path_buf(), file })
    }

    /// Where to write.
    pub fn file(&mut self) -> &mut File {
        self.file.as_file_mut()
    }

    /// Flushes the file to disk and closes it.
    ///
    /// # Errors
    /// The system cannot do so.
    pub fn finish(self) -> Result<Ready, DataError> {
        let fail = |source| DataError::io(&self.path, "write it", source);
        self.file.as_file().sync_all().map_err(fail)?;
        set_usual_permissions(self.file.as_file()).map_err(fail)?;
        Ok(Ready { file: self.file.into_temp_path(), path: self.path })
    }
}

/// A whole file beside its place; dropped, it leaves nothing.
#[derive(Debug)]
pub struct Ready {
    path: PathBuf,
    file: TempPath,
}

impl Ready {
    /// Puts the file in its place, over what stands there.
    ///
    /// # Errors
    /// The system refuses.
    pub fn publish(self) -> Result<(), DataError> {
        let path = self.path;
        self.file.persist(&path).map_err(|error| DataError::io(&path, "write it", error.error))
    }
}

/// Fails now if a file could not be written at `path` later; leaves nothing behind.
///
/// # Errors
/// The folder is missing or cannot be written to, or `path` is a folder.
pub fn check_writable(path: &Path) -> Result<(), DataError> {
    let fail = |source| DataError::io(path, "write there", source);
    if path.is_dir() {
        return Err(fail(io::Error::new(io::ErrorKind::IsADirectory, "it is a folder; expected a file name")));
    }
    tempfile::Builder::new().prefix(".alfiere-").tempfile_in(folder_of(path)).map_err(fail)?.close().map_err(fail)
}

fn folder_of(path: &Path) -> PathBuf {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder.to_path_buf(),
        _ => PathBuf::from("."),
    }
}

/// A temporary file is its owner's alone; what replaces a user's file is readable as usual.
#[cfg(unix)]
fn set_usual_permissions(file: &File) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    file.set_permissions(std::fs::Permissions::from_mode(0o644))
}

#[cfg(not(unix))]
fn set_usual_permissions(_file: &File) -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    #[test]
    fn a_failed_write_leaves_the_old_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("net");
        write(&path, |file| file.write_all(b"old")).expect("written");
        let failed = write(&path, |file| {
            file.write_all(b"half")?;
            Err(io::Error::other("disk full"))
        });
        assert!(failed.is_err());
        assert_eq!(std::fs::read(&path).expect("there"), b"old");
        assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 1);
    }

    #[test]
    fn places_that_cannot_be_written_are_told_before() {
        let folder = tempfile::tempdir().expect("a folder");
        assert!(check_writable(&folder.path().join("net")).is_ok());
        assert!(check_writable(&folder.path().join("missing/net")).is_err());
        assert!(check_writable(folder.path()).is_err());
        assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 0);
    }
}
