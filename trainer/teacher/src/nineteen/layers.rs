//! The dense layers after the accumulators: three small layers for each of eight buckets of piece count.
//!
//! Computed in the same integers as Stockfish, so the evaluation is bit-identical. Each layer's outputs are used twice,
//! squared and plain, both clipped at 127.

use alfiere_chess::board::Board;
use alfiere_chess::types::PieceKind;
use wide::{i16x32, i32x16};

use super::accumulator::{LANES, VECTORS};

/// Outputs of the first and of the second layer.
pub(super) const OUTPUTS: usize = 32;
/// Inputs of the second layer: the first layer's outputs, squared and plain.
pub(super) const SECOND_INPUTS: usize = 2 * OUTPUTS;
/// Inputs of the last layer: the second layer's inputs, then its outputs, squared and plain.
pub(super) const LAST_INPUTS: usize = SECOND_INPUTS + 2 * OUTPUTS;
/// Maximum activation.
const ONE: i32 = 127;
/// Fraction bits of the outputs of the first and of the second layer.
const FIRST_BITS: u32 = 7;
const SECOND_BITS: u32 = 6;

#[derive(Clone, Debug)]
pub(super) struct Stack {
    first: Layer<VECTORS>,
    second: Layer<{ SECOND_INPUTS / LANES }>,
    last_bias: i32,
    last: [i16x32; LAST_INPUTS / LANES],
}

/// `OUTPUTS` dot products over `LANES * VECTORS` inputs.
#[derive(Clone, Debug)]
struct Layer<const VECTORS: usize> {
    bias: [i32; OUTPUTS],
    /// One row per output.
    weights: Vec<[i16x32; VECTORS]>,
}

impl Stack {
    /// Creates a stack from biases and weights in file order: one row per output.
    pub(super) fn new(biases: [&[i32]; 3], weights: [&[u8]; 3]) -> Self {
        Self {
            first: Layer::new(biases[0], weights[0]),
            second: Layer::new(biases[1], weights[1]),
            last_bias: biases[2][0],
            last: row(weights[2]),
        }
    }

    /// The sums of the first layer; activations are clipped at `127 << 7`.
    pub(super) fn first_sums(&self, activations: &[i16x32; VECTORS]) -> [i32; OUTPUTS] {
        self.first.sums(activations)
    }

    /// The positional part of the evaluation, times 16, from activations 0 to 127: first the side to move's, then the
    /// opponent's.
    pub(super) fn evaluate(&self, activations: &[i16x32; VECTORS]) -> i32 {
        let first = self.first_sums(activations);
        let inputs = activate::<FIRST_BITS>(&first);
        let second = self.second.sums(&inputs);
        let mut sums = i32x16::ZERO;
        for (&input, &weights) in inputs.iter().chain(&activate::<SECOND_BITS>(&second)).zip(&self.last) {
            sums += input.dot(weights);
        }
        // Two neurons of the first layer are added directly to the output, one of them negated.
        let value = self.last_bias + sums.reduce_add() + first[OUTPUTS - 2] - first[OUTPUTS - 1];
        // Twice 128 activations of weight 64 are 600 internal units.
        (i64::from(value) * (600 * 16) / ((2 * 128) << SECOND_BITS)) as i32
    }
}

impl<const VECTORS: usize> Layer<VECTORS> {
    fn new(bias: &[i32], weights: &[u8]) -> Self {
        Self {
            bias: std::array::from_fn(|output| bias[output]),
            weights: weights.chunks_exact(LANES * VECTORS).map(row).collect(),
        }
    }

    fn sums(&self, inputs: &[i16x32; VECTORS]) -> [i32; OUTPUTS] {
        let mut sums = self.bias;
        for (sums, rows) in sums.as_chunks_mut::<4>().0.iter_mut().zip(self.weights.as_chunks::<4>().0) {
            let mut vectors = [i32x16::ZERO; 4];
            for (index, &input) in inputs.iter().enumerate() {
                for (vector, row) in vectors.iter_mut().zip(rows) {
                    *vector += input.dot(row[index]);
                }
            }
            for (sum, vector) in sums.iter_mut().zip(vectors) {
                *sum += vector.reduce_add();
            }
        }
        sums
    }
}

/// The activations of the next layer: clipped squares, then clipped sums.
fn activate<const BITS: u32>(sums: &[i32; OUTPUTS]) -> [i16x32; 2] {
    // Squares beyond 16 bits would be clipped anyway.
    let squares = sums.map(|sum| {
        let sum = sum.clamp(i32::from(i16::MIN) + 1, i32::from(i16::MAX));
        ((sum * sum) >> (2 * BITS + 7)).min(ONE) as i16
    });
    let plain = sums.map(|sum| (sum >> BITS).clamp(0, ONE) as i16);
    [i16x32::new(squares), i16x32::new(plain)]
}

/// The weights of one output.
fn row<const VECTORS: usize>(bytes: &[u8]) -> [i16x32; VECTORS] {
    std::array::from_fn(|vector| {
        i16x32::new(std::array::from_fn(|lane| i16::from(bytes[vector * LANES + lane].cast_signed())))
    })
}

/// Material values for counting the material on the board.
const UNITS: [(PieceKind, i64); 5] = [
    (PieceKind::Pawn, 534),
    (PieceKind::Knight, 781),
    (PieceKind::Bishop, 825),
    (PieceKind::Rook, 1276),
    (PieceKind::Queen, 2538),
];
/// Material at which the evaluation would be doubled.
const DOUBLED_AT_MATERIAL: i64 = 91_000;
/// Difference of the two parts at which the evaluation would be reduced to 0.
const ZERO_AT_DIFFERENCE: i64 = 18_236;
/// Larger values are known wins or losses.
const LIMIT: i64 = 31_506;
/// The evaluation that is a winning probability of 50%, as a polynomial in material; cubic term first.
const EVEN_WIN_RATE: [f64; 4] = [-142.72052667, 372.35176398, -340.71073572, 415.23490212];

/// A network output for the side to move in Stockfish's internal unit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NetworkValue {
    /// The PSQT part.
    pub material: i32,
    pub positional: i32,
}

impl NetworkValue {
    /// The sum of both parts.
    pub fn sum(self) -> i32 {
        self.material + self.positional
    }

    /// The static evaluation that Stockfish's search would use, without optimism and without the damping by the
    /// fifty-move counter: reduced if the two parts disagree, increased with the material on the board.
    fn static_evaluation(self, board: &Board) -> i32 {
        let sum = i64::from(self.sum());
        let disagreement = i64::from((self.material - self.positional).abs());
        let value = sum - sum * disagreement / ZERO_AT_DIFFERENCE;
        let units: i64 = UNITS.iter().map(|&(kind, units)| i64::from(board.pieces(kind).count()) * units).sum();
        (value + value * units / DOUBLED_AT_MATERIAL).clamp(-LIMIT, LIMIT) as i32
    }

    /// The static evaluation in centipawns: 100 is a winning probability of 50% with the given material.
    pub fn centipawns(self, board: &Board) -> i32 {
        let material = f64::from(board.material().clamp(17, 78)) / 58.0;
        let pawn = EVEN_WIN_RATE.into_iter().fold(0.0, |sum, factor| sum * material + factor);
        (f64::from(100 * self.static_evaluation(board)) / pawn).round() as i32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn centipawns_match_stockfish() {
        let centipawns = |fen: &str, material, positional| {
            NetworkValue { material, positional }.centipawns(&Board::from_fen(fen).expect("a legal position"))
        };
        // From Stockfish's `eval`, for the stack in use.
        let after_e4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
        assert_eq!(centipawns(after_e4, -85, 25), -27);
        assert_eq!(centipawns(after_e4, 0, 0), 0);
        assert_eq!(centipawns(after_e4, 1_000_000, 0), -centipawns(after_e4, -1_000_000, 0));
    }
}
