//! The sizes of the architecture.

/// Neurons per view.
pub(super) const WIDTH: usize = 1024;
/// 16-bit numbers per vector.
pub(super) const LANES: usize = 32;
/// Vectors per accumulator.
pub(super) const VECTORS: usize = WIDTH / LANES;
