//! An invalid row and its position in the file.

use std::path::Path;

/// A position in a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub enum Location {
    /// A line of text, from 1.
    Line(u64),
    /// A byte of the unpacked file, from 0.
    Byte(u64),
}

impl Location {
    /// The position with the file's path: `FILE:LINE`, which editors can follow, or `FILE, byte N`.
    pub fn in_file(self, path: &Path) -> String {
        match self {
            Self::Line(line) => format!("{}:{line}", path.display()),
            Self::Byte(byte) => format!("{}, byte {byte}", path.display()),
        }
    }
}

impl std::fmt::Display for Location {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Line(line) => write!(out, "line {line}"),
            Self::Byte(byte) => write!(out, "byte {byte}"),
        }
    }
}

/// An invalid row. Displays as `line N: reason (found ...)`.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub struct BadRow {
    /// Where it begins.
    pub location: Location,
    /// The text found, shortened.
    pub found: String,
    /// What was expected instead.
    pub problem: String,
}

impl BadRow {
    /// One sentence with the file, the position, the reason and the text found.
    pub fn in_file(&self, path: &Path) -> String {
        format!("{}: {} (found `{}`)", self.location.in_file(path), self.problem, self.found)
    }
}

impl std::fmt::Display for BadRow {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "{}: {} (found `{}`)", self.location, self.problem, self.found)
    }
}
