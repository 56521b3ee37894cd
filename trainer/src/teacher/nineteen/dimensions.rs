//! The sizes of the architecture.

/// Neurons per view.
pub(super) const WIDTH: usize = 1024;
/// Layer stacks, and PSQT columns: one per four piece counts.
pub(super) const STACKS: usize = 8;
/// 16-bit numbers per vector.
pub(super) const LANES: usize = 32;
/// Vectors per accumulator.
pub(super) const VECTORS: usize = WIDTH / LANES;
