//! Chunks: aligned blocks of numbers, which the kernels read and write. All have 64 bytes but [`I8x32`], which has 32.
//!
//! A row of any width is stored in whole chunks and padded with zeros, which change no result.

/// 32 accumulator values or weights.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C, align(64))]
pub(crate) struct I16x32(pub [i16; 32]);

/// 32 weights of a first layer whose weights are bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C, align(32))]
pub(crate) struct I8x32(pub [i8; 32]);

/// 64 activations, 0 to 127 each.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C, align(64))]
pub(crate) struct U8x64(pub [u8; 64]);

/// Dense weights from 4 inputs to 16 outputs: element `4 * output + input`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C, align(64))]
pub(crate) struct I8x64(pub [i8; 64]);

/// 16 sums of a dense layer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C, align(64))]
pub(crate) struct I32x16(pub [i32; 16]);

impl I16x32 {
    /// All zero.
    pub(crate) const ZERO: Self = Self([0; 32]);

    /// The values of a row, padded with zeros to `chunks` chunks.
    pub(crate) fn row(values: impl IntoIterator<Item = i16>, chunks: usize) -> Vec<Self> {
        let mut row = vec![Self::ZERO; chunks];
        for (slot, value) in row.iter_mut().flat_map(|chunk| &mut chunk.0).zip(values) {
            *slot = value;
        }
        row
    }
}

impl U8x64 {
    /// All zero.
    pub(crate) const ZERO: Self = Self([0; 64]);
}

/// The activations of one of the blocks of sixteen in a row of chunks.
#[inline]
pub(crate) fn sixteen(row: &mut [U8x64], block: usize) -> &mut [u8; 16] {
    &mut row[block / 4].0.as_chunks_mut().0[block % 4]
}

impl I8x64 {
    /// All zero.
    pub(crate) const ZERO: Self = Self([0; 64]);
}

impl I32x16 {
    /// All zero.
    pub(crate) const ZERO: Self = Self([0; 16]);
}
