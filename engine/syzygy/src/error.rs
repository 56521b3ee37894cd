//! What can be wrong with tables.

use std::path::PathBuf;

use thiserror::Error;

/// Why no tables can be read from a path.
#[derive(Debug, Error)]
pub enum TablebaseError {
    /// A folder that cannot be listed.
    #[error("cannot read the folder {folder}: {error}")]
    Folder {
        /// The folder as it was given.
        folder: PathBuf,
        /// What the system says.
        error: std::io::Error,
    },
    /// Folders without a single table that can be used.
    #[error("no tables in {0}, expected files named like KQvK.rtbw")]
    None(String),
    /// Folders whose tables are all damaged, of which this is the first.
    #[error("no table can be used: {0}")]
    AllDamaged(DamagedFile),
}

/// A table that is left out.
#[derive(Debug, Error)]
#[error("{} is damaged or incomplete: {damage}", path.display())]
pub struct DamagedFile {
    /// The file.
    pub path: PathBuf,
    /// What is wrong with it.
    pub damage: Damage,
}

/// How a file differs from a table.
#[derive(Debug, Error)]
pub enum Damage {
    /// The system does not give it.
    #[error("{0}")]
    Unreadable(#[from] std::io::Error),
    /// It does not begin with the four bytes that mark its kind.
    #[error("it does not begin as a table of its kind does")]
    Magic,
    /// Its length is none that a table can have.
    #[error("{0} bytes are not the length of a whole table")]
    Length(u64),
    /// It ends before all that its head announces.
    #[error("it ends before the data that its head announces")]
    Short,
    /// Its head contradicts itself.
    #[error("its head makes no sense ({0})")]
    Head(&'static str),
}
