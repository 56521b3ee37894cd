//! The flat layout: the integers of a network with one hidden layer, for programs that do not read `.nnue` files.
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

use alfiere_chess::types::{Color, Square};
use thiserror::Error;

use super::architecture::{Activation, Perspective};
use super::nnue::Network;
use super::parameters::{Hidden, Layers};

const MAGIC: [u8; 8] = *b"ALFFLAT\x02";

/// Marks squares of the king where the view is mirrored.
const MIRRORED: u8 = 128;

/// Why a network has no flat layout.
#[derive(Clone, PartialEq, Debug, Error)]
pub enum LayoutError {
    /// Another shape.
    #[error("'{0}' has no flat layout; expected `dual [N]`")]
    Shape(String),
    /// A bias of the side to move's accumulator needs more than 16 bits.
    #[error("bias {0} does not fit into 16 bits")]
    Bias(i32),
}

impl Network {
    /// The network in the flat layout.
    ///
    /// # Errors
    /// If the network is not `dual` with one hidden layer.
    pub fn to_layout(&self) -> Result<Vec<u8>, LayoutError> {
        let architecture = self.architecture();
        let is_simple = architecture.perspective == Perspective::Dual && architecture.hidden.len() == 1;
        let hidden = match &self.parameters().layers {
            Layers::Layered(hidden) if is_simple => hidden,
            _ => return Err(LayoutError::Shape(architecture.to_string())),
        };
        let Hidden { accumulator, output, .. } = hidden;
        let activation = match architecture.activation {
            Activation::ClippedRelu => 0,
            Activation::SquaredClippedRelu => 1,
        };
        let (inputs, buckets) = (&architecture.inputs, &architecture.output_buckets);
        let mut bytes = MAGIC.to_vec();
        let width = accumulator.bias.len() as u32;
        let scale = self.parameters().output_scale;
        for number in [width, buckets.count() as u32, activation, output.bits, scale, inputs.sets() as u32] {
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
}
