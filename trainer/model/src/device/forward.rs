//! The whole network in plain burn operations: for devices without the sparse kernels, and as a reference to test those
//! kernels.
//!
//! The first layer is a product with a multi-hot matrix. That is many times the work of adding only the active rows; it
//! is slow on a CPU and costs little on a GPU.

use alfiere_nnue::{Activation, Architecture};
use burn::tensor::{Device, Distribution, IndexingUpdateOp, Int, Tensor};

use crate::batch::DeviceBatch;
use crate::layers::{Dropout, Forward, LayerTensors, accumulator_outputs, later_layers, layer_ops, select_bucket};
use crate::random::{Purpose, derive};

/// Columns of the multi-hot matrix are a multiple of this: GPUs multiply an odd number of columns many times as slowly.
const VECTOR: usize = 16;

pub(crate) fn forward_pass(
    architecture: &Architecture,
    layers: &[LayerTensors],
    batch: &DeviceBatch,
    dropout: Dropout,
    device: &Device,
) -> Forward {
    let hidden = architecture.hidden.len();
    let activated = |layer: usize, sums: Tensor<2>| match layer_ops(architecture, dropout, layer) {
        Some(layer_ops) => drop(activate(layer_ops.activation, sums), dropout, layer, device),
        None => sums,
    };
    let chosen = batch.chosen(architecture.output_buckets.count());
    // Rows of zeros for unused list entries, and for a number of inputs that a GPU reads in vectors.
    let first = layers[0].weights.clone();
    let [inputs, width] = first.dims();
    let columns = (inputs + 1).next_multiple_of(VECTOR);
    let first = Tensor::cat(vec![first, Tensor::zeros([columns - inputs, width], device)], 0);
    let views = batch.features.iter().map(|listed| multi_hot(listed, columns, device).matmul(first.clone()));
    let rows = Tensor::cat(views.collect(), 1) + layers[0].bias.clone().repeat_dim(0, architecture.views()).unsqueeze();
    let rows = accumulator_outputs(architecture, activated(0, rows));
    let layer = |index: usize, rows: Tensor<2>| {
        let LayerTensors { weights, bias } = &layers[index];
        let sums = rows.matmul(weights.clone()) + bias.clone().unsqueeze();
        let has_stacks = architecture.stacks && index < hidden;
        activated(index, if has_stacks { select_bucket(sums, &chosen) } else { sums })
    };
    let second = (hidden > 1).then(|| layer(1, rows.clone()));
    let (rows, done) = second.clone().map_or((rows, 1), |rows| (rows, 2));
    let rows = later_layers(architecture, rows, done, layer);
    Forward { outputs: select_bucket(rows, &chosen).flatten(0, 1), second }
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

/// Multi-hot encoding of one view of each position: `[positions][columns]`.
fn multi_hot(listed: &Tensor<2, Int>, columns: usize, device: &Device) -> Tensor<2> {
    let [positions, length] = listed.dims();
    let ones = Tensor::ones([positions, length], device);
    Tensor::zeros([positions, columns], device).scatter(1, listed.clone(), ones, IndexingUpdateOp::Add)
}
