//! The state of a thread: what it keeps between searches, the stack of the current line, and how it makes and unmakes moves.

mod counters;
mod stack;
mod thread_data;
mod worker;

pub use counters::SearchCounts;
pub use thread_data::ThreadData;
pub(crate) use worker::{Role, Searched, Stopped, Worker, has_non_pawn_material};
