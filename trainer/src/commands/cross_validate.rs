//! `trainer cross-validate`: measures how well a network generalises to held-out data.

use std::path::PathBuf;

use alfiere_charts::signed;
use alfiere_data::metrics::{CLIP_CENTIPAWNS, Metrics, mean_and_deviation};
use alfiere_data::{Captures, DataFile, HeldOutUnit, SplitBy};
use alfiere_sources::shard::Shard;
use alfiere_terminal::{Replace, remark, say};
use alfiere_trainer::VERSION;
use alfiere_trainer::experiment::{
    EpochSelection, ExperimentData, FoldResult, Plan, RunSettings, Store, Table, UnknownGames, check_folds,
};
use alfiere_training::{MEASURED_TRAINING_ROWS, Rows};
use clap::Args;
use serde::Serialize;

use super::data_args::{DataArgs, paths, warn};
use super::output::{self, grouped};
use super::run_data::check_results;
use super::sweep::{FoldRunner, load_extra};
use super::train_args::TrainArgs;
use super::{CommandResult, Failure, use_threads};

/// Train k networks, validate each on its held-out fold, and tabulate the errors
///
/// Each is what `train` makes of the other folds with the same options. To compare hyperparameters of networks that learn from
/// these rows alone, use --start random.
///
/// Example: trainer cross-validate --data datasets/kaggle/sample.csv.gz --net "dual [64]" --start random
#[derive(Args)]
pub(crate) struct CrossValidate {
    #[command(flatten)]
    data: DataArgs,
    #[command(flatten)]
    training: TrainArgs,
    /// Number of folds, at least 2
    #[arg(long, value_name = "K", default_value_t = 5)]
    folds: usize,
    /// Repeat the cross-validation, each time with the next seeds of training and split
    #[arg(long, value_name = "N", default_value = "1", value_parser = clap::value_parser!(u16).range(1..))]
    repeats: u16,
    /// What is split into folds
    /// [default: games, or positions where games are unknown]
    #[arg(long, value_enum)]
    split: Option<SplitBy>,
    /// Which epoch's weights are validated
    #[arg(long, value_enum, default_value_t = EpochSelection::Last)]
    select: EpochSelection,
    /// Extra training files, whose rows are never held out
    #[arg(long, num_args = 1.., value_name = "FILE")]
    extra: Vec<DataFile>,
    /// Keep finished folds and the checkpoint of the current one in this folder, so that the same command resumes
    #[arg(long, value_name = "FOLDER")]
    save: Option<PathBuf>,
    /// Write the table as CSV, `-` for standard output
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Write the table as JSON, `-` for standard output
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Write the table for a document, in Markdown, `-` for standard output
    #[arg(long, value_name = "FILE")]
    markdown: Option<PathBuf>,
    /// Write the table for a document, in LaTeX, `-` for standard output
    #[arg(long, value_name = "FILE")]
    latex: Option<PathBuf>,
    #[command(flatten)]
    replace: Replace,
}

/// Errors of one fold.
#[derive(Serialize)]
struct Fold {
    #[serde(rename = "fold")]
    number: usize,
    training_rows: usize,
    inner_rows: usize,
    dropped_rows: usize,
    epoch: u32,
    #[serde(flatten)]
    metrics: Metrics,
    r2_as_given: f64,
    r2_resolved: f64,
    training_r2: f64,
}

/// The JSON output.
#[derive(Serialize)]
struct Report<'a> {
    /// Version of the program.
    program: &'static str,
    architecture: String,
    start: String,
    /// What is really split into folds.
    split: HeldOutUnit,
    warnings: &'a [String],
    selection: EpochSelection,
    captures: Captures,
    folds: usize,
    seed: u64,
    mean_r2: f64,
    sd_r2: f64,
    mean_training_r2: f64,
    results: Vec<Fold>,
}

impl Fold {
    fn of(result: &FoldResult) -> Self {
        let &FoldResult { fold: number, training_rows, inner_rows, dropped_rows, epoch, metrics, training, .. } =
            result;
        let (r2_as_given, r2_resolved, training_r2) = (result.as_given().r2, result.resolved().r2, training.r2);
        Self { number, training_rows, inner_rows, dropped_rows, epoch, metrics, r2_as_given, r2_resolved, training_r2 }
    }
}

impl CrossValidate {
    pub(crate) fn run(&self) -> CommandResult {
        // What is stated is checked before the data is read; the rest depends on its number of rows.
        use_threads(self.training.stated.threads);
        self.training.plan(0)?;
        self.replace.check(
            paths(&self.data.data).chain(paths(&self.extra)),
            [&self.csv, &self.json, &self.markdown, &self.latex].into_iter().filter_map(|path| path.as_deref()),
        )?;
        let extra = load_extra(&self.data.read, &self.extra, &self.data.filter)?;
        let set = ExperimentData::new(self.data.load()?, extra)?;
        let rows = set.split_rows as u64;
        let mut planned = self.training.plan(rows)?;
        let picks: Vec<u32> = (0..set.split_rows as u32).collect();
        let samples = set.dataset.samples(planned.options.captures)[0];
        planned.fit(&self.training.stated, Rows { samples, picks: &picks });
        let training = planned.options;
        self.training.remark_chosen(&training, rows);
        let settings = RunSettings {
            split: self.split.unwrap_or_default(),
            unknown_games: if self.split.is_some() { UnknownGames::Refused } else { UnknownGames::Positions },
            split_seed: training.seed,
            selection: self.select,
            repeats: usize::from(self.repeats),
            ..RunSettings::new(training, self.folds)
        };
        settings.check()?;
        check_results(&settings.training, &set.dataset.rows)?;
        // Check the split before hours are spent on training.
        check_folds(&set, &settings)?;
        let (net, rows) = (&settings.training.architecture, grouped(set.split_rows as u64));
        let unit = set.unit(settings.split);
        let warnings = warn(&set.dataset.rows[..set.split_rows], unit);
        remark(format_args!("{net}, {rows} rows, {} folds split {unit}", settings.all_folds()));
        let results = self.folds(&settings, &set)?;
        if results.is_empty() {
            return Err(Failure::new("stopped before the first fold was finished"));
        }
        if results.len() < settings.all_folds() {
            remark(format_args!("stopped: {} of {} folds are finished", results.len(), settings.all_folds()));
        }
        self.publish(&settings, (unit, &warnings), &results)
    }

    /// Trains the folds; returns all of them, unless the run was stopped.
    fn folds(&self, settings: &RunSettings, set: &ExperimentData) -> Result<Vec<FoldResult>, Failure> {
        let temporary;
        let folder = if let Some(folder) = &self.save {
            folder.as_path()
        } else {
            temporary = tempfile::tempdir()?;
            temporary.path()
        };
        let plan = Plan::single("cross-validation", settings.clone())?;
        let store = Store::open(folder, plan, &set.fingerprint)?;
        let failed = FoldRunner::new(&store, set, store.plan().tasks(Shard::WHOLE))?.run()?;
        match failed.into_iter().next() {
            Some(sentence) => Err(Failure::new(sentence)),
            None => Ok(store.results()?.into_iter().flatten().collect()),
        }
    }

    fn publish(
        &self,
        settings: &RunSettings,
        (unit, warnings): (HeldOutUnit, &[String]),
        results: &[FoldResult],
    ) -> CommandResult {
        let summary = |value: fn(&FoldResult) -> f64| {
            mean_and_deviation(&results.iter().map(value).collect::<Vec<f64>>()).unwrap_or_default()
        };
        let [mse, rmse, mae] = [summary(|f| f.metrics.mse), summary(|f| f.metrics.rmse), summary(|f| f.metrics.mae)];
        let (mean_r2, sd_r2) = summary(|f| f.metrics.r2);
        let columns = [mse, rmse, mae, (mean_r2, sd_r2)];
        let centipawns = summary(|f| f.metrics.rmse_centipawns());
        let training = summary(|f| f.training.r2);
        // A run that the same command resumes writes the files when it is complete: existing ones would stop it.
        let resumable = self.save.is_some() && results.len() < settings.all_folds();
        let paths = [&self.csv, &self.json, &self.markdown, &self.latex];
        let paths = paths.map(|path| path.as_deref().filter(|_| !resumable));
        let [csv_path, json_path, markdown_path, latex_path] = paths;
        if let Some(path) = csv_path {
            output::write_text(path, &csv(results))?;
        }
        if let Some(path) = markdown_path {
            output::write_text(path, &table(results).markdown())?;
        }
        if let Some(path) = latex_path {
            output::write_text(path, &table(results).latex())?;
        }
        if let Some(path) = json_path {
            let report = Report {
                program: VERSION,
                architecture: settings.training.architecture.to_string(),
                start: settings.training.start.to_string(),
                split: unit,
                warnings,
                selection: settings.selection,
                captures: settings.training.captures,
                folds: results.len(),
                seed: settings.training.seed,
                mean_r2,
                sd_r2,
                mean_training_r2: training.0,
                results: results.iter().map(Fold::of).collect(),
            };
            output::write_json(path, &report)?;
        }
        if paths.into_iter().flatten().any(output::is_stdout) {
            return Ok(());
        }
        say(format_args!("split {unit}"));
        say(format_args!("captures {}", settings.training.captures));
        say(format_args!("epoch {}", settings.selection));
        say(format_args!("start {}", settings.training.start));
        say("fold         rows       epoch      MSE     RMSE      MAE       R2  RMSE cp  training R2");
        for fold in results {
            let m = fold.metrics;
            say(format_args!(
                "{:>4} {:>12} {:>11} {:>8.4} {:>8.4} {:>8.4} {:>8.4} {:>8.1} {:>12.4}",
                fold.fold,
                grouped(m.rows),
                fold.epoch,
                m.mse,
                m.rmse,
                m.mae,
                m.r2,
                m.rmse_centipawns(),
                fold.training.r2,
            ));
        }
        let cells = |select: fn(&(f64, f64)) -> f64| {
            let cells = columns.iter().fold(String::new(), |text, column| text + &format!(" {:>8.4}", select(column)));
            cells + &format!(" {:>8.1} {:>12.4}", select(&centipawns), select(&training))
        };
        say(format_args!("{:<29}{}", "mean over the folds", cells(|column| column.0)));
        say(format_args!("{:<29}{}", "standard deviation over folds", cells(|column| column.1)));
        let (constant, _) = summary(|f| f.metrics.label_variance);
        let rmse = constant.sqrt();
        let centipawns = rmse * CLIP_CENTIPAWNS;
        say(format_args!("{:<29} {constant:>8.4} {rmse:>8.4} {:>17.4} {centipawns:>8.1}", "constant predictor", 0.0));
        say(format_args!(
            "training R2: without dropout, on at most {} rows of a fold",
            grouped(MEASURED_TRAINING_ROWS)
        ));
        for (form, (mean, deviation)) in
            [("as given", summary(|f| f.as_given().r2)), ("resolved", summary(|f| f.resolved().r2))]
        {
            say(format_args!("validation rows {form}: R2 {mean:.4} sd {deviation:.4}"));
        }
        if let Some(warning) = unit.warning() {
            say(format_args!("warning: {warning}"));
        }
        say(format_args!("mean R2 {mean_r2:.4} sd {sd_r2:.4} folds {}", results.len()));
        Ok(())
    }
}

fn csv(results: &[FoldResult]) -> String {
    results.iter().fold(FoldResult::COLUMNS.to_owned() + "\n", |text, fold| text + &fold.cells() + "\n")
}

/// The table for documents: the folds, their mean and standard deviation, and the constant predictor.
fn table(results: &[FoldResult]) -> Table {
    let mut table = Table::default();
    let folds = results.iter().map(|fold| fold.fold.to_string());
    let below = ["mean", "standard deviation", "constant predictor"].map(str::to_owned);
    table.texts("fold", folds.chain(below));
    let counts = |of: fn(&FoldResult) -> u64| {
        results.iter().map(move |fold| grouped(of(fold))).chain(std::iter::repeat_n(String::new(), 3))
    };
    table.numbers("training rows", counts(|fold| fold.training_rows as u64));
    table.numbers("validation rows", counts(|fold| fold.metrics.rows));
    table.numbers("epoch", counts(|fold| u64::from(fold.epoch)));
    let mut column = |name: &str, decimals: usize, of: fn(&Metrics) -> f64, constant: Option<fn(f64) -> f64>| {
        let values = |of: &dyn Fn(&Metrics) -> f64| results.iter().map(|fold| of(&fold.metrics)).collect::<Vec<f64>>();
        let (mean, deviation) = mean_and_deviation(&values(&of)).unwrap_or_default();
        let (variance, _) = mean_and_deviation(&values(&|m| m.label_variance)).unwrap_or_default();
        let constant = constant.map(|of| of(variance));
        let cells = values(&of).into_iter().chain([mean, deviation]).map(Some).chain([constant]);
        table.numbers(
            name,
            cells.map(|cell| cell.map_or_else(String::new, |value| signed(&format!("{value:.decimals$}")))),
        );
    };
    column("MSE", 4, |m| m.mse, Some(|variance| variance));
    column("RMSE", 4, |m| m.rmse, Some(f64::sqrt));
    column("MAE", 4, |m| m.mae, None);
    column("R²", 4, |m| m.r2, Some(|_| 0.0));
    column("RMSE, centipawns", 1, Metrics::rmse_centipawns, Some(|variance| variance.sqrt() * CLIP_CENTIPAWNS));
    table
}
