//! Tests of records: kills, resumes, and what is read from them.

use std::fs;
use std::path::Path;

use alfiere_data::metrics::Metrics;
use alfiere_model::initialise;

use super::*;
use crate::{
    EpochRecord, Start as RunStart, StepReport, TrainingConfig, TrainingOptions, TrainingProgress, Validation,
};

const ROWS: RowCounts = RowCounts { training: 40, inner: 0, validation: 5 };

fn options() -> TrainingOptions {
    let mut options = TrainingOptions { epochs: 4, batch_size: 10, ..TrainingOptions::default() };
    options.architecture.hidden = vec![2];
    options
}

fn epoch(number: u32, loss: f64) -> EpochRecord {
    let metrics =
        Metrics { rows: 5, mse: loss, rmse: loss.sqrt(), mae: loss, r2: 0.5, label_mean: 0.0, label_variance: 0.4 };
    EpochRecord {
        phase: 0,
        epoch: number,
        learning_rate: 1e-3,
        training_loss: loss,
        validation: Some(Validation { loss, metrics }),
        is_best: true,
        seconds: 8.0,
        positions_per_second: 5.0,
    }
}

fn step(epoch: u32, batches: u64, time: f64) -> Line {
    let positions = 10 * batches;
    Line::Step(Step {
        time,
        phase: 0,
        epoch,
        batches,
        positions,
        loss: 0.1,
        learning_rate: 1e-3,
        positions_per_second: 5.0,
    })
}

fn start(epochs_done: u32, batches_done: u64, time: f64) -> Line {
    let options = options();
    let architecture = options.architecture.to_string();
    let (format, rows) = (1, ROWS);
    let (phases, phase) = (Vec::new(), 0);
    let start = Start {
        format,
        program: "1.0".to_owned(),
        time,
        architecture,
        options,
        rows,
        phases,
        phase,
        epochs_done,
        batches_done,
    };
    Line::Start(Box::new(start))
}

fn ended(number: u32) -> Line {
    Line::Epoch { time: 9.0, record: epoch(number, 0.2), layers: Vec::new(), mistakes: Vec::new() }
}

fn text(lines: &[Line]) -> String {
    lines.iter().map(|line| serde_json::to_string(line).expect("JSON") + "\n").collect()
}

fn parse(text: &str) -> RunRecord {
    RunRecord::parse(text.as_bytes()).expect("a record")
}

#[test]
fn steps_after_a_lost_checkpoint_do_not_count() {
    let lines = [
        start(0, 0, 1.0),
        step(1, 2, 3.0),
        ended(1),
        step(2, 1, 10.0),
        step(2, 3, 12.0),
        ended(2),
        step(3, 1, 20.0),
        // Killed; the checkpoint was saved after a step of epoch 2.
        start(1, 2, 100.0),
        step(2, 4, 110.0),
    ];
    let run = parse(&text(&lines));
    let places: Vec<(u32, u64)> = run.steps.iter().map(|step| (step.epoch, step.batches)).collect();
    assert_eq!(places, [(1, 2), (2, 1), (2, 4)]);
    assert_eq!(run.epochs.iter().map(|record| record.epoch).collect::<Vec<_>>(), [1]);
    assert_eq!((run.steps_before, run.end.clone(), run.time.round()), (2, None, 110.0));
    assert!((run.epochs_trained() - 2.0).abs() < 1e-9, "{}", run.epochs_trained());
}

#[test]
fn epochs_are_counted_over_all_phases() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.run.jsonl");
    let options = TrainingOptions { start: RunStart::Classical { positions: 9_000_000 }, ..options() };
    let phases = TrainingConfig::new(options.clone()).expect("sound").phases(ROWS.training).expect("sound");
    let mut recorder = Recorder::create(&path, "1.0", false).expect("writable");
    let done = |epochs| TrainingProgress { epochs, ..TrainingProgress::default() };
    let of = |phase, number| EpochRecord { phase, ..epoch(number, 0.2) };
    recorder.phase(&options, ROWS, (&phases, 0), done(0), &[]).expect("written");
    recorder.epoch(&of(0, 1)).expect("written");
    drop(recorder);
    // Killed; the record lacks what the checkpoint has.
    let mut recorder = Recorder::create(&path, "1.0", true).expect("writable");
    let history = [of(0, 1), of(0, 2), of(0, 3), of(1, 1)];
    recorder.phase(&options, ROWS, (&phases, 2), done(0), &history).expect("written");
    recorder.epoch(&of(2, 1)).expect("written");
    let run = RunRecord::read(&path).expect("a record");
    assert_eq!(run.epochs.iter().map(|record| record.epoch).collect::<Vec<_>>(), [1, 2, 3, 4, 5]);
    assert_eq!((run.all_epochs(), run.epochs_trained()), (8, 5.0));
    assert!((run.seconds_left().expect("known") - 24.0).abs() < 1e-9, "three epochs of eight seconds");
    let lessons: Vec<String> = run.phases().into_iter().map(|phase| phase.lesson).collect();
    assert_eq!(lessons, ["evaluation", "searches", "rows"]);
}

#[test]
fn time_left_is_measured_since_the_latest_start() {
    // A tenth of an epoch each second.
    let lines = [start(0, 0, 0.0), step(1, 1, 2.5), step(1, 2, 5.0)];
    let run = parse(&text(&lines));
    assert!((run.seconds_left().expect("known") - 35.0).abs() < 1e-9, "{:?}", run.seconds_left());
    assert_eq!(parse(&text(&lines[..2])).seconds_left(), None);
    // A finished epoch took 8 seconds, with validation.
    let run = parse(&text(&[start(0, 0, 0.0), ended(1)]));
    assert!((run.seconds_left().expect("known") - 24.0).abs() < 1e-9);
    let end = Line::End { time: 9.0, reason: "all epochs are done".to_owned() };
    assert_eq!(parse(&text(&[start(0, 0, 0.0), ended(1), end])).seconds_left(), None);
}

#[test]
fn incomplete_lines_are_skipped_and_other_files_refused() {
    let whole = text(&[start(0, 0, 1.0), step(1, 2, 3.0)]);
    let run = parse(&whole);
    let cut = parse(&whole[..whole.len() - 20]);
    assert_eq!((run.steps.len(), cut.steps.len()), (1, 0));
    for other in ["", "FEN,Evaluation\n", &text(&[step(1, 2, 3.0)]), &whole[..30]] {
        assert!(RunRecord::parse(other.as_bytes()).is_err(), "{other}");
    }
    let later = whole.replacen("\"format\":1", "\"format\":2", 1);
    let refused = RunRecord::parse(later.as_bytes()).expect_err("a later format");
    assert_eq!(refused, "format 2, this program reads 1");
}

#[test]
fn extreme_numbers_are_read() {
    let mut layers = layer_weights(&initialise(options().architecture, 1).expect("valid"));
    layers[0].counts = vec![u64::MAX, 1];
    let run = parse(&text(&[start(0, 0, 1.0), start(u32::MAX, 0, 2.0), step(0, 2, 3.0), Line::Weights { layers }]));
    assert_eq!((run.steps.len(), run.start.epochs_done), (1, u32::MAX));
    assert_eq!(run.layers[0].weights(), u64::MAX);
    assert_eq!(run.seconds_left(), None);
}

#[test]
fn a_record_without_inner_rows_is_read() {
    let whole = text(&[start(0, 0, 1.0)]);
    let earlier = whole.replacen("\"inner_rows\":0,", "", 1);
    assert!(earlier.len() < whole.len());
    assert_eq!(parse(&earlier).start.rows, ROWS);
}

fn record(path: &Path, resumed: Option<(TrainingProgress, &[EpochRecord])>) -> Recorder {
    let mut recorder = Recorder::create(path, "1.0", resumed.is_some()).expect("writable");
    let phases = TrainingConfig::new(options()).expect("sound").phases(ROWS.training).expect("sound");
    let (progress, history) = resumed.unwrap_or_default();
    recorder.phase(&options(), ROWS, (&phases, 0), progress, history).expect("written");
    recorder
}

#[test]
fn a_resumed_run_continues_the_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = record_path(&folder.path().join("a.nnue"));
    assert_eq!(path, folder.path().join("a.run.jsonl"));
    let network = initialise(options().architecture, 1).expect("valid");
    let mistake = Mistake {
        fen: "8/8/8/8/8/8/8/K1k5 w - - 0 1".to_owned(),
        phase: None,
        label: "#-2".to_owned(),
        prediction: 7,
        error: 1.0,
    };
    let mut recorder = record(&path, None);
    recorder.validated(&network, || vec![mistake.clone()]);
    recorder.validated(&network, || panic!("within a second"));
    recorder.epoch(&epoch(1, 0.3)).expect("written");
    drop(recorder);
    // Killed within a line, and before the line of epoch 2, which the checkpoint has.
    let mut bytes = fs::read(&path).expect("there");
    bytes.extend(b"{\"kind\":\"epo");
    fs::write(&path, bytes).expect("written");
    let history = [epoch(1, 0.3), epoch(2, 0.2)];
    let progress = TrainingProgress { epochs: 2, ..TrainingProgress::default() };
    let mut recorder = record(&path, Some((progress, &history)));
    recorder.end("all epochs are done").expect("written");
    let run = RunRecord::read(&path).expect("a record");
    assert_eq!(run.epochs, history);
    assert_eq!((run.end.as_deref(), &run.mistakes[..]), (Some("all epochs are done"), &[mistake][..]));
    assert_eq!(run.layers.iter().map(LayerWeights::weights).collect::<Vec<_>>(), [769 * 2, 4]);
    assert!(run.layers.iter().all(|layer| layer.counts.len() == BINS && layer.at_limit == 0));
    // A new run replaces the file; a resumed one without its record has the history.
    drop(record(&path, None));
    assert!(RunRecord::read(&path).expect("a record").epochs.is_empty());
    fs::remove_file(&path).expect("there");
    drop(record(&path, Some((progress, &history))));
    assert_eq!(RunRecord::read(&path).expect("a record").epochs, history);
}

#[test]
fn steps_are_recorded_at_intervals() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.run.jsonl");
    let mut recorder = record(&path, None);
    let started = std::time::Instant::now();
    let mut batches = 0;
    while started.elapsed().as_secs_f64() < 1.2 {
        batches += 1;
        let report = StepReport {
            epoch: 1,
            epochs: 4,
            batches_done: batches,
            batches: 1 << 40,
            positions_done: 10 * batches,
            positions: 10 << 40,
            learning_rate: 1e-3,
            batch_loss: 0.5,
            epoch_loss: 0.5,
        };
        recorder.step(&report).expect("written");
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    let run = RunRecord::read(&path).expect("a record");
    assert_eq!(run.steps.len(), 1, "one in 1.2 seconds");
    assert!((run.steps[0].loss - 0.5).abs() < 1e-6 && run.steps[0].positions_per_second > 100.0, "{:?}", run.steps);
}

#[test]
fn weights_at_the_limit_are_counted() {
    let mut network = initialise(options().architecture, 1).expect("valid");
    let limit = weight_limit(&network.architecture, 0);
    network.layers[0].weights.fill(0.0);
    network.layers[0].weights[[0, 0]] = limit;
    network.layers[0].weights[[1, 0]] = -limit;
    network.layers[0].weights[[2, 0]] = 0.99 * limit;
    let layer = &layer_weights(&network)[0];
    assert_eq!((layer.name.as_str(), layer.at_limit), ("accumulator", 2));
    assert_eq!((layer.range, layer.weights()), (None, 2 * 769));
    assert_eq!((layer.counts[0], layer.counts[BINS / 2], layer.counts[BINS - 1]), (1, 2 * 769 - 3, 2));
}

#[test]
fn the_axis_of_a_histogram_is_chosen_by_the_weights() {
    let mut network = initialise(options().architecture, 1).expect("valid");
    let count = network.layers[0].weights.len();
    // From −0.04 to 0.04, without the middle; a few are far outside.
    for (index, weight) in network.layers[0].weights.iter_mut().enumerate() {
        *weight = 0.08 * (index as f32 + 0.5) / count as f32 - 0.04;
    }
    network.layers[0].weights[[0, 0]] = -0.3;
    network.layers[0].weights[[1, 0]] = 0.3;
    network.layers[0].weights[[2, 0]] = 0.06;
    let layer = &layer_weights(&network)[0];
    assert!(layer.range.is_some_and(|range| (range - 0.04).abs() < 1e-6), "{layer:?}");
    assert_eq!((layer.below, layer.above, layer.at_limit, layer.weights()), (1, 2, 0, count as u64));
    assert!(layer.counts.iter().all(|&count| (30..=40).contains(&count)), "{layer:?}");
    // Weights that are multiples of a step: no bar is empty because it is narrower than the step.
    let mut network = initialise("dual [16,8]".parse().expect("valid"), 1).expect("valid");
    for (index, weight) in network.layers[0].weights.iter_mut().enumerate() {
        *weight = (index % 41) as f32 / 255.0 - 20.0 / 255.0;
    }
    let layer = &layer_weights(&network)[0];
    assert!(layer.counts.iter().all(|&count| count.abs_diff(769 * 16 / 41) <= 1), "{layer:?}");
    // A record of an earlier version has bars up to the limit.
    let earlier = r#"{"name": "output", "inputs": 4, "outputs": 1, "limit": 1.0, "counts": [1, 3], "at_limit": 0}"#;
    let earlier: LayerWeights = serde_json::from_str(earlier).expect("a layer");
    assert_eq!((earlier.range, earlier.weights()), (None, 4));
}
