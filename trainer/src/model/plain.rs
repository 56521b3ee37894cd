//! The whole network in plain burn operations: for devices without the sparse kernels, and as a reference to test those
//! kernels.
//!
//! The first layer is a product with a multi-hot matrix. That is many times the work of adding only the active rows; it
//! is slow on a CPU and costs little on a GPU.

use alfiere_nnue::{Activation, Architecture};
use burn::tensor::{Device, Distribution, IndexingUpdateOp, Int, Tensor, TensorData};

use super::batch::{MAX_PIECES, SparseBatch};
use super::layers::{Dropout, LayerTensors, accumulator_outputs, later_layers, layer_ops, select_bucket};
use super::random::{Purpose, derive};

/// Length of a position's feature list: its pieces and the side to move.
const LISTED: usize = MAX_PIECES + 1;

/// Builds the forward pass; outputs `[positions]`.
pub(super) fn outputs(
    architecture: &Architecture,
    layers: &[LayerTensors],
    batch: &SparseBatch,
    dropout: Dropout,
    device: &Device,
) -> Tensor<1> {
    let hidden = architecture.hidden.len();
    let activated = |layer: usize, sums: Tensor<2>| match layer_ops(architecture, dropout, layer) {
        Some(layer_ops) => drop(activate(layer_ops.activation, sums), dropout, layer, device),
        None => sums,
    };
    let sums = |layer: usize, rows: Tensor<2>| {
        rows.matmul(layers[layer].weights.clone()) + layers[layer].bias.clone().unsqueeze()
    };
    let views = (0..batch.views()).map(|view| sums(0, multi_hot(batch, view, device)));
    let rows = accumulator_outputs(architecture, activated(0, Tensor::cat(views.collect(), 1)));
    let rows = later_layers(architecture, rows, 1, |layer, rows| {
        let sets = if layer < hidden { architecture.stack_count() } else { 1 };
        activated(layer, select_bucket(sums(layer, rows), sets, batch, device))
    });
    select_bucket(rows, architecture.output_buckets.count(), batch, device).flatten(0, 1)
}

fn activate(activation: Activation, sums: Tensor<2>) -> Tensor<2> {
    let clipped = sums.clamp(0.0, 1.0);
    match activation {
        Activation::ClippedRelu => clipped,
        Activation::SquaredClippedRelu => clipped.square(),
    }
}

/// Applies dropout. The mask comes from the device's generator: the same seed gives the same mask on the same device.
fn drop(rows: Tensor<2>, dropout: Dropout, layer: usize, device: &Device) -> Tensor<2> {
    if dropout.rate == 0.0 {
        return rows;
    }
    device.seed(derive(dropout.seed, Purpose::Dropout { step: dropout.step, layer: layer as u32 }));
    let kept = 1.0 - f64::from(dropout.rate);
    let mask = Tensor::<2>::random(rows.dims(), Distribution::Bernoulli(kept), device);
    rows * mask / kept
}

/// Multi-hot encoding of one view of each position: `[positions][inputs]`.
fn multi_hot(batch: &SparseBatch, view: usize, device: &Device) -> Tensor<2> {
    let inputs = batch.inputs();
    // An extra column for unused list entries.
    let no_input = inputs.count();
    let mut listed = vec![no_input as i32; batch.len() * LISTED];
    for (index, list) in listed.chunks_exact_mut(LISTED).enumerate() {
        let position = batch.position(index);
        let features = position.features.iter().skip(view).step_by(batch.views());
        for (slot, &feature) in list.iter_mut().zip(features) {
            *slot = i32::from(feature);
        }
        if position.side_input && view == 0 {
            list[LISTED - 1] = inputs.side_to_move() as i32;
        }
    }
    let shape = [batch.len(), LISTED];
    let listed = Tensor::<2, Int>::from_data(TensorData::new(listed, shape), device);
    Tensor::<2>::zeros([batch.len(), no_input + 1], device)
        .scatter(1, listed, Tensor::ones(shape, device), IndexingUpdateOp::Add)
        .narrow(1, 0, no_input)
}
