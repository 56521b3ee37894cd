//! The dense layers after the accumulators: three small layers for each of eight buckets of piece count.
//!
//! Computed in the same integers as Stockfish, so the evaluation is bit-identical.

use alfiere_chess::board::Board;
use alfiere_chess::types::{Color, PieceKind};
use wide::i32x16;

/// Neurons per view.
pub(super) const WIDTH: usize = 1024;
/// Outputs of the first layer: 15 neurons, and one that is added directly to the output.
pub(super) const FIRST: usize = 16;
/// Outputs of the second layer.
pub(super) const SECOND: usize = 32;
/// Fraction bits of the weights.
const WEIGHT_BITS: u32 = 6;
/// The sum at which an activation is clipped.
pub(super) const ONE: i32 = 127 << WEIGHT_BITS;

#[derive(Clone, Debug)]
pub(super) struct Stack {
    first_bias: i32x16,
    /// `[1024][16]`: one row per input, because most inputs are zero.
    first: Vec<i32x16>,
    second_bias: [i32x16; 2],
    /// `[30][32]`.
    second: Vec<[i32x16; 2]>,
    last_bias: i32,
    last: [i32; SECOND],
}

impl Stack {
    /// Creates a stack from biases and weights in file order: one row per output.
    pub(super) fn new(biases: [&[i32]; 3], weights: [&[u8]; 3]) -> Self {
        let weight = |layer: usize, row: usize, column: usize, outputs: usize| {
            i32::from(weights[layer][row * (weights[layer].len() / outputs) + column].cast_signed())
        };
        // Sixteen numbers starting at `start`.
        let vector = |start: usize, number: &dyn Fn(usize) -> i32| {
            i32x16::new(std::array::from_fn(|output| number(start + output)))
        };
        let halves = |number: &dyn Fn(usize) -> i32| [vector(0, number), vector(FIRST, number)];
        Self {
            first_bias: vector(0, &|output| biases[0][output]),
            first: (0..weights[0].len() / FIRST)
                .map(|input| vector(0, &|output| weight(0, output, input, FIRST)))
                .collect(),
            second_bias: halves(&|output| biases[1][output]),
            second: (0..2 * (FIRST - 1)).map(|input| halves(&|output| weight(1, output, input, SECOND))).collect(),
            last_bias: biases[2][0],
            last: std::array::from_fn(|input| i32::from(weights[2][input].cast_signed())),
        }
    }

    /// The sums of the first layer, from activations 0 to 127; its own activations are clipped at [`ONE`].
    pub(super) fn first_sums(&self, inputs: &[u8; WIDTH]) -> [i32; FIRST] {
        // No branch on zero inputs: it would be mispredicted too often.
        let mut active = [0_u16; WIDTH];
        let mut count = 0;
        for (number, &input) in (0..).zip(inputs) {
            active[count] = number;
            count += usize::from(input != 0);
        }
        let mut sums = self.first_bias;
        for &number in &active[..count] {
            let number = usize::from(number);
            sums += i32x16::splat(i32::from(inputs[number])) * self.first[number];
        }
        sums.to_array()
    }

    /// The positional part of the evaluation, times 16, from activations 0 to 127.
    pub(super) fn evaluate(&self, inputs: &[u8; WIDTH]) -> i32 {
        let sums = self.first_sums(inputs);
        let mut second = self.second_bias;
        let direct = sums[FIRST - 1];
        let neurons = &sums[..FIRST - 1];
        let squared = neurons.iter().map(|&sum| {
            let sum = i64::from(sum);
            ((sum * sum) >> (2 * WEIGHT_BITS + 7)).min(127) as i32
        });
        let clipped = neurons.iter().map(|&sum| (sum >> WEIGHT_BITS).clamp(0, 127));
        for (input, weights) in squared.chain(clipped).zip(&self.second) {
            let input = i32x16::splat(input);
            second.iter_mut().zip(weights).for_each(|(sum, &weights)| *sum += input * weights);
        }
        let mut value = self.last_bias;
        for (sum, &weight) in second.map(i32x16::to_array).as_flattened().iter().zip(&self.last) {
            value += (sum >> WEIGHT_BITS).clamp(0, 127) * weight;
        }
        // Scale of the direct neuron: an activation of 127 with weight 64 is 600 internal units.
        value + direct * (600 * 16) / ONE
    }
}

/// Internal units per 100 centipawns.
const UNITS_PER_PAWN: i32 = 361;
/// Material values for counting a side's pieces.
const PIECE_UNITS: [(PieceKind, i32); 4] =
    [(PieceKind::Knight, 781), (PieceKind::Bishop, 825), (PieceKind::Rook, 1276), (PieceKind::Queen, 2538)];

/// Converts a network output to centipawns, scaled up with the material on the board as in Stockfish. Stockfish's
/// damping by the fifty-move counter is left to our own search.
pub(super) fn centipawns(value: i32, board: &Board) -> i32 {
    let pieces: i32 = PIECE_UNITS
        .iter()
        .map(|&(kind, units)| {
            let count = board.colored(Color::White, kind).count() + board.colored(Color::Black, kind).count();
            count as i32 * units
        })
        .sum();
    let scale = 1064 + 106 * pieces / 5120;
    // 195 of 211: Stockfish's damping factor right after a capture or pawn move.
    (value * scale / 1024 * 195 / 211) * 100 / UNITS_PER_PAWN
}
