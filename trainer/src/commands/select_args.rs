//! `--select`: which epoch's weights a fold is judged with; shared by the commands that cross-validate.

use alfiere_trainer::experiment::EpochSelection;
use clap::ValueEnum;

/// Which epoch's weights a fold is judged with.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Select {
    /// Those of the last epoch
    Last,
    /// Those of the epoch with the lowest loss on a tenth of the training side (whole games where games are dealt), which
    /// is not learnt from; --patience needs this
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
