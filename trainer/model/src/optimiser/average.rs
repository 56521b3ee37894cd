//! Weights beside the trained ones: their exponential moving average (EMA), which cancels the noise of single batches over
//! the last steps, and the slow weights of lookahead, to which they return.

use crate::float::FloatNetwork;

/// The EMA of a network's weights.
#[derive(Clone, PartialEq, Debug)]
pub struct AverageWeights {
    pub network: FloatNetwork,
    pub steps: u64,
}

impl AverageWeights {
    /// Starts the average from the initial weights.
    pub fn new(network: FloatNetwork) -> Self {
        Self { network, steps: 0 }
    }

    /// Adds the weights after another step.
    pub fn take(&mut self, weights: &FloatNetwork, decay: f32) {
        self.steps += 1;
        approach(&mut self.network, weights, average_share(self.steps, decay));
    }
}

/// Moves each weight by a share of its distance to that of `other`.
fn approach(network: &mut FloatNetwork, other: &FloatNetwork, share: f32) {
    for (layer, other) in network.layers.iter_mut().zip(&other.layers) {
        let approach = |weight: &mut f32, other: &f32| *weight += share * (other - *weight);
        layer.weights.zip_mut_with(&other.weights, approach);
        layer.bias.zip_mut_with(&other.bias, approach);
    }
}

/// The share of the weights after this step, counted from 1: `1 - decay`. Early steps have a larger share, so the
/// influence of the initial weights disappears quickly.
pub(crate) fn average_share(step: u64, decay: f32) -> f32 {
    (1.0 - decay).max(9.0 / (9.0 + step as f32))
}

/// Steps between two returns to the slow weights.
const SLOW_STEPS: u64 = 6;
/// How far the slow weights move towards the trained ones.
pub(crate) const SLOW_SHARE: f32 = 0.5;

/// The slow weights of a run.
#[derive(Clone, PartialEq, Debug)]
pub struct SlowWeights(pub FloatNetwork);

impl SlowWeights {
    /// Moves the slow weights and returns `weights` to them, if this is such a step; steps are counted from 1.
    pub(crate) fn after_step(&mut self, step: u64, weights: &mut FloatNetwork) {
        if !is_slow_return(step) {
            return;
        }
        approach(&mut self.0, weights, SLOW_SHARE);
        for (layer, slow) in weights.layers.iter_mut().zip(&self.0.layers) {
            layer.weights.assign(&slow.weights);
            layer.bias.assign(&slow.bias);
        }
    }
}

/// True if the weights return to the slow ones after this step, counted from 1.
pub(crate) fn is_slow_return(step: u64) -> bool {
    step.is_multiple_of(SLOW_STEPS)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::initialise;

    #[test]
    fn average_forgets_initial_weights_and_then_follows_slowly() {
        let network = |value: f32| {
            let mut network = initialise("dual [4]".parse().expect("valid"), 1).expect("valid");
            network
                .layers
                .iter_mut()
                .flat_map(|layer| layer.weights.iter_mut().chain(&mut layer.bias))
                .for_each(|weight| *weight = value);
            network
        };
        let mut average = AverageWeights::new(network(1_000.0));
        (0..200).for_each(|_| average.take(&network(1.0), 0.99));
        let value =
            |average: &AverageWeights| (average.network.layers[0].weights[[1, 3]], average.network.layers[1].bias[0]);
        assert!(
            (value(&average).0 - 1.0).abs() < 1e-3 && (value(&average).1 - 1.0).abs() < 1e-3,
            "{:?}",
            value(&average)
        );
        // The share is 9 / (9 + steps) until that falls to 1 - decay, here after 891 steps.
        (0..1_000).for_each(|_| average.take(&network(1.0), 0.99));
        average.take(&network(2.0), 0.99);
        assert!((value(&average).0 - 1.01).abs() < 1e-5, "{:?}", value(&average));
    }

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
