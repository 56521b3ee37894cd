//! How the numbers of a layer stand in a file: little-endian, weights first. Also the lists of king and output buckets.

use ndarray::{Array, Dimension, ShapeBuilder};

use crate::shape::architecture::{Architecture, LayerShape};
use crate::shape::buckets::OutputBuckets;
use crate::shape::inputs::Inputs;
use crate::shape::parameters::Layer;

/// A number in a file.
pub(crate) trait Stored: Copy {
    const BYTES: usize;
    fn write(self, bytes: &mut Vec<u8>);
    /// From exactly [`Stored::BYTES`] bytes.
    fn read(bytes: &[u8]) -> Self;
}

macro_rules! stored {
    ($($number:ty),*) => {$(
        impl Stored for $number {
            const BYTES: usize = size_of::<$number>();

            fn write(self, bytes: &mut Vec<u8>) {
                bytes.extend(self.to_le_bytes());
            }

            fn read(bytes: &[u8]) -> Self {
                let mut number = [0; size_of::<$number>()];
                number.copy_from_slice(bytes);
                Self::from_le_bytes(number)
            }
        }
    )*};
}
stored!(i8, i16, i32);

pub(crate) fn write_layer<W: Stored, B: Stored>(layer: &Layer<W, B>, bytes: &mut Vec<u8>) {
    layer.weights.iter().for_each(|weight| weight.write(bytes));
    layer.bias.iter().for_each(|bias| bias.write(bytes));
}

pub(crate) fn read_layer<W: Stored, B: Stored>(shape: LayerShape, bytes: &mut &[u8]) -> Layer<W, B> {
    let weights = read_all((shape.inputs, shape.outputs), bytes);
    Layer { weights, bias: read_all(shape.outputs, bytes) }
}

fn read_all<T: Stored, D: Dimension>(shape: impl ShapeBuilder<Dim = D>, bytes: &mut &[u8]) -> Array<T, D> {
    Array::from_shape_simple_fn(shape, || {
        let (number, rest) = bytes.split_at(T::BYTES);
        *bytes = rest;
        T::read(number)
    })
}

impl Layer<i16, i16> {
    /// With weights of a byte each, which all of them must fit.
    pub(crate) fn write_narrow(&self, bytes: &mut Vec<u8>) {
        bytes.extend(self.weights.iter().map(|&weight| weight as u8));
        self.bias.iter().for_each(|bias| bias.write(bytes));
    }

    pub(crate) fn read_narrow(shape: LayerShape, bytes: &mut &[u8]) -> Self {
        let Layer { weights, bias } = read_layer::<i8, i16>(shape, bytes);
        Self { weights: weights.mapv(i16::from), bias }
    }
}

/// King buckets by square, mirroring, output buckets by number of pieces.
pub(crate) const MAP_BYTES: usize = KING_BYTES + 1 + 31;
const KING_BYTES: usize = 64;

pub(crate) fn is_needed(architecture: &Architecture) -> bool {
    !(architecture.inputs.is_built_in() && architecture.output_buckets.is_built_in())
}

pub(crate) fn write(architecture: &Architecture, bytes: &mut Vec<u8>) {
    bytes.extend(architecture.inputs.king_map());
    bytes.push(u8::from(architecture.inputs.is_mirrored()));
    bytes.extend(architecture.output_buckets.by_pieces());
}

/// A byte that is out of range.
pub(crate) struct WrongByte {
    pub(crate) field: &'static str,
    pub(crate) value: u8,
    pub(crate) expected: &'static str,
}

/// The buckets that the lists give; `king_buckets` and `output_buckets` are their numbers according to the header.
pub(crate) fn read(
    bytes: &[u8; MAP_BYTES],
    king_buckets: u8,
    output_buckets: u8,
) -> Result<(Inputs, OutputBuckets), WrongByte> {
    let refuse = |field, value, expected| WrongByte { field, value, expected };
    let (map, rest) = bytes.split_at(KING_BYTES);
    let (mirrored, by_pieces) = rest.split_at(1);
    if mirrored[0] > 1 {
        return Err(refuse("mirroring", mirrored[0], "possible are 0 and 1"));
    }
    let inputs = map.try_into().ok().and_then(|map| Inputs::from_king_map(map, mirrored[0] == 1));
    let inputs = inputs.filter(|inputs| inputs.king_buckets() == usize::from(king_buckets));
    let inputs = inputs.ok_or_else(|| refuse("king buckets", king_buckets, "the list of squares has others"))?;
    let outputs = by_pieces.try_into().ok().and_then(OutputBuckets::new);
    let outputs = outputs.filter(|buckets| buckets.count() == usize::from(output_buckets));
    let outputs = outputs.ok_or_else(|| refuse("output buckets", output_buckets, "the list of pieces has others"))?;
    Ok((inputs, outputs))
}
