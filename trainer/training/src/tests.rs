//! Tests runs on small synthetic data: resuming, early stopping, overflow, export.

// Runs are compared bit for bit.
#![allow(clippy::float_cmp)]

use std::ops::ControlFlow;
use std::path::Path;

use alfiere_model::test_samples::{TestSample, samples};
use alfiere_model::{Objective, UpdateRule};
use alfiere_nnue::{FloatNetwork, Provenance, dequantise, quantise};

use super::*;

struct StopAfter {
    steps: u64,
    epochs: Vec<EpochRecord>,
}

impl StopAfter {
    fn new(steps: u64) -> Self {
        Self { steps, epochs: Vec::new() }
    }
}

impl TrainingObserver for StopAfter {
    fn on_batch(&mut self, progress: &StepReport) -> ControlFlow<()> {
        assert!(progress.batches_done <= progress.batches && progress.positions_done <= 500);
        self.steps -= 1;
        if self.steps == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn on_epoch(&mut self, record: &EpochRecord) {
        self.epochs.push(record.clone());
    }
}

fn options() -> TrainingOptions {
    TrainingOptions {
        architecture: "dual [40] crelu x8".parse().expect("valid"),
        epochs: 4,
        batch_size: 64,
        learning_rate: 3e-3,
        warmup_steps: 5,
        result_share: ResultShare::Linear { from: 0.0, to: 0.2 },
        objective: Objective::Sigmoid { scale: 400.0, power: 2.5 },
        threads: 2,
        ..TrainingOptions::default()
    }
}

struct Set {
    samples: Vec<TestSample>,
    training: Vec<u32>,
    validation: Vec<u32>,
}

impl Set {
    fn new() -> Self {
        Self { samples: samples(600, 21), training: (0..500).collect(), validation: (500..600).collect() }
    }

    fn data(&self) -> TrainingData<'_, TestSample> {
        TrainingData {
            training: Rows { samples: &self.samples, picks: &self.training },
            other_form: None,
            validation: Rows { samples: &self.samples, picks: &self.validation },
            fingerprint: "made up".to_owned(),
            held_out: None,
            hints: None,
        }
    }

    fn run(&self, options: &TrainingOptions, files: RunFiles, observer: &mut StopAfter) -> TrainingResult {
        let config = TrainingConfig::new(options.clone()).expect("sound");
        train(&config, &self.data(), files, observer).expect("trained")
    }
}

fn saved_at(path: &Path) -> RunFiles {
    RunFiles {
        resume: Some(Checkpoint::load(path).expect("saved")),
        checkpoint: Some(path.to_path_buf()),
        ..RunFiles::default()
    }
}

#[test]
fn resumed_run_gives_a_bit_identical_network() {
    let set = Set::new();
    let deeper = TrainingOptions {
        architecture: "white [33,16] screlu x1".parse().expect("valid"),
        dropout: 0.2,
        objective: Objective::ClippedCentipawns,
        ..options()
    };
    let kings = TrainingOptions { architecture: "dual [40] crelu x8 kings=4".parse().expect("valid"), ..options() };
    let averaged = TrainingOptions { average: Some(0.9), ..options() };
    let linear = TrainingOptions { schedule: Schedule::Linear { final_share: 0.1 }, ..options() };
    let stepped = TrainingOptions {
        schedule: Schedule::Step { gamma: 0.5, every: 2 },
        result_share: ResultShare::Constant(0.3),
        ..kings.clone()
    };
    let lists = "dual [40] outputs=0,0,0,0,0,0,0,0,0,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2 \
                 kings=0,0,0,0/1,1,1,1/0,0,0,0/0,0,0,0/0,0,0,0/0,0,0,0/0,0,0,0/0,0,0,0";
    let ranger = TrainingOptions {
        architecture: lists.parse().expect("valid"),
        optimizer: UpdateRule::Ranger,
        average: Some(0.9),
        ..options()
    };
    for options in [options(), deeper, kings, averaged, linear, stepped, ranger] {
        let whole = set.run(&options, RunFiles::default(), &mut StopAfter::new(u64::MAX));
        assert_eq!(whole.stop, StopReason::Finished);
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("run.ckpt");
        // Stop in the middle of an epoch, at the last step of an epoch, and with a different number of threads.
        let files = RunFiles { checkpoint: Some(path.clone()), ..RunFiles::default() };
        let stopped = set.run(&options, files, &mut StopAfter::new(11));
        assert_eq!(stopped.stop, StopReason::Interrupted);
        assert_eq!(stopped.state, saved_at(&path).resume);
        assert_eq!(set.run(&options, saved_at(&path), &mut StopAfter::new(5)).stop, StopReason::Interrupted);
        let one_thread = TrainingOptions { threads: 1, ..options };
        let resumed = set.run(&one_thread, saved_at(&path), &mut StopAfter::new(u64::MAX));
        assert_eq!(resumed.stop, StopReason::Finished);
        assert_eq!(resumed.network, whole.network);
        assert_eq!(resumed.best_epoch, whole.best_epoch);
        let losses = |outcome: &TrainingResult| -> Vec<_> {
            let figures =
                |record: &EpochRecord| (record.epoch, record.learning_rate, record.training_loss, record.validation);
            outcome.history.iter().map(figures).collect()
        };
        assert_eq!(losses(&resumed), losses(&whole));
    }
}

#[test]
fn early_stopping_resumes_at_the_same_epoch() {
    let set = Set::new();
    let options = TrainingOptions { epochs: 200, learning_rate: 0.02, patience: Some(3), ..options() };
    let whole = set.run(&options, RunFiles::default(), &mut StopAfter::new(u64::MAX));
    assert_eq!(whole.stop, StopReason::NoProgress);
    assert_eq!(whole.history.len() as u32, whole.best_epoch + 3);
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("run.ckpt");
    let files = RunFiles { checkpoint: Some(path.clone()), ..RunFiles::default() };
    // Near the end of the second epoch after the best one, when one of three is used up.
    let steps = 500_u64.div_ceil(options.batch_size as u64);
    let mut stop = StopAfter::new(steps * u64::from(whole.best_epoch + 2) - 1);
    assert_eq!(set.run(&options, files, &mut stop).stop, StopReason::Interrupted);
    let resumed = set.run(&options, saved_at(&path), &mut StopAfter::new(u64::MAX));
    assert_eq!((resumed.stop, resumed.best_epoch), (whole.stop, whole.best_epoch));
    assert_eq!(resumed.network, whole.network);
}

#[test]
fn exported_weights_are_the_average() {
    let set = Set::new();
    let [weights, average] = [None, Some(0.95)].map(|average| {
        set.run(&TrainingOptions { average, ..options() }, RunFiles::default(), &mut StopAfter::new(u64::MAX))
    });
    assert_ne!(weights.network, average.network);
    let losses =
        |outcome: &TrainingResult| outcome.history.iter().map(|record| record.training_loss).collect::<Vec<_>>();
    assert_eq!(losses(&weights), losses(&average), "training is independent of the average");
    assert!(average.network.layers.iter().all(|layer| layer.weights.iter().all(|weight| weight.is_finite())));
}

#[test]
fn starting_weights_must_match_the_architecture() {
    let set = Set::new();
    let kings = TrainingOptions { architecture: "dual [40] crelu x8 kings=4".parse().expect("valid"), ..options() };
    let first = set.run(&kings, RunFiles::default(), &mut StopAfter::new(u64::MAX)).network;
    let start = || RunFiles { start: Some(first.clone()), ..RunFiles::default() };
    // With this step size no weight moves: the result equals the starting weights.
    let still = TrainingOptions { epochs: 1, learning_rate: 1e-30, weight_decay: 0.0, ..kings.clone() };
    let out = set.run(&still, start(), &mut StopAfter::new(u64::MAX)).network;
    for (out, first) in out.layers.iter().zip(&first.layers) {
        assert!((&out.weights - &first.weights).iter().all(|difference| difference.abs() < 1e-6));
        assert!((&out.bias - &first.bias).iter().all(|difference| difference.abs() < 1e-6));
    }
    let continued = set.run(&kings, start(), &mut StopAfter::new(u64::MAX));
    let random = set.run(&kings, RunFiles::default(), &mut StopAfter::new(u64::MAX));
    assert!(continued.history[0].training_loss < random.history[0].training_loss);
    let config = TrainingConfig::new(options()).expect("sound");
    let error = train(&config, &set.data(), start(), &mut ()).expect_err("another network").to_string();
    assert!(error.contains("'dual [40] crelu x8 kings=4', expected 'dual [40] crelu x8'"), "{error}");
}

#[test]
fn starting_weights_are_rescaled_from_checkpoints_and_network_files() {
    let set = Set::new();
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let files = RunFiles { checkpoint: Some(path("run.checkpoint")), ..RunFiles::default() };
    let outcome = set.run(&options(), files, &mut StopAfter::new(u64::MAX));
    let network = quantise(&outcome.network, outcome.output_scale, Provenance::default()).expect("small weights");
    network.save(path("run.nnue")).expect("saved");
    let shown = |network: &FloatNetwork, scale| {
        predict_centipawns(network, Objective::Sigmoid { scale, power: 2.5 }, set.data().validation)
    };
    for (name, weights) in [("run.checkpoint", &outcome.network), ("run.nnue", &dequantise(&network))] {
        let expected = shown(weights, 400.0);
        for scale in [400.0, 220.0] {
            let earlier = load_initial_weights(&path(name), scale).expect(name);
            for (found, expected) in shown(&earlier.network, scale).iter().zip(&expected) {
                assert!((found - expected).abs() < 0.01, "{name} {scale}: {found}, {expected}");
            }
        }
    }
    // Before the end of the first epoch, the current weights count.
    let files = RunFiles { checkpoint: Some(path("early.checkpoint")), ..RunFiles::default() };
    set.run(&options(), files, &mut StopAfter::new(3));
    let early = Checkpoint::load(&path("early.checkpoint")).expect("saved");
    assert_eq!((early.best.epoch, early.progress.batches), (0, 3));
    let weights = load_initial_weights(&path("early.checkpoint"), 400.0).expect("weights").network;
    assert_eq!(weights, early.learner.into_weights());
    assert_ne!(weights, early.best.network);
    std::fs::write(path("cut.nnue"), &network.to_bytes()[..100]).expect("written");
    std::fs::write(path("rows.csv"), "FEN,Evaluation\n").expect("written");
    for (name, reason) in [("cut.nnue", "100"), ("rows.csv", "not a usable checkpoint"), ("none", "cannot read")] {
        let error = load_initial_weights(&path(name), 400.0).expect_err(name).to_string();
        assert!(error.contains(name) && error.contains(reason), "{error}");
    }
}

#[test]
fn checkpoints_of_other_runs_are_rejected() {
    let set = Set::new();
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("run.ckpt");
    let files = RunFiles { checkpoint: Some(path.clone()), ..RunFiles::default() };
    set.run(&options(), files, &mut StopAfter::new(3));
    let error = |options: TrainingOptions, data: &TrainingData<'_, TestSample>| {
        let config = TrainingConfig::new(options).expect("sound");
        train(&config, data, saved_at(&path), &mut ()).expect_err("of another run").to_string()
    };
    let other_seed = TrainingOptions { seed: 2, ..options() };
    assert!(error(other_seed, &set.data()).contains("its options differ"));
    let other_data = TrainingData { fingerprint: "other".to_owned(), ..set.data() };
    assert!(error(options(), &other_data).contains("its data differ"));
    let none = TrainingData { training: Rows { samples: &set.samples, picks: &[] }, ..set.data() };
    assert!(error(options(), &none).contains("no rows"));
}

#[test]
fn a_skip_network_keeps_its_scale() {
    let set = Set::new();
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("skip.checkpoint");
    let architecture = "dual [32,8,8] x8 skip".parse().expect("valid");
    let options = TrainingOptions { architecture, epochs: 1, ..options() };
    let files = RunFiles { checkpoint: Some(path.clone()), ..RunFiles::default() };
    set.run(&options, files, &mut StopAfter::new(u64::MAX));
    load_initial_weights(&path, 400.0).expect("the same scale");
    let error = load_initial_weights(&path, 220.0).expect_err("another scale").to_string();
    assert!(
        error.ends_with("is 400 centipawns, expected 220 as in this run; a `skip` network keeps its scale"),
        "{error}"
    );
}

#[test]
fn best_epoch_is_kept_and_patience_ends_the_run() {
    let set = Set::new();
    // The random labels cannot be generalised: the validation loss soon rises while the training loss falls.
    let options = TrainingOptions {
        epochs: 200,
        patience: Some(3),
        objective: Objective::ClippedCentipawns,
        result_share: ResultShare::Constant(0.0),
        ..options()
    };
    let mut observer = StopAfter::new(u64::MAX);
    let outcome = set.run(&options, RunFiles::default(), &mut observer);
    assert_eq!(outcome.stop, StopReason::NoProgress);
    assert_eq!(outcome.history, observer.epochs);
    let losses: Vec<f64> = outcome.history.iter().map(|record| record.validation.expect("validated").loss).collect();
    let best = losses.iter().copied().fold(f64::INFINITY, f64::min);
    assert_eq!(losses[outcome.best_epoch as usize - 1], best);
    assert_eq!(losses.len() as u32, outcome.best_epoch + 3);
    let validation =
        evaluate(&outcome.network, &alfiere_model::Processor::cores(), options.objective, 0.0, set.data().validation)
            .expect("rows");
    assert_eq!(validation.loss, best);
    // In clipped centipawns the plain squared error is an upper bound of the clamped one.
    assert!(validation.metrics.mse <= validation.loss + 1e-6);
    let mut metrics = alfiere_data::metrics::MetricSums::default();
    let predictions = predict_centipawns(&outcome.network, options.objective, set.data().validation);
    for (prediction, sample) in predictions.iter().zip(&set.samples[500..]) {
        let label = Objective::ClippedCentipawns.target(sample.label, alfiere_chess::types::Color::White, 0.0);
        metrics.add(alfiere_data::metrics::clipped(f64::from(*prediction)), f64::from(label));
    }
    assert!((metrics.metrics().expect("rows").r2 - validation.metrics.r2).abs() < 1e-6);
}

#[test]
fn nan_loss_ends_the_run_with_the_last_good_weights() {
    let mut set = Set::new();
    set.samples[77].label.score = alfiere_model::Score::Centipawns(f32::NAN);
    let outcome = set.run(&options(), RunFiles::default(), &mut StopAfter::new(u64::MAX));
    assert!(matches!(outcome.stop, StopReason::NotFinite { epoch: 1, .. }), "{:?}", outcome.stop);
    assert!(outcome.stop.to_string().contains("last good weights"));
    assert!(outcome.network.layers.iter().all(|layer| layer.weights.iter().all(|weight| weight.is_finite())));
}

#[test]
fn nan_validation_ends_the_run_without_an_epoch_record() {
    let mut set = Set::new();
    set.samples[550].label.score = alfiere_model::Score::Centipawns(f32::NAN);
    let outcome = set.run(&options(), RunFiles::default(), &mut StopAfter::new(u64::MAX));
    assert_eq!(outcome.stop, StopReason::NotFinite { epoch: 1, batch: 8 });
    assert!(outcome.history.is_empty() && outcome.best_epoch == 0);
}

#[test]
fn result_can_be_quantised() {
    let set = Set::new();
    for (text, objective) in [
        ("dual [32] crelu x8", Objective::Sigmoid { scale: 400.0, power: 2.0 }),
        ("dual [32,16] screlu x1", Objective::ClippedCentipawns),
        ("dual [32] crelu x8 kings=8", Objective::ClippedCentipawns),
        ("white [] crelu x1", Objective::Tanh { scale: 500.0 }),
    ] {
        let options = TrainingOptions { architecture: text.parse().expect("valid"), objective, ..options() };
        let outcome = set.run(&options, RunFiles::default(), &mut StopAfter::new(u64::MAX));
        let network = quantise(&outcome.network, outcome.output_scale, Provenance::default());
        assert!(network.is_ok(), "{text}: {:?}", network.err());
    }
}
