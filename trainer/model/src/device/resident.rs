//! A network under training that stays on a card, and the launches of a step after the forward pass.

use alfiere_nnue::PIECE_INPUTS;
use alfiere_nnue::quantisation::{bias_limit, weight_limit};
use cubecl::prelude::*;

use super::batch::DeviceBatch;
use super::card::{Buffer, Card, UNITS, column_units, cubes, numbered_cubes};
use super::kernels::dense::{
    Before, COLUMNS, GROUP_NUMBERS, ROWS, Skip, dense_input_gradient, dense_weight_gradient, skip_gradient,
};
use super::kernels::first_layer::table_gradient;
use super::kernels::output::{ADDERS, total_loss};
use super::kernels::update::{ConstantsLaunch, Layer, Parts, update};
use super::network::{CardNetwork, Workspace, flat};
use crate::float::{FloatLayer, FloatNetwork};
use crate::hints::MAX_ERROR;
use crate::layers::{Dropout, rounded, rounding_steps};
use crate::learner_state::{LayerMoments, LearnerState, StepLoss, StepSize};
use crate::objective::Objective;
use crate::optimiser::{BETA1, BETA2, EPSILON, SLOW_SHARE, UpdateRule, average_share, is_slow_return};

/// Steps whose losses are read together.
const LOSSES: usize = 64;

/// What the optimiser keeps of a layer, as [`CardLayer`](super::network::CardLayer) stores its weights.
#[derive(Debug)]
struct Trained {
    weights: Buffer,
    /// The means of the gradients, then the means of their squares.
    moments: Buffer,
    /// The moving average, then the slow weights, as far as there are any.
    followers: Buffer,
}

/// A network and the state of its optimiser on a card.
#[derive(Debug)]
pub(crate) struct Resident {
    network: CardNetwork,
    workspace: Workspace,
    layers: Vec<Trained>,
    /// The shared rows of king buckets `[768][width]`, then their moments.
    shared: Buffer,
    /// Number of buckets with shared rows, 0 if there are none.
    shared_sets: usize,
    has_slow: bool,
    has_average: bool,
    steps: u64,
    average_steps: u64,
    /// The losses of steps that have not been read, and their numbers of positions.
    losses: Buffer,
    unread: Vec<usize>,
}

impl Resident {
    pub(crate) fn new(state: &LearnerState, card: &Card) -> Self {
        let LearnerState { network, optimiser, average } = state;
        let layers = network.layers.iter().zip(&optimiser.layers).enumerate().map(|(index, (layer, moments))| {
            let weights = flat(layer);
            let LayerMoments { weights: of_weights, bias } = moments;
            let moments = [&of_weights.mean, &bias.mean, &of_weights.square, &bias.square];
            let follower = |network: Option<&FloatNetwork>| {
                network.map_or_else(|| vec![0.0; weights.len()], |network| flat(&network.layers[index]))
            };
            let average = follower(average.as_ref().map(|average| &average.network));
            let slow = follower(optimiser.slow.as_ref().map(|slow| &slow.0));
            Trained {
                moments: card.floats(&moments.map(Vec::as_slice).concat()),
                followers: card.floats(&[average, slow].concat()),
                weights: card.floats(&weights),
            }
        });
        let shared = optimiser
            .shared
            .as_ref()
            .map(|shared| [&shared.weights, &shared.moments.mean, &shared.moments.square].map(Vec::as_slice).concat());
        let on_card = CardNetwork::new(&rounded(network.clone()), card);
        Self {
            workspace: Workspace::new(&on_card, 0),
            network: on_card,
            layers: layers.collect(),
            shared_sets: if shared.is_some() { network.architecture.inputs.sets() } else { 0 },
            shared: card.floats(&shared.unwrap_or_default()),
            has_slow: optimiser.slow.is_some(),
            has_average: average.is_some(),
            steps: optimiser.steps,
            average_steps: average.as_ref().map_or(0, |average| average.steps),
            losses: card.floats(&[0.0; LOSSES]),
            unread: Vec::new(),
        }
    }

    /// Brings the state back; the losses have been read.
    pub(crate) fn fetch(&self, state: &mut LearnerState) {
        let LearnerState { network, optimiser, average } = state;
        let read = |buffer: &Buffer| self.network.card.read(buffer);
        optimiser.steps = self.steps;
        for (index, layer) in self.layers.iter().enumerate() {
            fill(&mut network.layers[index], &read(&layer.weights));
            let moments = read(&layer.moments);
            let (means, squares) = moments.split_at(layer.weights.len());
            let LayerMoments { weights, bias } = &mut optimiser.layers[index];
            let count = weights.mean.len();
            weights.mean.copy_from_slice(&means[..count]);
            bias.mean.copy_from_slice(&means[count..]);
            weights.square.copy_from_slice(&squares[..count]);
            bias.square.copy_from_slice(&squares[count..]);
            let followers = if self.has_average || self.has_slow { read(&layer.followers) } else { Vec::new() };
            if let Some(average) = average {
                average.steps = self.average_steps;
                fill(&mut average.network.layers[index], &followers);
            }
            if let Some(slow) = &mut optimiser.slow {
                fill(&mut slow.0.layers[index], &followers[layer.weights.len()..]);
            }
        }
        if let Some(shared) = &mut optimiser.shared {
            let numbers = read(&self.shared);
            let mut parts = numbers.chunks_exact(shared.weights.len());
            for part in [&mut shared.weights, &mut shared.moments.mean, &mut shared.moments.square] {
                part.copy_from_slice(parts.next().unwrap_or_default());
            }
        }
    }

    /// Takes one step on a batch, and gives the losses of the last steps when there are enough of them. The weights stay as
    /// they are in a step whose loss is not finite.
    pub(crate) fn step(
        &mut self,
        batch: &DeviceBatch,
        objective: Objective,
        dropout: Dropout,
        size: StepSize,
        rule: UpdateRule,
        average_decay: f32,
    ) -> Vec<StepLoss> {
        self.workspace.fit(&self.network, batch.len());
        self.network.forward(&self.workspace, batch, objective, dropout);
        self.total_loss(batch);
        for layer in (1..=self.network.last()).rev() {
            self.dense_gradients(layer, batch, dropout);
        }
        self.table_gradient(batch);
        self.steps += 1;
        self.average_steps += 1;
        for layer in 0..self.layers.len() {
            self.update(layer, batch, size, rule, average_decay);
        }
        self.unread.push(batch.len());
        if self.unread.len() < LOSSES { Vec::new() } else { self.read_losses() }
    }

    /// Waits for all steps; the losses that have not been given yet.
    pub(crate) fn read_losses(&mut self) -> Vec<StepLoss> {
        if self.unread.is_empty() {
            return Vec::new();
        }
        let losses = self.network.card.read(&self.losses);
        losses.into_iter().zip(self.unread.drain(..)).map(|(mean, positions)| StepLoss { mean, positions }).collect()
    }

    #[allow(unsafe_code, reason = "a launch")]
    fn total_loss(&self, batch: &DeviceBatch) {
        // SAFETY: the first argument has a loss for each position, the second a place for each unread step.
        unsafe {
            total_loss::launch_unchecked(
                &self.network.card.client,
                cubes(1, 1, 1),
                CubeDim::new_1d(ADDERS),
                self.workspace.losses.first(batch.len()).arg(),
                self.losses.arg(),
                self.unread.len() as u32,
            );
        }
    }

    /// Computes the gradients of the weights of a layer after the first, and those of the sums, or the values, before it.
    #[allow(unsafe_code, reason = "launches")]
    fn dense_gradients(&mut self, layer: usize, batch: &DeviceBatch, dropout: Dropout) {
        let (network, workspace) = (&self.network, &mut self.workspace);
        let (client, dense, last) = (&network.card.client, network.dense(layer), network.last());
        let (finish, (drop, drops)) = (network.finish(layer - 1), network.drop(layer - 1, dropout));
        let has_joined = network.architecture.skip && layer > 1;
        if network.architecture.skip && layer < last {
            skip_gradients(network, workspace, batch, layer);
        }
        let parts = batch.parts.len() / GROUP_NUMBERS;
        let length = parts * (dense.inputs + 1) * dense.outputs;
        if workspace.partial[layer].len() < length {
            workspace.partial[layer] = network.card.empty(length);
        }
        let before = if has_joined { &workspace.value_gradients } else { &workspace.gradients[layer - 1] };
        let width = network.architecture.hidden[layer - 1];
        // SAFETY: the kernels check rows and columns against shapes, which are those of the buffers.
        unsafe {
            dense_weight_gradient::launch_unchecked(
                client,
                cubes(dense.outputs.div_ceil(COLUMNS), (dense.inputs + 1).div_ceil(ROWS), parts),
                CubeDim::new_1d(UNITS),
                workspace.values[layer - 1].arg(),
                workspace.gradients[layer].arg(),
                batch.parts.arg(),
                workspace.partial[layer].arg(),
                dense,
            );
            dense_input_gradient::launch_unchecked(
                client,
                cubes(dense.inputs.div_ceil(COLUMNS), batch.tiles.len() / GROUP_NUMBERS, 1),
                CubeDim::new_1d(UNITS),
                workspace.gradients[layer].arg(),
                network.layers[layer].rounded.arg(),
                batch.tiles.arg(),
                workspace.sums[layer - 1].arg(),
                before.arg(),
                drop,
                dense,
                Before { finish, width, drops, adds: has_joined && layer < last },
            );
        }
    }

    #[allow(unsafe_code, reason = "a launch")]
    fn table_gradient(&mut self, batch: &DeviceBatch) {
        let (width, slots) = (self.network.layers[0].columns, batch.table.slots());
        let (units, partial) = (column_units(width), &mut self.workspace.partial[0]);
        if partial.len() < slots * width {
            // Batches differ in their numbers of slots.
            *partial = self.network.card.empty(slots * width * 9 / 8);
        }
        // SAFETY: runs have slots below their number, and list accumulators of the batch.
        unsafe {
            table_gradient::launch_unchecked(
                &self.network.card.client,
                cubes(width.div_ceil(units as usize), slots, 1),
                CubeDim::new_1d(units),
                self.workspace.gradients[0].arg(),
                batch.table.rows.arg(),
                batch.table.runs.arg(),
                partial.arg(),
                width,
            );
        }
    }

    #[allow(unsafe_code, reason = "a launch")]
    fn update(&self, layer: usize, batch: &DeviceBatch, size: StepSize, rule: UpdateRule, average_decay: f32) {
        let (architecture, shape) = (&self.network.architecture, &self.network.layers[layer]);
        let constants = rule.constants(size.updates(architecture, layer, self.steps)[0]);
        let [step, bias_step] = rounding_steps(architecture, layer);
        let shared_sets = if layer == 0 { self.shared_sets } else { 0 };
        let set = PIECE_INPUTS * shape.columns;
        let Trained { weights, moments, followers } = &self.layers[layer];
        let dense = (layer > 0).then(|| self.network.dense(layer));
        let (parts, starts) = match dense {
            None => (Parts::Rows, &batch.table.starts),
            Some(dense) if dense.columns > dense.outputs => (Parts::Buckets(dense.outputs), &batch.part_starts),
            Some(_) => (Parts::All, &batch.part_starts),
        };
        let units = if shared_sets > 0 { weights.len() - set * (shared_sets - 1) } else { weights.len() };
        let launch = Layer {
            rows: shape.rows,
            columns: shape.columns,
            parts,
            shared_sets,
            is_scaled: constants.is_scaled,
            has_average: self.has_average,
            returns: self.has_slow && is_slow_return(self.steps),
            rounds: [step.is_some(), bias_step.is_some()],
        };
        // SAFETY: the kernel has a unit for each weight and checks its number.
        unsafe {
            update::launch_unchecked(
                &self.network.card.client,
                numbered_cubes(units.div_ceil(UNITS as usize)),
                CubeDim::new_1d(UNITS),
                weights.arg(),
                moments.arg(),
                shape.rounded.arg(),
                followers.arg(),
                self.shared.arg(),
                self.workspace.partial[layer].arg(),
                starts.arg(),
                self.losses.arg(),
                ConstantsLaunch::new(
                    constants.rate,
                    constants.scale,
                    constants.keep,
                    weight_limit(architecture, layer),
                    bias_limit(architecture, layer),
                    1.0 - BETA1,
                    1.0 - BETA2,
                    EPSILON,
                    average_share(self.average_steps, average_decay),
                    SLOW_SHARE,
                    step.unwrap_or(1.0),
                    bias_step.unwrap_or(1.0),
                    self.unread.len() as u32,
                ),
                launch,
            );
        }
    }
}

/// Computes the gradients of the sums of a layer from those of its values, which the output layer reads too.
#[allow(unsafe_code, reason = "a launch")]
fn skip_gradients(network: &CardNetwork, workspace: &Workspace, batch: &DeviceBatch, layer: usize) {
    let hints = batch.hints.as_ref().filter(|_| layer == 1);
    let none = &workspace.outputs;
    let (targets, count, scale) = hints.map_or((none, 0, 0.0), |(targets, count, weight)| {
        (targets, *count, 2.0 * weight / (count * batch.len()) as f32)
    });
    let width = network.architecture.hidden[layer];
    let stride = network.skip_width();
    let shape = Skip { width, stride, offset: network.skip_offset(layer), is_skipped: layer == 1, hints: count };
    let sums = batch.len() * width;
    // SAFETY: a unit has a number below that of the gradients.
    unsafe {
        skip_gradient::launch_unchecked(
            &network.card.client,
            numbered_cubes(sums.div_ceil(UNITS as usize)),
            CubeDim::new_1d(UNITS),
            workspace.value_gradients.arg(),
            workspace.sums[layer].arg(),
            workspace.gradients[network.last()].arg(),
            targets.arg(),
            workspace.gradients[layer].first(sums).arg(),
            scale,
            MAX_ERROR,
            shape,
        );
    }
}

/// Fills a layer from its weights and biases.
fn fill(layer: &mut FloatLayer, numbers: &[f32]) {
    let (weights, bias) = layer.as_slices_mut();
    let (first, rest) = numbers.split_at(weights.len());
    weights.copy_from_slice(first);
    bias.copy_from_slice(&rest[..bias.len()]);
}
