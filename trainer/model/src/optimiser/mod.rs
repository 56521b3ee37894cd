//! The optimiser: update rules, the shared rows of king buckets, slow weights and the moving average.

mod average;
mod shared_rows;
mod update;

pub use average::{AverageWeights, SlowWeights};
#[cfg(any(feature = "cuda", feature = "wgpu"))]
pub(crate) use average::{SLOW_SHARE, average_share, is_slow_return};
pub use shared_rows::SharedRows;
pub use update::UpdateRule;
#[cfg(any(feature = "cuda", feature = "wgpu"))]
pub(crate) use update::{BETA1, BETA2, EPSILON};
pub(crate) use update::{Moments, Update};
