//! Compares steps on a graphics card with steps on cores, and counts launches.

use std::sync::Arc;

use alfiere_data::Row;

use super::card::counts;
use crate::float::FloatNetwork;
use crate::gradient_check::{ARCHITECTURES, with_biases};
use crate::hints::tests::Counts;
use crate::test_samples::samples;
use crate::{
    Batch, Compute, Dropout, Hints, Learner, LearnerState, Mirror, Objective, Predictor, Processor, SparseBatch,
    StepSize, UpdateRule,
};

const BATCH: usize = 50;
const OBJECTIVE: Objective = Objective::Sigmoid { scale: 300.0, power: 2.5 };

fn card() -> Processor {
    Compute::Gpu.processor().expect("a graphics card, or Mesa's software Vulkan")
}

fn ready(text: &str, rule: UpdateRule, processor: &Processor) -> Learner {
    let mut network = with_biases(text);
    // Sums of bytes are often exactly 0 or 1, where the order of additions decides about a gradient.
    network.layers[1..].iter_mut().for_each(|layer| layer.bias += 0.000_317);
    let mut learner = Learner::new(network, processor.clone()).with_rule(rule).with_average(0.9);
    let hints = Hints::new(Arc::new(Counts), 0.05, &learner.state().network.architecture).ok();
    learner.with_hints(hints)
}

fn batches(learner: &mut Learner, objective: Objective, samples: &[Row], size: usize) -> Vec<Batch> {
    let (processor, architecture) = (learner.processor().clone(), learner.state().network.architecture.clone());
    let hints = Hints::new(Arc::new(Counts), 0.05, &architecture).ok();
    let encoding = processor.encoding(&architecture, objective, 0.3);
    let picks: Vec<u32> = (0..samples.len() as u32).collect();
    let batch = |picks: &[u32]| {
        let mut positions = SparseBatch::default();
        positions.fill(samples.into(), picks, &encoding, Mirror::Random(1));
        processor.prepare(positions, hints.as_ref())
    };
    picks.chunks(size).map(batch).collect()
}

fn train(learner: &mut Learner, batches: &[Batch], objective: Objective, dropout: Dropout, rate: f32) -> Vec<f32> {
    let size = StepSize { rate, decay: 0.01 };
    let mut losses = Vec::new();
    for (step, batch) in (dropout.step..).zip(batches) {
        losses.extend(learner.step(batch, objective, Dropout { step, ..dropout }, size));
    }
    losses.extend(learner.read_losses());
    losses.into_iter().map(|loss| loss.mean).collect()
}

/// All numbers of a state that have the size of weights.
fn numbers(state: &LearnerState) -> Vec<f32> {
    let of = |network: &FloatNetwork| -> Vec<f32> {
        network.layers.iter().flat_map(|layer| layer.weights.iter().chain(&layer.bias)).copied().collect()
    };
    let average = state.average.as_ref().map(|average| of(&average.network));
    let slow = state.optimiser.slow.as_ref().map(|slow| of(&slow.0));
    let shared = state.optimiser.shared.as_ref().map(|shared| shared.weights.clone());
    [Some(of(&state.network)), average, slow, shared].into_iter().flatten().flatten().collect()
}

/// The mean gradients of each layer, which after a first step are a tenth of its gradients.
fn means(state: &LearnerState) -> Vec<Vec<f32>> {
    state.optimiser.layers.iter().map(|layer| [&*layer.weights.mean, &*layer.bias.mean].concat()).collect()
}

/// Takes one step on cores and on a card, and compares the losses and all gradients.
fn compare_gradients(text: &str, objective: Objective, samples: &[Row], rate: f32) {
    let [(losses, state), (card_losses, card_state)] = [Processor::cores(), card()].map(|processor| {
        let mut learner = ready(text, UpdateRule::AdamW, &processor);
        let batches = batches(&mut learner, objective, samples, samples.len());
        let losses = train(&mut learner, &batches, objective, Dropout { rate, seed: 3, step: 7 }, 1e-3);
        (losses, learner.into_state())
    });
    assert!((losses[0] - card_losses[0]).abs() < 1e-5, "{text}: loss {card_losses:?}, expected {losses:?}");
    for (layer, (expected, found)) in means(&state).into_iter().zip(means(&card_state)).enumerate() {
        let norm = |numbers: &mut dyn Iterator<Item = f32>| numbers.map(|number| number * number).sum::<f32>().sqrt();
        let size = norm(&mut expected.iter().copied());
        let error = norm(&mut expected.iter().zip(&found).map(|(expected, found)| expected - found));
        assert!(error < 1e-3 * size, "{text} layer {layer}: gradients of {size} differ by {error}");
        for (at, (expected, found)) in expected.into_iter().zip(found).enumerate() {
            let near = 1e-5 + 1e-2 * expected.abs();
            assert!((expected - found).abs() < near, "{text} layer {layer}, {at}: {found}, expected {expected}");
        }
    }
}

#[test]
fn gradients_match_those_on_cores_for_every_architecture() {
    // Enough positions for several parts, not a multiple of a tile.
    let samples = samples(1101, 6);
    let square = Objective::Sigmoid { scale: 300.0, power: 2.0 };
    let objectives = [Objective::ClippedCentipawns, OBJECTIVE, Objective::Tanh { scale: 400.0 }, square];
    for (text, objective) in ARCHITECTURES.into_iter().zip(objectives.into_iter().cycle()) {
        compare_gradients(text, objective, &samples, 0.0);
    }
}

#[test]
fn dropout_has_the_masks_of_the_cores() {
    let samples = samples(300, 7);
    for text in ["white [50,20] crelu x1", "dual [64,9,40] screlu x8 stacks", "dual [40,9] x8 stacks pairwise"] {
        compare_gradients(text, OBJECTIVE, &samples, 0.3);
    }
}

#[test]
fn predictions_match_those_on_cores() {
    let samples = samples(300, 1);
    for text in ARCHITECTURES {
        let network = with_biases(text);
        let [expected, found] = [Processor::cores(), card()].map(|processor| {
            let encoding = processor.encoding(&network.architecture, OBJECTIVE, 0.0);
            let mut predictor = Predictor::new(&network, &processor);
            // The last batch is smaller.
            let batches = [0..200, 200..300].map(|picks| {
                let mut positions = SparseBatch::default();
                positions.fill(samples[..].into(), &picks.collect::<Vec<_>>(), &encoding, Mirror::Never);
                predictor.outputs(&Arc::new(positions))
            });
            batches.concat()
        });
        assert_eq!(expected.len(), found.len());
        for (expected, found) in expected.into_iter().zip(found) {
            assert!((expected - found).abs() < 1e-4, "{text}: {found}, expected {expected}");
        }
    }
}

#[test]
fn many_steps_match_those_on_cores() {
    // The last batch is smaller.
    let samples = samples(14 * BATCH + 20, 8);
    for (text, rule, rate) in [
        ("dual [40] crelu x8", UpdateRule::Ranger, 1e-3),
        ("dual [24] screlu x1 kings=4", UpdateRule::AdamW, 1e-3),
        ("white [24,48] screlu x8", UpdateRule::AdamW, 1e-3),
        // Initial weights are multiples of the 8-bit step. At a higher rate, differences in the last bit decide the rounding of
        // many.
        ("dual [64,32,9] crelu x8 stacks pairwise skip kings=4", UpdateRule::Ranger, 1e-5),
    ] {
        let [(losses, state), (card_losses, card_state)] = [Processor::cores(), card()].map(|processor| {
            let mut learner = ready(text, rule, &processor);
            let batches = batches(&mut learner, OBJECTIVE, &samples, BATCH);
            (train(&mut learner, &batches, OBJECTIVE, Dropout::NONE, rate), learner.into_state())
        });
        assert_eq!((losses.len(), card_losses.len()), (15, 15));
        for (step, (loss, found)) in losses.iter().zip(&card_losses).enumerate() {
            assert!((loss - found).abs() < 1e-3 * loss, "{text}, step {step}: loss {found}, expected {loss}");
        }
        assert_eq!((state.optimiser.steps, card_state.optimiser.steps), (15, 15));
        assert_eq!(card_state.average.as_ref().map(|average| average.steps), Some(15));
        let (expected, found) = (numbers(&state), numbers(&card_state));
        assert_eq!(expected.len(), found.len());
        // Where gradients cancel, the rules make a difference of rounding as large as the rate.
        let far = expected.iter().zip(&found).filter(|(a, b)| (**a - **b).abs() > 1e-4).count();
        assert!(far * 500 < expected.len(), "{text}: {far} of {} numbers differ", expected.len());
    }
}

#[test]
fn fetching_the_state_between_steps_changes_no_bit() {
    let samples = samples(8 * BATCH, 9);
    let processor = card();
    let text = "dual [24,9] crelu x8 stacks kings=2";
    let start = || {
        let mut learner = ready(text, UpdateRule::Ranger, &processor);
        let batches = batches(&mut learner, OBJECTIVE, &samples, BATCH);
        (learner, batches)
    };
    let (mut whole, batches) = start();
    let losses = train(&mut whole, &batches, OBJECTIVE, Dropout::NONE, 1e-3);
    let (mut resumed, batches) = start();
    let (first, second) = batches.split_at(3);
    let mut resumed_losses = train(&mut resumed, first, OBJECTIVE, Dropout::NONE, 1e-3);
    let state = resumed.state().clone();
    let resumed = Learner::resume(state, processor.clone()).expect("its own state");
    let mut resumed = resumed.with_rule(UpdateRule::Ranger).with_average(0.9);
    resumed_losses.extend(train(&mut resumed, second, OBJECTIVE, Dropout::NONE, 1e-3));
    assert_eq!((resumed_losses, resumed.into_state()), (losses, whole.into_state()));
}

#[test]
fn losses_are_given_every_64_steps() {
    let samples = samples(65, 1);
    let mut learner = ready("dual [8]", UpdateRule::AdamW, &card());
    let batches = batches(&mut learner, OBJECTIVE, &samples, 1);
    let size = StepSize { rate: 1e-3, decay: 0.0 };
    let given = batches.iter().map(|batch| learner.step(batch, OBJECTIVE, Dropout::NONE, size).len());
    assert_eq!(given.enumerate().filter(|&(_, count)| count > 0).collect::<Vec<_>>(), [(63, 64)]);
    assert_eq!(learner.read_losses().len(), 1);
}

/// Passes over the positions' accumulators: forward, sums and values are written, and values read; backward, values are read
/// for the weights, sums are read and their gradients written and read. Then the table's gradients are written in parts and read.
const PASSES: usize = 9;

#[test]
fn a_step_has_few_launches_and_passes() {
    let positions = 2000;
    let samples = samples(positions, 2);
    let large = ["white [769,384,192,96]", "dual [1024,32,32] x8 stacks pairwise skip kings=1"];
    for text in ARCHITECTURES.into_iter().chain(large) {
        let mut learner = ready(text, UpdateRule::Ranger, &card());
        let architecture = learner.state().network.architecture.clone();
        let batch = &batches(&mut learner, OBJECTIVE, &samples, positions)[0];
        let size = StepSize { rate: 1e-3, decay: 0.0 };
        learner.step(batch, OBJECTIVE, Dropout::NONE, size);
        counts::take();
        learner.step(batch, OBJECTIVE, Dropout::NONE, size);
        let counts = counts::take();
        assert!(counts.launches <= 25, "{text}: {} launches", counts.launches);
        if large.contains(&text) {
            let values = positions * architecture.views() * architecture.accumulator_outputs();
            let passes = counts.lengths.iter().filter(|&&length| length >= values).count();
            assert!(passes <= PASSES, "{text}: {passes} passes");
        }
    }
}
