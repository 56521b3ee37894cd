//! The network of Stockfish 15 and 15.1 as a teacher: what Stockfish's `eval` prints as the NNUE evaluation.
//!
//! One accumulator per view (`HalfKAv2_hm`), followed by a stack of small layers selected by the number of pieces.

mod file;
mod halfka;
mod layers;
#[cfg(any(test, feature = "test-support"))]
mod noise;

pub(super) use file::VERSION;
pub use halfka::{Evaluator, Network};

#[cfg(any(test, feature = "test-support"))]
pub(super) use noise::noise;
