//! A bit set with one bit per row.

use std::ops::Range;

/// Bits, initially 0.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Bits(Vec<u64>);

impl Bits {
    /// Extends the set to bits `0..count`.
    pub(super) fn grow(&mut self, count: u32) {
        self.0.resize((count as usize).div_ceil(64), 0);
    }

    pub(super) fn set(&mut self, index: u32) {
        self.0[index as usize / 64] |= 1 << (index % 64);
    }

    pub(super) fn clear(&mut self, index: u32) {
        self.0[index as usize / 64] &= !(1 << (index % 64));
    }

    pub(super) fn get(&self, index: u32) -> bool {
        self.0[index as usize / 64] >> (index % 64) & 1 == 1
    }

    /// The number of set bits in a range.
    pub(super) fn count(&self, range: Range<u32>) -> u32 {
        range.filter(|&index| self.get(index)).count() as u32
    }
}
