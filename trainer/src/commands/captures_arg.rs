//! `--captures`: what becomes of rows in the middle of captures.

use alfiere_data::{Captures, Dataset};
use clap::ValueEnum;

use super::output::grouped;
use super::progress::remark;

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

/// Tells how many rows a setting leaves out of training, if one of them does.
pub(crate) fn remark_dropped(set: &Dataset, settings: impl IntoIterator<Item = Captures>) {
    if settings.into_iter().any(|captures| captures == Captures::Drop) {
        let all = set.rows.len();
        let dropped = set.drop_captures(Captures::Drop, &mut (0..all as u32).collect());
        let [dropped, all] = [dropped, all].map(|rows| grouped(rows as u64));
        remark(&format!("captures drop: {dropped} of {all} rows are not trained on"));
    }
}
