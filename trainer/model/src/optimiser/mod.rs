//! The optimiser: update rules, the shared rows of king buckets, slow weights and the moving average.

mod average;
mod shared_rows;
pub(super) mod slow_weights;
mod update;
mod update_rule;

pub use average::AverageWeights;
pub(crate) use average::average_share;
pub use shared_rows::SharedRows;
pub use slow_weights::SlowWeights;
pub(crate) use update::StepConstants;
pub use update::{Moments, Optimiser, Update};
pub use update_rule::UpdateRule;
