//! The strength of a network: games against players inside this program whose ratings are known.
//!
//! `rungs` lists these players, and `rate` plays the games, as a match of this program against itself. Prints nothing.

mod rate;
mod rungs;

pub use rate::{RateError, RateSettings, Standings, rate};
pub use rungs::{LADDER, Rung, ladder, neighbours};
