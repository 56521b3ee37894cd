//! The kernels as operations of burn, with their own way backwards.
//!
//! Owns the bridge between burn's tensors and the slices that [`super::fused`], [`super::fused_pair`],
//! [`super::sparse_layer`] and [`super::dense_layer`] take: here what the operations are, in `forward` how they are done
//! on slices, in `backward` how they are led back. A batch passes through as it is: it is no tensor and has no gradient.

mod backward;
mod forward;

use std::sync::Arc;

use alfiere_nnue::Activation;
use burn::backend::tensor::FloatTensor;
use burn::backend::{Backend, Dispatch, backend_extension};
use burn::tensor::Tensor;

use super::batch::SparseBatch;
use super::dense_layer::LayerOps;
use super::lanes::Columns;
use super::scratch::ScratchPool;

/// What an operation needs besides its tensors.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    pub(crate) batch: Arc<SparseBatch>,
    /// What follows the layer's sums; `None` behind the last layer.
    pub(crate) shaping: Option<LayerOps>,
    /// Which neurons of an accumulator meet.
    pub(crate) columns: Columns,
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
    /// A network with one hidden layer: outputs `[positions]` from its table `[inputs, width]`, bias `[width]`, output
    /// weights `[views * width, buckets]` and output bias `[buckets]`.
    fn fused_network(
        table: FloatTensor<Self>,
        bias: FloatTensor<Self>,
        output: FloatTensor<Self>,
        output_bias: FloatTensor<Self>,
        call: Call,
    ) -> FloatTensor<Self>;

    /// A first layer and a narrow second one: rows `[positions, outputs]` from a table `[inputs, width]`, a bias
    /// `[width]`, second weights `[views * width, stacks * outputs]` (half as many rows with pairs) and a second bias `[stacks * outputs]`. A position's
    /// row is of its own stack. `shaping` follows the second layer, the call's the first.
    fn fused_pair(
        table: FloatTensor<Self>,
        bias: FloatTensor<Self>,
        second: FloatTensor<Self>,
        second_bias: FloatTensor<Self>,
        shaping: Option<LayerOps>,
        call: Call,
    ) -> FloatTensor<Self>;

    /// A first layer: rows `[positions, views * width]` from its table `[inputs, width]` and bias `[width]`.
    fn first_layer(table: FloatTensor<Self>, bias: FloatTensor<Self>, call: Call) -> FloatTensor<Self>;

    /// A later layer: rows `[positions, outputs]` from rows `[positions, inputs]`, weights `[inputs, stacks * outputs]` and
    /// a bias `[stacks * outputs]`.
    fn dense_layer(
        rows: FloatTensor<Self>,
        weights: FloatTensor<Self>,
        bias: FloatTensor<Self>,
        call: Call,
    ) -> FloatTensor<Self>;
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
pub(crate) fn fused_pair(
    table: Tensor<2>,
    bias: Tensor<1>,
    second: Tensor<2>,
    second_bias: Tensor<1>,
    shaping: Option<LayerOps>,
    call: Call,
) -> Tensor<2> {
    Tensor::from_dispatch(<Dispatch as SparseOperations>::fused_pair(
        table.into_dispatch(),
        bias.into_dispatch(),
        second.into_dispatch(),
        second_bias.into_dispatch(),
        shaping,
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

/// [`SparseOperations::dense_layer`] on tensors.
pub(crate) fn dense_layer(rows: Tensor<2>, weights: Tensor<2>, bias: Tensor<1>, call: Call) -> Tensor<2> {
    let [rows, weights] = [rows, weights].map(Tensor::into_dispatch);
    Tensor::from_dispatch(<Dispatch as SparseOperations>::dense_layer(rows, weights, bias.into_dispatch(), call))
}
