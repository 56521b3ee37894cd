//! Which positions of a batch go through the same layers behind the accumulator: those of a stack stand together.

use std::ops::Range;

/// Where the positions of each stack end.
#[derive(Clone, PartialEq, Default, Debug)]
pub(crate) struct Stacks(Vec<usize>);

impl Stacks {
    /// With these ends, which rise.
    pub(super) fn new(ends: impl IntoIterator<Item = usize>) -> Self {
        Self(ends.into_iter().collect())
    }

    /// How many sets of layers behind the accumulator there are.
    pub(crate) fn count(&self) -> usize {
        self.0.len()
    }

    /// The positions of each stack; with one stack all.
    pub(crate) fn iter(&self) -> impl Iterator<Item = Range<usize>> {
        let starts = std::iter::once(0).chain(self.0.iter().copied());
        starts.zip(&self.0).map(|(start, &end)| start..end)
    }
}
