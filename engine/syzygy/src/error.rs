//! Errors of tablebase files.

use std::path::PathBuf;

use thiserror::Error;

/// Why tablebases cannot be opened.
#[derive(Debug, Error)]
pub enum TablebaseError {
    /// A folder cannot be listed.
    #[error("cannot read the folder {folder}: {error}")]
    Folder {
        /// The folder as given.
        folder: PathBuf,
        /// The I/O error.
        error: std::io::Error,
    },
    /// No table was found.
    #[error("no tables in {0}, expected files named like KQvK.rtbw")]
    None(String),
    /// All tables are damaged; this is the first.
    #[error("no usable table: {0}")]
    AllDamaged(DamagedFile),
}

/// A damaged table file.
#[derive(Debug, Error)]
#[error("{} is damaged or incomplete: {damage}", path.display())]
pub struct DamagedFile {
    /// The file.
    pub path: PathBuf,
    /// The kind of damage.
    pub damage: Damage,
}

/// How a file is damaged.
#[derive(Debug, Error)]
pub enum Damage {
    /// The file cannot be read.
    #[error("{0}")]
    Unreadable(#[from] std::io::Error),
    /// The magic number is wrong.
    #[error("wrong magic number")]
    Magic,
    /// The file size is not that of a table.
    #[error("{0} bytes is not a valid table size")]
    Length(u64),
    /// The file is shorter than its header says.
    #[error("the file is shorter than its header says")]
    Short,
    /// The header is inconsistent.
    #[error("invalid header: {0}")]
    Header(&'static str),
}
