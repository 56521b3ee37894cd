//! The backward passes of the operations: their saved state and the gradients of their parents.

use std::sync::Arc;

use super::super::dense_layer::{self, LayerOps};
use super::super::lanes::LANES;
use super::super::scratch::{Scratch, ScratchPool};
use super::super::{fused, fused_pair, sparse_layer};
use super::forward::{LayerTensors, NetworkTensors, PairTensors, Primitive, contiguous, numbers, tensor, whole};
use super::{Arguments, SparseOperations};
use crate::burn::backend::autodiff::checkpoint::base::Checkpointer;
use crate::burn::backend::autodiff::checkpoint::strategy::CheckpointStrategy;
use crate::burn::backend::autodiff::grads::Gradients;
use crate::burn::backend::autodiff::ops::{Backward, Ops, OpsKind};
use crate::burn::backend::tensor::FloatTensor;
use crate::burn::backend::{Autodiff, Flex};

/// Backward pass of a whole network.
#[derive(Debug)]
struct FusedBackward;

/// State that [`FusedBackward`] saves from the forward pass.
#[derive(Clone, Debug)]
struct FusedState {
    tensors: NetworkTensors,
    hidden: Arc<Scratch>,
    arguments: Arguments,
}

impl Backward<Flex, 4> for FusedBackward {
    type State = FusedState;

    fn backward(self, ops: Ops<FusedState, 4>, grads: &mut Gradients, _: &mut Checkpointer) {
        let outputs = contiguous(grads.consume::<Flex>(&ops.node));
        let FusedState { tensors, hidden, arguments } = &ops.state;
        let weights = tensors.weights();
        let (width, buckets) = (weights.bias.len(), weights.output_bias.len());
        let inputs = [weights.table.len() / width.max(1), weights.output.len() / buckets.max(1)];
        let activation = arguments.activation();
        let found = fused::backward(weights, activation, &arguments.batch, hidden, numbers(&outputs));
        let found = [
            tensor(found.table, [inputs[0], width]),
            tensor(found.bias, [width]),
            tensor(found.output, [inputs[1], buckets]),
            tensor(found.output_bias, [buckets]),
        ];
        register(ops, found, grads);
    }
}

/// Backward pass of a first layer and a narrow second layer.
#[derive(Debug)]
struct PairBackward;

/// State that [`PairBackward`] saves from the forward pass.
#[derive(Clone, Debug)]
struct PairState {
    tensors: PairTensors,
    hidden: Arc<Scratch>,
    rows: Primitive,
    layer_ops: Option<LayerOps>,
    arguments: Arguments,
}

impl Backward<Flex, 4> for PairBackward {
    type State = PairState;

    fn backward(self, ops: Ops<PairState, 4>, grads: &mut Gradients, _: &mut Checkpointer) {
        let mut sums = whole(grads.consume::<Flex>(&ops.node));
        let PairState { tensors, hidden, rows, layer_ops, arguments } = &ops.state;
        let weights = tensors.weights(arguments);
        let (width, outputs) = (weights.bias.len(), weights.outputs * weights.stacks);
        let second_inputs = weights.second.len() / outputs.max(1);
        let stacks = arguments.batch.stacks();
        let second_bias =
            dense_layer::backward_activation(numbers(rows), sums.storage_mut(), *layer_ops, weights.outputs, stacks);
        let found = fused_pair::backward(weights, &arguments.batch, hidden.clipped(), numbers(&sums), &arguments.pool);
        let rows = found.table.len() / LANES;
        let found = [
            tensor(found.table, [rows, LANES]),
            tensor(found.bias, [width]),
            tensor(found.second, [second_inputs, outputs]),
            tensor(second_bias, [outputs]),
        ];
        register(ops, found, grads);
    }
}

/// Backward pass of a first layer.
#[derive(Debug)]
struct LayerBackward;

/// State that [`LayerBackward`] saves from the forward pass.
#[derive(Clone, Debug)]
struct LayerState {
    rows: Primitive,
    width: usize,
    arguments: Arguments,
}

impl Backward<Flex, 2> for LayerBackward {
    type State = LayerState;

    fn backward(self, ops: Ops<LayerState, 2>, grads: &mut Gradients, _: &mut Checkpointer) {
        let upstream = contiguous(grads.consume::<Flex>(&ops.node));
        let Ops { parents, node, state: LayerState { rows, width, arguments } } = ops;
        let (table, bias) =
            sparse_layer::backward(width, arguments.layer_ops, &arguments.batch, numbers(&rows), numbers(&upstream));
        let inputs = table.len() / width.max(1);
        recycle([upstream, rows], &arguments.pool);
        register(Ops { parents, node, state: () }, [tensor(table, [inputs, width]), tensor(bias, [width])], grads);
    }
}

#[derive(Debug)]
struct DenseBackward;

/// State that [`DenseBackward`] saves from the forward pass.
#[derive(Clone, Debug)]
struct DenseState {
    tensors: LayerTensors,
    outputs: Primitive,
    arguments: Arguments,
}

impl Backward<Flex, 3> for DenseBackward {
    type State = DenseState;

    fn backward(self, ops: Ops<DenseState, 3>, grads: &mut Gradients, _: &mut Checkpointer) {
        let mut upstream = whole(grads.consume::<Flex>(&ops.node));
        let Ops { parents, node, state } = ops;
        let DenseState { tensors, outputs, arguments } = state;
        let layer = tensors.layer(&arguments.batch);
        let (rows, layer_ops) = (tensors.rows(), arguments.layer_ops);
        let gradients = upstream.storage_mut();
        let found = dense_layer::backward(rows, numbers(&outputs), layer, layer_ops, gradients, &arguments.pool);
        let (inputs, width) = (layer.inputs(), layer.bias.len());
        let found = [
            tensor(found.rows, [arguments.batch.len(), inputs]),
            tensor(found.weights, [inputs, width]),
            tensor(found.bias, [width]),
        ];
        recycle([upstream, outputs], &arguments.pool);
        register(Ops { parents, node, state: () }, found, grads);
    }
}

/// Returns the storage of tensors that have no other owner to the pool.
fn recycle(tensors: [Primitive; 2], pool: &ScratchPool) {
    for tensor in tensors {
        if tensor.is_unique()
            && let Ok(numbers) = tensor.into_data().try_into_vec()
        {
            pool.give(numbers);
        }
    }
}

/// Registers the gradients of the parents that require them.
fn register<S, const N: usize>(ops: Ops<S, N>, found: [Primitive; N], grads: &mut Gradients) {
    for (parent, gradient) in ops.parents.into_iter().zip(found) {
        if let Some(parent) = parent {
            grads.register::<Flex>(parent.id, gradient);
        }
    }
}

impl<C: CheckpointStrategy> SparseOperations for Autodiff<Flex, C> {
    fn fused_network(
        table: FloatTensor<Self>,
        bias: FloatTensor<Self>,
        output: FloatTensor<Self>,
        output_bias: FloatTensor<Self>,
        arguments: Arguments,
    ) -> FloatTensor<Self> {
        let parts = [table, bias, output, output_bias].map(FloatTensor::<Self>::into_parts);
        let [(table, a), (bias, b), (output, c), (output_bias, d)] = parts;
        let tensors = NetworkTensors::new([table, bias, output, output_bias]);
        let (result, hidden) = tensors.run(&arguments);
        match FusedBackward.prepare::<C>([a, b, c, d]).compute_bound().stateful() {
            OpsKind::Tracked(prepared) => {
                prepared.finish(FusedState { tensors, hidden: Arc::new(hidden), arguments }, result)
            }
            OpsKind::UnTracked(prepared) => prepared.finish(result),
        }
    }

    fn fused_pair(
        table: FloatTensor<Self>,
        bias: FloatTensor<Self>,
        second: FloatTensor<Self>,
        second_bias: FloatTensor<Self>,
        layer_ops: Option<LayerOps>,
        arguments: Arguments,
    ) -> FloatTensor<Self> {
        let parts = [table, bias, second, second_bias].map(FloatTensor::<Self>::into_parts);
        let [(table, a), (bias, b), (second, c), (second_bias, d)] = parts;
        let tensors = PairTensors::new([table, bias, second, second_bias]);
        let (rows, hidden) = tensors.run(layer_ops, &arguments);
        match PairBackward.prepare::<C>([a, b, c, d]).compute_bound().stateful() {
            OpsKind::Tracked(prepared) => {
                let state = PairState { tensors, hidden: Arc::new(hidden), rows: rows.clone(), layer_ops, arguments };
                prepared.finish(state, rows)
            }
            OpsKind::UnTracked(prepared) => prepared.finish(rows),
        }
    }

    fn first_layer(table: FloatTensor<Self>, bias: FloatTensor<Self>, arguments: Arguments) -> FloatTensor<Self> {
        let ((table, a), (bias, b)) = (table.into_parts(), bias.into_parts());
        let bias = contiguous(bias);
        let width = numbers(&bias).len();
        let rows = <Flex as SparseOperations>::first_layer(table, bias, arguments.clone());
        match LayerBackward.prepare::<C>([a, b]).compute_bound().stateful() {
            OpsKind::Tracked(prepared) => prepared.finish(LayerState { rows: rows.clone(), width, arguments }, rows),
            OpsKind::UnTracked(prepared) => prepared.finish(rows),
        }
    }

    fn dense_layer(
        rows: FloatTensor<Self>,
        weights: FloatTensor<Self>,
        bias: FloatTensor<Self>,
        arguments: Arguments,
    ) -> FloatTensor<Self> {
        let [(rows, a), (weights, b), (bias, c)] = [rows, weights, bias].map(FloatTensor::<Self>::into_parts);
        let tensors = LayerTensors::new([rows, weights, bias]);
        let outputs = tensors.run(&arguments);
        match DenseBackward.prepare::<C>([a, b, c]).compute_bound().stateful() {
            OpsKind::Tracked(prepared) => {
                prepared.finish(DenseState { tensors, outputs: outputs.clone(), arguments }, outputs)
            }
            OpsKind::UnTracked(prepared) => prepared.finish(outputs),
        }
    }
}
