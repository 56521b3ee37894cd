//! Files that appear whole or not at all: written beside their place, flushed to the disk, then renamed.
//!
//! A link stays a link: the file that it leads to is replaced. Pipes and devices (`/dev/stdout`) are written to directly.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// Tells the files under way of one process from each other.
static NUMBER: AtomicU64 = AtomicU64::new(0);

/// Writes a file.
///
/// # Errors
/// If it cannot be written; an old file of that name is then left as it was.
pub fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    write_through(path, |file| file.write_all(bytes))
}

/// Writes a file by a function.
///
/// # Errors
/// If the file cannot be written, or `write` fails; an old file of that name is then left as it was.
pub fn write_through(path: &Path, write: impl FnOnce(&mut File) -> io::Result<()>) -> io::Result<()> {
    let mut staged = Staged::new(path)?;
    write(staged.file())?;
    staged.finish()?.publish()
}

/// Checks that a file could be written at `path`, and leaves nothing behind.
///
/// # Errors
/// If the folder is missing or cannot be written to, or `path` is a folder.
pub fn check_writable(path: &Path) -> io::Result<()> {
    Staged::new(path).map(drop)
}

/// A file that is being written beside its place. If it is dropped, nothing of it is left.
#[derive(Debug)]
pub struct Staged {
    file: File,
    place: Place,
}

/// A finished file beside its place. If it is dropped, nothing of it is left.
#[derive(Debug)]
pub struct Ready(Place);

#[derive(Debug)]
struct Place {
    target: PathBuf,
    /// `None` where the target itself is written to.
    beside: Option<PathBuf>,
}

impl Staged {
    /// Begins a file that will be at `path`.
    ///
    /// # Errors
    /// If the folder is missing or cannot be written to, or `path` is a folder.
    pub fn new(path: &Path) -> io::Result<Self> {
        let target = behind_links(path);
        match target.metadata() {
            Ok(found) if found.is_dir() => {
                return Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a folder; expected a file name"));
            }
            Ok(found) if !found.is_file() => {
                let file = File::options().write(true).open(&target)?;
                return Ok(Self { file, place: Place { target, beside: None } });
            }
            _ => {}
        }
        let name = target.file_name().ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "no file name"))?;
        let mut beside = name.to_owned();
        beside.push(format!(".{}-{}.part", std::process::id(), NUMBER.fetch_add(1, Ordering::Relaxed)));
        let beside = target.with_file_name(beside);
        let file = File::create(&beside)?;
        Ok(Self { file, place: Place { target, beside: Some(beside) } })
    }

    /// The file to write to.
    pub fn file(&mut self) -> &mut File {
        &mut self.file
    }

    /// Flushes the file to the disk and closes it.
    ///
    /// # Errors
    /// If the system cannot do so.
    pub fn finish(self) -> io::Result<Ready> {
        if self.place.beside.is_some() {
            self.file.sync_all()?;
        }
        Ok(Ready(self.place))
    }
}

impl Ready {
    /// Moves the file to its place, over an older one.
    ///
    /// # Errors
    /// If the system refuses.
    pub fn publish(mut self) -> io::Result<()> {
        let Some(beside) = &self.0.beside else { return Ok(()) };
        fs::rename(beside, &self.0.target)?;
        self.0.beside = None;
        // The new name survives a power cut only once the folder is written too; not every system can do that to a folder.
        let folder = self.0.target.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        if let Ok(folder) = File::open(folder) {
            let _ = folder.sync_all();
        }
        Ok(())
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        if let Some(beside) = &self.beside {
            // Nothing more can be done about a file that cannot be removed.
            let _ = fs::remove_file(beside);
        }
    }
}

/// The path that links lead to in the end; a link to nothing leads to where its file would be.
fn behind_links(path: &Path) -> PathBuf {
    let mut path = path.to_path_buf();
    // As many links in a row as Linux follows.
    for _ in 0..40 {
        let Ok(next) = path.read_link() else { break };
        path = path.parent().unwrap_or(Path::new("")).join(next);
    }
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_old_file_is_replaced_or_left_as_it_was() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("file");
        write_whole(&path, b"old").expect("written");
        write_whole(&path, b"new").expect("written");
        assert_eq!(fs::read(&path).expect("there"), b"new");
        let failed = write_through(&path, |file| {
            file.write_all(b"half")?;
            Err(io::Error::other("disk full"))
        });
        assert!(failed.is_err() && fs::read(&path).expect("there") == b"new");
        // A folder is where the file should go.
        let taken = folder.path().join("taken");
        fs::create_dir(&taken).expect("made");
        fs::write(taken.join("inside"), b"kept").expect("written");
        assert!(write_whole(&taken, b"new").is_err());
        assert_eq!(fs::read(taken.join("inside")).expect("there"), b"kept");
        assert_eq!(fs::read_dir(folder.path()).expect("listed").count(), 2, "nothing is left beside them");
        assert!(write_whole(Path::new("/"), b"").is_err());
    }

    #[test]
    fn places_are_checked_without_a_trace() {
        let folder = tempfile::tempdir().expect("a folder");
        assert!(check_writable(&folder.path().join("file")).is_ok());
        assert!(check_writable(&folder.path().join("missing/file")).is_err());
        assert!(check_writable(folder.path()).is_err());
        assert_eq!(fs::read_dir(folder.path()).expect("listed").count(), 0);
    }

    #[cfg(unix)]
    #[test]
    fn links_and_devices_stay_what_they_are() {
        use std::os::unix::fs::{FileTypeExt, symlink};
        let folder = tempfile::tempdir().expect("a folder");
        let path = |name: &str| folder.path().join(name);
        symlink("/dev/null", path("nothing")).expect("linked");
        write_whole(&path("nothing"), b"new").expect("written");
        assert!(path("nothing").is_symlink() && fs::read(path("nothing")).expect("there").is_empty());
        let full = write_whole(Path::new("/dev/full"), b"new").expect_err("no room");
        assert_eq!(full.kind(), io::ErrorKind::StorageFull);
        assert!(fs::metadata("/dev/full").expect("there").file_type().is_char_device());
        // A chain of links: to a file, and to none yet.
        symlink("second", path("first")).expect("linked");
        symlink("real", path("second")).expect("linked");
        for text in [b"one", b"two"] {
            write_whole(&path("first"), text).expect("written");
            assert!(path("first").is_symlink() && path("second").is_symlink() && !path("real").is_symlink());
            assert_eq!(fs::read(path("real")).expect("there"), text);
        }
    }
}
