#![doc = include_str!("../README.md")]
//!
//! # Modules
//!
//! The crate owns the files (`set`, `table`, `source`), their decoding (`encoding` based on `squares`, `pairs`), and
//! the small capture search that probing needs (`probe`, `ranking`). It uses the rules of chess and is independent of
//! evaluation and search, which choose the score of a tablebase result. All code is safe: a damaged file gives an error
//! or no result.
//!
//! The format is by Ronald de Man; decoding follows his code and Jon Dart's Fathom (MIT). For each material there is a
//! WDL table (`.rtbw`) with both sides to move, and a DTZ table (`.rtbz`) with one side to move.

mod encoding;
mod error;
mod material;
mod pairs;
mod probe;
mod ranking;
mod set;
mod source;
mod squares;
mod table;
#[cfg(test)]
mod tests;
mod wdl;

pub use error::{Damage, DamagedFile, TablebaseError};
pub use material::MAX_PIECES;
pub use ranking::{Basis, FiftyMoveRule, RankedMove};
pub use set::{SEPARATOR, Tablebases};
pub use wdl::Wdl;
