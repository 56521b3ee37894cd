//! A network's forward pass from burn's operations and the sparse kernels.
//!
//! Without dropout, one hidden layer is one fused operation, and a narrow second layer is fused with the first; all else
//! is a sparse first layer and dense ones behind it.

use std::sync::Arc;

use alfiere_nnue::FloatNetwork;
use burn::tensor::{Device, Tensor};

use super::batch::SparseBatch;
use super::fused_pair::MAX_WIDTH;
use super::lanes::Columns;
use super::layers::{Dropout, LayerTensors, choose, later_layers, layer_tensors, put_out, shaping};
use super::operation::{Call, dense_layer, first_layer, fused_network, fused_pair};
use super::plain;
use super::processor::{Kind, Processor};
use super::scratch::ScratchPool;

/// The network put together on a processor: outputs `[positions]`. `device` is the processor's, tracking gradients or not.
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
        Kind::Card => plain::outputs(network, layers, batch, dropout, device),
    }
}

/// The same from the sparse kernels.
fn from_kernels(
    network: &FloatNetwork,
    pool: &ScratchPool,
    layers: &[LayerTensors],
    batch: &Arc<SparseBatch>,
    dropout: Dropout,
    device: &Device,
) -> Tensor<1> {
    let architecture = &network.architecture;
    // The shaping of each hidden layer, counted from 0; a linear model has none.
    let shaping = |layer: usize| shaping(architecture, dropout, layer);
    let columns = if architecture.pairwise { Columns::Halves } else { Columns::Neighbours };
    let call = |layer| Call { batch: Arc::clone(batch), shaping: shaping(layer), columns, pool: pool.clone() };
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
        (fused_pair(table, bias, second, second_bias, shaping(1), call(0)), 2)
    } else {
        (put_out(architecture, first_layer(table, bias, call(0))), 1)
    };
    let rows = later_layers(architecture, rows, done, |index, rows| {
        let (weights, bias) = tensors(&layers[index]);
        dense_layer(rows, weights, bias, call(index))
    });
    // Where each output bucket has its own layers, a position's row is its bucket's already.
    let buckets = if architecture.stacks { 1 } else { architecture.output_buckets.count() };
    choose(rows, buckets, batch, device).flatten(0, 1)
}

/// What a network puts out for each position, in output units and in the order of the picks that the batch was filled
/// from; with [`rounded`](super::rounded) weights, without gradients and dropout.
pub fn predict(network: &FloatNetwork, processor: &Processor, batch: &Arc<SparseBatch>) -> Vec<f32> {
    let device = &processor.device;
    let layers: Vec<LayerTensors> = layer_tensors(network, device).collect();
    batch.as_picked(&values(outputs(network, processor, &layers, batch, Dropout::NONE, device)))
}

/// A tensor's numbers.
pub(super) fn values<const D: usize>(tensor: Tensor<D>) -> Vec<f32> {
    // Every tensor here was made from f32 on this device, so it can be read back as that.
    tensor.into_data().try_into_vec().expect("a tensor of f32")
}
