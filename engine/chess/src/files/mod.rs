//! Files: reading plain or gzip-compressed text, atomic writes, locks, and checks that outputs do not overwrite inputs.

mod lock;
mod outputs;
mod source;
mod whole;

pub use lock::try_lock;
pub use outputs::{OutputError, check_new, check_outputs};
pub use source::{SourceError, open, open_counted, read_text};
pub use whole::{Ready, Staged, check_writable, write_through, write_whole};
