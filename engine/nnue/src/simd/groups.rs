//! Groups of four activations, the unit in which the first dense layer reads its inputs.
//!
//! Most groups are all zero, so the vector kernels list the others before they multiply.
#![allow(unsafe_code, reason = "chunks seen as groups of four bytes")]

use crate::chunks::U8x64;

/// Input chunks listed at a time, so that a byte numbers their groups.
pub(super) const LISTED_CHUNKS: usize = 16;

pub(super) const LISTED_GROUPS: usize = 16 * LISTED_CHUNKS;

/// The groups of four bytes of some chunks.
#[inline]
pub(super) fn groups(chunks: &[U8x64]) -> &[[u8; 4]] {
    // SAFETY: a chunk is 64 bytes without padding, so `n` chunks are `16 n` initialised groups; these need no alignment
    // and are borrowed for as long as the chunks.
    unsafe { std::slice::from_raw_parts(chunks.as_ptr().cast(), 16 * chunks.len()) }
}
