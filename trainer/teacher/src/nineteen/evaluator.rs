//! Evaluates boards with a network of Stockfish 19.

use std::sync::{Mutex, PoisonError};

use alfiere_chess::board::Board;
use alfiere_chess::types::Color;
use alfiere_nnue::HiddenLayer;
use wide::{i16x32, i32x8};

use super::Network;
use super::accumulator::{Accumulator, VECTORS};
use super::king_squares::KingSquares;
use super::layers::{NetworkValue, OUTPUTS};
use super::relations::Relations;
use super::threats::Orientation;
use crate::plain_views::{own_king, piece_on, stack_of};

/// Maximum activation of an accumulator neuron.
const ONE: i16 = 255;
/// Scale of the PSQT and layer outputs relative to the internal unit.
const OUTPUT_SCALE: i32 = 16;

/// Evaluates boards incrementally; caches the accumulators of earlier boards.
#[derive(Clone, Debug)]
pub struct Evaluator<'a> {
    network: &'a Network,
    caches: Caches,
}

/// Accumulators of earlier boards.
#[derive(Clone, Debug)]
struct Caches {
    king_squares: KingSquares,
    relations: Relations,
}

impl<'a> Evaluator<'a> {
    pub fn new(network: &'a Network) -> Self {
        Self { network, caches: Caches::new(network) }
    }

    /// Evaluates a position in centipawns for the side to move, the static evaluation that Stockfish's search uses. 100
    /// is a winning probability of 50%. Positions in check have no meaningful evaluation.
    pub fn evaluate(&mut self, board: &Board) -> i32 {
        self.parts(board).centipawns(board)
    }

    /// The network's output for the side to move, in Stockfish's internal unit.
    pub fn network_value(&mut self, board: &Board) -> i32 {
        self.parts(board).sum()
    }

    /// The two parts of the network's output.
    pub fn parts(&mut self, board: &Board) -> NetworkValue {
        let (activations, material) = self.activations(board);
        let stack = stack_of(board.occupied().count() as usize);
        let material = material.map(|material| material.to_array()[stack]);
        NetworkValue {
            material: (material[0] - material[1]) / 2 / OUTPUT_SCALE,
            positional: self.network.stacks[stack].evaluate(&activations) / OUTPUT_SCALE,
        }
    }

    /// [`Caches::activations`] of this network.
    pub(super) fn activations(&mut self, board: &Board) -> ([i16x32; VECTORS], [i32x8; 2]) {
        self.caches.activations(self.network, board)
    }
}

impl Caches {
    fn new(network: &Network) -> Self {
        Self { king_squares: KingSquares::new(network), relations: Relations::new() }
    }

    /// What the accumulators hand on, the side to move's first, and each one's PSQT values.
    fn activations(&mut self, network: &Network, board: &Board) -> ([i16x32; VECTORS], [i32x8; 2]) {
        let us = board.side_to_move();
        let knows_relations = !network.is_lite();
        if knows_relations {
            self.relations.set_board(board);
        }
        let mut activations = [i16x32::ZERO; VECTORS];
        let mut material = [i32x8::ZERO; 2];
        for (index, view) in [us, !us].into_iter().enumerate() {
            let king_squares = self.king_squares.update(network, board, view);
            let relations =
                if knows_relations { self.relations.update(network, board, view) } else { self.relations.none() };
            multiply_halves(king_squares, relations, &mut activations[index * VECTORS / 2..]);
            material[index] = king_squares.material + relations.material;
        }
        (activations, material)
    }
}

/// Multiplies the two clipped halves of a view's accumulator, the sum of two, pairwise; the products are 0 to 127.
pub(super) fn multiply_halves(a: &Accumulator, b: &Accumulator, activations: &mut [i16x32]) {
    let clip =
        |vector: usize| -> i16x32 { (a.sums[vector] + b.sums[vector]).max(i16x32::ZERO).min(i16x32::splat(ONE)) };
    for (vector, activation) in activations.iter_mut().take(VECTORS / 2).enumerate() {
        // Keeps the upper half of the product shifted left by 7 bits.
        let low: i16x32 = clip(vector) << 7_u32;
        *activation = low.mul_keep_high(clip(vector + VECTORS / 2));
    }
}

/// The sum at which activations are clipped: 127 of 7 fraction bits.
const SUM_ONE: f32 = (127 << 7) as f32;

/// The first dense layer of the lite variant, from its inputs alone. Two neurons are left out: they lead directly to the
/// output, where this network has its PSQT values as well.
impl HiddenLayer for Network {
    fn width(&self) -> usize {
        OUTPUTS - 2
    }

    fn sums(&self, views: [&mut [u16]; 2], sums: &mut [f32]) {
        let stack = &self.stacks[stack_of(views[0].len())];
        let mut activations = [i16x32::ZERO; VECTORS];
        let none = Accumulator::new(&activations);
        for (inputs, activations) in views.into_iter().zip(activations.chunks_exact_mut(VECTORS / 2)) {
            let mut accumulator = Accumulator::new(&self.bias);
            put_king_right(inputs);
            accumulator.update(&self.king_squares, inputs, &[]);
            multiply_halves(&accumulator, &none, activations);
        }
        write_sums(stack.first_sums(&activations), sums);
    }
}

/// The first dense layer of the full network, whose inputs are found on a board.
pub struct FullHints {
    network: Network,
    /// Those of threads that are not evaluating.
    idle: Mutex<Vec<Caches>>,
}

impl FullHints {
    pub fn new(network: Network) -> Self {
        Self { network, idle: Mutex::default() }
    }
}

impl HiddenLayer for FullHints {
    fn width(&self) -> usize {
        self.network.width()
    }

    fn sums(&self, [own, _]: [&mut [u16]; 2], sums: &mut [f32]) {
        // A packed file may hold positions that are not legal. Their hints are zeros.
        let Ok(board) = Board::from_pieces(own.iter().map(|&input| piece_on(input)), Color::White) else {
            sums.fill(0.0);
            return;
        };
        let idle = || self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let mut caches = idle().pop().unwrap_or_else(|| Caches::new(&self.network));
        let (activations, _) = caches.activations(&self.network, &board);
        write_sums(self.network.stacks[stack_of(own.len())].first_sums(&activations), sums);
        idle().push(caches);
    }
}

fn write_sums(values: [i32; OUTPUTS], sums: &mut [f32]) {
    for (sum, value) in sums.iter_mut().zip(values) {
        *sum = value as f32 / SUM_ONE;
    }
}

/// Mirrors a view as this network does. Plain inputs are relative to the view, which is therefore like White's.
fn put_king_right(inputs: &mut [u16]) {
    let mask = Orientation::with_king_right(Color::White, own_king(inputs)).mask();
    for input in inputs {
        *input ^= mask as u16;
    }
}
