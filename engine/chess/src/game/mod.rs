//! Game play: clocks and limits, results and their reasons, adjudication, and the game record.
//!
//! Independent of who plays and by which protocol.

/// Maximum number of half-moves of a game that ends by the rule of 75 moves.
pub const LONGEST_GAME: usize = 17_697;

mod adjudication;
mod end;
mod limit;
mod record;

pub use adjudication::{Adjudicator, DrawRule, GameRules, ResignRule, RuleError, Ruling};
pub use end::Fault;
pub use end::{AutomaticDraw, automatic_draw, draw_by_rules, end_by_rules};
pub use end::{EndReason, GameResult, Points};
pub use limit::{Clock, Limit, TimeControl, TimeControlError};
pub use record::{GameRecord, PlayedMove, ReportedScore, SearchReport};
