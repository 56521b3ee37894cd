//! Game analysis: the evaluation of every position, judgements of moves, and better lines.
//!
//! `collection` reads games, `analyst` searches their positions, `report` has their moves reviewed (`alfiere_chess::review`),
//! `annotation` and `curve` format the result. Prints nothing and opens no files except the games.

mod analyst;
mod annotation;
mod collection;
mod curve;
mod report;
#[cfg(test)]
mod tests;

pub use analyst::{AnalysisError, Analyst};
pub use annotation::annotate;
pub use collection::{Collection, Game, read_collection};
pub use curve::draw_curve;
pub use report::{GameReport, JudgedMove, Line, PositionReport, WrittenLine};
