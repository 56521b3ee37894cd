//! Tests runs on small synthetic data: resuming, early stopping, overflow, export.

// Runs are compared bit for bit.
#![allow(clippy::float_cmp)]

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use alfiere_data::Row;
use alfiere_model::test_samples::samples;
use alfiere_model::{FloatNetwork, Objective, UpdateRule, quantise};
use alfiere_nnue::Provenance;

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

    fn on_epoch(&mut self, record: &EpochRecord) -> ControlFlow<()> {
        self.epochs.push(record.clone());
        ControlFlow::Continue(())
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
    samples: Vec<Row>,
    training: Vec<u32>,
    validation: Vec<u32>,
}

impl Set {
    fn new() -> Self {
        Self { samples: samples(600, 21), training: (0..500).collect(), validation: (500..600).collect() }
    }

    fn training(&self) -> Rows<'_> {
        Rows::new(&self.samples, &self.training)
    }

    fn validation(&self) -> Rows<'_> {
        Rows::new(&self.samples, &self.validation)
    }

    fn try_run(
        &self,
        options: TrainingOptions,
        files: Files,
        observer: &mut (dyn TrainingObserver + Send),
    ) -> Result<TrainingResult, TrainingError> {
        let training = self.training();
        let inputs =
            files.of(RunInputs { fingerprint: "made up".to_owned(), ..RunInputs::new(&training, self.validation()) });
        train(&TrainingConfig::new(options).expect("sound"), inputs, observer)
    }

    fn run(&self, options: &TrainingOptions, files: Files, observer: &mut StopAfter) -> TrainingResult {
        self.try_run(options.clone(), files, observer).expect("trained")
    }
}

/// What a run of a test reads and writes.
#[derive(Default)]
pub(super) struct Files {
    pub(super) resume: Option<Checkpoint>,
    pub(super) start: Option<FloatNetwork>,
    pub(super) checkpoint: Option<PathBuf>,
}

impl Files {
    pub(super) fn of(self, inputs: RunInputs<'_>) -> RunInputs<'_> {
        RunInputs { resume: self.resume, start: self.start, checkpoint: self.checkpoint, ..inputs }
    }
}

fn saved_at(path: &Path) -> Files {
    Files {
        resume: Some(Checkpoint::load(path).expect("saved")),
        checkpoint: Some(path.to_path_buf()),
        ..Files::default()
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
        let whole = set.run(&options, Files::default(), &mut StopAfter::new(u64::MAX));
        assert_eq!(whole.stop, StopReason::Finished);
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("run.ckpt");
        // Stop in the middle of an epoch, at the last step of an epoch, and with a different number of threads.
        let files = Files { checkpoint: Some(path.clone()), ..Files::default() };
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
    let whole = set.run(&options, Files::default(), &mut StopAfter::new(u64::MAX));
    assert_eq!(whole.stop, StopReason::NoProgress);
    assert_eq!(whole.history.len() as u32, whole.best_epoch + 3);
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("run.ckpt");
    let files = Files { checkpoint: Some(path.clone()), ..Files::default() };
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
        set.run(&TrainingOptions { average, ..options() }, Files::default(), &mut StopAfter::new(u64::MAX))
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
    let first = set.run(&kings, Files::default(), &mut StopAfter::new(u64::MAX)).network;
    let start = || Files { start: Some(first.clone()), ..Files::default() };
    // With this step size no weight moves: the result equals the starting weights.
    let still = TrainingOptions { epochs: 1, learning_rate: 1e-30, weight_decay: 0.0, ..kings.clone() };
    let out = set.run(&still, start(), &mut StopAfter::new(u64::MAX)).network;
    for (out, first) in out.layers.iter().zip(&first.layers) {
        assert!((&out.weights - &first.weights).iter().all(|difference| difference.abs() < 1e-6));
        assert!((&out.bias - &first.bias).iter().all(|difference| difference.abs() < 1e-6));
    }
    let continued = set.run(&kings, start(), &mut StopAfter::new(u64::MAX));
    let random = set.run(&kings, Files::default(), &mut StopAfter::new(u64::MAX));
    assert!(continued.history[0].training_loss < random.history[0].training_loss);
    let error = set.try_run(options(), start(), &mut ()).expect_err("another network").to_string();
    assert!(error.contains("'dual [40] crelu x8 kings=4', expected 'dual [40] crelu x8'"), "{error}");
}

#[test]
fn checkpoints_of_other_runs_are_rejected() {
    let set = Set::new();
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("run.ckpt");
    let files = Files { checkpoint: Some(path.clone()), ..Files::default() };
    set.run(&options(), files, &mut StopAfter::new(3));
    let (all, none) = (set.training(), Rows::new(&set.samples, &[]));
    let error = |options: TrainingOptions, training: &dyn RowSource, fingerprint: &str| {
        let fingerprint = fingerprint.to_owned();
        let inputs = RunInputs { fingerprint, ..RunInputs::new(training, set.validation()) };
        let config = TrainingConfig::new(options).expect("sound");
        train(&config, saved_at(&path).of(inputs), &mut ()).expect_err("of another run").to_string()
    };
    let other_seed = TrainingOptions { seed: 2, ..options() };
    assert!(error(other_seed, &all, "made up").contains("its options differ"));
    assert!(error(options(), &all, "other").contains("its data differ"));
    assert!(error(options(), &none, "made up").contains("no rows"));
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
    let outcome = set.run(&options, Files::default(), &mut observer);
    assert_eq!(outcome.stop, StopReason::NoProgress);
    assert_eq!(outcome.history, observer.epochs);
    let losses: Vec<f64> = outcome.history.iter().map(|record| record.validation.expect("validated").loss).collect();
    let best = losses.iter().copied().fold(f64::INFINITY, f64::min);
    assert_eq!(losses[outcome.best_epoch as usize - 1], best);
    assert_eq!(losses.len() as u32, outcome.best_epoch + 3);
    let validation =
        evaluate(&outcome.network, &alfiere_model::Processor::cores(), options.objective, 0.0, set.validation())
            .expect("rows");
    assert_eq!(validation.loss, best);
    // In clipped centipawns the plain squared error is an upper bound of the clamped one.
    assert!(validation.metrics.mse <= validation.loss + 1e-6);
    let mut metrics = alfiere_data::metrics::MetricSums::default();
    let predictions = predict_centipawns(&outcome.network, options.objective, set.validation());
    for (prediction, sample) in predictions.iter().zip(&set.samples[500..]) {
        let white = alfiere_chess::types::Color::White;
        let label = Objective::ClippedCentipawns.target(sample.label(), sample.result(), white, 0.0);
        metrics.add(alfiere_data::metrics::clipped(f64::from(*prediction)), f64::from(label));
    }
    assert!((metrics.metrics().expect("rows").r2 - validation.metrics.r2).abs() < 1e-6);
}

#[test]
fn nan_loss_ends_the_run_with_its_first_weights() {
    let set = Set::new();
    let mut network = alfiere_model::initialise(options().architecture, 1).expect("valid");
    network.layers[1].bias[0] = f32::NAN;
    let files = Files { start: Some(network), ..Files::default() };
    let outcome = set.run(&options(), files, &mut StopAfter::new(u64::MAX));
    assert!(matches!(outcome.stop, StopReason::NotFinite { epoch: 1, .. }), "{:?}", outcome.stop);
    assert!(outcome.stop.to_string().contains("last good weights"));
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
        let outcome = set.run(&options, Files::default(), &mut StopAfter::new(u64::MAX));
        let network = quantise(&outcome.network, outcome.output_scale, Provenance::default());
        assert!(network.is_ok(), "{text}: {:?}", network.err());
    }
}
