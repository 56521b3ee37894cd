//! What the quantiser must refuse, and what it must not.

use alfiere_chess::board::Board;
use alfiere_chess::types::{Color, Piece, Square};

use super::{ARCHITECTURES, random_network};
use crate::quantisation::{bias_limit, weight_limit};
use crate::{AccumulatorStack, FloatNetwork, Provenance, QuantiseError, feature_index, quantise};

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
    assert_eq!(error, QuantiseError::Overflow { layer: 0, neuron: 1, sum: 9 * 3570 + 1020, limit: 32767 });
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
    let long = Provenance::note(&"x".repeat(2 << 20));
    assert!(matches!(quantise(&network, 1.0, long), Err(QuantiseError::ProvenanceTooLong(_))));
}

#[test]
fn networks_within_the_limits_are_accepted() {
    for (seed, text) in ARCHITECTURES.into_iter().enumerate() {
        super::quantised(&random_network(text, seed as u64));
    }
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
            super::quantised(&network);
        }
    }
}
