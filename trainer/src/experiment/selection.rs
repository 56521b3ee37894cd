//! Which epoch's weights a fold is judged with, so that the judged rows choose nothing.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The inner rows are one fold of this many of the training side.
pub(super) const INNER_FOLDS: usize = 10;

/// How the epoch is selected whose weights are judged.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EpochSelection {
    /// The last one, which nothing chooses.
    #[default]
    Last,
    /// The one with the lowest loss on the inner rows: a tenth of the training side, in whole games where games are dealt,
    /// which is not learnt from.
    Inner,
}

impl EpochSelection {
    /// As files and tables have it.
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
            Self::Last => "last: a fold is judged after its last epoch",
            Self::Inner => {
                "inner: a fold is judged at the epoch with the lowest loss on a tenth of its training side, which is not \
                 learnt from"
            }
        })
    }
}
