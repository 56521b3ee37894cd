//! The dense layers after the accumulators: three small layers for each of eight buckets of piece count.
//!
//! Computed in the same integers as Stockfish, so the evaluation is bit-identical. Each layer's outputs are used twice,
//! squared and plain, both clipped at 127.

use wide::{i16x32, i32x16};

use super::dimensions::{LANES, VECTORS};

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

/// The layers of one bucket.
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
