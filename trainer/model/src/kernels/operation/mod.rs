//! The kernels as burn operations with custom backward passes.
//!
//! Connects burn tensors to the slices that [`super::fused`], [`super::fused_pair`], [`super::sparse_layer`] and
//! [`super::dense_layer`] use: this file declares the operations, `forward` and `backward` implement them on slices.
//! The batch is passed through unchanged: it is not a tensor and has no gradient.

mod backward;
mod forward;

use std::sync::Arc;

use alfiere_nnue::Activation;

use super::dense_layer::LayerOps;
use super::lanes::Columns;
use super::scratch::ScratchPool;
use crate::batch::SparseBatch;
use crate::burn;
use crate::burn::backend::tensor::FloatTensor;
use crate::burn::backend::{Backend, Dispatch, backend_extension};
use crate::burn::tensor::Tensor;

/// The arguments of an operation other than its tensors.
#[derive(Clone, Debug)]
pub(crate) struct Arguments {
    pub(crate) batch: Arc<SparseBatch>,
    /// Activation and dropout of the layer; `None` after the last layer.
    pub(crate) layer_ops: Option<LayerOps>,
    /// How the accumulator's columns are divided into blocks.
    pub(crate) columns: Columns,
    /// Whether the accumulator's weights have 16 bits instead of 8.
    pub(crate) is_wide: bool,
    pub(crate) pool: ScratchPool,
}

impl Arguments {
    fn activation(&self) -> Activation {
        self.layer_ops.map_or_else(Activation::default, |layer_ops| layer_ops.activation)
    }
}

/// The custom operations, implemented by each back end that supports them.
#[backend_extension(Autodiff, Flex)]
pub(crate) trait SparseOperations: Backend {
    /// A network with one hidden layer: outputs `[positions]` from its table `[inputs, width]`, bias `[width]`, output
    /// weights `[views * width, buckets]` and output bias `[buckets]`.
    fn fused_network(
        table: FloatTensor<Self>,
        bias: FloatTensor<Self>,
        output: FloatTensor<Self>,
        output_bias: FloatTensor<Self>,
        arguments: Arguments,
    ) -> FloatTensor<Self>;

    /// A first layer and a narrow second layer: rows `[positions, outputs]` from a table `[inputs, width]`, a bias
    /// `[width]`, second weights `[views * width, stacks * outputs]` (half the number of rows with pairs) and a second
    /// bias `[stacks * outputs]`. A position's row belongs to its own stack. `layer_ops` applies to the second layer,
    /// those of `arguments` to the first. The gradient of the table comes in blocks of columns, see
    /// [`GradientLayout::Blocks`](super::weight_gradient::GradientLayout::Blocks).
    fn fused_pair(
        table: FloatTensor<Self>,
        bias: FloatTensor<Self>,
        second: FloatTensor<Self>,
        second_bias: FloatTensor<Self>,
        layer_ops: Option<LayerOps>,
        arguments: Arguments,
    ) -> FloatTensor<Self>;

    /// A first layer: rows `[positions, views * width]` from its table `[inputs, width]` and bias `[width]`.
    fn first_layer(table: FloatTensor<Self>, bias: FloatTensor<Self>, arguments: Arguments) -> FloatTensor<Self>;

    /// A later layer: rows `[positions, outputs]` from rows `[positions, inputs]`, weights `[inputs, stacks * outputs]`
    /// and a bias `[stacks * outputs]`.
    fn dense_layer(
        rows: FloatTensor<Self>,
        weights: FloatTensor<Self>,
        bias: FloatTensor<Self>,
        arguments: Arguments,
    ) -> FloatTensor<Self>;
}

/// [`SparseOperations::fused_network`] on tensors.
pub(crate) fn fused_network(
    table: Tensor<2>,
    bias: Tensor<1>,
    output: Tensor<2>,
    output_bias: Tensor<1>,
    arguments: Arguments,
) -> Tensor<1> {
    Tensor::from_dispatch(<Dispatch as SparseOperations>::fused_network(
        table.into_dispatch(),
        bias.into_dispatch(),
        output.into_dispatch(),
        output_bias.into_dispatch(),
        arguments,
    ))
}

/// [`SparseOperations::fused_pair`] on tensors.
pub(crate) fn fused_pair(
    table: Tensor<2>,
    bias: Tensor<1>,
    second: Tensor<2>,
    second_bias: Tensor<1>,
    layer_ops: Option<LayerOps>,
    arguments: Arguments,
) -> Tensor<2> {
    Tensor::from_dispatch(<Dispatch as SparseOperations>::fused_pair(
        table.into_dispatch(),
        bias.into_dispatch(),
        second.into_dispatch(),
        second_bias.into_dispatch(),
        layer_ops,
        arguments,
    ))
}

/// [`SparseOperations::first_layer`] on tensors.
pub(crate) fn first_layer(table: Tensor<2>, bias: Tensor<1>, arguments: Arguments) -> Tensor<2> {
    Tensor::from_dispatch(<Dispatch as SparseOperations>::first_layer(
        table.into_dispatch(),
        bias.into_dispatch(),
        arguments,
    ))
}

/// [`SparseOperations::dense_layer`] on tensors.
pub(crate) fn dense_layer(rows: Tensor<2>, weights: Tensor<2>, bias: Tensor<1>, arguments: Arguments) -> Tensor<2> {
    let [rows, weights] = [rows, weights].map(Tensor::into_dispatch);
    Tensor::from_dispatch(<Dispatch as SparseOperations>::dense_layer(rows, weights, bias.into_dispatch(), arguments))
}
