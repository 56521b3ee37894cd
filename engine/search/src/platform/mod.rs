//! What the engine needs from the system besides files: time, random numbers, threads, free memory, and loading memory ahead.
//!
//! `native` uses the standard library. In WebAssembly (`hosted`) the first thread of a search is the calling thread, and the
//! host supplies the time and the stop signal. The rest of the crate is the same for both.

#[cfg(target_family = "wasm")]
mod hosted;
mod memory;
#[cfg(not(target_family = "wasm"))]
mod native;

#[cfg(target_family = "wasm")]
use hosted as system;
#[cfg(not(target_family = "wasm"))]
use native as system;

pub use memory::STACK_BYTES;
pub use system::Instant;
#[cfg(target_family = "wasm")]
pub use system::{Host, Signals};

pub(crate) use memory::{available_mebibytes, prefetch};
pub(crate) use system::{Background, entropy, in_background, max_threads, on_large_stack, processors};
#[cfg(target_family = "wasm")]
pub(crate) use system::{rest, signals};
