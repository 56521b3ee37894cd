//! `trainer sweep` and `trainer sweep merge`: many cross-validated runs from one file, on one machine or in shards.

use std::path::{Path, PathBuf};
use std::time::Instant;

use alfiere_data::{DataFile, Dataset, Filter, HeldOutUnit, SplitBy};
use alfiere_sources::shard::Shard;
use alfiere_terminal::{interrupt, remark, say};
use alfiere_trainer::VERSION;
use alfiere_trainer::bench::Workload;
use alfiere_trainer::experiment::{
    Document, EpochSelection, ExperimentData, FoldError, FoldResult, Plan, Results, RunSettings, Store, Summary, Task,
    common_options, curves_csv, effects, effects_csv, pictures, results_csv, run_fold, summaries, summary_csv,
    sweep_keys,
};
use alfiere_training::Start;
use clap::{Args, Subcommand};
use serde::Serialize;

use super::command_line::{play_command, train_command};
use super::data_args::{ReadArgs, warn};
use super::output::{self, OutputLock, grouped};
use super::run_data::check_results;
use super::training_display::TrainingDisplay;
use super::{CommandResult, Failure, figures, use_threads};

/// Number of pieces of a typical position, to estimate the remaining time.
const USUAL_PIECES: f64 = 25.0;

/// Compare R2 across hyperparameters: cross-validate every run of a sweep file
///
/// In the file's [run] table, a setting may be a list of values; `trainer sweep keys` explains all settings. A [[variant]]
/// names several settings at once. `design = "grid"` runs every combination, "one-at-a-time" those that differ from the
/// first in one setting. `repeats = 3` repeats each run with three seeds.
/// Finished folds are kept: the same command resumes, and nothing is run twice.
///
/// Writes results.csv (a row per fold), curves.csv (a row per epoch), effects.csv (a row per value of a setting), figures/,
/// and the summary as summary.csv, summary.json, summary.md and summary.tex into the folder. The summary compares the runs
/// fold by fold, with a t-test that is corrected for overlapping training sides, and ends with the `train` command of the
/// best run.
///
/// Example: trainer sweep datasets/experiments/quick.toml --out sweeps/quick
#[derive(Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub(crate) struct Sweep {
    #[command(subcommand)]
    part: Option<Part>,
    /// The sweep file
    #[arg(value_name = "FILE.toml", required = true)]
    file: Option<PathBuf>,
    /// Results folder [default: sweeps/ and the file's name]
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// Run only the I-th of N parts of the folds; `trainer sweep merge` combines the folders
    #[arg(long, value_name = "I/N", default_value = "1/1")]
    shard: Shard,
    /// Data files, overriding those of the sweep file
    #[arg(long, num_args = 1.., value_name = "FILE")]
    data: Vec<DataFile>,
    /// Extra training files that are never held out, overriding those of the sweep file
    #[arg(long, num_args = 1.., value_name = "FILE")]
    extra: Vec<DataFile>,
    #[command(flatten)]
    read: ReadArgs,
    /// Which epoch's weights are validated, overriding the sweep file [default: last]
    #[arg(long, value_enum)]
    select: Option<EpochSelection>,
    /// Threads, 0 for one per core; the number does not change the result
    #[arg(long, value_name = "N", value_parser = alfiere_trainer::stated_options::parse_threads)]
    threads: Option<usize>,
    /// Print the runs and stop
    #[arg(long)]
    list: bool,
}

#[derive(Subcommand)]
enum Part {
    Merge(Merge),
    /// Explain all keys of a sweep file, in Markdown
    Keys,
}

/// Merge the folders of a sweep's shards, and write the tables and figures of the whole sweep
///
/// Without PARTS, writes the tables and figures of the folder again.
///
/// Example: trainer sweep merge sweeps/all sweeps/part-1 sweeps/part-2
#[derive(Args)]
struct Merge {
    /// Folder that receives every finished fold
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
    /// Folders of the shards
    #[arg(value_name = "PARTS")]
    parts: Vec<PathBuf>,
}

impl Sweep {
    pub(crate) fn run(&self) -> CommandResult {
        let file = match (&self.part, &self.file) {
            (Some(Part::Merge(Merge { folder, parts })), _) => return publish(&Store::merge(folder, parts)?),
            (Some(Part::Keys), _) => {
                say(sweep_keys().trim_end());
                return Ok(());
            }
            (None, Some(file)) => file,
            (None, None) => return Err(Failure::new("expected a sweep file")),
        };
        use_threads(self.threads.unwrap_or(0));
        let mut plan = Plan::load(file, self.select, None)?;
        if self.list {
            plan.runs.iter().for_each(|run| say(format_args!("{}  {}", run.id, run.label)));
            return Ok(());
        }
        if !self.data.is_empty() {
            plan.data.clone_from(&self.data);
        }
        if !self.extra.is_empty() {
            plan.extra.clone_from(&self.extra);
        }
        plan.rows = self.read.rows.limit.or(plan.rows);
        if !self.read.rows.columns.is_empty() {
            plan.columns.clone_from(&self.read.rows.columns);
        }
        check_devices(&plan)?;
        let set = load(&self.read, &plan)?;
        // What is not stated follows from the rows.
        plan.runs = Plan::load(file, self.select, Some(&set))?.runs;
        if let Some(threads) = self.threads {
            plan.runs.iter_mut().for_each(|run| run.settings.training.threads = threads);
        }
        let tasks = plan.tasks(self.shard);
        check_runs(&plan, &set)?;
        let unit = set.unit(SplitBy::Games);
        let splits_games = plan.runs.iter().any(|run| run.settings.split == SplitBy::Games);
        warn(&set.dataset.rows[..set.split_rows], if splits_games { unit } else { HeldOutUnit::Rows });
        let stem = file.file_stem().unwrap_or_default();
        let out = self.out.clone().unwrap_or_else(|| Path::new("sweeps").join(stem));
        let store = Store::open(&out, plan, &set.fingerprint)?;
        let rows = grouped(set.split_rows as u64);
        let title = &store.plan().title;
        remark(format_args!("{title}: {} runs, {} folds here, {rows} rows", store.plan().runs.len(), tasks.len()));
        remark(format_args!("all runs: {}", common_options(&store.plan().runs)));
        let failed = FoldRunner::new(&store, &set, tasks)?.run()?;
        publish(&store)?;
        match failed.first() {
            Some(first) => Err(Failure::new(format!("{} folds failed; the first: {first}", failed.len()))),
            None => Ok(()),
        }
    }
}

/// Rejects missing devices before the data is read.
fn check_devices(plan: &Plan) -> CommandResult {
    let mut checked = Vec::new();
    for run in &plan.runs {
        let device = run.settings.training.device;
        if !checked.contains(&device) {
            device.processor().map_err(|problem| Failure::new(format!("run `{}`: {problem}", run.label)))?;
            checked.push(device);
        }
    }
    Ok(())
}

/// Rejects runs that are impossible with this data, before the first run starts.
fn check_runs(plan: &Plan, set: &ExperimentData) -> CommandResult {
    for run in &plan.runs {
        if run.settings.extra_rows.is_some_and(|rows| rows > set.extra_rows()) {
            let (label, found) = (&run.label, grouped(set.extra_rows() as u64));
            return Err(Failure::new(format!("run `{label}` needs more extra rows than the {found} given by --extra")));
        }
        set.check(&run.settings).map_err(|problem| Failure::new(format!("run `{}`: {problem}", run.label)))?;
    }
    let mut trainings = plan.runs.iter().map(|run| &run.settings.training);
    match trainings.find(|training| training.result_share.ends() != (0.0, 0.0)) {
        Some(blended) => check_results(blended, &set.dataset.rows),
        None => Ok(()),
    }
}

fn load(read: &ReadArgs, plan: &Plan) -> Result<ExperimentData, Failure> {
    let mut read = read.limited(plan.rows);
    read.rows.columns.clone_from(&plan.columns);
    let split = read.load(&plan.data, plan.filter.clone())?;
    let extra = load_extra(&read, &plan.extra, &plan.filter)?;
    Ok(ExperimentData::new(split, extra)?)
}

/// Loads all extra rows, which are never held out, independent of `--rows`.
pub(super) fn load_extra(read: &ReadArgs, files: &[DataFile], filter: &Filter) -> Result<Option<Dataset>, Failure> {
    if files.is_empty() {
        return Ok(None);
    }
    read.limited(None).load(files, filter.clone()).map(Some)
}

/// Runs the missing folds one after another.
pub(super) struct FoldRunner<'a> {
    store: &'a Store,
    set: &'a ExperimentData,
    missing: Vec<Task>,
    begun: Instant,
    cost_done: f64,
    cost_all: f64,
}

impl<'a> FoldRunner<'a> {
    pub(super) fn new(store: &'a Store, set: &'a ExperimentData, tasks: Vec<Task>) -> Result<Self, Failure> {
        let all = tasks.len();
        let mut missing = Vec::new();
        for task in tasks {
            if store.result(task)?.is_none() {
                missing.push(task);
            }
        }
        if missing.len() < all {
            remark(format_args!("{} of {all} folds are already finished", all - missing.len()));
        }
        let cost_all = missing.iter().map(|task| cost(set, &store.plan().runs[task.run].settings)).sum();
        Ok(Self { store, set, missing, begun: Instant::now(), cost_done: 0.0, cost_all })
    }

    /// Runs the folds; returns an error message for each fold that failed. A failed fold does not stop the others.
    pub(super) fn run(mut self) -> Result<Vec<String>, Failure> {
        let mut failed = Vec::new();
        for (index, task) in std::mem::take(&mut self.missing).into_iter().enumerate() {
            if interrupt::requested() {
                break;
            }
            let run = &self.store.plan().runs[task.run];
            let name = run.settings.fold_name(task.fold);
            let checkpoint = self.store.checkpoint(task)?;
            let Some(_lock) = OutputLock::attempt(&checkpoint)? else {
                remark(format_args!("{}, {name}: another run is training it", run.label));
                continue;
            };
            if self.store.result(task)?.is_some() {
                continue; // Another run has finished it meanwhile.
            }
            remark(format_args!("{}, {name}", run.label));
            let mut display = TrainingDisplay::fold("  ", run.settings.selection);
            match run_fold(self.set, &run.settings, task.fold, Some(&checkpoint), &mut display) {
                Ok(Some(result)) => {
                    self.store.keep(task, &result)?;
                    self.cost_done += cost(self.set, &run.settings);
                    self.report_fold(index + 1, &result);
                }
                Ok(None) => break,
                Err(error @ (FoldError::NotFinite(_) | FoldError::Split(_) | FoldError::Inner(_))) => {
                    self.cost_done += cost(self.set, &run.settings);
                    let sentence = format!("{}, {name}: {error}", run.label);
                    remark(&sentence);
                    failed.push(sentence);
                }
                Err(error) => return Err(Failure::new(format!("{}, {name}: {error}", run.label))),
            }
        }
        Ok(failed)
    }

    fn report_fold(&self, done: usize, result: &FoldResult) {
        let spent = self.begun.elapsed().as_secs_f64();
        let left = spent * (self.cost_all - self.cost_done) / self.cost_done.max(f64::MIN_POSITIVE);
        let metrics = result.metrics;
        remark(format_args!(
            "  R2 {:.4}  training {:.4}  RMSE {:.1} cp  MAE {:.4}  epoch {} ({}); {done} folds done, {:.0} % of the work, about {:.0} min left",
            metrics.r2,
            result.training.r2,
            metrics.rmse_centipawns(),
            metrics.mae,
            result.epoch,
            result.selection.name(),
            100.0 * self.cost_done / self.cost_all.max(f64::MIN_POSITIVE),
            left / 60.0,
        ));
    }
}

/// Estimated work of a fold in operations.
fn cost(set: &ExperimentData, settings: &RunSettings) -> f64 {
    let training = &settings.training;
    let rows = set.split_rows as f64;
    let share = 1.0 / settings.folds as f64;
    let limited = |rows: f64, limit: Option<usize>| limit.map_or(rows, |limit| rows.min(limit as f64));
    let training_rows =
        limited(rows * (1.0 - share), settings.training_rows) + limited(set.extra_rows() as f64, settings.extra_rows);
    // Validating a row costs about a third of training on it.
    let validation = limited(rows * share, settings.validation_rows) / 3.0;
    let work = Workload::new(&training.architecture, USUAL_PIECES, training.batch_size);
    (training_rows + validation) * f64::from(training.epochs) * work.operations()
}

/// `summary.json`.
#[derive(Serialize)]
struct Report<'a> {
    title: &'a str,
    /// Version of the program.
    program: &'static str,
    /// The `train` command with the settings of the best run, as they were measured.
    train: Option<String>,
    /// The `train` command for a network to play with, if the best run started from nothing.
    train_to_play: Option<String>,
    /// The best first.
    runs: &'a [Summary<'a>],
}

/// Writes tables and figures of the finished folds, and prints the summary.
fn publish(store: &Store) -> CommandResult {
    let (folder, plan) = (store.folder(), store.plan());
    let results = Results::read(store)?;
    let summaries = summaries(&results);
    // A network without integers cannot play.
    let has_integers = |one: &&Summary<'_>| one.run.settings.training.architecture.activation.has_integers();
    let playing = summaries.iter().find(has_integers);
    let train = playing.map(|best| train_command(plan, &best.run.settings, &folder.join("best.nnue")));
    let from_nothing = summaries.first().filter(|best| best.run.settings.training.start == Start::Random);
    let train_to_play = from_nothing.map(|_| play_command(plan, &folder.join("player.nnue")));
    let effects = effects(&results);
    let document = Document::new(&results, &summaries, &effects);
    let mut table = document.markdown();
    if let Some(train) = &train {
        let which =
            if summaries.first().is_some_and(|best| has_integers(&best)) { "" } else { " with `crelu` or `screlu`" };
        let title = format!("\n### A network with the settings of the best run{which}\n\nAs measured:\n\n```\n");
        table.extend([title.as_str(), train, "\n```\n"]);
    }
    if let Some(train) = &train_to_play {
        let why =
            "\nTo play with: from the engine's own network, which a network that begins with nothing does not reach:";
        table.extend([why, "\n\n```\n", train, "\n```\n"]);
    }
    for (name, text) in [
        ("results.csv", &results_csv(&results)),
        ("curves.csv", &curves_csv(&results)),
        ("effects.csv", &effects_csv(plan, &effects)),
        ("summary.csv", &summary_csv(plan, &summaries)),
        ("summary.md", &table),
        ("summary.tex", &document.latex()),
    ] {
        output::write_text(&folder.join(name), text)?;
    }
    let report = Report { title: &plan.title, program: VERSION, train, train_to_play, runs: &summaries };
    output::write_json(&folder.join("summary.json"), &report)?;
    let drawn = folder.join("figures");
    figures::prepare(Some(&drawn))?;
    for (name, figure) in pictures(&results, &effects) {
        figure.write(&drawn.join(name).with_extension("svg"))?;
    }
    say(&table);
    let wanted = plan.tasks(Shard::WHOLE).len();
    let finished: usize = summaries.iter().map(|summary| summary.folds).sum();
    if finished < wanted {
        remark(format_args!("{finished} of {wanted} folds are finished"));
    }
    if let Some(best) = summaries.first() {
        if let Some(warning) = best.unit.warning() {
            say(format_args!("warning: {warning}"));
        }
        say(format_args!("best R2 {:.4} sd {:.4} folds {} {}", best.r2.0, best.r2.1, best.folds, best.run.label));
    }
    Ok(())
}
