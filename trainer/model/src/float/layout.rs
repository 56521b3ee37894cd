//! A network with one hidden layer for programs that do not read `.nnue` files: its integers in the flat layout, and
//! in the layout of networks that bullet trains.
//!
//! # The flat layout
//!
//! All numbers are little-endian; N is the width of the hidden layer, B the number of output buckets, K that of king buckets
//! (1 with plain inputs).
//!
//! | offset | type | content |
//! |---|---|---|
//! | 0 | 8 bytes | `ALFFLAT` and the byte 2, the version of the layout |
//! | 8 | u32 | N |
//! | 12 | u32 | B: 1 to 31 |
//! | 16 | u32 | activation: 0 clipped, 1 clipped and squared |
//! | 20 | u32 | n: output weights have scale 2ⁿ |
//! | 24 | u32 | output scale: 1/256 centipawns per output unit |
//! | 28 | u32 | K: 1 to 64 |
//! | 32 | u8 \[64\] | king bucket by the square of the own king; 128 more where the view is mirrored |
//! | 96 | u8 \[32\] | output bucket by the number of pieces minus 1 |
//! | 128 | i16 \[K\]\[768\]\[N\] | weights of the accumulators, scale 255 |
//! | | i16 \[N\] | bias of the accumulator of the side to move |
//! | | i16 \[N\] | bias of the other accumulator |
//! | | i16 \[B\]\[2N\] | output weights, those of the side to move's accumulator first |
//! | | i32 \[B\] | output bias |
//!
//! # Bullet's layout
//!
//! Numbers of 16 bits, little-endian, without a header, padded with zeros to a multiple of 64 bytes. `QA` and `QB` are
//! constants of the engine that reads it.
//!
//! | type | content |
//! |---|---|
//! | i16 \[K\]\[768\]\[N\] | weights of the accumulators, scale `QA` |
//! | i16 \[N\] | bias of both accumulators, scale `QA` |
//! | i16 \[B\]\[2N\] | output weights, those of the side to move's accumulator first, scale `QB` |
//! | i16 \[B\] | output bias, scale `QA * QB` |

use alfiere_chess::types::{Color, Square};
use alfiere_nnue::parameters::{Hidden, Layers};
use alfiere_nnue::quantisation::{ACCUMULATOR_SCALE, output_sum_scale};
use alfiere_nnue::{Activation, Network};
use thiserror::Error;

use super::bounds::{Bounds, dense_bounds, input_bounds};

const MAGIC: [u8; 8] = *b"ALFFLAT\x02";

/// Marks squares of the king where the view is mirrored.
const MIRRORED: u8 = 128;

/// Bullet pads its files to a multiple of this number of bytes.
const BULLET_ALIGNMENT: usize = 64;

/// Why a network does not have a layout.
#[derive(Clone, PartialEq, Debug, Error)]
pub enum LayoutError {
    #[error("'{0}' has no such layout; expected `dual [N]`")]
    Shape(String),
    /// The accumulators have different biases.
    #[error(
        "bullet's layout has no input for the side to move, and this network uses it; expected one of `train --no-side-to-move`"
    )]
    SideToMove,
    /// A number of bullet's layout is too large.
    #[error("a sum of {what} is {found} with QA {qa} and QB {qb}, at most {limit} fits; expected smaller ones")]
    TooLarge { what: &'static str, found: i64, limit: i64, qa: u16, qb: u16 },
    /// A bias of the side to move's accumulator needs more than 16 bits.
    #[error("bias {0} does not fit into 16 bits")]
    Bias(i32),
}

/// The layers, if there is one hidden layer of two views.
fn one_hidden_layer(network: &Network) -> Result<&Hidden, LayoutError> {
    let architecture = network.architecture();
    match &network.parameters().layers {
        Layers::Layered(hidden)
            if architecture.is_dual() && hidden.dense.is_empty() && !architecture.inputs.has_attacks() =>
        {
            Ok(hidden)
        }
        _ => Err(LayoutError::Shape(architecture.to_string())),
    }
}

/// The network in bullet's layout with these scales, and its numbers rounded to them.
///
/// # Errors
/// If the network is not `dual` with one hidden layer, uses the input for the side to move, or a number does not fit.
pub fn bullet_layout(network: &Network, qa: u16, qb: u16) -> Result<Vec<u8>, LayoutError> {
    let Hidden { accumulator, output, .. } = one_hidden_layer(network)?;
    let architecture = network.architecture();
    let inputs = &architecture.inputs;
    if network.reads_side_to_move() {
        return Err(LayoutError::SideToMove);
    }
    let (qa, qb) = (i64::from(qa), i64::from(qb));
    let scaled = |number: i64, to: i64, from: i64| (number as f64 * to as f64 / from as f64).round() as i64;
    let of_input = |number: &i16| scaled(i64::from(*number), qa, ACCUMULATOR_SCALE.into());
    let (weights, bias) = (accumulator.weights.map(of_input), accumulator.bias.map(of_input));
    let output_weights = output.layer.weights.map(|&weight| scaled(i64::from(weight), qb, 1 << output.bits));
    let output_scale = output_sum_scale(architecture, output.bits);
    let output_bias = output.layer.bias.map(|&bias| scaled(i64::from(bias), qa * qb, output_scale));

    let fits = |what, found: i64, limit: i64| {
        let (qa, qb) = (qa as u16, qb as u16);
        if found.abs() <= limit { Ok(()) } else { Err(LayoutError::TooLarge { what, found, limit, qa, qb }) }
    };
    let (short, long) = (i64::from(i16::MAX), i64::from(i32::MAX));
    for (column, &bias) in weights.columns().into_iter().zip(&bias) {
        fits("an accumulator", input_bounds(inputs, |input| column[input], bias).worst(), short)?;
    }
    let greatest = if architecture.activation == Activation::SquaredClippedRelu { qa * qa } else { qa };
    for (column, &bias) in output_weights.columns().into_iter().zip(&output_bias) {
        let Bounds { min, max } = dense_bounds(&column.to_owned(), 0, greatest);
        fits("the output", min.abs().max(max), long)?;
        fits("an output's weight", column.iter().map(|weight| weight.abs()).max().unwrap_or(0), short)?;
        fits("an output's bias", bias, short)?;
    }

    let pieces = weights.rows().into_iter().take(inputs.side_to_move()).flatten();
    let of_buckets = output_weights.columns().into_iter().flatten();
    let numbers = pieces.chain(&bias).chain(of_buckets).chain(&output_bias);
    let mut bytes: Vec<u8> = numbers.flat_map(|&number| (number as i16).to_le_bytes()).collect();
    bytes.resize(bytes.len().next_multiple_of(BULLET_ALIGNMENT), 0);
    Ok(bytes)
}

/// The network in the flat layout.
///
/// # Errors
/// If the network is not `dual` with one hidden layer.
pub fn flat_layout(network: &Network) -> Result<Vec<u8>, LayoutError> {
    let architecture = network.architecture();
    let Hidden { accumulator, output, .. } = one_hidden_layer(network)?;
    let is_squared = architecture.activation == Activation::SquaredClippedRelu;
    let (inputs, buckets) = (&architecture.inputs, &architecture.output_buckets);
    let mut bytes = MAGIC.to_vec();
    let width = accumulator.bias.len() as u32;
    let scale = network.parameters().output_scale;
    for number in [width, buckets.count() as u32, u32::from(is_squared), output.bits, scale, inputs.sets() as u32] {
        bytes.extend(number.to_le_bytes());
    }
    bytes.extend(Square::ALL.map(|king| {
        let orientation = inputs.orientation(Color::White, king);
        orientation.bucket() as u8 | if orientation.is_mirrored() { MIRRORED } else { 0 }
    }));
    bytes.extend((1..=32).map(|pieces| buckets.bucket(pieces) as u8));
    // The side to move's input is always 1 in its own accumulator and 0 in the other.
    let mover = accumulator.weights.row(inputs.side_to_move());
    let mover = accumulator.bias.iter().zip(mover).map(|(&bias, &weight)| i32::from(bias) + i32::from(weight));
    let mover = mover.map(|bias| i16::try_from(bias).map_err(|_| LayoutError::Bias(bias)));
    let mover: Vec<i16> = mover.collect::<Result<_, _>>()?;
    let pieces = accumulator.weights.rows().into_iter().take(inputs.side_to_move()).flatten();
    let of_buckets = output.layer.weights.columns().into_iter().flatten();
    let numbers = pieces.chain(&mover).chain(&accumulator.bias).chain(of_buckets);
    bytes.extend(numbers.flat_map(|number| number.to_le_bytes()));
    bytes.extend(output.layer.bias.iter().flat_map(|bias| bias.to_le_bytes()));
    Ok(bytes)
}
