//! Tests streamed runs on packed files against runs in memory and against each other.

use std::ops::ControlFlow;
use std::path::Path;

use alfiere_data::{
    Captures, DataFile, Dataset, HeldOut, HeldOutRule, LoadOptions, Row, RowPlace, Split, sample, write_packed,
};
use proptest::prelude::*;

use super::source::Windows;
use super::tests::Files;
use super::*;

struct After<F>(F);

impl<F: FnMut(u64) -> ControlFlow<()>> TrainingObserver for After<F> {
    fn on_batch(&mut self, progress: &StepReport) -> ControlFlow<()> {
        assert!(progress.batches_done <= progress.batches);
        (self.0)(progress.batches_done)
    }
}

fn options() -> TrainingOptions {
    TrainingOptions {
        architecture: "dual [24] crelu x8".parse().expect("valid"),
        epochs: 3,
        batch_size: 64,
        learning_rate: 3e-3,
        threads: 2,
        ..TrainingOptions::default()
    }
}

const HELD_OUT: HeldOut = HeldOut::Share(0.1);

struct Shards {
    folder: tempfile::TempDir,
    files: Vec<DataFile>,
    set: Dataset,
    split: Split,
    rule: HeldOutRule,
}

impl Shards {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let write = |(index, rows): (usize, &[Row])| {
            let file = DataFile { scale: 1.3, ..DataFile::new(folder.path().join(format!("{index}.packed"))) };
            write_packed(&file.path, rows).expect("written");
            file
        };
        let files: Vec<DataFile> = sample::rows(3_000).chunks(1_100).enumerate().map(write).collect();
        let options = LoadOptions { place: RowPlace::Folder(folder.path().into()), ..LoadOptions::default() };
        let mut set = Dataset::load(&files, &options, &mut ()).expect("a set");
        assert_eq!(set.blocks, [0, 1_100, 2_200]);
        set.blocks = (0..3_000).step_by(50).collect();
        let (split, rule) = set.split(HELD_OUT, 1).expect("enough games");
        Self { folder, files, set, split, rule }
    }

    fn train(
        &self,
        options: &TrainingOptions,
        window_rows: u64,
        files: Files,
        after: impl FnMut(u64) -> ControlFlow<()> + Send,
    ) -> Result<TrainingResult, TrainingError> {
        let training = Streamed::new(&self.set, &self.split.training, Captures::Keep, window_rows);
        let inputs = files.of(RunInputs {
            fingerprint: format!("windows of {window_rows}"),
            held_out: Some(self.rule.clone()),
            ..RunInputs::new(&training, Rows::new(&self.set.rows, &self.split.validation))
        });
        train(&TrainingConfig::new(options.clone()).expect("sound"), inputs, &mut After(after))
    }

    fn network(&self, options: &TrainingOptions, window_rows: u64) -> TrainingResult {
        self.train(options, window_rows, Files::default(), |_| ControlFlow::Continue(())).expect("trained")
    }
}

fn from(path: &Path) -> Files {
    Files {
        resume: Some(Checkpoint::load(path).expect("saved")),
        checkpoint: Some(path.to_path_buf()),
        ..Files::default()
    }
}

/// What equal runs must have in common.
fn history(outcome: &TrainingResult) -> Vec<(u32, f64, Option<Validation>)> {
    outcome.history.iter().map(|record| (record.epoch, record.training_loss, record.validation)).collect()
}

#[test]
fn one_window_trains_like_rows_in_memory() {
    let shards = Shards::new();
    // Mirroring is decided by the row number in memory, which a window does not have.
    let options = TrainingOptions { flips: Flips::Never, ..options() };
    let set = Dataset::load(&shards.files, &LoadOptions::default(), &mut ()).expect("rows");
    assert!(set.rows == shards.set.rows && set.games == shards.set.games);
    let (split, rule) = set.split(HELD_OUT, 1).expect("enough games");
    let training = Rows::new(&set.rows, &split.training);
    let validation = Rows::new(&set.rows, &split.validation);
    let inputs = RunInputs { held_out: Some(rule), ..RunInputs::new(&training, validation) };
    let config = TrainingConfig::new(options.clone()).expect("sound");
    let memory = train(&config, inputs, &mut ()).expect("trained");
    let streamed = shards.network(&options, 1 << 20);
    assert_eq!(streamed.network, memory.network);
    assert_eq!(history(&streamed), history(&memory));
    // Smaller windows give a different order.
    assert_ne!(shards.network(&options, 500).network, memory.network);
}

#[test]
fn resumed_streamed_run_gives_a_bit_identical_network() {
    let shards = Shards::new();
    let whole = shards.network(&options(), 500);
    assert_eq!(whole.stop, StopReason::Finished);
    let path = shards.folder.path().join("run.ckpt");
    let mut files = Files { checkpoint: Some(path.clone()), ..Files::default() };
    // Windows have seven batches: stop within the first, at the end of one, within a later one, and at the end of an
    // epoch.
    for (steps, threads) in [(3, 2), (4, 1), (12, 3), (41, 2)] {
        let mut left = steps;
        let stop = |_| {
            left -= 1;
            if left == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let part = shards.train(&TrainingOptions { threads, ..options() }, 500, files, stop).expect("trained");
        assert_eq!(part.stop, StopReason::Interrupted);
        files = from(&path);
    }
    let resumed = shards
        .train(&TrainingOptions { threads: 1, ..options() }, 500, files, |_| ControlFlow::Continue(()))
        .expect("trained");
    assert_eq!(resumed.stop, StopReason::Finished);
    assert_eq!(resumed.network, whole.network);
    assert_eq!(history(&resumed), history(&whole));
}

proptest! {
    #[test]
    fn an_epoch_has_each_row_once(count in 300usize..3_000, block in 10usize..400, window in 50u64..2_000, seed: u64) {
        let mut set = Dataset::from_rows(sample::rows(count));
        set.blocks = (0..count as u32).step_by(block).collect();
        let picks: Vec<u32> = (0..count as u32).filter(|pick| pick % 7 != 3).collect();
        let source = Streamed::new(&set, &picks, Captures::Keep, window);
        let read = |range| source.window(seed, range).rows().iter().copied().collect::<Vec<Row>>();
        // One window has the rows in the order of the set, whatever the order of the blocks.
        let all = Rows::new(&set.rows, &picks).iter().copied().collect::<Vec<Row>>();
        prop_assert_eq!(&read(0..source.rows()), &all);
        let starts = (0..source.rows()).step_by(window as usize);
        let parts: Vec<Row> = starts.flat_map(|start| read(start..(start + window).min(source.rows()))).collect();
        let sorted = |rows: &[Row]| {
            let mut rows: Vec<_> = rows.iter().map(Row::to_bytes).collect();
            rows.sort_unstable();
            rows
        };
        prop_assert_eq!(sorted(&parts), sorted(&all));
        // The order of few blocks may be that of the set.
        prop_assert!(count < 20 * block || window > 500 || parts != all);
    }
}

proptest! {
    #[test]
    fn windows_hold_whole_batches_and_cover_all_rows(rows in 1u64..10_000, most in 1u64..12_000, batch in 1usize..2_000) {
        let windows = Windows::new(rows, most, batch);
        let ranges: Vec<_> = (0..windows.count()).map(|number| windows.range(number)).collect();
        prop_assert_eq!(ranges[0].start, 0);
        prop_assert_eq!(ranges[ranges.len() - 1].end, rows);
        for pair in ranges.windows(2) {
            prop_assert_eq!(pair[0].end, pair[1].start);
            prop_assert_eq!((pair[0].end - pair[0].start) % batch as u64, 0);
        }
        let longest = ranges.iter().map(|range| range.end - range.start).max().unwrap_or(0);
        prop_assert!(longest <= most.max(batch as u64));
        // In memory there is one window for any batch size.
        prop_assert!(most < rows || ranges.len() == 1);
        for number in 0..rows.div_ceil(batch as u64) {
            let (window, inside) = windows.locate(number);
            prop_assert_eq!(ranges[window as usize].start + (inside * batch) as u64, number * batch as u64);
        }
    }
}
