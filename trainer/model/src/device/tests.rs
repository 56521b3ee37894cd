//! Compares steps on a device that keeps the weights with steps on cores.

use std::sync::Arc;

use alfiere_nnue::FloatNetwork;
use burn::tensor::Device;

use crate::gradient_check::with_biases;
use crate::hints::tests::Counts;
use crate::test_samples::{TestSample, samples};
use crate::{
    Batch, Dropout, Hints, Learner, LearnerState, Mirror, Objective, Processor, SparseBatch, StepSize, UpdateRule,
};

const BATCH: usize = 50;
const OBJECTIVE: Objective = Objective::Sigmoid { scale: 300.0, power: 2.5 };

fn ready(text: &str, rule: UpdateRule, processor: &Processor, samples: &[TestSample]) -> (Learner, Vec<Batch>) {
    let mut learner = Learner::new(with_biases(text), processor.clone()).with_rule(rule).with_average(0.9);
    let hints = Hints::new(Arc::new(Counts), 0.05, &learner.state().network.architecture).ok();
    learner = learner.with_hints(hints.clone());
    let encoding = processor.encoding(&learner.state().network.architecture, OBJECTIVE, 0.3);
    let picks: Vec<u32> = (0..samples.len() as u32).collect();
    let parts = picks.chunks(BATCH * processor.steps_together()).flat_map(|picks| {
        let mut positions = SparseBatch::default();
        positions.fill(samples, picks, &encoding, Mirror::Random(1));
        processor.batches(processor.prepare(positions, hints.as_ref()), BATCH)
    });
    (learner, parts.collect())
}

fn train(learner: &mut Learner, batches: &[Batch], rate: f32) -> Vec<f32> {
    let size = StepSize { rate, decay: 0.01 };
    batches.iter().map(|batch| learner.step(batch, OBJECTIVE, Dropout::NONE, size)).collect()
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

/// Trains on this device and on cores, with every rule and the parts that an architecture may have.
fn check(device: &Device) {
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
        let processors = [Processor::cores(), Processor::gpu(device.clone())];
        let [(losses, state), (device_losses, device_state)] = processors.map(|processor| {
            let (mut learner, batches) = ready(text, rule, &processor, &samples);
            assert_eq!(batches.len(), 15);
            (train(&mut learner, &batches, rate), learner.into_state())
        });
        for (step, (loss, found)) in losses.iter().zip(&device_losses).enumerate() {
            assert!((loss - found).abs() < 1e-3 * loss, "{text}, step {step}: loss {found}, expected {loss}");
        }
        assert_eq!((state.optimiser.steps, device_state.optimiser.steps), (15, 15));
        assert_eq!(state.average.as_ref().map(|average| average.steps), Some(15));
        let (expected, found) = (numbers(&state), numbers(&device_state));
        assert_eq!(expected.len(), found.len());
        // Where gradients cancel, the rules make a difference of rounding as large as the rate.
        let far = expected.iter().zip(&found).filter(|(a, b)| (**a - **b).abs() > 1e-4).count();
        assert!(far * 500 < expected.len(), "{text}: {far} of {} numbers differ", expected.len());
    }
}

#[test]
fn steps_with_resident_weights_match_those_on_cores() {
    check(&Device::flex());
}

#[cfg(feature = "cuda")]
#[test]
fn steps_on_a_graphics_card_with_cuda_match_those_on_cores() {
    check(&Device::cuda(0));
}

#[cfg(feature = "wgpu")]
#[test]
fn steps_on_a_graphics_card_match_those_on_cores() {
    check(&Device::wgpu(burn::tensor::DeviceKind::DefaultDevice));
}

#[test]
fn fetching_the_state_between_steps_changes_nothing() {
    let samples = samples(8 * BATCH, 9);
    let processor = Processor::gpu(Device::flex());
    let text = "dual [24,9] crelu x8 stacks kings=2";
    let (mut whole, batches) = ready(text, UpdateRule::Ranger, &processor, &samples);
    let losses = train(&mut whole, &batches, 1e-3);
    let (mut resumed, batches) = ready(text, UpdateRule::Ranger, &processor, &samples);
    let (first, second) = batches.split_at(3);
    let mut resumed_losses = train(&mut resumed, first, 1e-3);
    let state = resumed.state().clone();
    let resumed = Learner::resume(state, processor).expect("its own state");
    let mut resumed = resumed.with_rule(UpdateRule::Ranger).with_average(0.9);
    resumed_losses.extend(train(&mut resumed, second, 1e-3));
    assert_eq!((resumed_losses, resumed.into_state()), (losses, whole.into_state()));
}
