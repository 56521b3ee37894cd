//! Layer stacks: the positions of a batch that use the same layers after the accumulator are contiguous.

use std::ops::Range;

/// The end index of each stack's positions.
#[derive(Clone, PartialEq, Default, Debug)]
pub(crate) struct Stacks(Vec<usize>);

impl Stacks {
    /// Creates stacks from increasing end indices.
    pub(super) fn new(ends: impl IntoIterator<Item = usize>) -> Self {
        Self(ends.into_iter().collect())
    }

    /// Number of layer stacks.
    pub(crate) fn count(&self) -> usize {
        self.0.len()
    }

    /// The part of each stack inside a range of positions, counted from the start of the range.
    pub(crate) fn within(&self, range: Range<usize>) -> impl Iterator<Item = Range<usize>> {
        self.iter().map(move |own| {
            let clamped = |end: usize| end.clamp(range.start, range.end) - range.start;
            clamped(own.start)..clamped(own.end)
        })
    }

    /// The range of positions of each stack.
    pub(crate) fn iter(&self) -> impl Iterator<Item = Range<usize>> {
        let starts = std::iter::once(0).chain(self.0.iter().copied());
        starts.zip(&self.0).map(|(start, &end)| start..end)
    }
}
