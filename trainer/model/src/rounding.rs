//! Quantisation-aware training: weights rounded to the values that the integer network can represent.
//!
//! The weights of deeper networks are quantised to 8 bits. A network trained without rounding loses accuracy when it is
//! quantised (`dual [512,16,32]`: MSE 0.00389 becomes 0.00401 on held-out games). Training therefore evaluates the
//! network with rounded weights and applies the gradients to the unrounded ones (straight-through estimator), which
//! removes the loss.

use alfiere_nnue::quantisation::weight_step;
use alfiere_nnue::{Architecture, FloatLayer, FloatNetwork};

/// The network with the weights of its 8-bit layers rounded as in a network file, and an accumulator's biases too.
pub fn rounded(mut network: FloatNetwork) -> FloatNetwork {
    for (index, layer) in network.layers.iter_mut().enumerate() {
        round(&network.architecture, index, layer);
    }
    network
}

/// Rounds one layer, counted from 0.
pub(super) fn round(architecture: &Architecture, index: usize, layer: &mut FloatLayer) {
    let nearest = |step: f32| move |number: f32| (number / step).round() * step;
    let [weights, bias] = steps(architecture, index);
    if let Some(step) = weights {
        layer.weights.mapv_inplace(nearest(step));
    }
    if let Some(step) = bias {
        layer.bias.mapv_inplace(nearest(step));
    }
}

/// The distance between neighbouring values of a layer's weights and of its biases; `None` if they are not rounded.
pub(super) fn steps(architecture: &Architecture, index: usize) -> [Option<f32>; 2] {
    let step = weight_step(architecture, index);
    [step, step.filter(|_| index == 0)]
}

#[cfg(test)]
mod tests {
    use super::super::{Batch, Dropout, Learner, Objective, Processor, StepSize, initialise};
    use super::*;
    use crate::test_batches::{batch, gradients};
    use crate::test_samples::samples;

    #[test]
    fn step_uses_rounded_weights_and_updates_unrounded_ones() {
        let network = initialise("dual [16,8,4] x8 stacks".parse().expect("valid"), 1).expect("valid");
        let in_use = rounded(network.clone());
        assert_ne!(network.layers[0], in_use.layers[0]);
        assert_ne!(network.layers[1], in_use.layers[1]);
        assert_eq!(network.layers[3], in_use.layers[3]);
        assert_eq!(in_use, rounded(in_use.clone()));
        let batch = batch(&network.architecture, Objective::ClippedCentipawns, &samples(50, 1));
        let [mut one, other] = [network.clone(), in_use].map(|network| Learner::new(network, Processor::cores()));
        let found = |learner: &Learner| gradients(learner, &batch, Objective::ClippedCentipawns, Dropout::NONE);
        assert_eq!(found(&one), found(&other));
        one.step(
            &Batch::Sparse(batch),
            Objective::ClippedCentipawns,
            Dropout::NONE,
            StepSize { rate: 1e-4, decay: 0.0 },
        );
        let moved = one.state().network.layers[1].weights.iter().zip(&network.layers[1].weights);
        let farthest = moved.map(|(after, before)| (after - before).abs()).fold(0.0, f32::max);
        assert!((5e-5..2e-4).contains(&farthest), "{farthest}");
    }
}
