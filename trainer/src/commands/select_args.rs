//! `--select`: which epoch's weights are validated by the cross-validating commands, or exported by `train`.

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

/// Which epoch's weights `train` exports.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum TrainSelect {
    /// The epoch with the lowest loss on the validation rows, whose metrics are therefore slightly optimistic
    Validation,
    /// The epoch with the lowest loss on a tenth of the training side (whole games) that is not trained on: the validation
    /// rows select nothing
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
