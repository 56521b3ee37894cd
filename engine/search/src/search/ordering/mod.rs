//! Move ordering: the picker, the statistics that it sorts by, and those that correct the static evaluation.

mod checks;
mod correction;
mod escapes;
mod history;
mod picker;
mod piece_values;

pub(crate) use checks::Checks;
pub(crate) use correction::{CorrectionHistory, CorrectionKeys};
pub(crate) use history::{ContinuationRow, History, HistoryContext, PastMoves, PieceTo, QuietHistory};
pub(crate) use picker::{MovePicker, Scope};
pub(crate) use piece_values::gain_of;
