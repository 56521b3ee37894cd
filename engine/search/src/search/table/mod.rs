//! The transposition table: what earlier searches found out about a position, shared by all threads.

mod entry;
mod transposition;

pub(crate) use entry::{Bound, Entry};
pub use transposition::{Allocation, KnownScore, Table};
