//! The weights of the first layer, as bytes where that is enough.
//!
//! An accumulator that follows a move fetches two to four rows out of thousands, so it waits for memory, and half the
//! bytes are fetched sooner: `dual [1024,16,32] pairwise kings=16` searched 10 % more nodes/s with them (five pairs of runs).

use super::chunks::{I8x32, I16x32};

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
