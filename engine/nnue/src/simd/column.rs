//! What is added to an accumulator while it is read: the column of the side-to-move input, or nothing.

use std::ops::Range;

use crate::chunks::I16x32;

/// A column of an accumulator's length, or none; which of them is known at compile time.
pub(crate) trait Column: Copy {
    /// The same of a part of the accumulator.
    fn part(self, chunks: Range<usize>) -> Self;

    /// What is added to a chunk.
    fn chunk(&self, index: usize) -> Option<&I16x32>;
}

/// Nothing is added.
#[derive(Clone, Copy)]
pub(crate) struct NoColumn;

impl Column for NoColumn {
    #[inline]
    fn part(self, _: Range<usize>) -> Self {
        self
    }

    #[inline]
    fn chunk(&self, _: usize) -> Option<&I16x32> {
        None
    }
}

impl Column for &[I16x32] {
    #[inline]
    fn part(self, chunks: Range<usize>) -> Self {
        &self[chunks]
    }

    #[inline]
    fn chunk(&self, index: usize) -> Option<&I16x32> {
        Some(&self[index])
    }
}
