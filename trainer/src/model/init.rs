//! Starting weights.
//!
//! Kaiming's normal distribution: deviation `sqrt(2 / fan-in)` before a clipped `ReLU`. The first layer's fan-in is the
//! number of its inputs that are 1 at once, not 769: about 32, which keeps a full board's sums within the clip. The
//! output layer has no activation: `sqrt(1 / fan-in)`. Biases start at 0.

use alfiere::network::{Architecture, ArchitectureError, FloatNetwork};

use super::random::{Normal, Purpose, derive};

/// Inputs of the first layer that are 1 at once.
const ACTIVE_INPUTS: f64 = 32.0;

/// A network with random weights; the same seed gives the same network.
///
/// # Errors
/// If the architecture is out of its limits.
pub fn initialise(architecture: Architecture, seed: u64) -> Result<FloatNetwork, ArchitectureError> {
    let mut network = FloatNetwork::zeros(architecture)?;
    let last = network.layers.len() - 1;
    for (index, layer) in network.layers.iter_mut().enumerate() {
        let fan_in = if index == 0 { ACTIVE_INPUTS } else { layer.inputs as f64 };
        let gain: f64 = if index == last { 1.0 } else { 2.0 };
        let mut normal = Normal::new(derive(seed, Purpose::Weights(index as u32)));
        layer.weights.fill_with(|| normal.next((gain / fan_in).sqrt()));
    }
    Ok(network)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_seed_decides_every_bit() {
        let architecture: Architecture = "dual [16,8] x8".parse().expect("valid");
        let first = initialise(architecture.clone(), 1).expect("valid");
        assert_eq!(first, initialise(architecture.clone(), 1).expect("valid"));
        assert_ne!(first, initialise(architecture, 2).expect("valid"));
        let weights = &first.layers[0].weights;
        let variance = weights.iter().map(|weight| weight * weight).sum::<f32>() / weights.len() as f32;
        assert!((variance - 2.0 / 32.0).abs() < 0.005, "{variance}");
    }
}
