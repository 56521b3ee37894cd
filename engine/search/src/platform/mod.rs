//! What the engine needs from the operating system besides files: time, random numbers, threads and free memory.
//!
//! `native` uses the standard library. WebAssembly has neither clock nor threads, so in `hosted` a search runs on the
//! calling thread, and the host supplies the time and the stop signal. The rest of the crate is the same for both.

/// The stack that a thread needs to search: frames of the main search take a few KiB each, and lines are long.
pub const STACK_BYTES: usize = 16 * 1024 * 1024;

#[cfg(target_family = "wasm")]
mod hosted;
mod memory;
#[cfg(not(target_family = "wasm"))]
mod native;

#[cfg(target_family = "wasm")]
use hosted as system;
#[cfg(not(target_family = "wasm"))]
use native as system;

pub use system::Instant;
#[cfg(target_family = "wasm")]
pub use system::{Host, Signals};

pub(crate) use memory::available_mebibytes;
pub(crate) use system::{Background, HAS_THREADS, entropy, in_background, on_large_stack, processors};
#[cfg(target_family = "wasm")]
pub(crate) use system::{rest, signals};
