//! Files of results.

use std::path::{Path, PathBuf};

use alfiere_chess::files::write_atomic;
use alfiere_terminal::{CommandResult, Failure};

/// Adds a number to a file name: `match.json` becomes `match-3.json`.
pub(crate) fn numbered(path: &Path, number: usize) -> PathBuf {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let end = path.extension().map_or_else(String::new, |end| format!(".{}", end.to_string_lossy()));
    path.with_file_name(format!("{stem}-{number}{end}"))
}

pub(crate) fn write_json(path: &Path, value: &impl serde::Serialize) -> CommandResult {
    let text = serde_json::to_string_pretty(value).map_err(|error| Failure::at(path, error))?;
    write_atomic(path, (text + "\n").as_bytes()).map_err(|error| Failure::at(path, error))
}
