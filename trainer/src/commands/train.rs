//! `trainer train`: trains a network from data files.

mod export;

use std::path::{Path, PathBuf};

use alfiere_data::{BLOCK_ROWS, Captures, FilterReason, HeldOut, HeldOutRule, Row, inner_split, resolve_rows, split};
use alfiere_nnue::{FloatNetwork, Network};
use alfiere_sources::imitation::{first_lesson, learn_own_searches, own_searches};
use alfiere_trainer::watch::WatchServer;
use alfiere_training::record::record_path;
use alfiere_training::{
    Checkpoint, RowSource, Rows, RunFiles, Start, StopReason, Streamed, TrainingConfig, TrainingData, TrainingError,
    load_initial_weights, train,
};
use clap::Args;

use super::card::{card_path, check_card};
use super::data_args::StreamArgs;
use super::data_args::TrainSelect;
use super::data_args::{DataArgs, paths};
use super::init_from::InitFrom;
use super::init_from::is_of_run;
use super::output::OutputLock;
use super::output::{self, Replace, grouped};
use super::progress::remark;
use super::run_data::{RunData, check_result_counts, check_results};
use super::train_args::TrainArgs;
use super::train_args::{HintArgs, LoadedHints};
use super::training_display::{KeptNetworks, Recording, TrainingDisplay};
use super::{CommandResult, Failure, figures, watch};

/// Train a network, quantise it, and write it with a card of its data, command and metrics
///
/// The validation split keeps games whole. The weights of the epoch with the lowest validation loss are used, which
/// makes the validation metrics slightly optimistic; `--select inner` and `cross-validate` give unbiased ones. A checkpoint next to the
/// network allows `--resume` after Ctrl-C or a crash, with the same result as an uninterrupted run. A record of the run,
/// for `trainer watch`, has the extension .run.jsonl.
///
/// Example: trainer train --data datasets/kaggle/sample.csv.gz --net "dual [128]" --out first.nnue
#[derive(Args)]
pub(crate) struct Train {
    #[command(flatten)]
    data: DataArgs,
    #[command(flatten)]
    training: TrainArgs,
    #[command(flatten)]
    hints: HintArgs,
    /// Network file to write; a card with the same name and the extension .md is written next to it
    #[arg(long, value_name = "NET.nnue")]
    out: PathBuf,
    /// Share of the games held out for validation, chosen by a hash of their positions and the seed of the split, so
    /// that they are the same in every file and order. If rows are not in game order, positions are held out
    #[arg(long, value_name = "SHARE", default_value_t = HeldOut::DEFAULT_SHARE)]
    validation: f64,
    /// Number of rows held out for validation instead of a share, rounded up to whole games
    #[arg(long, value_name = "N", conflicts_with = "validation", value_parser = clap::value_parser!(u64).range(1..))]
    validation_rows: Option<u64>,
    /// Which epoch's weights are exported, and which rows end the run with --patience
    #[arg(long, value_enum, default_value_t = TrainSelect::Validation)]
    select: TrainSelect,
    /// Seed of the split [default: --seed]
    #[arg(long, value_name = "N")]
    split_seed: Option<u64>,
    #[command(flatten)]
    stream: StreamArgs,
    /// Checkpoint file, saved after each epoch, and every minute or so of a streamed run [default: next to the network,
    /// with the extension .checkpoint]
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,
    /// Keep a network of every N-th epoch beside the output, such as NET.epoch10.nnue
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    keep_every: Option<u32>,
    /// Resume from the checkpoint of a stopped run (`--init-from` is ignored)
    #[arg(long)]
    resume: bool,
    /// Start from the best weights of this checkpoint, or from those of a network file, instead of random weights, to
    /// continue training with other data, another loss or another result share. The architecture must be the same or
    /// coarser: without stacks, with fewer king buckets (each of 8 or 16 starts as the one of 4 that contains it),
    /// without pairs and with half the accumulator. The optimiser and the learning rate schedule start from the
    /// beginning
    #[arg(long, value_name = "FILE")]
    init_from: Option<PathBuf>,
    /// After the rows, learn from N positions that searches of the network itself meet, labelled by them; 0 for none
    /// [default: an eighth of the positions of --start classical]
    #[arg(long, value_name = "N")]
    own_searches: Option<u64>,
    /// Write curves and metrics as JSON, `-` for standard output
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Draw loss, R² and RMSE by epoch, the weights of each layer, predictions against labels and errors by game phase, as
    /// SVG and PNG, into this folder; the card shows them
    #[arg(long, value_name = "FOLDER")]
    figures: Option<PathBuf>,
    /// Show the run in a browser while it trains, at this port of this machine, or any free one
    #[arg(long, value_name = "PORT", num_args = 0..=1, require_equals = true, default_missing_value = "0")]
    watch: Option<u16>,
    #[command(flatten)]
    replace: Replace,
}

/// What a run starts from.
struct Beginning<'a> {
    config: TrainingConfig,
    /// Positions of its own searches from which it learns after the rows.
    own_searches: u64,
    files: RunFiles,
    init_from: Option<InitFrom<'a>>,
    hints: LoadedHints,
}

impl Train {
    pub(crate) fn run(&self) -> CommandResult {
        // What is stated is checked before the data is read; the rest depends on its number of rows.
        self.config(0)?;
        if self.validation_rows.is_none() {
            self.held_out().check(u64::MAX)?;
        }
        let checkpoint = self.checkpoint_path();
        self.check_places(&checkpoint)?;
        let _lock = OutputLock::new(&checkpoint)?;
        let page = self.watch.map(|port| WatchServer::bind(port, &[self.record()])).transpose()?;
        if self.stream.stream { self.streamed(page) } else { self.in_memory(page) }
    }

    fn checkpoint_path(&self) -> PathBuf {
        self.checkpoint.clone().unwrap_or_else(|| self.out.with_extension("checkpoint"))
    }

    /// Reads what a run on this number of rows starts from.
    fn begin(&self, rows: u64) -> Result<Beginning<'_>, Failure> {
        let config = self.config(rows)?;
        let options = config.options();
        self.training.remark_chosen(options, rows);
        if let Some(kept) = self.kept().filter(|_| !self.resume) {
            let kept: Vec<_> = (1..=options.epochs / kept.every).map(|step| kept.path(step * kept.every)).collect();
            self.replace.check_new(kept.iter().map(PathBuf::as_path))?;
        }
        let hints = self.hints.load(options)?;
        let checkpoint = self.checkpoint_path();
        let resume = if self.resume { Some(Checkpoint::load(&checkpoint)?) } else { None };
        if let Some(state) = &resume {
            self.check_network(state)?;
        }
        let mut files = RunFiles { resume, start: None, checkpoint: Some(checkpoint) };
        let mut init_from = None;
        if let Some(path) = self.init_from.as_deref().filter(|_| !self.resume) {
            let earlier = load_initial_weights(path, options.objective.output_scale())?;
            files.start = Some(earlier.network);
            init_from = Some(InitFrom { path, rule: earlier.held_out });
        }
        let own_searches = self.own_searches.unwrap_or(own_searches(options.start));
        Ok(Beginning { config, own_searches, files, init_from, hints })
    }

    /// The options of the training, with the default of `--captures` for these rows.
    fn config(&self, rows: u64) -> Result<TrainingConfig, Failure> {
        let mut training = self.training.clone();
        let are_labelled_as_they_are = self.stream.stream || self.hints.hints.is_some();
        training.stated.captures.get_or_insert(if are_labelled_as_they_are {
            Captures::Keep
        } else {
            Captures::Resolve
        });
        if self.stream.stream && training.stated.captures == Some(Captures::Drop) {
            return Err(Failure::new(
                "--captures drop needs the rows in memory; convert the files with --captures drop, then stream them",
            ));
        }
        if self.init_from.is_some() {
            training.stated.start.get_or_insert(Start::Random);
        }
        training.config(rows)
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

    fn in_memory(&self, page: Option<WatchServer>) -> CommandResult {
        let set = self.data.load()?;
        let Beginning { config, own_searches, mut files, init_from, hints } = self.begin(set.rows.len() as u64)?;
        check_results(config.options(), &set.rows)?;
        let (mut outer, mut rule) = split(&set.rows, &set.games, self.held_out(), self.split_seed())?;
        let mut inner = None;
        if self.select == TrainSelect::Inner {
            let (split, with_inner) = inner_split(&set.rows, &set.games, &outer, &rule)?;
            (inner, rule) = (Some(split), with_inner);
        }
        let captures = config.options().captures;
        let removed = set.drop_captures(captures, &mut inner.as_mut().unwrap_or(&mut outer).training) as u64;
        let run_data = RunData::in_memory(&set, &outer, inner.as_ref(), rule, captures);
        let training = Rows { samples: set.samples(captures)[0], picks: &inner.as_ref().unwrap_or(&outer).training };
        if removed > 0 {
            remark(&format!("left out {} training rows: {}", grouped(removed), FilterReason::Captures.text()));
        }
        if needs_lesson(&config, &files) {
            files.start = Some(lesson(&config, training)?);
        }
        let data = TrainingData {
            training,
            validation: run_data.selecting(),
            other_form: Some(run_data.selecting_in_other_form()),
            fingerprint: hints.named(run_data.fingerprint(&self.data)),
            held_out: Some(rule_of(&run_data, init_from.as_ref())),
            hints: hints.hints,
        };
        self.learn(&config, own_searches, &data, &run_data, files, page)
    }

    fn streamed(&self, page: Option<WatchServer>) -> CommandResult {
        let set = self.data.stream(self.held_out(), self.split_seed(), self.select)?;
        let Beginning { config, own_searches, mut files, init_from, hints } = self.begin(set.rows)?;
        check_result_counts(config.options(), set.results, set.rows)?;
        let picks = [&set.held_out, &set.inner].map(|rows| (0..rows.len() as u32).collect::<Vec<u32>>());
        let resolved = [&set.held_out, &set.inner].map(|rows| resolve_rows(rows));
        let captures = config.options().captures;
        let run_data = RunData::streamed(&set, &resolved, picks.each_ref().map(Vec::as_slice), captures);
        let window_rows = self.stream.window;
        let order: Vec<u32> = (0..set.block_count()).collect();
        if needs_lesson(&config, &files) {
            let roots = set.read_window(&order, 0..set.training_rows().min(window_rows))?;
            let picks: Vec<u32> = (0..roots.len() as u32).collect();
            files.start = Some(lesson(&config, Rows { samples: &roots, picks: &picks })?);
        }
        let fingerprint = hints.named(run_data.fingerprint(&self.data));
        let data = TrainingData {
            training: Streamed { set: &set, window_rows, captures },
            validation: run_data.selecting(),
            other_form: Some(run_data.selecting_in_other_form()),
            fingerprint: format!("{fingerprint}, streamed in windows of {window_rows} from blocks of {BLOCK_ROWS}"),
            held_out: Some(rule_of(&run_data, init_from.as_ref())),
            hints: hints.hints,
        };
        self.learn(&config, own_searches, &data, &run_data, files, page)
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

    /// Trains on rows from any source, and writes the network.
    fn learn<T: RowSource<Row>>(
        &self,
        config: &TrainingConfig,
        own_searches: u64,
        data: &TrainingData<'_, Row, T>,
        run_data: &RunData<'_>,
        files: RunFiles,
        page: Option<WatchServer>,
    ) -> CommandResult {
        let checkpoint = files.checkpoint.clone().unwrap_or_default();
        let state = checkpoint.display();
        remark(&format!("{}: {}", config.options().architecture, run_data.summary()));
        let mut recording = Recording::new(self.record(), config, run_data, &files);
        recording.kept = self.kept();
        if let Some(page) = page {
            watch::serve(page);
        }
        let run = train(config, data, files, &mut recording);
        recording.end(&run.as_ref().map_or_else(ToString::to_string, |run| run.stop.to_string()));
        let mut run = run.map_err(|error| match error {
            TrainingError::Rows(error) => Failure::new(format!(
                "{error}; the run is saved in {state}, use --resume to continue when the file is back"
            )),
            other => other.into(),
        })?;
        if run.best_epoch == 0 {
            return Err(Failure::new(format!(
                "{}: no epoch was finished; use --resume to continue from {state}",
                run.stop
            )));
        }
        let own_searches =
            if matches!(run.stop, StopReason::Finished | StopReason::NoProgress) { own_searches } else { 0 };
        if own_searches > 0 {
            remark(&format!(
                "last lesson, --own-searches {own_searches}: positions of searches of the network itself; R2 is of these"
            ));
            let display = &mut TrainingDisplay::default();
            let weights = learn_own_searches(config.options(), run.network, own_searches, display)?;
            run.network = weights.ok_or_else(|| {
                Failure::new(format!("stopped during the last lesson; --resume repeats it from {state}"))
            })?;
        }
        self.export(config, own_searches, data, run_data, &run)
            .map_err(|Failure(sentence)| Failure::new(format!("{sentence}; the trained weights are saved in {state}")))
    }

    /// Checks that all outputs can be written, before hours are spent on training.
    fn check_places(&self, checkpoint: &Path) -> CommandResult {
        if let Some(folder) = self.out.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            output::create_folder(folder)?;
        }
        let card = card_path(&self.out);
        let inputs = paths(&self.data.data).chain(self.init_from.as_deref()).chain(self.hints.hints.as_deref());
        let record = self.record();
        let outputs = [self.out.as_path(), &card, checkpoint, &record].into_iter().chain(self.json.as_deref());
        output::check_places(inputs, outputs.clone())?;
        check_card(&card)?;
        if !self.resume {
            self.replace.check_new(outputs)?;
        }
        figures::prepare(self.figures.as_ref())?;
        Ok(())
    }
}

/// Whether a run is new and does not start from random weights.
fn needs_lesson(config: &TrainingConfig, files: &RunFiles) -> bool {
    files.resume.is_none() && !config.options().start.is_random()
}

/// Weights that have learnt what the run's start asks for, on positions near these.
fn lesson(config: &TrainingConfig, roots: Rows<'_, Row>) -> Result<FloatNetwork, Failure> {
    let start = config.options().start;
    remark(&format!(
        "first lesson, {start}: the hand-written evaluation, and what searches with it find; R2 is of such positions"
    ));
    let weights = first_lesson(config, roots, &mut TrainingDisplay::default())?;
    weights.ok_or_else(|| Failure::new("stopped during the first lesson, which is not saved"))
}

/// The rule of the run, compared with that of the network that it continues from.
fn rule_of(run_data: &RunData<'_>, init_from: Option<&InitFrom<'_>>) -> HeldOutRule {
    match init_from {
        Some(init_from) => init_from.continued(&run_data.rule),
        None => run_data.rule.clone(),
    }
}
