//! What the engine needs from the system beside files: time, chance, and a place to run a search.
//!
//! Everywhere but in WebAssembly the standard library has it (`native`). There is neither clock nor thread there, so a search
//! runs where it was asked for, and whoever runs the program says what time it is and whether the search shall end
//! (`hosted`). The rest of the crate does not see the difference.

/// The stack that a thread needs to search: frames of the main search take a few KiB each, and lines are long.
pub const STACK_BYTES: usize = 16 * 1024 * 1024;

#[cfg(target_family = "wasm")]
mod hosted;
#[cfg(not(target_family = "wasm"))]
mod native;

#[cfg(target_family = "wasm")]
use hosted as system;
#[cfg(not(target_family = "wasm"))]
use native as system;

pub use system::Instant;
#[cfg(target_family = "wasm")]
pub use system::{Heard, Host};

pub(crate) use system::{Background, HAS_THREADS, entropy, in_background, on_large_stack};
#[cfg(target_family = "wasm")]
pub(crate) use system::{heard, rest};
