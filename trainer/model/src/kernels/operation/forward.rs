//! The forward passes of the operations, for the CPU back end.

use super::super::dense_layer::{self, LayerOps};
use super::super::scratch::Scratch;
use super::super::{fused, fused_pair, sparse_layer};
use super::{Arguments, SparseOperations};
use crate::batch::SparseBatch;
use crate::burn::backend::ops::FloatTensorOps;
use crate::burn::backend::tensor::FloatTensor;
use crate::burn::backend::{Flex, FlexDevice};
use crate::burn::tensor::TensorData;

pub(super) type Primitive = FloatTensor<Flex>;

pub(super) fn contiguous(tensor: Primitive) -> Primitive {
    if tensor.is_contiguous() { tensor } else { tensor.to_contiguous() }
}

pub(super) fn tensor(values: Vec<f32>, shape: impl Into<Vec<usize>>) -> Primitive {
    Flex::float_from_data(TensorData::new(values, shape.into()), &FlexDevice)
}

/// Makes a tensor the only owner of its storage, so that it can be modified in place.
pub(super) fn whole(tensor: Primitive) -> Primitive {
    let is_whole = tensor.is_contiguous() && tensor.storage::<f32>().len() == tensor.layout().num_elements();
    if is_whole { tensor } else { tensor.to_contiguous() }
}

/// A tensor's values. The tensor must be [`contiguous`].
pub(super) fn numbers(tensor: &Primitive) -> &[f32] {
    tensor.as_slice().unwrap_or_default()
}

/// The four tensors of a network with one hidden layer.
#[derive(Clone, Debug)]
pub(super) struct NetworkTensors(pub(super) [Primitive; 4]);

impl NetworkTensors {
    pub(super) fn new(tensors: [Primitive; 4]) -> Self {
        Self(tensors.map(contiguous))
    }

    pub(super) fn weights(&self) -> fused::Weights<'_> {
        let [table, bias, output, output_bias] = self.0.each_ref().map(numbers);
        fused::Weights { table, bias, output, output_bias }
    }

    /// Computes the outputs, and the hidden activations for the backward pass.
    pub(super) fn run(&self, arguments: &Arguments) -> (Primitive, Scratch) {
        let mut hidden = arguments.pool.take();
        let outputs = fused::forward(self.weights(), arguments.activation(), &arguments.batch, &mut hidden);
        (tensor(outputs, [arguments.batch.len()]), hidden)
    }
}

/// The tensors of a first layer and a narrow second layer.
#[derive(Clone, Debug)]
pub(super) struct PairTensors(pub(super) [Primitive; 4]);

impl PairTensors {
    pub(super) fn new(tensors: [Primitive; 4]) -> Self {
        Self(tensors.map(contiguous))
    }

    pub(super) fn weights(&self, arguments: &Arguments) -> fused_pair::Weights<'_> {
        let [table, bias, second, second_bias] = self.0.each_ref().map(numbers);
        let stacks = arguments.batch.stacks().count();
        let outputs = second_bias.len() / stacks;
        let (activation, columns, is_wide) = (arguments.activation(), arguments.columns, arguments.is_wide);
        fused_pair::Weights { table, bias, second, outputs, stacks, activation, columns, is_wide }
    }

    /// Computes the rows, and the accumulators for the backward pass.
    pub(super) fn run(&self, layer_ops: Option<LayerOps>, arguments: &Arguments) -> (Primitive, Scratch) {
        let mut hidden = arguments.pool.take();
        let weights = self.weights(arguments);
        let mut rows = fused_pair::forward(weights, &arguments.batch, &mut hidden);
        dense_layer::activate(&mut rows, numbers(&self.0[3]), layer_ops, arguments.batch.stacks());
        (tensor(rows, [arguments.batch.len(), weights.outputs]), hidden)
    }
}

/// The inputs, weights and bias of a dense layer.
#[derive(Clone, Debug)]
pub(super) struct LayerTensors(pub(super) [Primitive; 3]);

impl LayerTensors {
    pub(super) fn new(tensors: [Primitive; 3]) -> Self {
        Self(tensors.map(contiguous))
    }

    pub(super) fn layer<'a>(&'a self, batch: &'a SparseBatch) -> dense_layer::Layer<'a> {
        let [_, weights, bias] = self.0.each_ref().map(numbers);
        dense_layer::Layer { weights, bias, stacks: batch.stacks() }
    }

    pub(super) fn rows(&self) -> &[f32] {
        numbers(&self.0[0])
    }

    pub(super) fn run(&self, arguments: &Arguments) -> Primitive {
        let layer = self.layer(&arguments.batch);
        let outputs = dense_layer::forward(self.rows(), layer, arguments.layer_ops, &arguments.pool);
        tensor(outputs, [arguments.batch.len(), layer.outputs()])
    }
}

impl SparseOperations for Flex {
    fn fused_network(
        table: Primitive,
        bias: Primitive,
        output: Primitive,
        output_bias: Primitive,
        arguments: Arguments,
    ) -> Primitive {
        NetworkTensors::new([table, bias, output, output_bias]).run(&arguments).0
    }

    fn fused_pair(
        table: Primitive,
        bias: Primitive,
        second: Primitive,
        second_bias: Primitive,
        layer_ops: Option<LayerOps>,
        arguments: Arguments,
    ) -> Primitive {
        PairTensors::new([table, bias, second, second_bias]).run(layer_ops, &arguments).0
    }

    fn first_layer(table: Primitive, bias: Primitive, arguments: Arguments) -> Primitive {
        let (table, bias) = (contiguous(table), contiguous(bias));
        let (table, bias) = (numbers(&table), numbers(&bias));
        let rows = sparse_layer::forward(table, bias, arguments.layer_ops, &arguments.batch, &arguments.pool);
        tensor(rows, [arguments.batch.len(), arguments.batch.views() * bias.len()])
    }

    fn dense_layer(rows: Primitive, weights: Primitive, bias: Primitive, arguments: Arguments) -> Primitive {
        LayerTensors::new([rows, weights, bias]).run(&arguments)
    }
}
