//! Selection of the epoch whose weights are validated, independent of the validation rows.

use std::fmt;

use serde::{Deserialize, Serialize};

/// How the validated epoch is selected.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EpochSelection {
    /// The last epoch.
    #[default]
    Last,
    /// The epoch with the lowest loss on the inner rows: a tenth of the training side that is not trained on, in whole
    /// games when splitting by games.
    Inner,
}

impl EpochSelection {
    /// The name used in files and tables.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Last => "last",
            Self::Inner => "inner",
        }
    }
}

impl fmt::Display for EpochSelection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Last => "last: a fold is validated after its last epoch",
            Self::Inner => {
                "inner: a fold is validated at the epoch with the lowest loss on a tenth of its training side, which is not \
                 trained on"
            }
        })
    }
}
