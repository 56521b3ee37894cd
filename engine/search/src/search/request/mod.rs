//! A search as its caller sees it: the input with limits, clock and weaknesses; the root moves; the handle that stops it; the
//! reports. All of it is there before the first node is searched.

mod control;
mod limits;
mod reporter;
mod root_moves;
mod strength_limit;
mod time;

pub use control::Control;
pub use limits::{Limits, SearchInput, SearchMode, TimeLimit};
pub use reporter::{Info, Reporter, SearchResult, Silent};
pub use root_moves::ProbeRules;
pub(crate) use root_moves::{RootMove, RootMoves, TablebaseContext, score_of};
pub use strength_limit::{StrengthLimit, Weaknesses};
pub(crate) use time::{Progress, TimeManager};
