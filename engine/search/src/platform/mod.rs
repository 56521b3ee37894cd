//! What the engine needs from the system besides files: time, random numbers, threads, free memory, and loading memory ahead.
//!
//! `native` uses the standard library. In WebAssembly (`hosted`) the first thread of a search is the calling thread, and the
//! host supplies the time and the stop signal. The rest of the crate is the same for both.

#[cfg(target_family = "wasm")]
mod hosted;
#[cfg(not(target_family = "wasm"))]
mod native;

#[cfg(target_family = "wasm")]
use hosted as system;
#[cfg(not(target_family = "wasm"))]
use native as system;

pub use system::Instant;
pub(crate) use system::{Background, entropy, in_background, max_threads, on_large_stack, processors};
#[cfg(target_family = "wasm")]
pub use system::{Host, Signals};
#[cfg(target_family = "wasm")]
pub(crate) use system::{rest, signals};

/// The stack that a thread needs to search: frames of the main search take a few KiB each, and lines are long.
pub const STACK_BYTES: usize = 16 * 1024 * 1024;

/// Available memory in MiB (`MemAvailable` on Linux); `None` where the system does not report it.
pub(crate) fn available_mebibytes() -> Option<usize> {
    parse(&std::fs::read_to_string("/proc/meminfo").ok()?)
}

fn parse(meminfo: &str) -> Option<usize> {
    let line = meminfo.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kibibytes: usize = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes / 1024)
}

/// Starts loading the cache line that holds `value`.
#[inline]
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code, reason = "the intrinsic takes a pointer")]
pub(crate) fn prefetch<T>(value: &T) {
    use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
    // SAFETY: the pointer comes from a reference, and a prefetch neither reads nor writes as far as the program can see.
    unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(value).cast()) };
}

/// Does nothing: this architecture has no stable prefetch.
#[inline]
#[cfg(not(target_arch = "x86_64"))]
pub(crate) fn prefetch<T>(_value: &T) {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn linux_says_how_much_there_is() {
        assert_eq!(parse("MemTotal: 100 kB\nMemAvailable:   20480 kB\n"), Some(20));
        assert_eq!(parse("MemTotal: 100 kB\n"), None);
        assert_eq!(available_mebibytes().is_some(), cfg!(target_os = "linux"));
    }
}
