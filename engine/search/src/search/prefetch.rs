//! Asks the processor to load a table entry before it is needed.
//!
//! The one intrinsic of the search; where there is none, nothing happens.

/// Starts loading the cache line that holds `value`.
#[inline]
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code, reason = "the intrinsic takes a pointer")]
pub(super) fn prefetch<T>(value: &T) {
    use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
    // SAFETY: the pointer comes from a reference, and a prefetch neither reads nor writes as far as the program can see.
    unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(value).cast()) };
}

/// Does nothing: this architecture has no stable prefetch.
#[inline]
#[cfg(not(target_arch = "x86_64"))]
pub(super) fn prefetch<T>(_value: &T) {}
