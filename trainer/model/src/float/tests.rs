//! The integers against the floats they stand for, and back; what the quantiser must refuse; the flat layout.
//!
//! The bound is what rounding can do at worst: half a unit for each rounded weight and bias, a unit for each activation,
//! carried through the layers by the weights' absolute sums.

use alfiere_chess::board::Board;
use alfiere_chess::random::Random;
use alfiere_chess::types::{Color, Piece, Square};
use alfiere_nnue::quantisation::{
    ACCUMULATOR_SCALE, ACTIVATION_SCALE, LINEAR_BITS, WEIGHT_BITS, bias_limit, dense_sum_scale, weight_limit,
};
use alfiere_nnue::{AccumulatorStack, Activation, Architecture, Network, Provenance, feature_index};
use ndarray::Axis;

use super::{FloatLayer, FloatNetwork, LayoutError, QuantiseError, dequantise, flat_layout, quantise};
use crate::gradient_check::ARCHITECTURES;
use crate::test_batches::features;
use crate::test_samples::samples;

/// Shapes of every kind that has integers.
fn architectures() -> impl Iterator<Item = &'static str> {
    let shape = |text: &str| text.parse::<Architecture>().expect(text);
    ARCHITECTURES.into_iter().filter(move |text| shape(text).activation.has_integers())
}

/// A network with random weights of about the size that training gives.
fn random_network(text: &str) -> FloatNetwork {
    let mut random = Random::new(100);
    let mut signed = |size: f32| size * ((random.next_number() >> 40) as f32 / (1 << 23) as f32 - 1.0);
    let mut network = zeros(text);
    for (index, layer) in network.layers.iter_mut().enumerate() {
        // As many inputs are active as there are pieces or neurons, so sums are about 1.
        let active = if index == 0 { 32 } else { layer.inputs() };
        let size = (3.0 / (active as f32).sqrt()).min(weight_limit(&network.architecture, index));
        layer.weights.iter_mut().for_each(|weight| *weight = signed(size));
        layer.bias.iter_mut().for_each(|bias| *bias = signed(0.5));
    }
    network
}

fn quantised(float: &FloatNetwork) -> Network {
    quantise(float, 400.0, Provenance::default()).unwrap_or_else(|error| panic!("{}: {error}", float.architecture))
}

/// How far the integer network's value may be from the float one's, in output units.
fn bound(network: &FloatNetwork) -> f32 {
    let step = 1.0 / (1 << WEIGHT_BITS.start()) as f32;
    if network.architecture.hidden.is_empty() {
        return 34.0 / (1 << LINEAR_BITS) as f32;
    }
    let is_deep = network.architecture.hidden.len() > 1;
    // The squared activation is at most twice as steep as its argument.
    let slope = if network.architecture.activation == Activation::SquaredClippedRelu { 2.0 } else { 1.0 };
    let mut error = slope * 34.0 * 0.5 / ACCUMULATOR_SCALE as f32;
    if is_deep {
        error += 1.5 / ACTIVATION_SCALE as f32;
    }
    let last = network.layers.len() - 1;
    for layer in &network.layers[1..last] {
        let sum = carried(layer, error, step);
        error = slope * (sum + 0.5 / dense_sum_scale(*WEIGHT_BITS.start()) as f32) + 1.5 / ACTIVATION_SCALE as f32;
    }
    let layer = &network.layers[last];
    carried(layer, error, step) + step
}

/// The greatest error of a sum whose inputs are off by `error` and whose weights are off by half of `step`.
fn carried(layer: &FloatLayer, error: f32, step: f32) -> f32 {
    let largest = layer.weights.abs().sum_axis(Axis(0)).fold(0.0, |largest: f32, &sum| largest.max(sum));
    largest * error + layer.inputs() as f32 * (1.0 + error) * 0.5 * step
}

#[test]
fn quantised_values_are_within_the_bound_and_close_on_average() {
    let scale = 400.0;
    let positions = samples(60, 7);
    for text in architectures() {
        let float = random_network(text);
        let network = quantised(&float);
        let bound = bound(&float) * scale + 1.0;
        let (mut squares, mut spread) = (0.0_f32, 0.0_f32);
        for row in &positions {
            let (side, lists) = (row.side_to_move(), features(&float.architecture, row));
            let sign = if !float.architecture.is_dual() && side == Color::Black { -1.0 } else { 1.0 };
            let exact = sign * float.forward(&lists) * scale;
            let error = network.evaluate_features(side, &lists) as f32 - exact;
            assert!(error.abs() <= bound, "{text}: {error} beyond {bound}");
            squares += error * error;
            spread += exact * exact;
        }
        let (error, spread) = ((squares / positions.len() as f32).sqrt(), (spread / positions.len() as f32).sqrt());
        println!("{text}: error {error:.2} of {spread:.1} cp, bound {bound:.1}");
        assert!(error <= 0.03 * spread + 8.0, "{text}: {error} cp of {spread} cp on average");
    }
}

fn refusal(network: &FloatNetwork) -> QuantiseError {
    quantise(network, 400.0, Provenance::default()).expect_err("must be refused")
}

fn zeros(text: &str) -> FloatNetwork {
    FloatNetwork::zeros(text.parse().expect(text)).expect(text)
}

fn set(network: &mut FloatNetwork, piece: Piece, square: Square, weight: f32) {
    network.layers[0].weights[[feature_index(Color::White, piece, square), 1]] = weight;
}

#[test]
fn an_accumulator_that_can_overflow_is_refused() {
    let mut network = zeros("dual [3] crelu x1");
    // Nine queens at 14 * 255 each are 32130; a rook more is too much.
    for square in Square::ALL {
        set(&mut network, Piece::WhiteQueen, square, 14.0);
    }
    quantise(&network, 400.0, Provenance::default()).expect("nine queens fit");
    for square in Square::ALL {
        set(&mut network, Piece::BlackRook, square, -4.0);
    }
    quantise(&network, 400.0, Provenance::default()).expect("the other way they fit too");
    set(&mut network, Piece::WhiteRook, Square::H1, 4.0);
    let error = refusal(&network);
    assert!(matches!(error, QuantiseError::Overflow { layer: 0, neuron: 1, sum: 33_150, limit: 32_767 }), "{error}");
    assert!(error.to_string().contains("layer 0, neuron 1"), "{error}");
}

#[test]
fn every_king_bucket_is_proved() {
    let mut network = zeros("dual [3] crelu x1 kings=4");
    let queens = |network: &mut FloatNetwork, bucket: usize, weight: f32| {
        for square in Square::ALL {
            let input = bucket * 768 + feature_index(Color::White, Piece::WhiteQueen, square);
            network.layers[0].weights[[input, 1]] = weight;
        }
    };
    // Pieces of different buckets are never on one board, so each bucket may go to the limit.
    (0..4).for_each(|bucket| queens(&mut network, bucket, 14.0));
    quantise(&network, 400.0, Provenance::default()).expect("nine queens fit");
    queens(&mut network, 2, 14.3);
    assert!(matches!(refusal(&network), QuantiseError::Overflow { layer: 0, neuron: 1, .. }));
}

#[test]
fn the_side_to_move_counts() {
    let mut network = zeros("white [2] crelu x1");
    network.layers[0].bias[0] = 100.0;
    network.layers[0].weights[[768, 0]] = 28.0;
    quantise(&network, 400.0, Provenance::default()).expect("128 fits");
    network.layers[0].weights[[768, 0]] = 29.0;
    assert!(matches!(refusal(&network), QuantiseError::Overflow { layer: 0, neuron: 0, sum: 32895, .. }));
}

#[test]
fn later_sums_that_can_overflow_are_refused() {
    let mut network = zeros("white [4096] crelu x8");
    network.layers[1].weights.column_mut(5).fill(33.0);
    assert!(matches!(refusal(&network), QuantiseError::Overflow { layer: 1, neuron: 5, .. }));

    let mut network = zeros("dual [8,4] crelu x1");
    network.layers[1].bias[2] = 264_208.0;
    network.layers[1].weights[[0, 2]] = 1.9;
    assert!(matches!(refusal(&network), QuantiseError::Overflow { layer: 1, neuron: 2, .. }));
}

/// Each of the two sums fits into 32 bits at the finest scale, their difference only at a coarser one.
#[test]
fn the_difference_of_two_skipped_sums_fits() {
    let mut network = zeros("dual [2,2] crelu x1 skip");
    network.layers[1].bias.assign(&ndarray::array![4000.0, -4000.0]);
    let quantised = quantise(&network, 1.0, Provenance::default()).expect("it fits");
    let value = AccumulatorStack::new(&quantised).evaluate(&quantised, &Board::startpos());
    assert!(value > 7_900, "{value}");
}

#[test]
fn numbers_out_of_range_are_named() {
    let mut network = zeros("dual [8,4] crelu x1");
    network.layers[1].weights[[2, 1]] = 2.0;
    let error = refusal(&network);
    assert_eq!(error.to_string(), "layer 1: weight 9 is 2, the limit is ±1.984375");
    let mut network = zeros("dual [8] screlu x1");
    network.layers[1].weights[[3, 0]] = -2.1;
    assert_eq!(refusal(&network).to_string(), "layer 1: weight 3 is -2.1, the limit is ±2");
    let mut network = zeros("white [] crelu x1");
    network.layers[0].bias[0] = 257.0;
    assert!(matches!(refusal(&network), QuantiseError::OutOfRange { layer: 0, what: "bias", index: 0, .. }));
}

#[test]
fn numbers_that_are_none_are_named() {
    for (layer, value) in [(0, f32::NAN), (1, f32::INFINITY), (2, f32::NEG_INFINITY)] {
        let mut network = zeros("dual [8,4] crelu x1");
        *network.layers[layer].weights.iter_mut().nth(1).expect("two weights") = value;
        let error = refusal(&network);
        assert!(matches!(error, QuantiseError::NotFinite { index: 1, what: "weight", .. }), "{error}");
    }
    let network = zeros("dual [8] crelu x1");
    for scale in [f32::NAN, f32::INFINITY, 0.0, -1.0, 1e9] {
        let error = quantise(&network, scale, Provenance::default()).expect_err("no scale");
        assert!(matches!(error, QuantiseError::OutputScale(_)), "{scale}: {error}");
    }
}

#[test]
fn networks_within_the_limits_are_accepted() {
    // Every number at its limit, where the width leaves room for that.
    for text in ["dual [64] crelu x8", "white [200] screlu x1", "dual [64,32,16] screlu x1", "dual [] crelu x8"] {
        for sign in [1.0, -1.0] {
            let mut network = zeros(text);
            for index in 0..network.layers.len() {
                let weight = sign * weight_limit(&network.architecture, index);
                let bias = sign * bias_limit(&network.architecture, index);
                network.layers[index].weights.fill(weight);
                network.layers[index].bias.fill(bias);
            }
            quantised(&network);
        }
    }
}

#[test]
fn floats_of_a_file_make_the_same_file() {
    for text in architectures() {
        let network = quantised(&random_network(text));
        let again = quantise(&dequantise(&network), network.output_scale(), Provenance::default()).expect(text);
        assert!(again == network, "{text}");
    }
}

#[test]
fn a_layout_has_the_length_of_its_table_and_other_shapes_are_refused() {
    for (text, width, buckets, kings) in
        [("dual [12]", 12, 1, 1), ("dual [7] screlu x8", 7, 8, 1), ("dual [7] x8 kings=4", 7, 8, 4)]
    {
        let network = quantised(&random_network(text));
        let bytes = flat_layout(&network).expect(text);
        let numbers = kings * 768 * width + 2 * width + 2 * width * buckets;
        assert_eq!(bytes.len(), 128 + 2 * numbers + 4 * buckets, "{text}");
        assert_eq!(
            bytes[..16],
            [&b"ALFFLAT\x02"[..], &[width as u8, 0, 0, 0, buckets as u8, 0, 0, 0]].concat(),
            "{text}"
        );
        let has_mirror = kings > 1;
        assert_eq!((usize::from(bytes[28]), bytes[32 + 7] >= 128), (kings, has_mirror), "{text}");
        assert_eq!(usize::from(bytes[96 + 31]), buckets - 1, "{text}");
    }
    for text in architectures() {
        let network = quantised(&random_network(text));
        let architecture = network.architecture().clone();
        let is_simple = architecture.is_dual() && architecture.hidden.len() == 1 && !architecture.inputs.has_attacks();
        let expected = if is_simple { None } else { Some(LayoutError::Shape(architecture.to_string())) };
        assert_eq!(flat_layout(&network).err(), expected, "{text}");
    }
}
