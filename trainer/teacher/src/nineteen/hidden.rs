//! The lite variant's first dense layer as a source of hints for training.

use alfiere_chess::types::Color;
use alfiere_nnue::HiddenLayer;
use wide::i16x32;

use super::Network;
use super::accumulator::Accumulator;
use super::dimensions::VECTORS;
use super::evaluator::multiply_halves;
use super::layers::OUTPUTS;
use super::orientation::Orientation;
use crate::plain_views::{own_king, stack_of};

/// The sum at which activations are clipped: 127 of 7 fraction bits.
const ONE: f32 = (127 << 7) as f32;

/// Of the lite variant only. Two neurons are left out: they lead directly to the output, where this network has its PSQT
/// values as well.
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
        for (sum, value) in sums.iter_mut().zip(stack.first_sums(&activations)) {
            *sum = value as f32 / ONE;
        }
    }
}

/// Mirrors a view as this network does. Plain inputs are relative to the view, which is therefore like White's.
fn put_king_right(inputs: &mut [u16]) {
    let mask = Orientation::with_king_right(Color::White, own_king(inputs)).mask();
    for input in inputs {
        *input ^= mask as u16;
    }
}
