//! What follows the teacher's accumulators: three small layers for each of eight counts of pieces.
//!
//! All integers as the program has them, so that the value is the program's own to the last unit.

use wide::i32x16;

use super::halfka::WIDTH;

/// Sets of layers, chosen by the number of pieces.
pub(super) const BUCKETS: usize = 8;
/// Outputs of the first layer: fifteen neurons, and one that goes straight to the value.
pub(super) const FIRST: usize = 16;
/// Outputs of the second layer.
pub(super) const SECOND: usize = 32;
/// Bits that weights have behind the point.
const WEIGHT_BITS: u32 = 6;

/// The layers of one count of pieces.
#[derive(Clone, Debug)]
pub(super) struct Stack {
    first_bias: i32x16,
    /// `[1024][16]`: a row for each input, because most inputs are zero.
    first: Vec<i32x16>,
    second_bias: [i32x16; 2],
    /// `[30][32]`.
    second: Vec<[i32x16; 2]>,
    last_bias: i32,
    last: [i32; SECOND],
}

impl Stack {
    /// From biases and weights in the file's order: a row for each output.
    pub(super) fn new(biases: [&[i32]; 3], weights: [&[u8]; 3]) -> Self {
        let weight = |layer: usize, row: usize, column: usize, outputs: usize| {
            i32::from(weights[layer][row * (weights[layer].len() / outputs) + column].cast_signed())
        };
        // Sixteen numbers from `start` on.
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

    /// The positional part of the value, sixteen times too large, from activations 0 to 127.
    pub(super) fn evaluate(&self, inputs: &[u8; WIDTH]) -> i32 {
        // A branch for each input would be guessed wrongly too often.
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
        let sums = sums.to_array();
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
        // The straight neuron's unit: 127 activations of weight 64 are 600 points of the value.
        value + direct * (600 * 16) / (127 << WEIGHT_BITS)
    }
}
