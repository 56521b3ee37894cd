//! The layers behind the accumulator where each output bucket has its own: the positions of one stack are put together and
//! go through that stack's layers, then those of the next.

use alfiere::network::Architecture;
use burn::tensor::{Device, Int, Tensor, TensorData};

use super::assembly::{Dropout, LayerTensors, shaping};
use super::batch::SparseBatch;
use super::operation::dense_layer;
use super::plain::activate;
use super::scratch::ScratchPool;

/// A network's stacks, and the batch that goes through them.
pub(super) struct Stacks<'a> {
    pub(super) architecture: &'a Architecture,
    pub(super) layers: &'a [LayerTensors],
    pub(super) batch: &'a SparseBatch,
    pub(super) dropout: Dropout,
    pub(super) pool: &'a ScratchPool,
    pub(super) device: &'a Device,
}

impl Stacks<'_> {
    /// Outputs `[positions]` from the rows that the first layer puts out, or from the bare sums of the second layer if
    /// `are_sums`.
    pub(super) fn outputs(&self, rows: &Tensor<2>, are_sums: bool) -> Tensor<1> {
        let stacks = (0..self.batch.stacks()).filter(|&stack| !self.batch.stack(stack).is_empty());
        let outputs = stacks.map(|stack| {
            let rows = rows.clone().select(0, self.numbers(self.batch.stack(stack)));
            self.through(stack, rows, are_sums)
        });
        let outputs: Tensor<2> = Tensor::cat(outputs.collect(), 0);
        outputs.select(0, self.numbers(self.batch.places())).flatten(0, 1)
    }

    /// The rows of one stack's positions through its layers.
    fn through(&self, stack: usize, mut rows: Tensor<2>, are_sums: bool) -> Tensor<2> {
        for (index, layer) in self.layers.iter().enumerate().skip(1) {
            let outputs = self.architecture.outputs_of(index, stack);
            let bias = layer.bias.clone().narrow(0, outputs.start, outputs.len());
            rows = if are_sums && index == 1 {
                activate(self.architecture.activation, rows + bias.unsqueeze())
            } else {
                let weights = layer.weights.clone().narrow(1, outputs.start, outputs.len());
                let shaping = shaping(self.architecture, self.dropout, index, stack);
                dense_layer(rows, weights, bias, shaping, self.pool.clone())
            };
        }
        rows
    }

    fn numbers(&self, numbers: &[u32]) -> Tensor<1, Int> {
        let numbers: Vec<i32> = numbers.iter().map(|&number| number as i32).collect();
        let count = numbers.len();
        Tensor::from_data(TensorData::new(numbers, [count]), self.device)
    }
}
