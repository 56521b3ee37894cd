//! Output of results: lines and tables on standard output, JSON and CSV for other programs.

use std::error::Error;
use std::fmt::Display;
use std::fs::{self, File};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use alfiere_chess::files::{check_new, check_outputs, try_lock};
use alfiere_data::atomic;
use indicatif::HumanCount;
use serde::Serialize;

/// Why results could not be printed.
static PRINT_ERROR: OnceLock<String> = OnceLock::new();

/// Prints a line on standard output. A closed pipe is not an error.
pub(crate) fn line(text: &str) {
    if let Err(error) = writeln!(std::io::stdout(), "{text}")
        && error.kind() != ErrorKind::BrokenPipe
    {
        PRINT_ERROR.get_or_init(|| error.to_string());
    }
}

/// Fails if a line could not be printed, for example to a file on a full disk.
pub(crate) fn all_printed() -> CommandResult {
    PRINT_ERROR.get().map_or(Ok(()), |error| Err(Failure::new(format!("standard output: {error}"))))
}

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
        line(text.trim_end());
        return Ok(());
    }
    Ok(atomic::write(path, |file| file.write_all(text.as_bytes()))?)
}

pub(crate) fn create_folder(folder: &Path) -> CommandResult {
    fs::create_dir_all(folder).map_err(|error| Failure::at(folder, format_args!("cannot create this folder: {error}")))
}

/// Fails early if the results could not be written later, or would overwrite an input or each other.
pub(crate) fn check_places<'a, 'b>(
    inputs: impl IntoIterator<Item = &'a Path>,
    outputs: impl IntoIterator<Item = &'b Path>,
) -> CommandResult {
    let outputs: Vec<&Path> = outputs.into_iter().collect();
    check_outputs(inputs, outputs.iter().copied())?;
    for path in outputs.into_iter().filter(|path| !is_stdout(path)) {
        atomic::check_writable(path)?;
    }
    Ok(())
}

/// What happens to results of an earlier run.
#[derive(clap::Args)]
pub(crate) struct Replace {
    /// Replace output files that exist
    #[arg(long)]
    pub(crate) force: bool,
}

impl Replace {
    /// [`check_places`], and without `--force` no output may exist.
    pub(crate) fn check<'a, 'b>(
        &self,
        inputs: impl IntoIterator<Item = &'a Path>,
        outputs: impl IntoIterator<Item = &'b Path>,
    ) -> CommandResult {
        let outputs: Vec<&Path> = outputs.into_iter().collect();
        check_places(inputs, outputs.iter().copied())?;
        self.check_new(outputs)
    }

    /// Checks that, without `--force`, no output exists.
    pub(crate) fn check_new<'b>(&self, outputs: impl IntoIterator<Item = &'b Path>) -> CommandResult {
        if !self.force {
            check_new(outputs)?;
        }
        Ok(())
    }
}

/// Formats 1234567 as `1,234,567`.
pub(crate) fn grouped(number: u64) -> String {
    HumanCount(number).to_string()
}

/// Why a command failed: one sentence for the user.
///
/// Library errors carry their own context (file, line, expected value), so all of them convert to this type.
#[derive(Debug)]
pub(crate) struct Failure(pub(super) String);

impl Failure {
    pub(crate) fn new(sentence: impl Into<String>) -> Self {
        Self(sentence.into())
    }

    pub(crate) fn at(path: &Path, problem: impl Display) -> Self {
        Self(format!("{}: {problem}", path.display()))
    }
}

impl<E: Error> From<E> for Failure {
    fn from(error: E) -> Self {
        Self(error.to_string())
    }
}

/// Return type of every command.
pub(crate) type CommandResult = Result<(), Failure>;

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
