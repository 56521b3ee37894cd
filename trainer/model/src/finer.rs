//! Refines a network without changing its function: splits king buckets, duplicates shared layers into stacks, and adds
//! pairwise partners whose activation starts very close to 1.

use alfiere_chess::types::{Color, Square};
use alfiere_nnue::{Activation, Architecture, FloatLayer, FloatNetwork, Inputs, LayerShape, PIECE_INPUTS};
use ndarray::{Axis, concatenate, s};

/// Initial activation of a pairwise partner. At exactly 1 it would be clipped and have no gradient.
const FIRST_FACTOR: f32 = 1.0 - 1.0 / 512.0;

/// Converts `network` to the architecture `finer` so that it computes the same function. `None` unless the
/// architectures differ only in added stacks, added pairs (with an accumulator twice as wide) and finer king buckets,
/// each within one bucket of the network.
pub(super) fn refined(mut network: FloatNetwork, finer: &Architecture) -> Option<FloatNetwork> {
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

/// Initialises each finer king bucket with the weights of the coarser bucket that contains it.
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

/// For each bucket of `finer`, the bucket of `coarser` that contains all its squares. `None` if there is none, or if only one
/// of the two mirrors.
fn parents(coarser: &Inputs, finer: &Inputs) -> Option<Vec<usize>> {
    if coarser.is_mirrored() != finer.is_mirrored() {
        return None;
    }
    let mut parents = vec![None; finer.sets()];
    for king in Square::ALL {
        let [parent, child] = [coarser, finer].map(|inputs| inputs.orientation(Color::White, king).bucket());
        if *parents[child].get_or_insert(parent) != parent {
            return None;
        }
    }
    parents.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use alfiere_chess::board::Board;
    use alfiere_nnue::FeatureLists;

    use super::*;
    use crate::init::initialise;

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
    }
}
