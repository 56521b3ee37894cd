//! Tests of the network as a whole, over architectures of every kind.

mod file;
mod incremental;

use alfiere_chess::random::Random;
use ndarray::Array;

use super::parameters::{Hidden, Layer, Layers, Parameters, Scaled};
use super::quantisation::{OUTPUT_SCALE_PARTS, dense_sum_scale, max_squared_weight, output_sum_scale};
use super::{Activation, Architecture, LayerShape, Network, Provenance};

/// Three king buckets with mirroring: the second rank has its own, and so has a1.
macro_rules! half_map {
    () => {
        "2,0,0,0/1,1,1,1/0,0,0,0/0,0,0,0/0,0,0,0/0,0,0,0/0,0,0,0/0,0,0,0"
    };
}
/// Five king buckets without mirroring: left, right, the centre of either, and h8.
macro_rules! whole_map {
    () => {
        "0,0,0,0,1,1,1,1/0,0,0,0,1,1,1,1/0,0,0,0,1,1,1,1/0,0,0,2,3,1,1,1/0,0,0,2,3,1,1,1/0,0,0,0,1,1,1,1/0,0,0,0,1,1,1,1/0,0,0,0,1,1,1,4"
    };
}
/// Three output buckets: endgames, and in turn the others.
macro_rules! piece_list {
    () => {
        "0,0,0,0,0,0,0,0,0,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2"
    };
}
use {half_map, piece_list, whole_map};

/// Shapes of every kind, odd widths among them.
const ARCHITECTURES: [&str; 39] = [
    "dual [] crelu x1",
    "white [] screlu x8",
    "dual [1] crelu x1",
    "white [1] screlu x8",
    "dual [16] screlu x8",
    "dual [33] crelu x8",
    "white [31] crelu x1",
    "white [769] screlu x1",
    "dual [256] crelu x1",
    "dual [512] screlu x8",
    "dual [1,1] crelu x1",
    "dual [96,16,32] crelu x8",
    "dual [100,17] screlu x8",
    "dual [96,16,32] crelu x8 stacks",
    "dual [40,17,5] screlu x8 stacks kings=4",
    "white [65,9] crelu x8 stacks",
    "dual [96,16,32] crelu x8 stacks pairwise kings=4",
    "dual [134,17] screlu x1 pairwise",
    "white [30,9,3] crelu x8 pairwise",
    "dual [96,32,32] crelu x8 stacks pairwise skip kings=1",
    "dual [40,17,5] screlu x8 stacks skip",
    "white [65,33] crelu x8 skip",
    "dual [48,2,40,3] crelu x1 pairwise skip wide",
    "white [769,384,192,96] crelu x1",
    "white [65,129,3] screlu x8",
    "dual [64,8,8,8,8] crelu x1",
    "white [40,200,70,5,9] screlu x1",
    "dual [128,63,64,65,66] screlu x8",
    "dual [40] crelu x8 kings=1",
    "dual [33] screlu x1 kings=2",
    "dual [64] crelu x8 kings=4",
    "dual [48,9] crelu x8 kings=8",
    "dual [] crelu x8 kings=16",
    concat!("dual [33] crelu x8 kings=", half_map!()),
    concat!("dual [40,17,5] screlu outputs=", piece_list!(), " stacks kings=", whole_map!()),
    concat!("white [24] screlu outputs=", piece_list!()),
    "dual [96,32,32] crelu x8 stacks pairwise skip kings=1 attacks",
    "white [40] screlu x1 attacks",
    concat!("dual [33] crelu x8 kings=", half_map!(), " attacks"),
];

/// A layer of random numbers; `sizes` are the greatest weight and bias.
fn layer<W: TryFrom<i64>, B: TryFrom<i64>>(random: &mut Random, shape: LayerShape, sizes: [i64; 2]) -> Layer<W, B> {
    let mut number = |size: i64| random.below(2 * size as u64 + 1) as i64 - size;
    let (inputs, outputs) = (shape.inputs, shape.outputs);
    let weights = Array::from_shape_simple_fn((inputs, outputs), || number(sizes[0]).try_into().ok().expect("a size"));
    let bias = Array::from_shape_simple_fn(outputs, || number(sizes[1]).try_into().ok().expect("a size"));
    Layer { weights, bias }
}

/// Random integers of about the size that training gives. No sum of them can overflow.
fn random_parameters(text: &str, seed: u64) -> Parameters {
    let architecture: Architecture = text.parse().expect(text);
    let random = &mut Random::new(seed);
    // Sums are about one, with as many active inputs as there are neurons.
    let sizes = |shape: &LayerShape, bits: u32, greatest: i64, one: i64| {
        [((3 << bits) / shape.inputs.isqrt() as i64).min(greatest), one / 2]
    };
    let layers = match architecture.layer_shapes().as_slice() {
        [only] => Layers::Linear(layer(random, *only, [35_000, 1 << 15])),
        [first, between @ .., last] => {
            let is_shallow = between.is_empty();
            let greatest = if is_shallow || architecture.wide { 150 } else { 127 };
            let accumulator = layer(random, *first, [greatest, 127]);
            let dense = between.iter().map(|shape| {
                let bits = (6 + shape.inputs.ilog2() / 2).min(12);
                Scaled { layer: layer(random, *shape, sizes(shape, bits, 127, dense_sum_scale(bits).into())), bits }
            });
            let dense = dense.collect();
            let is_squared = is_shallow && architecture.activation == Activation::SquaredClippedRelu;
            let (bits, greatest) = if is_squared { (7, max_squared_weight()) } else { (12, i16::MAX.into()) };
            let sizes = sizes(last, bits, greatest, output_sum_scale(&architecture, bits));
            Layers::Layered(Hidden { accumulator, dense, output: Scaled { layer: layer(random, *last, sizes), bits } })
        }
        [] => unreachable!("every architecture has an output layer"),
    };
    Parameters { architecture, output_scale: 400 * OUTPUT_SCALE_PARTS, layers }
}

fn random_network(text: &str, seed: u64) -> Network {
    Network::from_parameters(random_parameters(text, seed), Provenance::default()).expect(text)
}
