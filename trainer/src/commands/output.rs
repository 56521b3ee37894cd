//! Output of results: JSON and text for other programs, folders, and locks of files.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

use alfiere_chess::files::try_lock;
use alfiere_data::atomic;
use alfiere_terminal::{CommandResult, Failure, say};
use indicatif::HumanCount;
use serde::Serialize;

/// Whether the path stands for standard output, which then holds nothing else.
pub(crate) fn is_stdout(path: &Path) -> bool {
    path == Path::new("-")
}

/// Writes a value as JSON to a file, or to standard output for `-`.
pub(crate) fn write_json(path: &Path, value: &impl Serialize) -> CommandResult {
    let text = serde_json::to_string_pretty(value).map_err(Failure::from)?;
    write_text(path, &(text + "\n"))
}

/// Writes text to a file, or to standard output for `-`.
pub(crate) fn write_text(path: &Path, text: &str) -> CommandResult {
    if is_stdout(path) {
        say(text.trim_end());
        return Ok(());
    }
    Ok(atomic::write(path, |file| file.write_all(text.as_bytes()))?)
}

pub(crate) fn create_folder(folder: &Path) -> CommandResult {
    fs::create_dir_all(folder).map_err(|error| Failure::at(folder, format_args!("cannot create this folder: {error}")))
}

/// Formats 1234567 as `1,234,567`.
pub(crate) fn grouped(number: u64) -> String {
    HumanCount(number).to_string()
}

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
        assert!(
            OutputLock::new(&output).err().expect("taken").to_string().ends_with("another run is writing this file")
        );
        drop(first);
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 0);
        OutputLock::new(&output).expect("free again");
    }
}
