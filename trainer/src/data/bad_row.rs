//! A row that was refused, and where in its file.

use std::path::Path;

/// Where in a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub enum Place {
    /// A line of text, from 1.
    Line(u64),
    /// A byte of the unpacked file, from 0.
    Byte(u64),
}

impl Place {
    /// The place with its file before it: `FILE:LINE`, as editors jump to it, or `FILE, byte N`.
    pub fn in_file(self, path: &Path) -> String {
        match self {
            Self::Line(line) => format!("{}:{line}", path.display()),
            Self::Byte(byte) => format!("{}, byte {byte}", path.display()),
        }
    }
}

impl std::fmt::Display for Place {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Line(line) => write!(out, "line {line}"),
            Self::Byte(byte) => write!(out, "byte {byte}"),
        }
    }
}

/// A row that was refused: where, what, why. Displays as `line N: reason (found ...)`.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub struct BadRow {
    /// Where it begins.
    pub place: Place,
    /// What stands there, shortened.
    pub found: String,
    /// What was expected instead.
    pub problem: String,
}

impl BadRow {
    /// One sentence: file, place, reason, what was found.
    pub fn in_file(&self, path: &Path) -> String {
        format!("{}: {} (found `{}`)", self.place.in_file(path), self.problem, self.found)
    }
}

impl std::fmt::Display for BadRow {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "{}: {} (found `{}`)", self.place, self.problem, self.found)
    }
}
