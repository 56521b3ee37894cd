//! The weights of a network on a card, and its forward pass.

use alfiere_nnue::{Activation, Architecture};
use cubecl::prelude::*;

use super::batch::DeviceBatch;
use super::card::{Buffer, Card, UNITS, column_units, cubes, numbered_cubes};
use super::kernels::dense::{COLUMNS, Dense, GROUP_NUMBERS, Values, dense_sums};
use super::kernels::first_layer::{FirstLayer, accumulate};
use super::kernels::output::{LANES, Loss, Output, POSITIONS, output_and_loss};
use super::kernels::{DropLaunch, Finish};
use crate::batch::{MAX_PIECES, SparseBatch};
use crate::float::{FloatLayer, FloatNetwork};
use crate::layers::{Dropout, layer_ops};
use crate::objective::Objective;

/// A network on a card.
#[derive(Debug)]
pub(super) struct CardNetwork {
    pub(super) card: Card,
    pub(super) architecture: Architecture,
    pub(super) layers: Vec<CardLayer>,
}

/// The weights of a layer, followed by its biases: `[inputs + 1][outputs]`.
#[derive(Debug)]
pub(super) struct CardLayer {
    /// Rows without that of the biases.
    pub(super) rows: usize,
    pub(super) columns: usize,
    /// As the forward pass uses them, see [`rounded`](crate::rounded).
    pub(super) rounded: Buffer,
}

/// Memory of a step, kept for the next.
#[derive(Debug)]
pub(super) struct Workspace {
    positions: usize,
    /// The sums of each hidden layer, or the outputs of all buckets of a linear model.
    pub(super) sums: Vec<Buffer>,
    /// What each hidden layer gives to the next; with skip connections all layers but the first write parts of one buffer.
    pub(super) values: Vec<Buffer>,
    pub(super) outputs: Buffer,
    pub(super) losses: Buffer,
    /// The gradients of the sums, those of the outputs last; with skip connections also of the layers' values.
    pub(super) gradients: Vec<Buffer>,
    pub(super) value_gradients: Buffer,
    /// Parts of the gradients of each layer's weights.
    pub(super) partial: Vec<Buffer>,
}

impl Workspace {
    /// Makes room for a batch of this size, if there is less.
    pub(super) fn fit(&mut self, network: &CardNetwork, positions: usize) {
        if positions > self.positions {
            *self = Self::new(network, positions);
        }
    }

    /// The memory for batches of up to this size.
    pub(super) fn new(network: &CardNetwork, positions: usize) -> Self {
        let CardNetwork { card, architecture, layers } = network;
        let rows = |length: usize| card.empty(positions * length);
        let hidden = &architecture.hidden;
        let mut sums = vec![rows(architecture.views() * layers[0].columns)];
        sums.extend(hidden.iter().skip(1).map(|&width| rows(width)));
        let mut gradients: Vec<Buffer> = sums.iter().map(|sums| card.empty(sums.len())).collect();
        if !hidden.is_empty() {
            gradients.push(rows(1));
        }
        let joined = rows(network.skip_width());
        let values = (0..hidden.len()).map(|layer| match layer {
            0 => rows(architecture.views() * architecture.accumulator_outputs()),
            _ if architecture.skip => joined.clone(),
            _ => rows(hidden[layer]),
        });
        Self {
            positions,
            values: values.collect(),
            sums,
            gradients,
            outputs: rows(1),
            losses: rows(1),
            value_gradients: rows(network.skip_width()),
            partial: layers.iter().map(|_| card.empty(0)).collect(),
        }
    }
}

/// The weights of a layer, then its biases.
pub(super) fn flat(layer: &FloatLayer) -> Vec<f32> {
    layer.weights.iter().chain(&layer.bias).copied().collect()
}

impl CardNetwork {
    /// Sends a network, whose weights are [`rounded`](crate::rounded).
    pub(super) fn new(network: &FloatNetwork, card: &Card) -> Self {
        let layers = network.layers.iter().map(|layer| CardLayer {
            rows: layer.weights.nrows(),
            columns: layer.outputs(),
            rounded: card.floats(&flat(layer)),
        });
        Self { card: card.clone(), architecture: network.architecture.clone(), layers: layers.collect() }
    }

    /// Index of the output layer.
    pub(super) fn last(&self) -> usize {
        self.architecture.hidden.len()
    }

    /// With skip connections, where a layer's values begin in the row that the output layer reads.
    pub(super) fn skip_offset(&self, layer: usize) -> usize {
        self.architecture.hidden[1..layer].iter().map(|width| 2 * width).sum()
    }

    /// Length of that row; 0 without skip connections.
    pub(super) fn skip_width(&self) -> usize {
        if self.architecture.skip { self.skip_offset(self.last()) } else { 0 }
    }

    /// The shape of a layer after the first.
    pub(super) fn dense(&self, layer: usize) -> Dense {
        let CardLayer { rows, columns, .. } = self.layers[layer];
        let reads_joined = self.architecture.skip && layer > 1;
        Dense {
            inputs: rows,
            outputs: self.architecture.hidden.get(layer).copied().unwrap_or(1),
            columns,
            input_stride: if reads_joined { self.skip_width() } else { rows },
            input_offset: if reads_joined && layer < self.last() { self.skip_offset(layer - 1) } else { 0 },
        }
    }

    pub(super) fn finish(&self, layer: usize) -> Finish {
        let Architecture { activation, pairwise, skip, hidden, .. } = &self.architecture;
        match activation {
            _ if hidden.is_empty() => Finish::Linear,
            _ if layer == 0 && *pairwise => Finish::Pairs,
            _ if layer > 0 && *skip => Finish::WithSquares,
            Activation::SquaredClippedRelu => Finish::SquaredClipped,
            _ => Finish::Clipped,
        }
    }

    /// A layer's dropout, and whether it has any.
    pub(super) fn drop(&self, layer: usize, dropout: Dropout) -> (DropLaunch, bool) {
        let drop = layer_ops(&self.architecture, dropout, layer).and_then(|layer_ops| layer_ops.drop);
        let has_dropout = drop.is_some();
        let (seed, threshold, kept) = drop.map_or((0, 0, 1.0), |drop| (drop.seed, drop.threshold, drop.kept));
        (DropLaunch::new(seed as u32, (seed >> 32) as u32, u32::from(threshold), kept), has_dropout)
    }

    /// Computes outputs, losses and the outputs' gradients into the workspace.
    #[allow(unsafe_code, reason = "launches")]
    pub(super) fn forward(&self, workspace: &Workspace, batch: &DeviceBatch, objective: Objective, dropout: Dropout) {
        let (client, architecture) = (&self.card.client, &self.architecture);
        let (first, last, views) = (&self.layers[0], self.last(), architecture.views());
        let ((drop, drops), finish) = (self.drop(0, dropout), self.finish(0));
        let shape = FirstLayer {
            views,
            width: first.columns,
            stride: MAX_PIECES * views,
            side_row: first.rows - 1,
            finish,
            drops,
        };
        // A linear model writes no values.
        let values = workspace.values.first().unwrap_or(&workspace.value_gradients);
        let columns = if finish == Finish::Pairs { first.columns / 2 } else { first.columns };
        let units = column_units(columns);
        // SAFETY: the kernels check rows and columns against shapes, which are those of the buffers.
        unsafe {
            accumulate::launch_unchecked(
                client,
                cubes(columns.div_ceil(units as usize), batch.len(), 1),
                CubeDim::new_1d(units),
                first.rounded.arg(),
                batch.features.arg(),
                batch.heads.arg(),
                workspace.sums[0].arg(),
                values.arg(),
                drop,
                shape,
            );
        }
        for layer in 1..last {
            let ((drop, drops), finish, dense) = (self.drop(layer, dropout), self.finish(layer), self.dense(layer));
            let (stride, offset) = match finish {
                Finish::WithSquares => (self.skip_width(), self.skip_offset(layer)),
                _ => (dense.outputs, 0),
            };
            let is_in_place = architecture.skip && layer > 1;
            let after = Values { stride, offset, finish, drops, is_in_place };
            let inputs = if is_in_place { &workspace.outputs } else { &workspace.values[layer - 1] };
            // SAFETY: as above.
            unsafe {
                dense_sums::launch_unchecked(
                    client,
                    cubes(dense.outputs.div_ceil(COLUMNS), batch.tiles.len() / GROUP_NUMBERS, 1),
                    CubeDim::new_1d(UNITS),
                    inputs.arg(),
                    self.layers[layer].rounded.arg(),
                    batch.tiles.arg(),
                    workspace.sums[layer].arg(),
                    workspace.values[layer].arg(),
                    drop,
                    dense,
                    after,
                );
            }
        }
        let skip = if architecture.skip { architecture.hidden[1] } else { 0 };
        let inputs = if last == 0 { 0 } else { self.layers[last].rows };
        let shape = Output { inputs, buckets: self.layers[last].columns, skip };
        let (loss, power) = Loss::of(objective);
        // SAFETY: as above.
        unsafe {
            output_and_loss::launch_unchecked(
                client,
                numbered_cubes(batch.len().div_ceil(POSITIONS as usize)),
                CubeDim::new_2d(LANES, POSITIONS),
                workspace.values.last().unwrap_or(&workspace.sums[0]).arg(),
                self.layers[last].rounded.arg(),
                if skip > 0 { &workspace.sums[1] } else { &workspace.value_gradients }.arg(),
                batch.heads.arg(),
                batch.targets.arg(),
                workspace.outputs.arg(),
                workspace.gradients[last].arg(),
                workspace.losses.arg(),
                power,
                shape,
                loss,
            );
        }
    }
}

/// A network that predicts on a card.
#[derive(Debug)]
pub(crate) struct CardPredictor {
    network: CardNetwork,
    workspace: Workspace,
}

impl CardPredictor {
    /// Sends a network with [`rounded`](crate::rounded) weights.
    pub(crate) fn new(network: &FloatNetwork, card: &Card) -> Self {
        let network = CardNetwork::new(network, card);
        let workspace = Workspace::new(&network, 0);
        Self { network, workspace }
    }

    /// The outputs in the order of the batch.
    pub(crate) fn outputs(&mut self, batch: &SparseBatch) -> Vec<f32> {
        let Self { network, workspace } = self;
        workspace.fit(network, batch.len());
        let batch = DeviceBatch::new(batch, None, &network.card);
        network.forward(workspace, &batch, Objective::ClippedCentipawns, Dropout::NONE);
        network.card.read(&workspace.outputs.first(batch.len()))
    }
}
