//! The whole network in burn's own operations: for devices that the sparse kernels do not run on, and the reference that
//! those kernels are tested against.
//!
//! The first layer is a matrix product with rows of zeros and ones. That is many times the work of adding the few rows
//! that count, which a processor feels and a graphics processor hardly does.

use alfiere_nnue::{Activation, FloatNetwork};
use burn::tensor::{Device, Distribution, IndexingUpdateOp, Int, Tensor, TensorData};

use super::batch::{MAX_PIECES, SparseBatch};
use super::layers::{Dropout, LayerTensors, choose, later_layers, put_out, shaping};
use super::random::{Purpose, derive};

/// Inputs listed for each position: its pieces, and the side to move.
const LISTED: usize = MAX_PIECES + 1;

/// The network put together: outputs `[positions]`.
pub(super) fn outputs(
    network: &FloatNetwork,
    layers: &[LayerTensors],
    batch: &SparseBatch,
    dropout: Dropout,
    device: &Device,
) -> Tensor<1> {
    let architecture = &network.architecture;
    let hidden = architecture.hidden.len();
    let shape = |layer: usize, sums: Tensor<2>| match shaping(architecture, dropout, layer) {
        Some(shaping) => drop(activate(shaping.activation, sums), dropout, layer, device),
        None => sums,
    };
    let sums = |layer: usize, rows: Tensor<2>| {
        rows.matmul(layers[layer].weights.clone()) + layers[layer].bias.clone().unsqueeze()
    };
    let views = (0..batch.views()).map(|view| sums(0, multi_hot(batch, view, device)));
    let rows = put_out(architecture, shape(0, Tensor::cat(views.collect(), 1)));
    let rows = later_layers(architecture, rows, 1, |layer, rows| {
        let sets = if layer < hidden { architecture.stack_count() } else { 1 };
        shape(layer, choose(sums(layer, rows), sets, batch, device))
    });
    choose(rows, architecture.output_buckets.count(), batch, device).flatten(0, 1)
}

fn activate(activation: Activation, sums: Tensor<2>) -> Tensor<2> {
    let clipped = sums.clamp(0.0, 1.0);
    match activation {
        Activation::ClippedRelu => clipped,
        Activation::SquaredClippedRelu => clipped.square(),
    }
}

/// Leaves neurons out. The mask is the device's own: the same for the same seed on the same device.
fn drop(rows: Tensor<2>, dropout: Dropout, layer: usize, device: &Device) -> Tensor<2> {
    if dropout.rate == 0.0 {
        return rows;
    }
    device.seed(derive(dropout.seed, Purpose::Dropout { step: dropout.step, layer: layer as u32 }));
    let kept = 1.0 - f64::from(dropout.rate);
    let mask = Tensor::<2>::random(rows.dims(), Distribution::Bernoulli(kept), device);
    rows * mask / kept
}

/// One view of each position as zeros and ones: `[positions][inputs]`.
fn multi_hot(batch: &SparseBatch, view: usize, device: &Device) -> Tensor<2> {
    let inputs = batch.inputs();
    // A column behind all inputs, for places in the list that name none.
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
