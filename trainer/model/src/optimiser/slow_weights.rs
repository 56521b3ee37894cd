//! Lookahead: slow weights follow the trained ones, which return to them every few steps (Zhang et al., "Lookahead
//! Optimizer: k steps forward, 1 step back", 2019).

use alfiere_nnue::FloatNetwork;

/// Steps between two returns.
const STEPS: u64 = 6;
/// How far the slow weights move towards the trained ones.
pub(crate) const SHARE: f32 = 0.5;

/// The slow weights of a run.
#[derive(Clone, PartialEq, Debug)]
pub struct SlowWeights(pub FloatNetwork);

impl SlowWeights {
    /// Moves the slow weights and returns `weights` to them, if this is such a step; steps are counted from 1.
    pub(crate) fn after_step(&mut self, step: u64, weights: &mut FloatNetwork) {
        if !is_return(step) {
            return;
        }
        for (slow, layer) in self.0.layers.iter_mut().zip(&mut weights.layers) {
            let approach = |slow: &mut f32, weight: &f32| *slow += SHARE * (weight - *slow);
            slow.weights.zip_mut_with(&layer.weights, approach);
            slow.bias.zip_mut_with(&layer.bias, approach);
            layer.weights.assign(&slow.weights);
            layer.bias.assign(&slow.bias);
        }
    }
}

/// True if the weights return to the slow ones after this step, counted from 1.
pub(crate) fn is_return(step: u64) -> bool {
    step.is_multiple_of(STEPS)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::initialise;

    #[test]
    fn weights_return_half_of_the_way_at_every_sixth_step() {
        let start = initialise("dual [4]".parse().expect("valid"), 1).expect("valid");
        let mut moved = start.clone();
        moved.layers[0].weights[[1, 2]] += 1.0;
        moved.layers[1].bias[0] += 2.0;
        let (mut slow, mut weights) = (SlowWeights(start.clone()), moved.clone());
        (1..=5).for_each(|step| slow.after_step(step, &mut weights));
        assert_eq!((&weights, &slow.0), (&moved, &start));
        slow.after_step(6, &mut weights);
        assert_eq!(weights, slow.0);
        let difference = |layer: usize| (&weights.layers[layer].weights - &start.layers[layer].weights).sum();
        assert!((difference(0) - 0.5).abs() < 1e-6, "{}", difference(0));
        assert!((weights.layers[1].bias[0] - start.layers[1].bias[0] - 1.0).abs() < 1e-6);
    }
}
