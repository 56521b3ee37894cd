//! An exponential moving average of the weights: the middle of the path that the last steps took, where the noise of
//! single batches has cancelled out.

use alfiere_nnue::FloatNetwork;

/// Weights averaged over the steps.
#[derive(Clone, PartialEq, Debug)]
pub struct AverageWeights {
    /// The average.
    pub network: FloatNetwork,
    /// Steps that it was made of.
    pub steps: u64,
}

impl AverageWeights {
    /// Before the first step: the weights that training begins with.
    pub fn new(network: FloatNetwork) -> Self {
        Self { network, steps: 0 }
    }

    /// Takes in the weights after another step: `1 - decay` of them. The first steps count for more, so that the
    /// beginning is soon forgotten.
    pub fn take(&mut self, weights: &FloatNetwork, decay: f32) {
        self.steps += 1;
        let share = (1.0 - decay).max(9.0 / (9.0 + self.steps as f32));
        for (average, layer) in self.network.layers.iter_mut().zip(&weights.layers) {
            let pairs = average.weights.iter_mut().zip(&layer.weights).chain(average.bias.iter_mut().zip(&layer.bias));
            pairs.for_each(|(average, weight)| *average += share * (weight - *average));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::initialise;

    #[test]
    fn the_average_forgets_its_beginning_and_follows_slowly() {
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
            |average: &AverageWeights| (average.network.layers[0].weights[7], average.network.layers[1].bias[0]);
        assert!(
            (value(&average).0 - 1.0).abs() < 1e-3 && (value(&average).1 - 1.0).abs() < 1e-3,
            "{:?}",
            value(&average)
        );
        // The share is 9 of 9 + steps until it reaches 1 - decay, here after 891 steps.
        (0..1_000).for_each(|_| average.take(&network(1.0), 0.99));
        average.take(&network(2.0), 0.99);
        assert!((value(&average).0 - 1.01).abs() < 1e-5, "{:?}", value(&average));
    }
}
