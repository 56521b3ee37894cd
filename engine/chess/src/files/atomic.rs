//! Atomic file writes: to a temporary file in the same folder, flushed to disk, then renamed.
//!
//! Symbolic links are followed: the file that a link refers to is replaced; its permissions stay. Pipes and devices (`/dev/stdout`) are
//! written to directly. Also locks of files that only one program may write. A temporary file is locked until it has its final name:
//! one without a lock was left by a killed program, and the next that writes the same file removes it.

use std::ffi::OsStr;
use std::fs::{self, File, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// Distinguishes the temporary files of one process.
static NUMBER: AtomicU64 = AtomicU64::new(0);

/// Writes a file atomically.
///
/// # Errors
/// If the file cannot be written; an existing file is then unchanged.
pub fn write_atomic(path: &Path, bytes: &[u8]) -> io::Result<()> {
    write_atomic_with(path, |file| file.write_all(bytes))
}

/// Writes a file atomically with a function.
///
/// # Errors
/// If the file cannot be written, or `write` fails; an existing file is then unchanged.
pub fn write_atomic_with(path: &Path, write: impl FnOnce(&mut File) -> io::Result<()>) -> io::Result<()> {
    let mut temporary = TempFile::shared(path)?;
    write(temporary.file())?;
    temporary.finish()?.publish()
}

/// Checks that a file could be written at `path` and leaves no trace.
///
/// # Errors
/// If the folder is missing or not writable, or `path` is a folder.
pub fn check_writable(path: &Path) -> io::Result<()> {
    TempFile::new(path).map(drop)
}

/// A temporary file that is being written. Dropping it deletes it.
#[derive(Debug)]
pub struct TempFile {
    file: File,
    paths: Paths,
}

/// A complete temporary file. Dropping it deletes it.
#[derive(Debug)]
pub struct FinishedFile {
    paths: Paths,
    lock: Option<File>,
}

#[derive(Debug)]
struct Paths {
    target: PathBuf,
    /// The temporary file; `None` if the target is written to directly.
    temporary: Option<PathBuf>,
}

impl TempFile {
    /// Creates the temporary file for `path`, which only one run may write at a time.
    ///
    /// # Errors
    /// If the folder is missing or not writable, `path` is a folder, or another run is writing it.
    pub fn new(path: &Path) -> io::Result<Self> {
        let created = Self::beside(path)?;
        if created.paths.remove_leftovers() {
            Err(io::Error::other("another run is writing this file"))
        } else {
            Ok(created)
        }
    }

    /// Creates a temporary file for `path`, which other runs may write too.
    ///
    /// # Errors
    /// If the folder is missing or not writable, or `path` is a folder.
    pub fn shared(path: &Path) -> io::Result<Self> {
        let created = Self::beside(path)?;
        created.paths.remove_leftovers();
        Ok(created)
    }

    /// Creates and locks the temporary file for `path`.
    fn beside(path: &Path) -> io::Result<Self> {
        let found = path.metadata().ok();
        if found.as_ref().is_some_and(fs::Metadata::is_dir) {
            return Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a folder; expected a file name"));
        }
        // By its own name: what the link of a pipe, such as /dev/stdout, refers to has no path.
        if found.as_ref().is_some_and(|found| !found.is_file()) {
            let file = File::options().write(true).open(path)?;
            return Ok(Self { file, paths: Paths { target: path.to_path_buf(), temporary: None } });
        }
        let target = resolve_links(path);
        let name = target.file_name().ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "no file name"))?;
        let (temporary, file) = loop {
            let mut temporary = name.to_owned();
            temporary.push(format!(".{}-{}.part", std::process::id(), NUMBER.fetch_add(1, Ordering::Relaxed)));
            let temporary = target.with_file_name(temporary);
            let file = File::create(&temporary)?;
            // Until it is locked, another run may remove it. Some file systems have no locks; nothing is removed there.
            if !matches!(try_lock(&file), Ok(false)) && temporary.exists() {
                break (temporary, file);
            }
        };
        let paths = Paths { target, temporary: Some(temporary) };
        if let Some(found) = found {
            file.set_permissions(found.permissions())?;
        }
        Ok(Self { file, paths })
    }

    /// Where it is; `path` itself for a pipe or device.
    pub fn path(&self) -> &Path {
        self.paths.temporary.as_ref().unwrap_or(&self.paths.target)
    }

    pub fn file(&mut self) -> &mut File {
        &mut self.file
    }

    /// Flushes the file to disk.
    ///
    /// # Errors
    /// If an I/O operation fails.
    pub fn finish(self) -> io::Result<FinishedFile> {
        if self.paths.temporary.is_some() {
            self.file.sync_all()?;
        }
        Ok(FinishedFile { paths: self.paths, lock: Some(self.file) })
    }
}

impl FinishedFile {
    /// Renames the temporary file to its final path and replaces an existing file.
    ///
    /// # Errors
    /// If the rename fails.
    pub fn publish(mut self) -> io::Result<()> {
        let Some(temporary) = &self.paths.temporary else { return Ok(()) };
        fs::rename(temporary, &self.paths.target)?;
        self.paths.temporary = None;
        // The rename survives a power failure only after the folder is synchronised; some systems cannot synchronise
        // folders.
        if let Ok(folder) = File::open(self.paths.folder()) {
            let _ = folder.sync_all();
        }
        Ok(())
    }

    /// Closes the file. For the shards after the first, whose lock is enough to keep other runs away: a system limits the
    /// number of open files.
    pub fn close(&mut self) {
        self.lock = None;
    }
}

impl Paths {
    fn folder(&self) -> &Path {
        self.target.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
    }

    /// Removes what killed runs have left of this file; true if another run is writing it.
    fn remove_leftovers(&self) -> bool {
        let (Some(own), Some(name)) = (&self.temporary, self.target.file_name()) else { return false };
        let mut found = false;
        for entry in fs::read_dir(self.folder()).into_iter().flatten().flatten() {
            if !is_temporary(&entry.file_name(), name) || Some(entry.file_name().as_os_str()) == own.file_name() {
                continue;
            }
            match File::open(entry.path()).and_then(|file| Ok((try_lock(&file)?, file))) {
                // A file that cannot be removed is left behind.
                Ok((true, _locked)) => _ = fs::remove_file(entry.path()),
                Ok((false, _)) => found = true,
                Err(_) => {}
            }
        }
        found
    }
}

/// Whether a file's name is that of a temporary file for `target`.
fn is_temporary(name: &OsStr, target: &OsStr) -> bool {
    let rest = name.as_encoded_bytes().strip_prefix(target.as_encoded_bytes());
    let numbers = rest.and_then(|rest| rest.strip_prefix(b".")?.strip_suffix(b".part"));
    numbers.is_some_and(|numbers| numbers.iter().all(|&byte| byte == b'-' || byte.is_ascii_digit()))
}

impl Drop for Paths {
    fn drop(&mut self) {
        if let Some(temporary) = &self.temporary {
            // A file that cannot be removed is left behind.
            let _ = fs::remove_file(temporary);
        }
    }
}

/// Resolves symbolic links; a dangling link resolves to the path that it names.
fn resolve_links(path: &Path) -> PathBuf {
    let mut path = path.to_path_buf();
    // Linux also follows at most this number of links.
    for _ in 0..40 {
        let Ok(next) = path.read_link() else { break };
        path = path.parent().unwrap_or(Path::new("")).join(next);
    }
    path
}

/// Locks a file until it is closed; false if it is already locked. A killed program leaves no lock.
///
/// # Errors
/// If the file system cannot lock it.
pub fn try_lock(file: &File) -> io::Result<bool> {
    match file.try_lock() {
        Ok(()) => Ok(true),
        Err(TryLockError::WouldBlock) => Ok(false),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_existing_file_is_replaced_or_unchanged() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("file");
        write_atomic(&path, b"old").expect("written");
        write_atomic(&path, b"new").expect("written");
        assert_eq!(fs::read(&path).expect("there"), b"new");
        let failed = write_atomic_with(&path, |file| {
            file.write_all(b"half")?;
            Err(io::Error::other("disk full"))
        });
        assert!(failed.is_err() && fs::read(&path).expect("there") == b"new");
        // The destination is a folder.
        let taken = folder.path().join("taken");
        fs::create_dir(&taken).expect("made");
        fs::write(taken.join("inside"), b"kept").expect("written");
        assert!(write_atomic(&taken, b"new").is_err());
        assert_eq!(fs::read(taken.join("inside")).expect("there"), b"kept");
        assert_eq!(fs::read_dir(folder.path()).expect("listed").count(), 2, "no temporary file is left");
        assert!(write_atomic(Path::new("/"), b"").is_err());
    }

    #[test]
    fn what_a_killed_run_left_is_removed_and_a_second_run_is_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name);
        for name in ["file.12-3.part", "file.12-3.part.txt", "other.12-3.part", "file.b.part"] {
            fs::write(at(name), "half").expect("written");
        }
        let first = TempFile::new(&at("file")).expect("created");
        assert!(!at("file.12-3.part").exists());
        let second = TempFile::new(&at("file")).expect_err("one at a time").to_string();
        assert_eq!(second, "another run is writing this file");
        let finished = first.finish().expect("flushed");
        assert!(TempFile::new(&at("file")).is_err() && check_writable(&at("file")).is_err());
        finished.publish().expect("renamed");
        write_atomic(&at("file"), b"again").expect("written");
        assert_eq!(fs::read_dir(folder.path()).expect("listed").count(), 4);
    }

    #[test]
    fn check_writable_leaves_no_trace() {
        let folder = tempfile::tempdir().expect("a folder");
        assert!(check_writable(&folder.path().join("file")).is_ok());
        assert!(check_writable(&folder.path().join("missing/file")).is_err());
        assert!(check_writable(folder.path()).is_err());
        assert_eq!(fs::read_dir(folder.path()).expect("listed").count(), 0);
    }

    #[cfg(unix)]
    #[test]
    fn links_and_devices_are_kept() {
        use std::os::fd::AsRawFd;
        use std::os::unix::fs::{FileTypeExt, PermissionsExt, symlink};
        let folder = tempfile::tempdir().expect("a folder");
        let path = |name: &str| folder.path().join(name);
        symlink("/dev/null", path("nothing")).expect("linked");
        write_atomic(&path("nothing"), b"new").expect("written");
        assert!(path("nothing").is_symlink() && fs::read(path("nothing")).expect("there").is_empty());
        let full = write_atomic(Path::new("/dev/full"), b"new").expect_err("no room");
        assert_eq!(full.kind(), io::ErrorKind::StorageFull);
        assert!(fs::metadata("/dev/full").expect("there").file_type().is_char_device());
        // A pipe by the link that a process has for it.
        let (mut reader, writer) = io::pipe().expect("a pipe");
        let link = format!("/proc/self/fd/{}", writer.as_raw_fd());
        if cfg!(target_os = "linux") {
            write_atomic(Path::new(&link), b"piped").expect("written");
            drop(writer);
            let mut piped = String::new();
            io::Read::read_to_string(&mut reader, &mut piped).expect("text");
            assert_eq!(piped, "piped");
        }
        // A private file stays private.
        let mode = |path: &Path| fs::metadata(path).expect("there").permissions().mode() & 0o777;
        fs::write(path("private"), b"old").expect("written");
        fs::set_permissions(path("private"), fs::Permissions::from_mode(0o600)).expect("set");
        write_atomic(&path("private"), b"new").expect("written");
        assert_eq!((mode(&path("private")), fs::read(path("private")).expect("there")), (0o600, b"new".to_vec()));
        // A chain of links, to an existing file and to a missing one.
        symlink("second", path("first")).expect("linked");
        symlink("real", path("second")).expect("linked");
        for text in [b"one", b"two"] {
            write_atomic(&path("first"), text).expect("written");
            assert!(path("first").is_symlink() && path("second").is_symlink() && !path("real").is_symlink());
            assert_eq!(fs::read(path("real")).expect("there"), text);
        }
    }
}
