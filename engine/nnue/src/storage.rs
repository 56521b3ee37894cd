//! How the numbers of a layer stand in a file: little-endian, weights first.

use ndarray::{Array, Dimension, ShapeBuilder};

use super::architecture::LayerShape;
use super::parameters::Layer;

/// A number in a file.
pub(super) trait Stored: Copy {
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

impl<W: Stored, B: Stored> Layer<W, B> {
    pub(super) fn write(&self, bytes: &mut Vec<u8>) {
        self.weights.iter().for_each(|weight| weight.write(bytes));
        self.bias.iter().for_each(|bias| bias.write(bytes));
    }

    pub(super) fn read(shape: LayerShape, bytes: &mut &[u8]) -> Self {
        let weights = read_all((shape.inputs, shape.outputs), bytes);
        Self { weights, bias: read_all(shape.outputs, bytes) }
    }
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
    pub(super) fn write_narrow(&self, bytes: &mut Vec<u8>) {
        bytes.extend(self.weights.iter().map(|&weight| weight as u8));
        self.bias.iter().for_each(|bias| bias.write(bytes));
    }

    pub(super) fn read_narrow(shape: LayerShape, bytes: &mut &[u8]) -> Self {
        let Layer { weights, bias } = Layer::<i8, i16>::read(shape, bytes);
        Self { weights: weights.mapv(i16::from), bias }
    }
}
