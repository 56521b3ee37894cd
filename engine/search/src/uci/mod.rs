//! The Universal Chess Interface: text in, text out, nothing else.
//!
//! A line is parsed into a `Command`, checked, and executed on an [`Engine`](crate::Engine); only this module writes what a
//! GUI reads.

mod command;
mod go;
mod option;
mod options;
mod reporter;
mod session;
mod task;

pub use option::UciOption;
pub use options::options;
pub use session::Session;
