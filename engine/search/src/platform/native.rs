//! The standard library's clock, threads and randomness.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::io;
use std::thread::{Builder, JoinHandle};

pub use std::time::Instant;

use super::STACK_BYTES;

/// A seed that differs in each run of the program.
pub(crate) fn entropy() -> u64 {
    RandomState::new().build_hasher().finish()
}

/// The number of processors that this program may use.
pub(crate) fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// The largest number of threads that may be asked for.
pub(crate) fn max_threads() -> usize {
    1024
}

/// Work on a thread of its own.
pub(crate) struct Background<T>(JoinHandle<T>);

impl<T> Background<T> {
    /// Waits for the result; `None` if the work panicked.
    pub(crate) fn join(self) -> Option<T> {
        self.0.join().ok()
    }
}

/// Starts a search on a thread of its own.
///
/// # Errors
/// If the system has no thread to give.
pub(crate) fn in_background<T: Send + 'static>(
    search: impl FnOnce() -> T + Send + 'static,
) -> io::Result<Background<T>> {
    Builder::new().name("search".to_owned()).stack_size(STACK_BYTES).spawn(search).map(Background)
}

/// Runs a search with the stack that it needs, and returns when it is done.
///
/// # Errors
/// If the system has no thread to give.
pub(crate) fn on_large_stack<T: Send>(search: impl FnOnce() -> T + Send) -> io::Result<T> {
    std::thread::scope(|scope| {
        let handle = Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, search)?;
        match handle.join() {
            Ok(outcome) => Ok(outcome),
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })
}
