//! The sparse kernels as operations of burn, with their own way backwards.
//!
//! Owns the bridge between burn's tensors and the slices that [`super::fused`], [`super::fused_pair`],
//! [`super::sparse_layer`] and [`super::dense_layer`] take. A
//! batch passes through as it is: it is no tensor and has no gradient.

use std::sync::Arc;

use alfiere::network::Activation;
use burn::backend::autodiff::checkpoint::base::Checkpointer;
use burn::backend::autodiff::checkpoint::strategy::CheckpointStrategy;
use burn::backend::autodiff::grads::Gradients;
use burn::backend::autodiff::ops::{Backward, Ops, OpsKind};
use burn::backend::ops::FloatTensorOps;
use burn::backend::tensor::FloatTensor;
use burn::backend::{Autodiff, Backend, Dispatch, Flex, FlexDevice, backend_extension};
use burn::tensor::{Tensor, TensorData};

use super::batch::SparseBatch;
use super::dense_layer::Shaping;
use super::scratch::{Scratch, ScratchPool};
use super::{dense_layer, fused, fused_pair, sparse_layer};

/// What an operation needs besides its tensors.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    pub(crate) batch: Arc<SparseBatch>,
    /// `None` for a linear model.
    pub(crate) shaping: Option<Shaping>,
    pub(crate) pool: ScratchPool,
}

impl Call {
    fn activation(&self) -> Activation {
        self.shaping.map_or_else(Activation::default, |shaping| shaping.activation)
    }
}

/// The operations, for every back end that has them.
#[backend_extension(Autodiff, Flex)]
pub(crate) trait SparseOperations: Backend {
    /// A network with one hidden layer: outputs `[positions]` from its table `[769, width]`, bias `[width]`, output
    /// weights `[views * width, buckets]` and output bias `[buckets]`.
    fn fused_network(
        table: FloatTensor<Self>,
        bias: FloatTensor<Self>,
        output: FloatTensor<Self>,
        output_bias: FloatTensor<Self>,
        call: Call,
    ) -> FloatTensor<Self>;

    /// A first layer and its product with a narrow second one: sums `[positions, outputs]` from a table
    /// `[769, width]`, a bias `[width]` and second weights `[views * width, outputs]`.
    fn fused_pair(
        table: FloatTensor<Self>,
        bias: FloatTensor<Self>,
        second: FloatTensor<Self>,
        call: Call,
    ) -> FloatTensor<Self>;

    /// A first layer: rows `[positions, views * width]` from its table `[769, width]` and bias `[width]`.
    fn first_layer(table: FloatTensor<Self>, bias: FloatTensor<Self>, call: Call) -> FloatTensor<Self>;

    /// What follows a matrix product in a hidden layer: rows `[positions, width]` from sums of that shape and a bias
    /// `[width]`.
    fn shape_rows(sums: FloatTensor<Self>, bias: FloatTensor<Self>, shaping: Shaping) -> FloatTensor<Self>;
}

/// [`SparseOperations::fused_network`] on tensors.
pub(crate) fn fused_network(
    table: Tensor<2>,
    bias: Tensor<1>,
    output: Tensor<2>,
    output_bias: Tensor<1>,
    call: Call,
) -> Tensor<1> {
    Tensor::from_dispatch(<Dispatch as SparseOperations>::fused_network(
        table.into_dispatch(),
        bias.into_dispatch(),
        output.into_dispatch(),
        output_bias.into_dispatch(),
        call,
    ))
}

/// [`SparseOperations::fused_pair`] on tensors.
pub(crate) fn fused_pair(table: Tensor<2>, bias: Tensor<1>, second: Tensor<2>, call: Call) -> Tensor<2> {
    Tensor::from_dispatch(<Dispatch as SparseOperations>::fused_pair(
        table.into_dispatch(),
        bias.into_dispatch(),
        second.into_dispatch(),
        call,
    ))
}

/// [`SparseOperations::first_layer`] on tensors.
pub(crate) fn first_layer(table: Tensor<2>, bias: Tensor<1>, call: Call) -> Tensor<2> {
    Tensor::from_dispatch(<Dispatch as SparseOperations>::first_layer(
        table.into_dispatch(),
        bias.into_dispatch(),
        call,
    ))
}

/// [`SparseOperations::shape_rows`] on tensors; without a shaping only the bias is added.
pub(crate) fn shape_rows(sums: Tensor<2>, bias: Tensor<1>, shaping: Option<Shaping>) -> Tensor<2> {
    let Some(shaping) = shaping else { return sums + bias.unsqueeze() };
    let (sums, bias) = (sums.into_dispatch(), bias.into_dispatch());
    Tensor::from_dispatch(<Dispatch as SparseOperations>::shape_rows(sums, bias, shaping))
}

type Primitive = FloatTensor<Flex>;

fn contiguous(tensor: Primitive) -> Primitive {
    if tensor.is_contiguous() { tensor } else { tensor.to_contiguous() }
}

fn tensor(values: Vec<f32>, shape: impl Into<Vec<usize>>) -> Primitive {
    Flex::float_from_data(TensorData::new(values, shape.into()), &FlexDevice)
}

/// A tensor's numbers. Every tensor that comes here has gone through [`contiguous`].
fn numbers(tensor: &Primitive) -> &[f32] {
    tensor.as_slice().unwrap_or_default()
}

/// The four tensors of a network with one hidden layer.
#[derive(Clone, Debug)]
struct NetworkTensors([Primitive; 4]);

impl NetworkTensors {
    fn new(tensors: [Primitive; 4]) -> Self {
        Self(tensors.map(contiguous))
    }

    fn weights(&self) -> fused::Weights<'_> {
        let [table, bias, output, output_bias] = self.0.each_ref().map(numbers);
        fused::Weights { table, bias, output, output_bias }
    }

    /// Outputs, and the hidden neurons that the way back needs.
    fn run(&self, call: &Call) -> (Primitive, Scratch) {
        let mut hidden = call.pool.take();
        let outputs = fused::forward(self.weights(), call.activation(), &call.batch, &mut hidden);
        (tensor(outputs, [call.batch.len()]), hidden)
    }
}

/// The tensors of a first layer and the weights of a narrow second one.
#[derive(Clone, Debug)]
struct PairTensors([Primitive; 3]);

impl PairTensors {
    fn new(tensors: [Primitive; 3]) -> Self {
        Self(tensors.map(contiguous))
    }

    fn weights(&self, views: usize) -> fused_pair::Weights<'_> {
        let [table, bias, second] = self.0.each_ref().map(numbers);
        let outputs = second.len() / (views * bias.len()).max(1);
        fused_pair::Weights { table, bias, second, outputs }
    }

    /// Sums, and the accumulators that the way back needs.
    fn run(&self, call: &Call) -> (Primitive, Scratch) {
        let (mut hidden, mut partial) = (call.pool.take(), call.pool.take());
        let weights = self.weights(call.batch.views());
        let sums = fused_pair::forward(weights, call.activation(), &call.batch, &mut hidden, &mut partial);
        (tensor(sums, [call.batch.len(), weights.outputs]), hidden)
    }
}

impl SparseOperations for Flex {
    fn fused_network(
        table: Primitive,
        bias: Primitive,
        output: Primitive,
        output_bias: Primitive,
        call: Call,
    ) -> Primitive {
        NetworkTensors::new([table, bias, output, output_bias]).run(&call).0
    }

    fn fused_pair(table: Primitive, bias: Primitive, second: Primitive, call: Call) -> Primitive {
        PairTensors::new([table, bias, second]).run(&call).0
    }

    fn first_layer(table: Primitive, bias: Primitive, call: Call) -> Primitive {
        let (table, bias) = (contiguous(table), contiguous(bias));
        let (table, bias) = (numbers(&table), numbers(&bias));
        let rows = sparse_layer::forward(table, bias, call.shaping, &call.batch);
        tensor(rows, [call.batch.len(), call.batch.views() * bias.len()])
    }

    fn shape_rows(sums: Primitive, bias: Primitive, shaping: Shaping) -> Primitive {
        let (sums, bias) = (contiguous(sums), contiguous(bias));
        let (sums, bias) = (numbers(&sums), numbers(&bias));
        tensor(dense_layer::forward(sums, bias, shaping), [sums.len() / bias.len().max(1), bias.len()])
    }
}

/// The way back through a whole network.
#[derive(Debug)]
struct FusedBackward;

/// What [`FusedBackward`] keeps from the way there.
#[derive(Clone, Debug)]
struct FusedState {
    tensors: NetworkTensors,
    hidden: Arc<Scratch>,
    call: Call,
}

impl Backward<Flex, 4> for FusedBackward {
    type State = FusedState;

    fn backward(self, ops: Ops<FusedState, 4>, grads: &mut Gradients, _: &mut Checkpointer) {
        let outputs = contiguous(grads.consume::<Flex>(&ops.node));
        let FusedState { tensors, hidden, call } = &ops.state;
        let weights = tensors.weights();
        let (width, buckets) = (weights.bias.len(), weights.output_bias.len());
        let inputs = [weights.table.len() / width.max(1), weights.output.len() / buckets.max(1)];
        let activation = call.activation();
        let found = fused::backward(weights, activation, &call.batch, hidden, numbers(&outputs));
        let found = [
            tensor(found.table, [inputs[0], width]),
            tensor(found.bias, [width]),
            tensor(found.output, [inputs[1], buckets]),
            tensor(found.output_bias, [buckets]),
        ];
        register(ops, found, grads);
    }
}

/// The way back through a first layer and its product with a second one.
#[derive(Debug)]
struct PairBackward;

/// What [`PairBackward`] keeps from the way there.
#[derive(Clone, Debug)]
struct PairState {
    tensors: PairTensors,
    hidden: Arc<Scratch>,
    call: Call,
}

impl Backward<Flex, 3> for PairBackward {
    type State = PairState;

    fn backward(self, ops: Ops<PairState, 3>, grads: &mut Gradients, _: &mut Checkpointer) {
        let sums = contiguous(grads.consume::<Flex>(&ops.node));
        let PairState { tensors, hidden, call } = &ops.state;
        let weights = tensors.weights(call.batch.views());
        let (width, outputs) = (weights.bias.len(), weights.outputs);
        let inputs = [weights.table.len() / width.max(1), weights.second.len() / outputs.max(1)];
        let found = fused_pair::backward(weights, call.activation(), &call.batch, hidden, numbers(&sums));
        let found = [
            tensor(found.table, [inputs[0], width]),
            tensor(found.bias, [width]),
            tensor(found.second, [inputs[1], outputs]),
        ];
        register(ops, found, grads);
    }
}

/// The way back through a first layer.
#[derive(Debug)]
struct LayerBackward;

/// What [`LayerBackward`] keeps from the way there.
#[derive(Clone, Debug)]
struct LayerState {
    rows: Primitive,
    width: usize,
    call: Call,
}

impl Backward<Flex, 2> for LayerBackward {
    type State = LayerState;

    fn backward(self, ops: Ops<LayerState, 2>, grads: &mut Gradients, _: &mut Checkpointer) {
        let upstream = contiguous(grads.consume::<Flex>(&ops.node));
        let LayerState { rows, width, call } = &ops.state;
        let width = *width;
        let (table, bias) = sparse_layer::backward(width, call.shaping, &call.batch, numbers(rows), numbers(&upstream));
        let inputs = table.len() / width.max(1);
        let found = [tensor(table, [inputs, width]), tensor(bias, [width])];
        register(ops, found, grads);
    }
}

/// The way back through a hidden layer's bias, activation and dropout.
#[derive(Debug)]
struct ShapeBackward;

/// What [`ShapeBackward`] keeps from the way there.
#[derive(Clone, Debug)]
struct ShapeState {
    rows: Primitive,
    width: usize,
    shaping: Shaping,
}

impl Backward<Flex, 2> for ShapeBackward {
    type State = ShapeState;

    fn backward(self, ops: Ops<ShapeState, 2>, grads: &mut Gradients, _: &mut Checkpointer) {
        let upstream = contiguous(grads.consume::<Flex>(&ops.node));
        let ShapeState { rows, width, shaping } = &ops.state;
        let width = *width;
        let (sums, bias) = dense_layer::backward(numbers(rows), numbers(&upstream), width, *shaping);
        let found = [tensor(sums, [numbers(rows).len() / width.max(1), width]), tensor(bias, [width])];
        register(ops, found, grads);
    }
}

/// Hands the gradients to the parents that want them.
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
        call: Call,
    ) -> FloatTensor<Self> {
        let parts = [table, bias, output, output_bias].map(FloatTensor::<Self>::into_parts);
        let [(table, a), (bias, b), (output, c), (output_bias, d)] = parts;
        let tensors = NetworkTensors::new([table, bias, output, output_bias]);
        let (result, hidden) = tensors.run(&call);
        match FusedBackward.prepare::<C>([a, b, c, d]).compute_bound().stateful() {
            OpsKind::Tracked(prepared) => {
                prepared.finish(FusedState { tensors, hidden: Arc::new(hidden), call }, result)
            }
            OpsKind::UnTracked(prepared) => prepared.finish(result),
        }
    }

    fn fused_pair(
        table: FloatTensor<Self>,
        bias: FloatTensor<Self>,
        second: FloatTensor<Self>,
        call: Call,
    ) -> FloatTensor<Self> {
        let [(table, a), (bias, b), (second, c)] = [table, bias, second].map(FloatTensor::<Self>::into_parts);
        let tensors = PairTensors::new([table, bias, second]);
        let (result, hidden) = tensors.run(&call);
        match PairBackward.prepare::<C>([a, b, c]).compute_bound().stateful() {
            OpsKind::Tracked(prepared) => {
                prepared.finish(PairState { tensors, hidden: Arc::new(hidden), call }, result)
            }
            OpsKind::UnTracked(prepared) => prepared.finish(result),
        }
    }

    fn first_layer(table: FloatTensor<Self>, bias: FloatTensor<Self>, call: Call) -> FloatTensor<Self> {
        let ((table, a), (bias, b)) = (table.into_parts(), bias.into_parts());
        let bias = contiguous(bias);
        let width = numbers(&bias).len();
        let rows = <Flex as SparseOperations>::first_layer(table, bias, call.clone());
        match LayerBackward.prepare::<C>([a, b]).compute_bound().stateful() {
            OpsKind::Tracked(prepared) => prepared.finish(LayerState { rows: rows.clone(), width, call }, rows),
            OpsKind::UnTracked(prepared) => prepared.finish(rows),
        }
    }

    fn shape_rows(sums: FloatTensor<Self>, bias: FloatTensor<Self>, shaping: Shaping) -> FloatTensor<Self> {
        let ((sums, a), (bias, b)) = (sums.into_parts(), bias.into_parts());
        let bias = contiguous(bias);
        let width = numbers(&bias).len();
        let rows = <Flex as SparseOperations>::shape_rows(sums, bias, shaping);
        match ShapeBackward.prepare::<C>([a, b]).compute_bound().stateful() {
            OpsKind::Tracked(prepared) => prepared.finish(ShapeState { rows: rows.clone(), width, shaping }, rows),
            OpsKind::UnTracked(prepared) => prepared.finish(rows),
        }
    }
}
