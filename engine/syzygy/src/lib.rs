#![doc = include_str!("../README.md")]
//!
//! # Modules
//!
//! Owns the files (`set`, `table`, `source`), their decoding (`encoding` over `squares`, `pairs`), and the small search
//! that their use takes (`probe`, `ranking`). Knows the rules of chess, but no evaluation and no search; what a result is
//! worth there is not decided here. Safe code throughout: a damaged file is an error or no answer.
//!
//! The format is Ronald de Man's; reading it follows what his and Jon Dart's Fathom (MIT) does. Files of the same name
//! hold outcomes (`.rtbw`) and distances (`.rtbz`), two sides to move for outcomes, one for distances.

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
pub use material::MOST_MEN;
pub use ranking::{Basis, FiftyMoveRule, RankedMove};
pub use set::{SEPARATOR, Tablebases};
pub use wdl::Wdl;
