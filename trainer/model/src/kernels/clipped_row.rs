//! Neurons kept as bytes between the forward and the backward pass.

use alfiere_nnue::quantisation::ACCUMULATOR_SCALE;
use wide::f32x16;

use super::lanes::{LANES, Lanes};

/// The neurons of a block in one view, clipped to 0..=255.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(32))]
pub(crate) struct ClippedRow(pub(super) [u8; LANES]);

impl ClippedRow {
    pub(super) const ZERO: Self = Self([0; LANES]);

    /// The neurons in [0, 1].
    #[inline(always)]
    #[allow(clippy::inline_always)] // A call per row would cost more than the row; measured: not always inlined without it.
    pub(super) fn neurons(&self) -> Lanes {
        let vector = |first: usize| f32x16::new(std::array::from_fn(|lane| f32::from(self.0[first + lane])));
        Lanes::new([vector(0), vector(LANES / 2)]).scaled(1.0 / ACCUMULATOR_SCALE as f32)
    }
}
