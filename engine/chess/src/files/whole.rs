//! Files that appear whole or not at all.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

/// Writes a file beside its place, and puts it there when it is safe on the disk. Pipes and devices (`/dev/stdout`) are
/// written to as they are.
///
/// # Errors
/// If it cannot be written; an old file of that name is then left as it was.
pub fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if path.metadata().is_ok_and(|found| !found.is_file() && !found.is_dir()) {
        return fs::write(path, bytes);
    }
    let name = path.file_name().ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "no file name"))?;
    let mut beside = name.to_owned();
    beside.push(format!(".{}.part", std::process::id()));
    let beside = path.with_file_name(beside);
    let written = (|| {
        let mut file = File::create(&beside)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        fs::rename(&beside, path)
    })();
    if written.is_err() {
        // Whatever happened to the new file, the error that counts is the first one.
        let _ = fs::remove_file(&beside);
        return written;
    }
    // The new name outlives a power cut once the folder is written too; not every system can do that to a folder.
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if let Ok(folder) = File::open(folder) {
        let _ = folder.sync_all();
    }
    Ok(())
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
        // A folder stands where the file should go.
        let taken = folder.path().join("taken");
        fs::create_dir(&taken).expect("made");
        fs::write(taken.join("inside"), b"kept").expect("written");
        assert!(write_whole(&taken, b"new").is_err());
        assert_eq!(fs::read(taken.join("inside")).expect("there"), b"kept");
        assert_eq!(fs::read_dir(folder.path()).expect("listed").count(), 2, "nothing is left beside them");
        assert!(write_whole(Path::new("/"), b"").is_err());
    }

    #[cfg(unix)]
    #[test]
    fn a_device_stays_one() {
        use std::os::unix::fs::symlink;
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("nothing");
        symlink("/dev/null", &path).expect("linked");
        write_whole(&path, b"new").expect("written");
        assert!(path.is_symlink() && fs::read(&path).expect("there").is_empty());
    }
}
