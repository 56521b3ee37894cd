//! The design of a sweep: its axes, and which combinations of their values are run.

use serde::{Deserialize, Serialize};

/// Which combinations are run.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Design {
    /// All of them.
    #[default]
    Grid,
    /// The first value of each axis, and all that differ from it in one axis.
    OneAtATime,
}

/// A setting that is varied.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Axis {
    /// The setting's name in the file.
    pub key: String,
    /// Its values in the file's order.
    pub values: Vec<AxisValue>,
}

/// One value of an axis.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct AxisValue {
    /// As a label shows it.
    pub text: String,
    /// As a number, where it is one.
    pub number: Option<f64>,
}
