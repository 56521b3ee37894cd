//! How the numbers of a layer stand in a file: little-endian, weights first.

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
        let weights = read_all(shape.inputs * shape.outputs, bytes);
        Self { shape, weights, bias: read_all(shape.outputs, bytes) }
    }
}

fn read_all<T: Stored>(count: usize, bytes: &mut &[u8]) -> Vec<T> {
    let (these, rest) = bytes.split_at(count * T::BYTES);
    *bytes = rest;
    these.chunks_exact(T::BYTES).map(T::read).collect()
}

impl Layer<i16, i16> {
    /// With weights of a byte each, which all of them must fit.
    pub(super) fn write_narrow(&self, bytes: &mut Vec<u8>) {
        bytes.extend(self.weights.iter().map(|&weight| weight as u8));
        self.bias.iter().for_each(|bias| bias.write(bytes));
    }

    pub(super) fn read_narrow(shape: LayerShape, bytes: &mut &[u8]) -> Self {
        let Layer { shape, weights, bias } = Layer::<i8, i16>::read(shape, bytes);
        Self { shape, weights: weights.into_iter().map(i16::from).collect(), bias }
    }
}
