//! Game play: clocks and limits, results and their reasons, adjudication, and the game record.
//!
//! Independent of who plays and by which protocol.

/// Maximum number of half-moves of a game that ends by the rule of 75 moves.
pub const LONGEST_GAME: usize = 17_697;

mod adjudication;
mod end;
mod limit;
mod record;

pub use adjudication::{Adjudicator, DrawRule, GameRules, ResignRule, RuleError};
pub use end::{EndReason, Fault, GameResult, Points, automatic_draw, draw_by_rules, end_by_rules};
pub use limit::{Clock, Limit, TimeControl, TimeControlError};
pub use record::{GameRecord, PlayedMove, ReportedScore, SearchReport};
