//! A search as its caller sees it: the input with limits, clock and weaknesses; the root moves; the handle that stops it; the
//! reports. All of it is there before the first node is searched.

mod control;
mod input;
mod limits;
mod reporter;
mod root_moves;
mod strength_limit;
mod tablebases;
mod time;

pub use control::Control;
pub use input::SearchInput;
pub use limits::{Limits, SearchMode, TimeLimit};
pub use reporter::{Info, Reporter, SearchResult, Silent};
pub(crate) use root_moves::{RootMove, RootMoves};
pub use strength_limit::{StrengthLimit, Weaknesses};
pub use tablebases::ProbeRules;
pub(crate) use tablebases::{TablebaseContext, score_of};
pub(crate) use time::{Progress, TimeManager};
