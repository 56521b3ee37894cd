//! The lite variant's first dense layer as a source of hints for training.

use alfiere_chess::types::File;
use wide::i16x32;

use super::Network;
use super::accumulator::Accumulator;
use super::dimensions::VECTORS;
use super::evaluator::{multiply_halves, stack_of};
use super::king_squares::KingInputs;
use super::layers::OUTPUTS;
use crate::model::HiddenLayer;

/// The own king's block of plain inputs.
const OWN_KING: u16 = 5;
/// The sum at which activations are clipped: 127 of 7 fraction bits.
const ONE: f32 = (127 << 7) as f32;

impl Network {
    /// True for the lite variant, which computes only from plain piece-square inputs.
    pub fn is_lite(&self) -> bool {
        self.king_inputs == KingInputs::Plain
    }
}

/// Of the lite variant only. Two neurons are left out: they lead directly to the output, where this network has its PSQT
/// values as well.
impl HiddenLayer for Network {
    fn width(&self) -> usize {
        OUTPUTS - 2
    }

    fn sums(&self, views: [&[u16]; 2], sums: &mut [f32]) {
        let mut activations = [i16x32::ZERO; VECTORS];
        let none = Accumulator::new(&activations);
        for (inputs, activations) in views.into_iter().zip(activations.chunks_exact_mut(VECTORS / 2)) {
            let mut accumulator = Accumulator::new(&self.bias);
            let turn = turn(inputs);
            let inputs: Vec<u16> = inputs.iter().map(|input| input ^ turn).collect();
            accumulator.update(&self.king_squares, &inputs, &[]);
            multiply_halves(&accumulator, &none, activations);
        }
        let first = self.stacks[stack_of(views[0].len())].first_sums(&activations);
        for (sum, value) in sums.iter_mut().zip(first) {
            *sum = value as f32 / ONE;
        }
    }
}

/// Mirrors the files if the own king is on files a to d.
fn turn(inputs: &[u16]) -> u16 {
    let king = inputs.iter().find(|&&input| input >> 6 == OWN_KING).copied().unwrap_or(0);
    if usize::from(king & 7) <= File::D as usize { 7 } else { 0 }
}
