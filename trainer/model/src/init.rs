//! Weight initialisation.
//!
//! Weights are normally distributed with Kaiming's deviation: `sqrt(2 / fan-in)` before an activation, `sqrt(1 /
//! fan-in)` for the output layer, which has none. The first layer is an exception: most of its inputs are rarely
//! active, so their initial weights remain as noise; it is initialised near 0. (R² of a `dual [256]` network on
//! held-out games, after five epochs of 1.1 million rows: 0.08 with `sqrt(2 / 32)`, for the number of active inputs;
//! 0.31 with `sqrt(2 / 769)`; 0.38 with 0.01; 0.39 with 0.0045 and with 0.0014.) Biases start at 0, except in pairwise
//! layers.

use alfiere_chess::types::{Color, Square};
use alfiere_nnue::{Activation, Architecture, ArchitectureError, Inputs, LayerShape, PIECE_INPUTS};
use ndarray::{Array2, Axis, concatenate, s};
use thiserror::Error;

use super::random::{Normal, Purpose, derive};
use crate::float::{FloatLayer, FloatNetwork};

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
    #[error("the starting weights are of a network '{found}', expected '{expected}'")]
    OtherNetwork { found: String, expected: String },
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
    let Some(mut network) = earlier else { return Ok(initialise(architecture, seed)?) };
    let found = network.architecture.to_string();
    // Weights that fit 8 bits fit 16 bits, too.
    network.architecture.wide |= architecture.wide;
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

/// Initial activation of a pairwise partner. At exactly 1 it would be clipped and have no gradient.
const FIRST_FACTOR: f32 = 1.0 - 1.0 / 512.0;

/// Converts `network` to the architecture `finer` so that it computes the same function. `None` unless the
/// architectures differ only in added stacks, added pairs (with an accumulator twice as wide), added attacks and finer
/// king buckets, each within one bucket of the network.
fn refined(mut network: FloatNetwork, finer: &Architecture) -> Option<FloatNetwork> {
    let earlier = &network.architecture;
    let Architecture { inputs, stacks, pairwise, .. } = *finer;
    let mut alike = Architecture { inputs, stacks, pairwise, ..earlier.clone() };
    let gets_pairs = pairwise && !earlier.pairwise && earlier.activation == Activation::ClippedRelu;
    if gets_pairs {
        alike.hidden.iter_mut().take(1).for_each(|width| *width *= 2);
    }
    if alike != *finer || earlier.stacks && !stacks || earlier.pairwise != pairwise && !gets_pairs {
        return None;
    }
    if earlier.inputs != finer.inputs {
        divide(&mut network.layers[0], &earlier.inputs, &finer.inputs)?;
    }
    if gets_pairs {
        pair(&mut network.layers[0]);
    }
    if earlier.stacks != finer.stacks {
        let last = network.layers.len() - 1;
        network.layers[1..last].iter_mut().for_each(|layer| repeat(layer, finer.stack_count()));
    }
    network.architecture = alike;
    Some(network)
}

/// Initialises each finer set of inputs with the weights of the coarser set that contains it.
fn divide(first: &mut FloatLayer, coarser: &Inputs, finer: &Inputs) -> Option<()> {
    let (sets, side_to_move) = first.weights.view().split_at(Axis(0), coarser.side_to_move());
    let sets: Vec<_> = sets.axis_chunks_iter(Axis(0), PIECE_INPUTS).collect();
    let parents = parents(coarser, finer)?;
    let rows: Vec<_> = parents.iter().map(|&parent| sets[parent]).chain([side_to_move]).collect();
    first.weights = concatenate(Axis(0), &rows).ok()?;
    Some(())
}

/// Adds a pairwise partner to each neuron.
fn pair(first: &mut FloatLayer) {
    let (inputs, width) = first.weights.dim();
    let mut paired = FloatLayer::zeros(LayerShape { inputs, outputs: 2 * width });
    paired.weights.slice_mut(s![.., ..width]).assign(&first.weights);
    paired.bias.slice_mut(s![..width]).assign(&first.bias);
    paired.bias.slice_mut(s![width..]).fill(FIRST_FACTOR);
    *first = paired;
}

/// Repeats a layer's outputs `times` times side by side.
fn repeat(layer: &mut FloatLayer, times: usize) {
    let (inputs, outputs) = layer.weights.dim();
    let mut repeated = FloatLayer::zeros(LayerShape { inputs, outputs: times * outputs });
    repeated.weights.axis_chunks_iter_mut(Axis(1), outputs).for_each(|mut copy| copy.assign(&layer.weights));
    repeated.bias.axis_chunks_iter_mut(Axis(0), outputs).for_each(|mut copy| copy.assign(&layer.bias));
    *layer = repeated;
}

/// For each set of `finer`, the set of `coarser` that contains all its squares and its state. `None` if there is none, or if
/// only one of the two mirrors.
fn parents(coarser: &Inputs, finer: &Inputs) -> Option<Vec<usize>> {
    if coarser.is_mirrored() != finer.is_mirrored() || coarser.has_attacks() && !finer.has_attacks() {
        return None;
    }
    let mut parents = vec![None; finer.sets()];
    for king in Square::ALL {
        let buckets = [coarser, finer].map(|inputs| inputs.orientation(Color::White, king).bucket());
        for state in 0..finer.states() {
            let set = |inputs: &Inputs, bucket: usize| inputs.of_state(state) / PIECE_INPUTS + bucket;
            let parent = set(coarser, buckets[0]);
            if *parents[set(finer, buckets[1])].get_or_insert(parent) != parent {
                return None;
            }
        }
    }
    parents.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use alfiere_chess::board::Board;
    use alfiere_nnue::FeatureLists;

    use super::*;

    #[test]
    fn earlier_weights_are_used_unchanged_and_only_for_a_compatible_network() {
        let [small, large] = ["dual [8]", "dual [16]"].map(shape);
        let earlier = initialise(small.clone(), 5).expect("valid");
        assert_eq!(first_weights(small.clone(), 6, Some(earlier.clone())).expect("the same network"), earlier);
        let error = first_weights(large.clone(), 6, Some(earlier)).expect_err("another network").to_string();
        assert!(error.contains("'dual [8] crelu x1', expected 'dual [16] crelu x1'"), "{error}");
        let [plain, skip] = ["dual [16,4,3] x8 stacks", "dual [16,6,5] x8 stacks skip"].map(shape);
        let earlier = initialise(plain, 5).expect("valid");
        let taken = first_weights(skip.clone(), 6, Some(earlier.clone())).expect("its first layer");
        assert_eq!(taken.layers[0], earlier.layers[0]);
        assert_eq!(taken.layers[1..], initialise(skip, 6).expect("valid").layers[1..]);
        let [narrow, wide] = ["dual [16,4,3] x8 stacks", "dual [16,4,3] x8 stacks wide"].map(shape);
        let widened = first_weights(wide, 6, Some(earlier.clone())).expect("the same weights");
        assert_eq!(widened.layers, earlier.layers);
        assert!(first_weights(narrow, 6, Some(widened)).is_err());
        assert!(first_weights(shape("dual [32,6,5] x8 stacks skip"), 6, Some(earlier)).is_err());
        assert_eq!(first_weights(large.clone(), 6, None).expect("valid"), initialise(large, 6).expect("valid"));
    }

    #[test]
    fn same_seed_gives_bit_identical_weights() {
        let architecture = shape("dual [16,8] x8");
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

    fn shape(text: &str) -> Architecture {
        text.parse().expect("valid")
    }

    /// A network with different weights in each bucket.
    fn trained(text: &str) -> FloatNetwork {
        let mut network = initialise(shape(text), 3).expect("valid");
        for (index, weight) in network.layers[0].weights.iter_mut().enumerate() {
            *weight += (index % 1013) as f32 * 1e-4;
        }
        network
    }

    /// Buckets for the left and the right half of the board.
    fn unmirrored() -> String {
        ["0,0,0,0,1,1,1,1"; 8].join("/")
    }

    const POSITIONS: [&str; 3] = [
        "r1bq1rk1/pp3ppp/2n1pn2/3p4/1b1P4/2NBPN2/PP3PPP/R1BQK2R w KQ - 0 9",
        "8/5k2/3p4/1p1P1p2/1P3P2/6K1/8/8 b - - 3 50",
        "2kr4/8/8/8/8/8/3K4/4R3 w - - 0 1",
    ];

    fn value(network: &FloatNetwork, fen: &str) -> f32 {
        let board = Board::from_fen(fen).expect("legal");
        let pieces = Square::ALL.into_iter().filter_map(|square| Some((board.piece_on(square)?, square)));
        network.forward(&FeatureLists::new(&network.architecture, board.side_to_move(), pieces))
    }

    #[test]
    fn refining_keeps_the_outputs() {
        for (coarse, fine) in [
            ("x8 kings=1", "x8 kings=2"),
            ("x8 kings=1", "x8 kings=2 attacks"),
            ("x8 attacks", "x8 stacks attacks"),
            ("x1 kings=1", "x1 kings=16"),
            ("x8 kings=2", "x8 kings=4"),
            ("x8 kings=4", "x8 kings=8"),
            ("x8 kings=4", "x8 stacks kings=16"),
            ("x8 stacks kings=4", "x8 stacks kings=16"),
            ("x8", "x8 stacks"),
            ("x8", &format!("x8 kings={}", unmirrored())),
            ("x8 kings=1", "x8 kings=0,0,0,0/1,1,1,1/0,0,0,0/0,0,0,0/0,0,0,0/0,0,0,0/0,0,0,0/0,0,0,0"),
        ] {
            let earlier = trained(&format!("dual [12,4,3] {coarse}"));
            let finer = refined(earlier.clone(), &shape(&format!("dual [12,4,3] {fine}"))).expect("finer");
            finer.validate().expect("sound");
            for fen in POSITIONS {
                let [finer, earlier] = [&finer, &earlier].map(|network| value(network, fen).to_bits());
                assert_eq!(finer, earlier, "{coarse} {fine} {fen}");
            }
        }
    }

    #[test]
    fn added_pairs_keep_the_outputs_nearly_and_have_gradients() {
        let earlier = trained("dual [12,4,3] x8 kings=4");
        let paired = refined(earlier.clone(), &shape("dual [24,4,3] x8 stacks pairwise kings=16")).expect("finer");
        paired.validate().expect("sound");
        assert!(paired.layers[0].bias.iter().skip(12).all(|&factor| factor < 1.0));
        for fen in POSITIONS {
            let [before, after] = [&earlier, &paired].map(|network| value(network, fen));
            assert!((after - before).abs() < 0.01 * before.abs() + 1e-3, "{fen}: {before}, {after}");
        }
        for other in ["dual [12,4,3] x8 pairwise kings=4", "dual [48,4,3] x8 pairwise kings=4"] {
            assert!(refined(earlier.clone(), &shape(other)).is_none(), "{other}");
        }
        assert!(refined(paired, &shape("dual [24,4,3] x8 stacks kings=16")).is_none());
        assert!(refined(trained("dual [12,4] screlu"), &shape("dual [24,4] screlu pairwise")).is_none());
    }

    #[test]
    fn only_finer_architectures_are_accepted() {
        let earlier = trained("dual [12,4] x8 kings=4");
        for other in ["dual [12,4] x8 kings=2", "dual [12,4] x8", "dual [12,5] x8 kings=8", "dual [12,4] kings=8"] {
            assert!(refined(earlier.clone(), &shape(other)).is_none(), "{other}");
        }
        assert!(refined(trained("dual [12,4] x8"), &shape("dual [12,4] x8 kings=4")).is_none());
        let unmirrored = shape(&format!("dual [12,4] x8 kings={}", unmirrored()));
        assert!(refined(trained("dual [12,4] x8 kings=1"), &unmirrored).is_none());
        assert!(refined(trained("dual [12,4] x8 stacks"), &shape("dual [12,4] x8")).is_none());
        assert!(refined(trained("dual [12,4] x8 attacks"), &shape("dual [12,4] x8")).is_none());
    }
}
