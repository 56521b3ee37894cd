//! `--captures`: what becomes of rows in the middle of captures.

use alfiere_data::Captures;
use clap::ValueEnum;

/// What becomes of rows in the middle of captures.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum CapturesArg {
    /// The end of the row's line of captures takes its place
    Resolve,
    /// The row is left out
    Drop,
    /// The row stays as given
    Keep,
}

impl From<CapturesArg> for Captures {
    fn from(captures: CapturesArg) -> Self {
        match captures {
            CapturesArg::Resolve => Self::Resolve,
            CapturesArg::Drop => Self::Drop,
            CapturesArg::Keep => Self::Keep,
        }
    }
}
