//! Positions to start games from: random moves from the beginning or from a book, kept if neither side is lost.
//!
//! `starts` is what every maker of openings shares: the walk, and the search for one that a judge accepts; `generate`
//! serves servers that ask this engine for openings (`OpenBench`'s `genfens`). Everything follows from a seed. Prints nothing.

mod generate;
mod starts;

pub use generate::{GenfensError, Request, generate};
pub use starts::{PliesError, PlyRange, StartPositions, is_balanced};
