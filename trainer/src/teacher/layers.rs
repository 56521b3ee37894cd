//! What follows the teacher's accumulators: three small layers for each of eight counts of pieces.
//!
//! All integers as the program has them, so that the value is the program's own to the last unit.

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
    first_bias: [i32; FIRST],
    /// `[1024][16]`: a row for each input, because most inputs are zero.
    first: Vec<[i32; FIRST]>,
    second_bias: [i32; SECOND],
    /// `[30][32]`.
    second: Vec<[i32; SECOND]>,
    last_bias: i32,
    last: [i32; SECOND],
}

impl Stack {
    /// From biases and weights in the file's order: a row for each output.
    pub(super) fn new(biases: [&[i32]; 3], weights: [&[u8]; 3]) -> Self {
        let weight = |layer: usize, row: usize, column: usize, outputs: usize| {
            i32::from(weights[layer][row * (weights[layer].len() / outputs) + column].cast_signed())
        };
        Self {
            first_bias: std::array::from_fn(|output| biases[0][output]),
            first: (0..weights[0].len() / FIRST)
                .map(|input| std::array::from_fn(|output| weight(0, output, input, FIRST)))
                .collect(),
            second_bias: std::array::from_fn(|output| biases[1][output]),
            second: (0..2 * (FIRST - 1))
                .map(|input| std::array::from_fn(|output| weight(1, output, input, SECOND)))
                .collect(),
            last_bias: biases[2][0],
            last: std::array::from_fn(|input| i32::from(weights[2][input].cast_signed())),
        }
    }

    /// The positional part of the value, sixteen times too large, from activations 0 to 127.
    pub(super) fn evaluate(&self, inputs: &[u8]) -> i32 {
        let mut sums = self.first_bias;
        for (&input, weights) in inputs.iter().zip(&self.first) {
            if input != 0 {
                add_scaled(&mut sums, i32::from(input), weights);
            }
        }
        let mut second = self.second_bias;
        let direct = sums[FIRST - 1];
        let neurons = &sums[..FIRST - 1];
        let squared = neurons.iter().map(|&sum| {
            let sum = i64::from(sum);
            ((sum * sum) >> (2 * WEIGHT_BITS + 7)).min(127) as i32
        });
        let clipped = neurons.iter().map(|&sum| (sum >> WEIGHT_BITS).clamp(0, 127));
        for (input, weights) in squared.chain(clipped).zip(&self.second) {
            add_scaled(&mut second, input, weights);
        }
        let mut value = self.last_bias;
        for (&sum, &weight) in second.iter().zip(&self.last) {
            value += (sum >> WEIGHT_BITS).clamp(0, 127) * weight;
        }
        // The straight neuron's unit: 127 activations of weight 64 are 600 points of the value.
        value + direct * (600 * 16) / (127 << WEIGHT_BITS)
    }
}

#[inline]
fn add_scaled<const N: usize>(sums: &mut [i32; N], factor: i32, weights: &[i32; N]) {
    for (sum, &weight) in sums.iter_mut().zip(weights) {
        *sum += factor * weight;
    }
}
