//! The design of a sweep: its axes, and the combinations of their values to run.

use serde::{Deserialize, Serialize};

/// Which combinations are run.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Design {
    /// All combinations.
    #[default]
    Grid,
    /// The first value of each axis, and all combinations that differ from it in exactly one axis.
    OneAtATime,
}

/// A setting that is varied.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Axis {
    /// Name of the setting in the sweep file.
    pub key: String,
    /// Its values, in file order.
    pub values: Vec<AxisValue>,
}

/// One value of an axis.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct AxisValue {
    /// The value as shown in labels.
    pub text: String,
    /// The value as a number, if it is one.
    pub number: Option<f64>,
}
