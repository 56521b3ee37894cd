//! Tests of the network as a whole, over architectures of every kind.

mod accuracy;
mod file;
mod incremental;

use super::quantisation::weight_limit;
use super::{Architecture, FloatNetwork, Network, Provenance, quantise};

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

/// Random numbers that are the same on every run (`SplitMix64`).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit as u64) as usize
    }

    /// -1 to 1.
    fn signed(&mut self) -> f32 {
        (self.next() >> 40) as f32 / (1 << 23) as f32 - 1.0
    }
}

/// A network with random weights of about the size that training gives.
fn random_network(text: &str, seed: u64) -> FloatNetwork {
    let architecture: Architecture = text.parse().expect(text);
    let mut random = Random(seed);
    let mut network = FloatNetwork::zeros(architecture).expect(text);
    for index in 0..network.layers.len() {
        let limit = weight_limit(&network.architecture, index);
        let layer = &mut network.layers[index];
        // As many inputs are active as there are pieces or neurons, so sums are about 1.
        let active = if index == 0 { 32 } else { layer.inputs() };
        let size = (3.0 / (active as f32).sqrt()).min(limit);
        layer.weights.iter_mut().for_each(|weight| *weight = size * random.signed());
        layer.bias.iter_mut().for_each(|bias| *bias = 0.5 * random.signed());
    }
    network
}

fn quantised(float: &FloatNetwork) -> Network {
    quantise(float, 400.0, Provenance::default()).unwrap_or_else(|error| panic!("{}: {error}", float.architecture))
}
