//! What all figures share.

/// Maximum number of runs whose curves are shown together.
pub(super) const MAX_CURVES: usize = 4;
/// R² of a predictor that always returns the mean of the labels.
pub(super) const CONSTANT_R2: f64 = 0.0;
