//! The search from the root: threads, iterations, aspiration windows.

mod aspiration;
mod iterative;
mod threads;

pub use threads::search;
pub(crate) use threads::{answer, nothing_to_search, report_unsearched};
