//! The integers against the floats they stand for.
//!
//! The bound is what rounding can do at worst: half a unit for each rounded weight and bias, a unit for each activation,
//! carried through the layers by the weights' absolute sums.

use alfiere_chess::types::{Color, Piece, PieceKind, Square};
use ndarray::Axis;

use super::{ARCHITECTURES, Random, quantised, random_network};
use crate::quantisation::{ACCUMULATOR_SCALE, ACTIVATION_SCALE, LINEAR_BITS, WEIGHT_BITS, dense_sum_scale};
use crate::{Activation, FeatureLists, FloatLayer, FloatNetwork};

fn random_position(random: &mut Random) -> Vec<(Piece, Square)> {
    let mut squares: Vec<Square> = Square::ALL.to_vec();
    let mut take = |random: &mut Random| squares.swap_remove(random.below(squares.len()));
    let mut pieces = vec![(Piece::WhiteKing, take(random)), (Piece::BlackKing, take(random))];
    for color in Color::ALL {
        for kind in [PieceKind::Pawn; 8].into_iter().chain([PieceKind::Knight, PieceKind::Rook, PieceKind::Queen]) {
            if random.below(3) > 0 {
                pieces.push((Piece::new(color, kind), take(random)));
            }
        }
    }
    pieces
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
    for (seed, text) in ARCHITECTURES.into_iter().enumerate() {
        let float = random_network(text, 100 + seed as u64);
        let network = quantised(&float);
        let bound = bound(&float) * scale + 1.0;
        let mut random = Random(7);
        let (mut squares, mut spread) = (0.0_f32, 0.0_f32);
        let positions = 60;
        for number in 0..positions {
            let side = Color::ALL[number % 2];
            let lists = FeatureLists::new(&float.architecture, side, random_position(&mut random));
            let sign = if !float.architecture.is_dual() && side == Color::Black { -1.0 } else { 1.0 };
            let exact = sign * float.forward(&lists) * scale;
            let error = network.evaluate_features(side, &lists) as f32 - exact;
            assert!(error.abs() <= bound, "{text}: {error} beyond {bound}");
            squares += error * error;
            spread += exact * exact;
        }
        let (error, spread) = ((squares / positions as f32).sqrt(), (spread / positions as f32).sqrt());
        println!("{text}: error {error:.2} of {spread:.1} cp, bound {bound:.1}");
        assert!(error <= 0.03 * spread + 8.0, "{text}: {error} cp of {spread} cp on average");
    }
}
