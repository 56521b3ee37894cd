//! Starting weights.
//!
//! Normal distributions with Kaiming's deviation: `sqrt(2 / fan-in)` before an activation, `sqrt(1 / fan-in)` for the
//! output layer, which has none. The first layer is the exception: most of its inputs are rarely 1, and whatever they
//! start with stays as noise, so it starts near 0. (R² of a `dual [256]` network on other games, after five epochs of
//! 1.1 million rows: 0.08 with `sqrt(2 / 32)`, the inputs that are 1 at once; 0.31 with `sqrt(2 / 769)`; 0.38 with 0.01;
//! 0.39 with 0.0045 and with 0.0014.) Biases start at 0, but for those of factors.

use alfiere_nnue::{Architecture, ArchitectureError, FloatNetwork, PIECE_INPUTS};
use thiserror::Error;

use super::finer::refined;
use super::random::{Normal, Purpose, derive};

/// Bias of neurons that are multiplied with one another: at 0 neither would let the other learn.
const FACTOR_BIAS: f32 = 0.25;
/// Standard deviation of the first layer's weights.
const FIRST_LAYER_DEVIATION: f64 = 0.004;
/// The same where neurons are multiplied with one another: pairs that begin alike would learn alike, and bytes round off
/// what is below a 510th.
const FACTOR_DEVIATION: f64 = 0.05;

/// A network with random weights; the same seed gives the same network.
///
/// # Errors
/// If the architecture is out of its limits.
pub fn initialise(architecture: Architecture, seed: u64) -> Result<FloatNetwork, ArchitectureError> {
    let mut network = FloatNetwork::zeros(architecture)?;
    let last = network.layers.len() - 1;
    let sets = network.architecture.inputs.sets();
    for (index, layer) in network.layers.iter_mut().enumerate() {
        let gain = if index == last { 1.0 } else { 2.0 };
        let kaiming = (gain / layer.inputs as f64).sqrt();
        let deviation = match index {
            0 if network.architecture.pairwise => FACTOR_DEVIATION,
            0 => FIRST_LAYER_DEVIATION,
            _ => kaiming,
        };
        let mut normal = Normal::new(derive(seed, Purpose::Weights(index as u32)));
        let shared = if index == 0 && sets > 1 { PIECE_INPUTS * layer.outputs } else { layer.weights.len() };
        layer.weights[..shared].fill_with(|| normal.next(deviation));
        // King buckets start equal: they begin to differ where their gradients do. The side to move's row comes last.
        let repeated = if index == 0 { sets * shared } else { shared }.min(layer.weights.len());
        (shared..repeated).step_by(shared).for_each(|start| layer.weights.copy_within(..shared, start));
        layer.weights[repeated..].fill_with(|| normal.next(deviation));
        if index == 0 && network.architecture.pairwise {
            layer.bias.fill(FACTOR_BIAS);
        }
    }
    Ok(network)
}

/// Why a run has no weights to begin with.
#[derive(Debug, Error)]
pub enum StartError {
    /// Those of an earlier run are of another network.
    #[error("the weights to begin with are of a network '{found}', expected '{expected}'")]
    OtherNetwork {
        /// Its architecture.
        found: String,
        /// The one to be trained.
        expected: String,
    },
    /// The network to be trained cannot be.
    #[error(transparent)]
    Architecture(#[from] ArchitectureError),
}

/// The weights that a run begins with: those of an `earlier` one, which may be of a coarser network, or random ones. A
/// network with `skip` takes over the first layer of one without, and random weights behind it.
///
/// # Errors
/// If the earlier weights are of an architecture that differs in more, or the architecture is out of its limits.
pub fn first_weights(
    architecture: Architecture,
    seed: u64,
    earlier: Option<FloatNetwork>,
) -> Result<FloatNetwork, StartError> {
    let Some(network) = earlier else { return Ok(initialise(architecture, seed)?) };
    let found = network.architecture.to_string();
    let earlier = &network.architecture;
    if architecture.skip && !earlier.skip {
        let mut own = initialise(architecture.clone(), seed)?;
        let alike = Architecture { hidden: own.architecture.hidden.clone(), skip: true, ..earlier.clone() };
        if alike == own.architecture && own.layers[0].outputs == network.layers[0].outputs {
            own.layers[0].clone_from(&network.layers[0]);
            return Ok(own);
        }
    }
    refined(network, &architecture)
        .ok_or_else(|| StartError::OtherNetwork { found, expected: architecture.to_string() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn earlier_weights_are_taken_as_they_are_and_only_for_the_same_network() {
        let [small, large]: [Architecture; 2] = ["dual [8]", "dual [16]"].map(|text| text.parse().expect("valid"));
        let earlier = initialise(small.clone(), 5).expect("valid");
        assert_eq!(first_weights(small.clone(), 6, Some(earlier.clone())).expect("the same network"), earlier);
        let refused = first_weights(large.clone(), 6, Some(earlier)).expect_err("another network").to_string();
        assert!(refused.contains("'dual [8] crelu x1', expected 'dual [16] crelu x1'"), "{refused}");
        let [plain, skip]: [Architecture; 2] =
            ["dual [16,4,3] x8 stacks", "dual [16,6,5] x8 stacks skip"].map(|text| text.parse().expect("valid"));
        let earlier = initialise(plain, 5).expect("valid");
        let taken = first_weights(skip.clone(), 6, Some(earlier.clone())).expect("its first layer");
        assert_eq!(taken.layers[0], earlier.layers[0]);
        assert_eq!(taken.layers[1..], initialise(skip, 6).expect("valid").layers[1..]);
        let wider = "dual [32,6,5] x8 stacks skip".parse().expect("valid");
        assert!(first_weights(wider, 6, Some(earlier)).is_err());
        assert_eq!(first_weights(large.clone(), 6, None).expect("valid"), initialise(large, 6).expect("valid"));
    }

    #[test]
    fn the_seed_decides_every_bit() {
        let architecture: Architecture = "dual [16,8] x8".parse().expect("valid");
        let first = initialise(architecture.clone(), 1).expect("valid");
        assert_eq!(first, initialise(architecture.clone(), 1).expect("valid"));
        assert_ne!(first, initialise(architecture, 2).expect("valid"));
        let deviation = |layer: usize| {
            let weights = &first.layers[layer].weights;
            (weights.iter().map(|weight| weight * weight).sum::<f32>() / weights.len() as f32).sqrt()
        };
        assert!((deviation(0) - 0.004).abs() < 2e-4, "{}", deviation(0));
        assert!((deviation(1) - 0.25).abs() < 0.03, "{}", deviation(1));
    }
}
