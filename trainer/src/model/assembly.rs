//! How layers are put together from burn's operations and the sparse kernels.
//!
//! Without dropout, one hidden layer is one fused operation, and a narrow second layer is fused with the first; all else
//! is a sparse first layer and dense ones behind it.

use std::sync::Arc;

use alfiere_nnue::{Activation, Architecture, FloatLayer, FloatNetwork};
use burn::tensor::{Device, Tensor, TensorData};

use super::batch::SparseBatch;
use super::dense_layer::Shaping;
use super::fused_pair::MAX_WIDTH;
use super::lanes::Columns;
use super::operation::{Call, dense_layer, first_layer, fused_network, fused_pair};
use super::plain;
use super::processor::{Kind, Processor};
use super::random::{Drop, Purpose, derive};
use super::rounding::round;
use super::scratch::ScratchPool;
use super::skip::Seen;

/// Dropout in one step: neurons of every hidden layer are left out.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Dropout {
    /// Chance of a neuron to be left out, 0 to less than 1; 0 is no dropout.
    pub rate: f32,
    /// The run's seed.
    pub seed: u64,
    /// Which step, from the start of the training.
    pub step: u64,
}

impl Dropout {
    /// All neurons take part.
    pub const NONE: Self = Self { rate: 0.0, seed: 0, step: 0 };
}

/// A layer's weights as tensors.
pub(super) struct LayerTensors {
    pub(super) weights: Tensor<2>,
    pub(super) bias: Tensor<1>,
}

impl LayerTensors {
    fn new(layer: FloatLayer, device: &Device) -> Self {
        Self {
            weights: Tensor::from_data(TensorData::new(layer.weights, [layer.inputs, layer.outputs]), device),
            bias: Tensor::from_data(TensorData::new(layer.bias, [layer.outputs]), device),
        }
    }

    pub(super) fn tracked(self) -> Self {
        Self { weights: self.weights.require_grad(), bias: self.bias.require_grad() }
    }
}

/// The network's layers, [`rounded`].
pub(super) fn layer_tensors(network: &FloatNetwork, device: &Device) -> impl Iterator<Item = LayerTensors> {
    network.layers.iter().enumerate().map(|(index, layer)| {
        let mut layer = layer.clone();
        round(&network.architecture, index, &mut layer);
        LayerTensors::new(layer, device)
    })
}

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

/// The output from the rows behind the layers that are `done`, one or two of them; `layer` computes one more.
pub(super) fn later_layers(
    architecture: &Architecture,
    mut rows: Tensor<2>,
    done: usize,
    layer: impl Fn(usize, Tensor<2>) -> Tensor<2>,
) -> Tensor<2> {
    let last = architecture.hidden.len();
    if !architecture.skip {
        return (done..=last).fold(rows, |rows, index| layer(index, rows));
    }
    let mut seen = Seen::default();
    if done == 2 {
        rows = seen.hand_on(rows);
    }
    for index in done..last {
        rows = seen.hand_on(layer(index, rows));
    }
    seen.output(|rows| layer(last, rows))
}

/// What follows a layer, counted from 0; `None` behind the last, and where its sums are handed on in two ways.
pub(super) fn shaping(architecture: &Architecture, dropout: Dropout, layer: usize) -> Option<Shaping> {
    let purpose = Purpose::Dropout { step: dropout.step, layer: layer as u32 };
    let drop = (dropout.rate > 0.0).then(|| Drop::new(dropout.rate, derive(dropout.seed, purpose)));
    // Factors are clipped, whatever follows the layers behind them.
    let activation =
        if layer == 0 && architecture.pairwise { Activation::ClippedRelu } else { architecture.activation };
    let follows = layer == 0 || !architecture.skip;
    (follows && layer < architecture.hidden.len()).then_some(Shaping { activation, drop })
}

/// What accumulators put out, from rows of activated neurons: these, or the products of each accumulator's halves.
pub(super) fn put_out(architecture: &Architecture, rows: Tensor<2>) -> Tensor<2> {
    if !architecture.pairwise {
        return rows;
    }
    let ([positions, _], outputs) = (rows.dims(), architecture.accumulator_outputs());
    rows.reshape([positions * architecture.views(), 2, outputs]).prod_dim(1).reshape([positions as i32, -1])
}

/// Of rows with the outputs of all `buckets` side by side, those of each position's own.
pub(super) fn choose(rows: Tensor<2>, buckets: usize, batch: &SparseBatch, device: &Device) -> Tensor<2> {
    if buckets == 1 {
        return rows;
    }
    let [positions, columns] = rows.dims();
    let width = columns / buckets;
    let mut chosen = vec![0.0; positions * buckets];
    for (position, row) in chosen.chunks_exact_mut(buckets).enumerate() {
        row[batch.bucket(position)] = 1.0;
    }
    let chosen = Tensor::<3>::from_data(TensorData::new(chosen, [positions, buckets, 1]), device);
    (rows.reshape([positions, buckets, width]) * chosen).sum_dim(1).reshape([positions, width])
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
