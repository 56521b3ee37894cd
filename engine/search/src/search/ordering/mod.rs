//! Move ordering: the picker, the statistics that it sorts by, and those that correct the static evaluation.

mod checks;
mod correction;
mod history;
mod picker;

pub(crate) use checks::Checks;
pub(crate) use correction::{CorrectionHistory, CorrectionKeys};
pub(crate) use history::{ContinuationRow, History, HistoryContext, PastMoves, PieceTo, QuietHistory};
pub(crate) use picker::{MovePicker, Scope, gain_of};
