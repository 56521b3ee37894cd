//! The forward pass of a network, built from burn operations and the sparse kernels.
//!
//! Without dropout, a network with one hidden layer is one fused operation, and a narrow second layer is fused with the
//! first. All other networks are a sparse first layer followed by dense layers.

use std::sync::Arc;

use alfiere_nnue::FloatNetwork;
use burn::tensor::{Device, Tensor};

use super::batch::SparseBatch;
use super::fused_pair::MAX_WIDTH;
use super::lanes::Columns;
use super::layers::{
    Dropout, LayerTensors, accumulator_outputs, later_layers, layer_ops, layer_tensors, select_bucket,
};
use super::operation::{Call, dense_layer, first_layer, fused_network, fused_pair};
use super::plain;
use super::processor::{Kind, Processor};
use super::scratch::ScratchPool;

/// Builds the forward pass on a processor; outputs `[positions]`. `device` is the processor's device, with or without
/// autodiff.
pub(super) fn outputs(
    network: &FloatNetwork,
    processor: &Processor,
    layers: &[LayerTensors],
    batch: &Arc<SparseBatch>,
    dropout: Dropout,
    device: &Device,
) -> Tensor<1> {
    match &processor.kind {
        Kind::Cores(pool) => from_kernels(network, pool, layers, batch, dropout, device),
        Kind::Gpu => plain::outputs(network, layers, batch, dropout, device),
    }
}

/// Builds the forward pass from the sparse kernels.
fn from_kernels(
    network: &FloatNetwork,
    pool: &ScratchPool,
    layers: &[LayerTensors],
    batch: &Arc<SparseBatch>,
    dropout: Dropout,
    device: &Device,
) -> Tensor<1> {
    let architecture = &network.architecture;
    // Activation and dropout of each hidden layer, from 0; a linear model has none.
    let layer_ops = |layer: usize| layer_ops(architecture, dropout, layer);
    let columns = if architecture.pairwise { Columns::Halves } else { Columns::Neighbours };
    let call = |layer| Call { batch: Arc::clone(batch), layer_ops: layer_ops(layer), columns, pool: pool.clone() };
    let tensors = |layer: &LayerTensors| (layer.weights.clone(), layer.bias.clone());
    if let [first, last] = layers
        && dropout.rate == 0.0
    {
        let ((table, bias), (output, output_bias)) = (tensors(first), tensors(last));
        return fused_network(table, bias, output, output_bias, call(0));
    }
    let (table, bias) = tensors(&layers[0]);
    let is_pair = dropout.rate == 0.0 && architecture.hidden.get(1).is_some_and(|&width| width <= MAX_WIDTH);
    let (rows, done) = if is_pair {
        let (second, second_bias) = tensors(&layers[1]);
        (fused_pair(table, bias, second, second_bias, layer_ops(1), call(0)), 2)
    } else {
        (accumulator_outputs(architecture, first_layer(table, bias, call(0))), 1)
    };
    let rows = later_layers(architecture, rows, done, |index, rows| {
        let (weights, bias) = tensors(&layers[index]);
        dense_layer(rows, weights, bias, call(index))
    });
    // With stacks, each position's row already belongs to its own output bucket.
    let buckets = if architecture.stacks { 1 } else { architecture.output_buckets.count() };
    select_bucket(rows, buckets, batch, device).flatten(0, 1)
}

/// The network's output for each position, in output units, in the order of the picks that filled the batch. Uses
/// [`rounded`](super::rounded) weights, without gradients and dropout.
pub fn predict(network: &FloatNetwork, processor: &Processor, batch: &Arc<SparseBatch>) -> Vec<f32> {
    let device = &processor.device;
    let layers: Vec<LayerTensors> = layer_tensors(network, device).collect();
    batch.as_picked(&values(outputs(network, processor, &layers, batch, Dropout::NONE, device)))
}

/// Copies a tensor's values to a vector.
pub(super) fn values<const D: usize>(tensor: Tensor<D>) -> Vec<f32> {
    // Every tensor here was created from f32 on this device, so it converts back to f32.
    tensor.into_data().try_into_vec().expect("a tensor of f32")
}
