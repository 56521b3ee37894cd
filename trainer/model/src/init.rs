//! Weight initialisation.
//!
//! Weights are normally distributed with Kaiming's deviation: `sqrt(2 / fan-in)` before an activation, `sqrt(1 /
//! fan-in)` for the output layer, which has none. The first layer is an exception: most of its inputs are rarely
//! active, so their initial weights remain as noise; it is initialised near 0. (R² of a `dual [256]` network on
//! held-out games, after five epochs of 1.1 million rows: 0.08 with `sqrt(2 / 32)`, for the number of active inputs;
//! 0.31 with `sqrt(2 / 769)`; 0.38 with 0.01; 0.39 with 0.0045 and with 0.0014.) Biases start at 0, except in pairwise
//! layers.

use alfiere_nnue::{Architecture, ArchitectureError, FloatNetwork, PIECE_INPUTS};
use ndarray::{Array2, Axis};
use thiserror::Error;

use super::finer::refined;
use super::random::{Normal, Purpose, derive};

/// Initial bias of pairwise neurons. With 0, neither factor of a product would have a gradient.
const FACTOR_BIAS: f32 = 0.25;
/// Standard deviation of the first layer's weights.
const FIRST_LAYER_DEVIATION: f64 = 0.004;
/// Standard deviation of a pairwise first layer. It is larger because pairs that start alike would train alike, and
/// 8-bit weights round values below 1/510 to 0.
const FACTOR_DEVIATION: f64 = 0.05;

/// Creates a network with random weights; the same seed gives the same network.
///
/// # Errors
/// If the architecture is outside its limits.
pub fn initialise(architecture: Architecture, seed: u64) -> Result<FloatNetwork, ArchitectureError> {
    let mut network = FloatNetwork::zeros(architecture)?;
    let last = network.layers.len() - 1;
    let sets = network.architecture.inputs.sets();
    for (index, layer) in network.layers.iter_mut().enumerate() {
        let gain = if index == last { 1.0 } else { 2.0 };
        let (inputs, outputs) = layer.weights.dim();
        let kaiming = (gain / inputs as f64).sqrt();
        let deviation = match index {
            0 if network.architecture.pairwise => FACTOR_DEVIATION,
            0 => FIRST_LAYER_DEVIATION,
            _ => kaiming,
        };
        let mut normal = Normal::new(derive(seed, Purpose::Weights(index as u32)));
        // All king buckets start with equal weights and diverge by their gradients. The side-to-move row comes last.
        let has_buckets = index == 0 && sets > 1;
        let (shared, repeated) = if has_buckets { (PIECE_INPUTS, sets * PIECE_INPUTS) } else { (inputs, inputs) };
        let first = Array2::from_shape_simple_fn((shared, outputs), || normal.next(deviation));
        let (mut repeated, mut rest) = layer.weights.view_mut().split_at(Axis(0), repeated);
        repeated.axis_chunks_iter_mut(Axis(0), shared).for_each(|mut bucket| bucket.assign(&first));
        rest.map_inplace(|weight| *weight = normal.next(deviation));
        if index == 0 && network.architecture.pairwise {
            layer.bias.fill(FACTOR_BIAS);
        }
    }
    Ok(network)
}

/// Why a run cannot initialise its weights.
#[derive(Debug, Error)]
pub enum StartError {
    /// The starting weights have a different architecture.
    #[error("the starting weights are of a network '{found}', expected '{expected}'")]
    OtherNetwork {
        /// Architecture of the starting weights.
        found: String,
        /// Architecture to be trained.
        expected: String,
    },
    /// The architecture to be trained is invalid.
    #[error(transparent)]
    Architecture(#[from] ArchitectureError),
}

/// The initial weights of a run: those of an `earlier` run, refined if its architecture is coarser, or random ones. A
/// network with `skip` takes the first layer of one without; its later layers are random.
///
/// # Errors
/// If the earlier network cannot be refined to `architecture`, or `architecture` is outside its limits.
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
        if alike == own.architecture && own.layers[0].outputs() == network.layers[0].outputs() {
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
    fn earlier_weights_are_used_unchanged_and_only_for_a_compatible_network() {
        let [small, large]: [Architecture; 2] = ["dual [8]", "dual [16]"].map(|text| text.parse().expect("valid"));
        let earlier = initialise(small.clone(), 5).expect("valid");
        assert_eq!(first_weights(small.clone(), 6, Some(earlier.clone())).expect("the same network"), earlier);
        let error = first_weights(large.clone(), 6, Some(earlier)).expect_err("another network").to_string();
        assert!(error.contains("'dual [8] crelu x1', expected 'dual [16] crelu x1'"), "{error}");
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
    fn same_seed_gives_bit_identical_weights() {
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
