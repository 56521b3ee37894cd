//! The networks of Stockfish 19 as teachers, evaluated without running the program.
//!
//! Three input sets feed one accumulator per view: pieces by the view's king square, threats between pieces, and pairs
//! of pawns. The lite variant has only piece-square inputs. A stack of small layers, selected by the number of pieces,
//! computes the output from both accumulators. The output and its centipawns are identical to those of Stockfish's
//! `eval`. Independent of data sets and training.

mod accumulator;
mod evaluator;
mod file;
mod king_squares;
mod layers;
mod pawn_pairs;
mod relations;
mod threats;

pub use evaluator::{Evaluator, FullHints};
pub use file::NetworkError;
pub(super) use file::VERSION;
pub use king_squares::KingInputs;
pub use layers::NetworkValue;

use accumulator::{NarrowRow, VECTORS, WideRow};
use layers::Stack;
use wide::i16x32;

/// A network with the architecture of Stockfish 19 or of its lite variant.
#[derive(Clone, Debug)]
pub struct Network {
    bias: [i16x32; VECTORS],
    king_inputs: KingInputs,
    /// One row per king input.
    king_squares: Vec<WideRow>,
    /// One row per input of `threats`, then one per input of `pawn_pairs`; empty in the lite variant.
    relations: Vec<NarrowRow>,
    stacks: Vec<Stack>,
}

impl Network {
    /// True for the lite variant, which computes only from plain piece-square inputs.
    pub fn is_lite(&self) -> bool {
        self.king_inputs == KingInputs::Plain
    }
}

#[cfg(test)]
mod tests;
#[cfg(test)]
pub(super) use tests::{noise, positions};
