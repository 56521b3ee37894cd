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
    pub(crate) const ZERO: Self = Self([0; 64]);
}

/// The activations of one of the blocks of sixteen in a row of chunks.
#[inline]
pub(crate) fn sixteen(row: &mut [U8x64], block: usize) -> &mut [u8; 16] {
    &mut row[block / 4].0.as_chunks_mut().0[block % 4]
}

impl I8x64 {
    pub(crate) const ZERO: Self = Self([0; 64]);
}

impl I32x16 {
    pub(crate) const ZERO: Self = Self([0; 16]);
}

// The weights of the first layer, as bytes where that is enough.
//
// An accumulator that follows a move fetches two to four rows out of thousands, so it waits for memory, and half the
// bytes are fetched sooner: `dual [1024,16,32] pairwise kings=16` searched 10 % more nodes/s with them (five pairs of runs).

/// Weights `[input][row_chunks]`.
#[derive(Clone, Debug)]
pub(crate) enum Rows {
    /// All of them fit.
    Narrow(Vec<I8x32>),
    /// Some do not.
    Wide(Vec<I16x32>),
}

/// A chunk of either kind.
pub(crate) trait WeightChunk: Copy {
    /// Which kind, known when the program is compiled.
    fn either(&self) -> Either<'_>;
}

/// See [`WeightChunk`].
#[derive(Clone, Copy)]
pub(crate) enum Either<'a> {
    Narrow(&'a I8x32),
    Wide(&'a I16x32),
}

impl WeightChunk for I8x32 {
    #[inline]
    fn either(&self) -> Either<'_> {
        Either::Narrow(self)
    }
}

impl WeightChunk for I16x32 {
    #[inline]
    fn either(&self) -> Either<'_> {
        Either::Wide(self)
    }
}

impl Rows {
    /// Stores the weights as bytes if `narrow`; all of them must then fit into a byte.
    pub(crate) fn new(weights: Vec<I16x32>, narrow: bool) -> Self {
        if !narrow {
            return Self::Wide(weights);
        }
        let bytes = |weights: I16x32| I8x32(weights.0.map(|weight| weight as i8));
        Self::Narrow(weights.into_iter().map(bytes).collect())
    }
}
