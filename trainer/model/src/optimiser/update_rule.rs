//! The names of the update rules.

use serde::{Deserialize, Serialize};

/// The update rule of a training run.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum UpdateRule {
    /// `AdamW`: the mean gradient divided by the root of the mean squared gradient; weights decay on their own.
    #[default]
    AdamW,
    /// Adam: the same, but the decay is part of the gradient.
    Adam,
    /// Gradient descent with momentum: the mean gradient; weights decay on their own.
    Sgd,
    /// Ranger: `AdamW` whose first steps are rectified (`RAdam`), and lookahead (see [`crate::SlowWeights`]).
    Ranger,
}

impl UpdateRule {
    /// True for the default rule.
    pub fn is_default(&self) -> bool {
        *self == Self::default()
    }
}
