//! Weights as the integer network will have them.
//!
//! The weights between dense layers become 8-bit integers. A network that learnt without knowing it loses by that
//! (`dual [512,16,32]`: MSE 0.00389 to 0.00401 on games that it had not seen); one that computes with rounded weights from
//! the start, and gathers the gradients found there in weights that are not rounded, has made up for it.

use alfiere_nnue::quantisation::weight_step;
use alfiere_nnue::{Architecture, FloatLayer, FloatNetwork};

/// The network that is used while another is trained: the weights of its dense layers, and of a pairwise accumulator,
/// rounded as they will be in a file.
pub fn rounded(mut network: FloatNetwork) -> FloatNetwork {
    for (index, layer) in network.layers.iter_mut().enumerate() {
        round(&network.architecture, index, layer);
    }
    network
}

/// The same for one layer, counted from 0.
pub(super) fn round(architecture: &Architecture, index: usize, layer: &mut FloatLayer) {
    if let Some(step) = weight_step(architecture, index) {
        let biases = if index == 0 { layer.bias.as_mut_slice() } else { &mut [] };
        for number in layer.weights.iter_mut().chain(biases) {
            *number = (*number / step).round() * step;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::gradient_check::{batch, samples};
    use super::super::{Dropout, Learner, Objective, Processor, StepSize, initialise};
    use super::*;

    #[test]
    fn a_step_is_that_of_rounded_weights_and_moves_the_others() {
        let network = initialise("dual [16,8,4] x8 stacks".parse().expect("valid"), 1).expect("valid");
        let in_use = rounded(network.clone());
        assert_eq!(network.layers[0], in_use.layers[0]);
        assert_ne!(network.layers[1], in_use.layers[1]);
        assert_eq!(network.layers[3], in_use.layers[3]);
        assert_eq!(in_use, rounded(in_use.clone()));
        let batch = batch(&network.architecture, Objective::Report, &samples(50, 1));
        let [mut one, other] = [network.clone(), in_use].map(|network| Learner::new(network, Processor::cores()));
        let found = |learner: &Learner| learner.loss_and_gradients(&batch, Objective::Report, Dropout::NONE);
        assert_eq!(found(&one), found(&other));
        one.step(&batch, Objective::Report, Dropout::NONE, StepSize { rate: 1e-4, decay: 0.0 });
        let moved = one.network.layers[1].weights.iter().zip(&network.layers[1].weights);
        let farthest = moved.map(|(after, before)| (after - before).abs()).fold(0.0, f32::max);
        assert!((5e-5..2e-4).contains(&farthest), "{farthest}");
    }
}
