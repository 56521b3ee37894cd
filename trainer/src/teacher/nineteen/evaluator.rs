//! The network's value of one board after another.

use alfiere_chess::board::Board;
use wide::i16x32;

use super::accumulator::Accumulator;
use super::centipawns::NetworkValue;
use super::king_squares::KingSquares;
use super::relations::Relations;
use super::{Network, STACKS, VECTORS};

/// Largest neuron of an accumulator.
const ONE: i16 = 255;
/// Bits that the layers' results and material have too many.
const OUTPUT_SCALE: i32 = 16;

/// Asks a network about boards; keeps what it computed for the boards before.
#[derive(Clone, Debug)]
pub struct Evaluator<'a> {
    network: &'a Network,
    king_squares: KingSquares,
    relations: Relations,
}

impl<'a> Evaluator<'a> {
    /// For this network.
    pub fn new(network: &'a Network) -> Self {
        Self { network, king_squares: KingSquares::new(network), relations: Relations::new() }
    }

    /// Centipawns for the side to move, 100 for an even chance to win: what the program's search starts from. A
    /// position in check has no meaningful value.
    pub fn evaluate(&mut self, board: &Board) -> i32 {
        self.parts(board).centipawns(board)
    }

    /// The network's value for the side to move, in the program's internal unit.
    pub fn network_value(&mut self, board: &Board) -> i32 {
        self.parts(board).sum()
    }

    /// The network's value as the two parts it is made of.
    pub fn parts(&mut self, board: &Board) -> NetworkValue {
        let network = self.network;
        let stack = ((board.occupied().count() as usize).saturating_sub(1) / 4).min(STACKS - 1);
        let us = board.side_to_move();
        let knows_relations = !network.relations.is_empty();
        if knows_relations {
            self.relations.look_at(board);
        }
        let mut activations = [i16x32::ZERO; VECTORS];
        let mut material = [0; 2];
        for (index, view) in [us, !us].into_iter().enumerate() {
            let king_squares = self.king_squares.update(network, board, view);
            let relations =
                if knows_relations { self.relations.update(network, board, view) } else { self.relations.none() };
            multiply_halves(king_squares, relations, &mut activations[index * VECTORS / 2..]);
            material[index] = (king_squares.material + relations.material).to_array()[stack];
        }
        NetworkValue {
            material: (material[0] - material[1]) / 2 / OUTPUT_SCALE,
            positional: network.stacks[stack].evaluate(&activations) / OUTPUT_SCALE,
        }
    }
}

/// The two halves of a view's sums, clipped and multiplied with one another: numbers from 0 to 127.
fn multiply_halves(a: &Accumulator, b: &Accumulator, activations: &mut [i16x32]) {
    let clip =
        |vector: usize| -> i16x32 { (a.sums[vector] + b.sums[vector]).max(i16x32::ZERO).min(i16x32::splat(ONE)) };
    for (vector, activation) in activations.iter_mut().take(VECTORS / 2).enumerate() {
        // The product has 16 bits, the upper half of 7 bits more is what goes on.
        let low: i16x32 = clip(vector) << 7_u32;
        *activation = low.mul_keep_high(clip(vector + VECTORS / 2));
    }
}
