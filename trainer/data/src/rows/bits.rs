//! A bit set with one bit per row.

use std::ops::Range;

/// Bits, initially 0.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Bits(Vec<u64>);

impl Bits {
    /// Extends the set to bits `0..count`.
    pub(crate) fn grow(&mut self, count: u64) {
        self.0.resize(count.div_ceil(64) as usize, 0);
    }

    pub(crate) fn set(&mut self, index: u64) {
        self.0[(index / 64) as usize] |= 1 << (index % 64);
    }

    pub(crate) fn get(&self, index: u64) -> bool {
        self.0[(index / 64) as usize] >> (index % 64) & 1 == 1
    }

    pub(crate) fn count(&self, range: Range<u64>) -> u64 {
        range.filter(|&index| self.get(index)).count() as u64
    }
}
