//! `trainer train`: trains a network from data files.

mod export;

use std::path::{Path, PathBuf};

use alfiere_data::{BLOCK_ROWS, Captures, HeldOut, HeldOutRule};
use alfiere_nnue::Network;
use alfiere_sources::lessons::SearchLessons;
use alfiere_terminal::{Replace, check_outputs, remark};
use alfiere_trainer::watch::WatchServer;
use alfiere_training::record::record_path;
use alfiere_training::{Checkpoint, RowSource, Rows, RunInputs, Start, Streamed, TrainingConfig, train};
use clap::Args;

use super::card::{card_path, check_card};
use super::data_args::{DataArgs, StreamArgs, TrainSelect, paths};
use super::earlier::{continued, is_of_run};
use super::output::{self, OutputLock};
use super::run_data::{RunData, check_results};
use super::train_args::{HintArgs, Planned, TrainArgs};
use super::training_display::{KeptNetworks, Recording};
use super::{CommandResult, Failure, figures, use_threads, watch};

/// Train a network, quantise it, and write it with a card of its data, command and metrics
///
/// The validation split keeps games whole. The weights of the epoch with the lowest validation loss are used, which
/// makes the validation metrics slightly optimistic; `--select inner` and `cross-validate` give unbiased ones. A checkpoint next to the
/// network allows `--resume` after Ctrl-C or a crash, with the same result as an uninterrupted run. A record of the run,
/// for `trainer watch`, has the extension .run.jsonl.
///
/// Without options it fine-tunes the engine's network on your rows: seconds for 100,000 of them.
///
/// Example: trainer train --data datasets/kaggle/sample.csv.gz --out first.nnue
#[derive(Args)]
pub(crate) struct Train {
    #[command(flatten)]
    data: DataArgs,
    #[command(flatten)]
    training: TrainArgs,
    #[command(flatten)]
    hints: HintArgs,
    /// Network file to write; a card with the same name and the extension .md is written next to it
    #[arg(long, value_name = "NET.nnue", help_heading = "Output")]
    out: PathBuf,
    /// Share of the games held out for validation, chosen by a hash of their positions and the seed of the split, so
    /// that they are the same in every file and order. If rows are not in game order, positions are held out
    #[arg(long, value_name = "SHARE", default_value_t = HeldOut::DEFAULT_SHARE, help_heading = "Validation")]
    validation: f64,
    /// Number of rows held out for validation instead of a share, rounded up to whole games
    #[arg(long, value_name = "N", conflicts_with = "validation", value_parser = clap::value_parser!(u64).range(1..), help_heading = "Validation")]
    validation_rows: Option<u64>,
    /// Which epoch's weights are exported, and which rows end the run with --patience
    #[arg(long, value_enum, default_value_t = TrainSelect::Validation, help_heading = "Validation")]
    select: TrainSelect,
    /// Seed of the split [default: --seed]
    #[arg(long, value_name = "N", help_heading = "Validation")]
    split_seed: Option<u64>,
    #[command(flatten)]
    stream: StreamArgs,
    /// Checkpoint file, saved after each epoch, and every minute or so of a streamed run [default: next to the network,
    /// with the extension .checkpoint]
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    checkpoint: Option<PathBuf>,
    /// Keep a network of every N-th epoch beside the output, such as NET.epoch10.nnue
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), help_heading = "Output")]
    keep_every: Option<u32>,
    /// Resume from the checkpoint of a stopped run
    #[arg(long, help_heading = "Output")]
    resume: bool,
    /// Write curves and metrics as JSON, `-` for standard output
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    json: Option<PathBuf>,
    /// Draw loss, R² and RMSE by epoch, the weights of each layer, predictions against labels and errors by game phase, as
    /// SVG, into this folder; the card shows them
    #[arg(long, value_name = "FOLDER", help_heading = "Output")]
    figures: Option<PathBuf>,
    /// Show the run in a browser while it trains, at this port of this machine, or any free one
    #[arg(long, value_name = "PORT", num_args = 0..=1, require_equals = true, default_missing_value = "0", help_heading = "Output")]
    watch: Option<u16>,
    #[command(flatten)]
    replace: Replace,
}

impl Train {
    pub(crate) fn run(&self) -> CommandResult {
        // What is stated is checked before the data is read; the rest depends on its number of rows.
        use_threads(self.training.stated.threads);
        self.plan(0)?;
        if self.validation_rows.is_none() {
            self.held_out().check(u64::MAX)?;
        }
        let checkpoint = self.checkpoint_path();
        self.check_places(&checkpoint)?;
        let _lock = OutputLock::new(&checkpoint)?;
        let page = self.watch.map(|port| WatchServer::bind(port, &[self.record()])).transpose()?;
        self.load_and_train(page)
    }

    fn checkpoint_path(&self) -> PathBuf {
        self.checkpoint.clone().unwrap_or_else(|| self.out.with_extension("checkpoint"))
    }

    /// The options of the training, with the default of `--captures` for these rows.
    fn plan(&self, rows: u64) -> Result<Planned, Failure> {
        let mut training = self.training.clone();
        if self.stream.stream || self.hints.hints.is_some() {
            training.stated.captures.get_or_insert(Captures::Keep);
        }
        let planned = training.plan(rows)?;
        let architecture = &planned.options.architecture;
        if architecture.activation.has_integers() {
            return Ok(planned);
        }
        Err(Failure::new(format!(
            "network {architecture}: `relu` and `tanh` have no integers for a file to play with; expected `crelu` or `screlu` here, or \
             `trainer cross-validate` or `trainer sweep`, which measure every activation"
        )))
    }

    /// Fails if a resumed run would replace the network of another one.
    fn check_network(&self, state: &Checkpoint) -> CommandResult {
        match Network::load(&self.out) {
            Ok(network) if is_of_run(&network, state) => Ok(()),
            _ => self.replace.check_new([self.out.as_path()]),
        }
    }

    fn record(&self) -> PathBuf {
        record_path(&self.out)
    }

    /// Loads the rows, and trains on them.
    fn load_and_train(&self, page: Option<WatchServer>) -> CommandResult {
        let set = if self.stream.stream { self.data.load_to_file() } else { self.data.load() }?;
        let mut planned = self.plan(set.rows.len() as u64)?;
        check_results(&planned.options, &set.rows)?;
        let (outer, mut rule) = set.split(self.held_out(), self.split_seed())?;
        let mut inner = None;
        if self.select == TrainSelect::Inner {
            let (split, with_inner) = set.inner_split(&outer, &rule)?;
            (inner, rule) = (Some(split), with_inner);
        }
        let captures = planned.options.captures;
        let run_data = RunData::new(&set, &outer, inner.as_ref(), rule, captures);
        let picks = &inner.as_ref().unwrap_or(&outer).training;
        let window_rows = self.stream.window;
        let rows = Rows::new(set.samples(captures)[0], picks);
        let streamed = Streamed::new(&set, picks, captures, window_rows);
        let training: &dyn RowSource = if self.stream.stream { &streamed } else { &rows };
        planned.fit(&self.training.stated, training.near().rows());
        let windows = format!(", streamed in windows of {window_rows} from blocks of {BLOCK_ROWS}");
        self.learn(&planned, training, &run_data, if self.stream.stream { &windows } else { "" }, page)
    }

    /// The file of `--start`.
    fn start_file(&self) -> Option<&Path> {
        match &self.training.stated.start {
            Some(Start::File { path, .. }) => Some(path),
            _ => None,
        }
    }

    fn kept(&self) -> Option<KeptNetworks> {
        self.keep_every.map(|every| KeptNetworks { every, out: self.out.clone() })
    }

    fn held_out(&self) -> HeldOut {
        self.validation_rows.map_or(HeldOut::Share(self.validation), HeldOut::Rows)
    }

    fn split_seed(&self) -> u64 {
        self.split_seed.unwrap_or(self.training.stated.seed)
    }

    /// Trains on rows from any source, and writes the network. `read` tells how they are read.
    fn learn(
        &self,
        planned: &Planned,
        training: &dyn RowSource,
        run_data: &RunData<'_>,
        read: &str,
        page: Option<WatchServer>,
    ) -> CommandResult {
        let config = TrainingConfig::new(planned.options.clone())?;
        let options = config.options();
        self.training.remark_chosen(options, training.rows());
        if let Some(kept) = self.kept().filter(|_| !self.resume) {
            let kept: Vec<_> = (1..=options.epochs / kept.every).map(|step| kept.path(step * kept.every)).collect();
            self.replace.check_new(kept.iter().map(PathBuf::as_path))?;
        }
        let (hints, hint_words) = self.hints.load(options)?;
        let checkpoint = self.checkpoint_path();
        let resume = if self.resume { Some(Checkpoint::load(&checkpoint)?) } else { None };
        if let Some(state) = &resume {
            self.check_network(state)?;
        }
        let lessons = SearchLessons::new(options, planned.start.as_ref());
        let inputs = RunInputs {
            fingerprint: self.fingerprint(planned, run_data, &hint_words) + read,
            games: run_data.games,
            held_out: Some(rule_of(run_data, planned)),
            hints,
            lessons: Some(&lessons),
            start: planned.initial_weights()?,
            resume,
            checkpoint: Some(checkpoint.clone()),
            ..RunInputs::new(training, run_data.selecting())
        };
        let state = checkpoint.display();
        remark(format_args!("{}: {}", options.architecture, run_data.summary()));
        let mut recording = Recording::new(self.record(), &config, run_data, self.resume);
        recording.kept = self.kept();
        let answers = page.map(watch::serve);
        let run = train(&config, inputs, &mut recording);
        recording.end(&run.as_ref().map_or_else(ToString::to_string, |run| run.stop.to_string()));
        let run = run?;
        if run.best_epoch == 0 {
            return Err(Failure::new(format!(
                "{}: no epoch of the rows was finished; use --resume to continue from {state}",
                run.stop
            )));
        }
        let unit = run_data.rule.unit;
        let exported = self
            .export(planned, &config, training, run_data, &run, |measured| {
                recording.measured(measured.for_record(unit));
            })
            .map_err(|failure| Failure::new(format!("{failure}; the trained weights are saved in {state}")));
        if let Some(answers) = answers {
            answers.wait_for_next();
        }
        exported
    }

    /// Identifies the rows, the filters, the hints and the start of a run.
    fn fingerprint(&self, planned: &Planned, run_data: &RunData<'_>, hints: &str) -> String {
        let data = run_data.fingerprint(&self.data) + hints;
        match &planned.start {
            Some(start) => format!("{data}, start {}", start.name),
            None => data,
        }
    }

    /// Checks that all outputs can be written, before hours are spent on training.
    fn check_places(&self, checkpoint: &Path) -> CommandResult {
        if let Some(folder) = self.out.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            output::create_folder(folder)?;
        }
        let card = card_path(&self.out);
        let inputs = paths(&self.data.data).chain(self.start_file()).chain(self.hints.hints.as_deref());
        let record = self.record();
        let outputs = [self.out.as_path(), &card, checkpoint, &record].into_iter().chain(self.json.as_deref());
        check_outputs(inputs, outputs.clone())?;
        check_card(&card)?;
        if !self.resume {
            self.replace.check_new(outputs)?;
        }
        figures::prepare(self.figures.as_ref())?;
        Ok(())
    }
}

/// The rule of the run, compared with that of the file that it continues from. The embedded network has seen no CSV.
fn rule_of(run_data: &RunData<'_>, planned: &Planned) -> HeldOutRule {
    match (&planned.options.start, &planned.start) {
        (Start::File { path, .. }, Some(start)) => {
            continued(&path.display().to_string(), start.held_out.as_ref(), &run_data.rule)
        }
        _ => run_data.rule.clone(),
    }
}
