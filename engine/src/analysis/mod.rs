//! Finished games looked at again: what every position was worth, which moves cost something, and what was better.
//!
//! `collection` reads games, `analyst` lets the engine search their positions, `judgement` and `accuracy` say what that makes of the
//! moves, `annotation` and `curve` write it down. Prints nothing and opens no file but the games.

mod accuracy;
mod analyst;
mod annotation;
mod collection;
mod curve;
mod judgement;
mod report;
#[cfg(test)]
mod tests;
mod value;

pub use analyst::{AnalysisError, Analyst};
pub use annotation::annotate;
pub use collection::{Collection, Game, read_collection};
pub use curve::{CurveError, draw_curve};
pub use judgement::Judgement;
pub use report::{Assessment, GameReport, JudgedMove, Line, SideReport, WrittenLine};
pub use value::Value;
