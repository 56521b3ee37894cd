//! Files: read plain or packed with gzip, written whole or not at all, and never over what is read.

mod outputs;
mod source;
mod whole;

pub use outputs::{OutputError, check_outputs};
pub use source::{SourceError, open, open_counted, read_text};
pub use whole::{Ready, Staged, check_writable, write_through, write_whole};
