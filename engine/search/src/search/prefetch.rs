//! Asks the processor to load a table entry before it is needed.
//!
//! The one intrinsic of the search. Data that threads share is not for this module in WebAssembly, where it reads: see
//! `Table::prefetch`.

/// Starts loading the cache line that holds `value`.
#[inline]
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code, reason = "the intrinsic takes a pointer")]
pub(super) fn prefetch<T>(value: &T) {
    use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
    // SAFETY: the pointer comes from a reference, and a prefetch neither reads nor writes as far as the program can see.
    unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(value).cast()) };
}

/// Reads the first byte. Nothing uses it, so that the processor goes on before it arrives: WebAssembly has no prefetch.
#[inline]
#[cfg(target_arch = "wasm32")]
#[allow(unsafe_code, reason = "a volatile read takes a pointer")]
pub(super) fn prefetch<T>(value: &T) {
    // SAFETY: the pointer comes from a reference.
    unsafe { std::ptr::from_ref(value).cast::<u8>().read_volatile() };
}

/// Does nothing: this architecture has no stable prefetch.
#[inline]
#[cfg(not(any(target_arch = "x86_64", target_arch = "wasm32")))]
pub(super) fn prefetch<T>(_value: &T) {}
