//! The flat layout: the integers of a network with one hidden layer, for programs that do not read `.nnue` files.
//!
//! All numbers are little-endian; N is the width of the hidden layer, B the number of output buckets.
//!
//! | offset | type | content |
//! |---|---|---|
//! | 0 | 8 bytes | `ALFFLAT` and the byte 1, the version of the layout |
//! | 8 | u32 | N |
//! | 12 | u32 | B: 1 or 8 |
//! | 16 | u32 | activation: 0 clipped, 1 clipped and squared |
//! | 20 | u32 | n: output weights have scale 2ⁿ |
//! | 24 | u32 | output scale: 1/256 centipawns per output unit |
//! | 28 | u32 | 0 |
//! | 32 | i16 \[768\]\[N\] | weights of the accumulators, scale 255 |
//! | | i16 \[N\] | bias of the accumulator of the side to move |
//! | | i16 \[N\] | bias of the other accumulator |
//! | | i16 \[B\]\[2N\] | output weights, those of the side to move's accumulator first |
//! | | i32 \[B\] | output bias |

use thiserror::Error;

use super::architecture::{Activation, Architecture, OutputBuckets, Perspective};
use super::inputs::{Inputs, SIDE_TO_MOVE_INPUT};
use super::nnue::Network;
use super::parameters::{Hidden, Layers};

const MAGIC: [u8; 8] = *b"ALFFLAT\x01";

/// Why a network has no flat layout.
#[derive(Clone, PartialEq, Debug, Error)]
pub enum LayoutError {
    /// Another shape.
    #[error("'{0}' has no flat layout; expected `dual [N]` without king buckets")]
    Shape(Architecture),
    /// A bias of the side to move's accumulator needs more than 16 bits.
    #[error("bias {0} does not fit into 16 bits")]
    Bias(i32),
}

impl Network {
    /// The network in the flat layout.
    ///
    /// # Errors
    /// If the network is not `dual` with one hidden layer and plain inputs.
    pub fn to_layout(&self) -> Result<Vec<u8>, LayoutError> {
        let architecture = self.architecture();
        let is_plain = architecture.perspective == Perspective::Dual
            && architecture.hidden.len() == 1
            && architecture.inputs == Inputs::Plain;
        let hidden = match &self.parameters().layers {
            Layers::Layered(hidden) if is_plain => hidden,
            _ => return Err(LayoutError::Shape(architecture.clone())),
        };
        let Hidden { accumulator, output, .. } = hidden;
        let activation = match architecture.activation {
            Activation::ClippedRelu => 0,
            Activation::SquaredClippedRelu => 1,
        };
        let buckets: u32 = match architecture.output_buckets {
            OutputBuckets::One => 1,
            OutputBuckets::Eight => 8,
        };
        let mut bytes = MAGIC.to_vec();
        let width = accumulator.bias.len() as u32;
        for number in [width, buckets, activation, output.bits, self.parameters().output_scale, 0] {
            bytes.extend(number.to_le_bytes());
        }
        // The side to move's input is always 1 in its own accumulator and 0 in the other.
        let mover = accumulator.weights.row(SIDE_TO_MOVE_INPUT);
        let mover = accumulator.bias.iter().zip(mover).map(|(&bias, &weight)| i32::from(bias) + i32::from(weight));
        let mover = mover.map(|bias| i16::try_from(bias).map_err(|_| LayoutError::Bias(bias)));
        let mover: Vec<i16> = mover.collect::<Result<_, _>>()?;
        let pieces = accumulator.weights.rows().into_iter().take(SIDE_TO_MOVE_INPUT).flatten();
        let of_buckets = output.layer.weights.columns().into_iter().flatten();
        let numbers = pieces.chain(&mover).chain(&accumulator.bias).chain(of_buckets);
        bytes.extend(numbers.flat_map(|number| number.to_le_bytes()));
        bytes.extend(output.layer.bias.iter().flat_map(|bias| bias.to_le_bytes()));
        Ok(bytes)
    }
}
