//! Stockfish's evaluation network as a teacher: a hundred times faster than asking the program over its pipes.
//!
//! Reads the files that Stockfish 15 and 15.1 use (`export_net` in the program writes the one it holds) and computes what
//! the program's `eval` command calls the NNUE evaluation. Knows boards; knows nothing of data sets and of training.

mod file;
mod halfka;
mod layers;
mod worth;

pub use file::TeacherError;
pub use halfka::{Pupil, Teacher};

#[cfg(test)]
pub(crate) use halfka::tests::noise;
