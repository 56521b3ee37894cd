//! `--select`: which epoch's weights are validated; shared by the cross-validating commands.

use alfiere_trainer::experiment::EpochSelection;
use clap::ValueEnum;

/// Which epoch's weights are validated.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Select {
    /// The last epoch
    Last,
    /// The epoch with the lowest loss on a tenth of the training side (whole games when splitting by games) that is not
    /// trained on; required by --patience
    Inner,
}

impl From<Select> for EpochSelection {
    fn from(select: Select) -> Self {
        match select {
            Select::Last => Self::Last,
            Select::Inner => Self::Inner,
        }
    }
}
