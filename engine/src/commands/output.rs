//! The result of a command: why it failed, and its output files, with checks before the work.

use std::error::Error;
use std::fmt;
use std::path::{Path, PathBuf};

use alfiere_chess::files::{self, write_atomic};

/// Adds a number to a file name: `match.json` becomes `match-3.json`.
pub(crate) fn numbered(path: &Path, number: usize) -> PathBuf {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let end = path.extension().map_or_else(String::new, |end| format!(".{}", end.to_string_lossy()));
    path.with_file_name(format!("{stem}-{number}{end}"))
}

/// Checks before the work that outputs do not overwrite inputs or each other.
pub(crate) fn check_outputs<'a>(
    inputs: impl IntoIterator<Item = &'a PathBuf>,
    outputs: impl IntoIterator<Item = &'a PathBuf>,
) -> CommandResult {
    Ok(files::check_outputs(inputs.into_iter().map(PathBuf::as_path), outputs.into_iter().map(PathBuf::as_path))?)
}

/// What happens to results of an earlier run.
#[derive(clap::Args)]
pub(crate) struct Replace {
    /// Replace output files that exist
    #[arg(long)]
    pub(crate) force: bool,
}

impl Replace {
    /// Checks before the work that outputs do not overwrite inputs, each other or, without `--force`, earlier results.
    pub(crate) fn check<'a>(
        &self,
        inputs: impl IntoIterator<Item = &'a PathBuf>,
        outputs: impl IntoIterator<Item = &'a PathBuf>,
    ) -> CommandResult {
        let outputs: Vec<&PathBuf> = outputs.into_iter().collect();
        check_outputs(inputs, outputs.iter().copied())?;
        self.check_new(outputs)
    }

    /// Checks that, without `--force`, there are no earlier results.
    pub(crate) fn check_new<'a>(&self, outputs: impl IntoIterator<Item = &'a PathBuf>) -> CommandResult {
        if !self.force {
            files::check_new(outputs.into_iter().map(PathBuf::as_path))?;
        }
        Ok(())
    }
}

pub(crate) fn write_json(path: &Path, value: &impl serde::Serialize) -> CommandResult {
    let failure = |error: &dyn Error| Failure::at(path, error);
    let text = serde_json::to_string_pretty(value).map_err(|error| failure(&error))?;
    write_atomic(path, (text + "\n").as_bytes()).map_err(|error| failure(&error))
}

/// Why a command failed, as one message for the user.
///
/// Library errors have their own context (file, line, expected input), so all of them convert.
#[derive(Debug)]
pub(crate) enum Failure {
    Error(String),
    /// The user stopped the command; results so far were printed.
    Stopped,
}

impl Failure {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self::Error(message.into())
    }

    pub(crate) fn at(path: &Path, problem: impl fmt::Display) -> Self {
        Self::new(format!("{}: {problem}", path.display()))
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Error(message) => out.write_str(message),
            Self::Stopped => out.write_str("stopped"),
        }
    }
}

impl<E: Error> From<E> for Failure {
    fn from(error: E) -> Self {
        Self::new(error.to_string())
    }
}

pub(crate) type CommandResult = Result<(), Failure>;
