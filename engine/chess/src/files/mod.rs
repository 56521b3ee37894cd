//! Files: reading plain or gzip-compressed text, atomic writes, and checks that outputs do not overwrite inputs.

mod outputs;
mod source;
mod whole;

pub use outputs::{OutputError, check_new, check_outputs};
pub use source::{SourceError, open, open_counted, read_text};
pub use whole::{Ready, Staged, check_writable, write_through, write_whole};
