//! The first dense layer as a source of hints for training.

use alfiere_chess::types::Color;
use alfiere_nnue::HiddenLayer;

use super::halfka::{Network, input, multiply_halves};
use super::layers::{FIRST, ONE, WIDTH};
use crate::plain_views::{own_king, piece_on, stack_of};

/// One neuron is left out: it leads directly to the output, where this network has its PSQT values as well.
impl HiddenLayer for Network {
    fn width(&self) -> usize {
        FIRST - 1
    }

    fn sums(&self, views: [&mut [u16]; 2], sums: &mut [f32]) {
        let stack = &self.stacks[stack_of(views[0].len())];
        let mut activations = [0; WIDTH];
        for (inputs, activations) in views.into_iter().zip(activations.chunks_exact_mut(WIDTH / 2)) {
            multiply_halves(&self.accumulator(inputs), activations);
        }
        for (sum, value) in sums.iter_mut().zip(stack.first_sums(&activations)) {
            *sum = value as f32 / ONE as f32;
        }
    }
}

impl Network {
    /// The accumulator of a view, given as plain inputs. These are relative to the view, which is therefore like White's.
    fn accumulator(&self, inputs: &[u16]) -> [i16; WIDTH] {
        let mut sums = [0; WIDTH];
        sums.copy_from_slice(&self.bias);
        let king = own_king(inputs);
        for &plain in inputs {
            let (piece, square) = piece_on(plain);
            let row = self.row(input(Color::White, king, piece, square));
            sums.iter_mut().zip(row).for_each(|(sum, &weight)| *sum += weight);
        }
        sums
    }
}

#[cfg(test)]
mod tests {
    use super::super::noise::noise;
    use super::*;
    use crate::plain_views::test_hints;

    #[test]
    fn hints_are_the_sums_of_the_evaluation() {
        let network = noise();
        let mut evaluator = super::super::Evaluator::new(&network);
        test_hints(&network, |board| {
            let (activations, _) = evaluator.activations(board);
            let sums = network.stacks[stack_of(board.occupied().count() as usize)].first_sums(&activations);
            sums.map(|sum| sum as f32 / ONE as f32).to_vec()
        });
    }
}
