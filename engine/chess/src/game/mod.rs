//! Games as they are played: clocks and limits, when a game ends and why, and the record that is left of it.
//!
//! The rules decide here; who plays and how moves are asked for is not known.

mod adjudication;
mod end;
mod fault;
mod limit;
mod points;
mod record;
mod rules;

pub use adjudication::{Adjudicator, DrawRule, GameRules, ResignRule, RuleError, Ruling};
pub use end::{EndReason, GameResult};
pub use fault::Fault;
pub use limit::{Clock, Limit, TimeControl, TimeControlError};
pub use points::Points;
pub use record::{GameRecord, Opinion, PlayedMove, SearchReport};
pub use rules::{draw_by_rules, end_by_rules};
