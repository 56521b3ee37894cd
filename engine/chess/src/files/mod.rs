//! Files: read plain or packed with gzip, written whole or not at all.

mod source;
mod whole;

pub use source::{SourceError, open, open_counted, read_text};
pub use whole::write_whole;
