//! Files: reading plain or gzip-compressed text, atomic writes, locks, and checks that outputs do not overwrite inputs.

mod atomic;
mod outputs;
mod source;

pub use atomic::{FinishedFile, TempFile, check_writable, try_lock, write_atomic, write_atomic_with};
pub use outputs::{OutputError, check_new, check_outputs};
pub use source::{SourceError, decode_line, open, open_counted, read_text};
