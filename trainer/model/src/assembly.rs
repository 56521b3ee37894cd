//! The forward pass of a network, built from burn operations and the sparse kernels.
//!
//! Without dropout, a clipped network with one hidden layer is one fused operation, and a narrow second layer is fused with
//! the first. All other networks are a sparse first layer followed by dense layers.

use std::sync::Arc;

use alfiere_nnue::Architecture;

use super::batch::SparseBatch;
use super::device::CardPredictor;
use super::kernels::fused_pair::fits;
use super::kernels::lanes::Columns;
use super::kernels::operation::{Arguments, dense_layer, first_layer, fused_network, fused_pair};
use super::kernels::scratch::ScratchPool;
use super::layers::{
    Accumulator, Dropout, Forward, LayerTensors, accumulator_outputs, later_layers, layer_ops, lend_layers,
    select_bucket, values,
};
use super::processor::Processor;
use crate::burn::tensor::{Device, Tensor, TensorData};
use crate::float::FloatNetwork;

/// How the accumulator's columns are divided into blocks.
pub(super) fn columns(architecture: &Architecture) -> Columns {
    if architecture.pairwise { Columns::Halves } else { Columns::Neighbours }
}

/// Builds the forward pass on cores, from the sparse kernels. `device` is burn's, with or without autodiff.
pub(super) fn forward_pass(
    architecture: &Architecture,
    accumulator: Accumulator,
    pool: &ScratchPool,
    layers: &[LayerTensors],
    batch: &Arc<SparseBatch>,
    dropout: Dropout,
    device: &Device,
) -> Forward {
    // Activation and dropout of each hidden layer, from 0; a linear model has none.
    let layer_ops = |layer: usize| layer_ops(architecture, dropout, layer);
    let (columns, is_wide) = (columns(architecture), architecture.wide);
    let arguments = |layer| {
        let (batch, layer_ops, pool) = (Arc::clone(batch), layer_ops(layer), pool.clone());
        Arguments { batch, layer_ops, columns, is_wide, pool }
    };
    let tensors = |layer: &LayerTensors| (layer.weights.clone(), layer.bias.clone());
    if let [first, last] = layers
        && dropout.rate == 0.0
        && architecture.activation.has_integers()
    {
        let ((table, bias), (output, output_bias)) = (tensors(first), tensors(last));
        return Forward { outputs: fused_network(table, bias, output, output_bias, arguments(0)), second: None };
    }
    let (table, bias) = tensors(&layers[0]);
    let (rows, done) = if accumulator == Accumulator::Integers {
        let (second, second_bias) = tensors(&layers[1]);
        (fused_pair(table, bias, second, second_bias, layer_ops(1), arguments(0)), 2)
    } else {
        (accumulator_outputs(architecture, first_layer(table, bias, arguments(0))), 1)
    };
    let second = (done == 2).then(|| rows.clone());
    let rows = later_layers(architecture, rows, done, |index, rows| {
        let (weights, bias) = tensors(&layers[index]);
        dense_layer(rows, weights, bias, arguments(index))
    });
    // With stacks, each position's row already belongs to its own output bucket.
    let rows = if architecture.stacks { rows } else { select_bucket(rows, &chosen(batch, architecture, device)) };
    Forward { outputs: rows.flatten(0, 1), second }
}

/// A 1 in the column of each position's bucket, `[positions][buckets]`.
fn chosen(batch: &SparseBatch, architecture: &Architecture, device: &Device) -> Tensor<2> {
    let buckets = architecture.output_buckets.count();
    let mut chosen = vec![0.0; batch.len() * buckets];
    for (position, row) in chosen.chunks_exact_mut(buckets).enumerate() {
        row[batch.bucket(position)] = 1.0;
    }
    Tensor::from_data(TensorData::new(chosen, [batch.len(), buckets]), device)
}

/// A network whose weights lie where a processor reads them, for the outputs of many batches.
#[derive(Debug)]
pub struct Predictor(Weights);

#[derive(Debug)]
enum Weights {
    Cores(Box<CorePredictor>),
    Card(Box<CardPredictor>),
}

#[derive(Debug)]
struct CorePredictor {
    architecture: Architecture,
    accumulator: Accumulator,
    layers: Vec<LayerTensors>,
    processor: Processor,
}

impl Predictor {
    /// Copies the network's weights, which are [`rounded`](super::rounded).
    pub fn new(network: &FloatNetwork, processor: &Processor) -> Self {
        if let Some(card) = &processor.card {
            return Self(Weights::Card(Box::new(CardPredictor::new(network, card))));
        }
        let architecture = network.architecture.clone();
        let accumulator =
            if fits(network) { Accumulator::of(&architecture, Dropout::NONE) } else { Accumulator::Floats };
        let layers = lend_layers(&mut network.clone(), accumulator, &processor.device);
        let processor = processor.clone();
        Self(Weights::Cores(Box::new(CorePredictor { architecture, accumulator, layers, processor })))
    }

    /// The network's output for each position, in output units, in the order of the picks that filled the batch.
    pub fn outputs(&mut self, batch: &Arc<SparseBatch>) -> Vec<f32> {
        let outputs = match &mut self.0 {
            Weights::Card(predictor) => predictor.outputs(batch),
            Weights::Cores(predictor) => predictor.outputs(batch),
        };
        batch.as_picked(&outputs)
    }
}

impl CorePredictor {
    fn outputs(&self, batch: &Arc<SparseBatch>) -> Vec<f32> {
        let Self { architecture, accumulator, layers, processor: Processor { device, pool, .. } } = self;
        values(forward_pass(architecture, *accumulator, pool, layers, batch, Dropout::NONE, device).outputs)
    }
}
