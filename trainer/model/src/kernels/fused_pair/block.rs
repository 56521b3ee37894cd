//! One block of the first layer: its integer weights, its accumulators and its part of the second layer.

// A call per row would cost more than the row; measured: these are not always inlined without the attribute.
#![allow(clippy::inline_always)]

use wide::{f32x16, i8x32, i16x32};

use super::super::lanes::{ActivationFunction, ClippedRow, LANES, Lanes, VECTOR};
use super::weights::{SCALE, Weights};

/// A row of a block's weights as the engine stores them: 8 bits, or 16 in a wide network.
pub(super) trait WeightRow: Copy + Send + Sync {
    /// The nearest weights of this type. Training keeps weights inside its range.
    fn new(weights: [i32; LANES]) -> Self;
    fn widened(self) -> i16x32;
}

impl WeightRow for i8x32 {
    fn new(weights: [i32; LANES]) -> Self {
        Self::new(weights.map(|weight| weight.clamp(i32::from(i8::MIN), i32::from(i8::MAX)) as i8))
    }

    #[inline(always)]
    fn widened(self) -> i16x32 {
        i16x32::from_i8x32(self)
    }
}

impl WeightRow for i16x32 {
    fn new(weights: [i32; LANES]) -> Self {
        Self::new(weights.map(|weight| weight.clamp(i32::from(i16::MIN), i32::from(i16::MAX)) as i16))
    }

    #[inline(always)]
    fn widened(self) -> i16x32 {
        self
    }
}

/// Weights of a block, rounded to the engine's integers.
pub(super) struct IntegerTable<R> {
    rows: Vec<R>,
    bias: i16x32,
    /// The bias plus the weights of the side-to-move input.
    with_side: i16x32,
}

impl<R: WeightRow> IntegerTable<R> {
    /// Block `block` of the first layer.
    pub(super) fn new(weights: Weights<'_>, block: usize) -> Self {
        let Weights { table, bias, columns, .. } = weights;
        let row = |row| R::new(columns.read(row, block).rounded(SCALE));
        let rows: Vec<R> = table.chunks_exact(bias.len()).map(row).collect();
        let bias = i16x32::new(columns.read(bias, block).rounded(SCALE).map(|number| number as i16));
        let side = rows.last().map_or(i16x32::ZERO, |&row| row.widened());
        Self { rows, bias, with_side: bias + side }
    }

    /// Computes the clipped accumulators of `V` views; `features` holds all views of each piece. The side-to-move input
    /// applies to the first view only.
    #[inline(always)]
    pub(super) fn accumulate<const V: usize>(&self, features: &[u16], side_input: bool) -> [ClippedRow; V] {
        let mut sums = [self.bias; V];
        if side_input {
            sums[0] = self.with_side;
        }
        for piece in features.as_chunks::<V>().0 {
            for view in 0..V {
                sums[view] += self.rows[usize::from(piece[view])].widened();
            }
        }
        let (low, high) = (i16x32::splat(0), i16x32::splat(255));
        sums.map(|sum| {
            let clipped = sum.max(low).min(high).to_array();
            ClippedRow(clipped.map(|neuron| neuron as u8))
        })
    }
}

/// The weights that one stack of the second layer has for a block's `N` vectors, in both orders.
pub(super) struct SecondWeights<const V: usize, const N: usize> {
    /// `[view][vector][lane][output]`, outputs padded with zeros to whole vectors.
    pub(super) by_input: [[[[f32x16; 2]; VECTOR]; N]; V],
    /// `[view][vector][output]`, one vector of inputs each.
    pub(super) by_output: [[Vec<f32x16>; N]; V],
}

impl<const V: usize, const N: usize> SecondWeights<V, N> {
    pub(super) fn new(weights: Weights<'_>, block: usize, stack: usize) -> Self {
        let at = |view: usize, vector: usize, lane: usize, output: usize| {
            let start = weights.start(view, block * N + vector, lane, stack).filter(|_| output < weights.outputs);
            start.map_or(0.0, |start| weights.second[start + output])
        };
        let outputs = |view: usize, vector: usize, lane: usize, half: usize| {
            f32x16::new(std::array::from_fn(|output| at(view, vector, lane, half * VECTOR + output)))
        };
        let inputs = |view: usize, vector: usize, output: usize| {
            f32x16::new(std::array::from_fn(|lane| at(view, vector, lane, output)))
        };
        Self {
            by_input: std::array::from_fn(|view| {
                std::array::from_fn(|vector| {
                    std::array::from_fn(|lane| std::array::from_fn(|half| outputs(view, vector, lane, half)))
                })
            }),
            by_output: std::array::from_fn(|view| {
                std::array::from_fn(|vector| (0..weights.outputs).map(|output| inputs(view, vector, output)).collect())
            }),
        }
    }
}

/// A kind of neurons: a block gives `N` vectors to the second layer.
pub(super) trait Neurons<const N: usize>: Copy + Send + Sync {
    /// The inputs of the second layer, from neurons in [0, 1].
    fn values(self, neurons: Lanes) -> [f32x16; N];
    /// The gradients of the neurons before clipping, from those of the inputs of the second layer.
    fn gradients(self, neurons: Lanes, upstream: [f32x16; N]) -> Lanes;
}

/// Products of neurons with their partners.
#[derive(Clone, Copy)]
pub(super) struct Pairs;
/// Activations of single neurons.
#[derive(Clone, Copy)]
pub(super) struct Singles<A>(pub(super) A);

impl Neurons<1> for Pairs {
    #[inline(always)]
    fn values(self, neurons: Lanes) -> [f32x16; 1] {
        let [first, second] = neurons.0;
        [first * second]
    }

    #[inline(always)]
    fn gradients(self, neurons: Lanes, [upstream]: [f32x16; 1]) -> Lanes {
        let [first, second] = neurons.0;
        Lanes([upstream * second, upstream * first]).where_inside(&neurons, 1.0)
    }
}

impl<A: ActivationFunction> Neurons<2> for Singles<A> {
    #[inline(always)]
    fn values(self, neurons: Lanes) -> [f32x16; 2] {
        self.0.value(neurons).0
    }

    #[inline(always)]
    fn gradients(self, neurons: Lanes, upstream: [f32x16; 2]) -> Lanes {
        self.0.gradient(&neurons, Lanes(upstream))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_rounded_like_those_of_a_file() {
        let numbers = [0.5_f32, -0.5, 1.5, -2.5, 0.49999997, 126.5, -127.4, 3.2];
        let row: Vec<f32> = numbers.iter().map(|number| number / SCALE).collect();
        let rounded = Lanes::from_row(&row, 0).rounded(SCALE);
        for (value, found) in row.iter().zip(rounded) {
            assert_eq!(found, (value * SCALE).round() as i32, "{value}");
        }
    }
}
