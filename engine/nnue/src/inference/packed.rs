//! The weights in the kernels' layout: rows of whole chunks, padded with zeros.
//!
//! Made from [`Parameters`] when a network is built; independent of positions.

use ndarray::{ArrayView1, Axis};

use crate::inference::chunks::I16x32;
use crate::inference::chunks::Rows;
use crate::inference::head::{Head, Scratch};
use crate::shape::parameters::{Layer, Layers, Parameters};

/// All layers, ready to be computed.
#[derive(Clone, Debug)]
pub(crate) enum Packed {
    /// `[inputs][buckets]` weights and `[buckets]` biases, no accumulator.
    Linear(Layer<i32, i32>),
    /// Accumulator and what follows it.
    Layered { accumulator: PackedAccumulator, head: Head },
}

/// The first layer: rows of `row_chunks` chunks, the side to move's apart.
#[derive(Clone, Debug)]
pub(crate) struct PackedAccumulator {
    pub(crate) row_chunks: usize,
    pub(crate) rows: Rows,
    pub(crate) bias: Vec<I16x32>,
    /// The weights of the side-to-move input, added to the view that is to move.
    side_to_move: Vec<I16x32>,
}

impl Packed {
    pub(crate) fn new(parameters: &Parameters, narrow: bool) -> Self {
        match &parameters.layers {
            Layers::Linear(layer) => Self::Linear(layer.clone()),
            Layers::Layered(hidden) => {
                // A deep network's activations are bytes, 64 in a chunk, so its rows are pairs of 32.
                let outputs = parameters.architecture.accumulator_outputs();
                let chunks = outputs.div_ceil(32);
                let chunks = if hidden.dense.is_empty() { chunks } else { chunks.next_multiple_of(2) };
                let accumulator = PackedAccumulator::new(&hidden.accumulator, narrow, outputs, chunks);
                Self::Layered { accumulator, head: Head::new(parameters, hidden, chunks) }
            }
        }
    }

    /// Chunks of one accumulator; 0 for a linear model.
    pub(crate) fn row_chunks(&self) -> usize {
        match self {
            Self::Linear(_) => 0,
            Self::Layered { accumulator, .. } => accumulator.row_chunks,
        }
    }

    /// Room for this network's evaluations.
    pub(crate) fn scratch(&self) -> Scratch {
        match self {
            Self::Linear(_) => Scratch::default(),
            Self::Layered { head, .. } => head.scratch(),
        }
    }
}

impl PackedAccumulator {
    /// Neurons of a part; parts are padded to whole chunks. There is one part, or the two halves that are multiplied.
    fn new(layer: &Layer<i16, i16>, narrow: bool, part: usize, part_chunks: usize) -> Self {
        let padded = |row: ArrayView1<'_, i16>| -> Vec<I16x32> {
            let parts = row.axis_chunks_iter(Axis(0), part);
            parts.flat_map(|part| I16x32::row(part.iter().copied(), part_chunks)).collect()
        };
        let (inputs, outputs) = layer.weights.dim();
        let row_chunks = outputs / part * part_chunks;
        let (pieces, side_to_move) = layer.weights.view().split_at(Axis(0), inputs - 1);
        Self {
            row_chunks,
            rows: Rows::new(pieces.rows().into_iter().flat_map(padded).collect(), narrow),
            bias: padded(layer.bias.view()),
            side_to_move: padded(side_to_move.row(0)),
        }
    }

    /// The side-to-move column, where that input is active in a view.
    #[inline]
    pub(crate) fn side_to_move_column(&self, is_active: bool) -> Option<&[I16x32]> {
        is_active.then_some(&self.side_to_move)
    }
}
