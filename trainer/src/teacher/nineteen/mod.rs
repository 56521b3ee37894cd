//! Stockfish 19's networks as teachers: the integers that the program computes, without its pipes.
//!
//! Three sets of inputs feed one accumulator for each view: pieces by the view's king square, threats between pieces,
//! and pairs of pawns. The network of the program's lite variant knows pieces and squares alone. A stack of small layers, chosen by the number of pieces, makes the value of both accumulators.
//! The value agrees with the program's `eval` to the last unit, and so do the centipawns made of it. Knows boards;
//! knows nothing of data sets and of training.

mod accumulator;
mod centipawns;
mod evaluator;
mod file;
mod king_squares;
mod layers;
mod leb128;
mod orientation;
mod pawn_pairs;
mod relations;
mod threats;

pub use centipawns::NetworkValue;
pub use evaluator::Evaluator;
pub use file::NetworkError;
pub(super) use file::VERSION;
pub use king_squares::KingInputs;

use accumulator::{NarrowRow, WideRow};
use layers::Stack;
use wide::i16x32;

/// Neurons of one view's accumulator.
const WIDTH: usize = 1024;
/// Stacks of layers, and columns of material: each serves four counts of pieces.
const STACKS: usize = 8;
/// Numbers of 16 bits that are computed on at once.
const LANES: usize = 32;
/// Vectors of one accumulator.
const VECTORS: usize = WIDTH / LANES;

/// A network of the shape of Stockfish 19's full one, or of its lite variant's.
#[derive(Clone, Debug)]
pub struct Network {
    bias: [i16x32; VECTORS],
    king_inputs: KingInputs,
    /// A row for each of the king inputs.
    king_squares: Vec<WideRow>,
    /// A row for each input of `threats`, then one for each of `pawn_pairs`; none in the lite variant.
    relations: Vec<NarrowRow>,
    stacks: Vec<Stack>,
}

#[cfg(test)]
mod tests;
