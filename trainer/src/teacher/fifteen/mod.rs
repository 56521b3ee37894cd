//! The network of Stockfish 15 and 15.1 as a teacher: the value that the program's `eval` calls the NNUE evaluation.
//!
//! One accumulator for each view, fed with pieces by the view's king square, and a stack of small layers chosen by the
//! number of pieces.

mod centipawns;
mod file;
mod halfka;
mod layers;

pub(super) use file::VERSION;
pub use halfka::{Evaluator, Network};

#[cfg(test)]
pub(super) use halfka::tests::noise;
