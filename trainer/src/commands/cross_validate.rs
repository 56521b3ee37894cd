//! `trainer cross-validate`: measures how well a network generalises to held-out data.

use std::path::PathBuf;

use alfiere_trainer::data::{DataFile, SplitBy};
use alfiere_trainer::experiment::{
    EpochSelection, ExperimentData, FoldResult, FoldRun, Plan, RunSettings, Store, Table, check_folds, run_fold,
};
use alfiere_trainer::metrics::{CLIP_CENTIPAWNS, Metrics, mean_and_deviation};
use alfiere_trainer::shard::Shard;
use clap::{Args, ValueEnum};
use serde::Serialize;

use super::data_args::{DataArgs, paths};
use super::output::{self, Replace, grouped, line};
use super::progress::remark;
use super::select_args::Select;
use super::sweep::{FoldRunner, load_extra};
use super::train_args::TrainArgs;
use super::training_display::TrainingDisplay;
use super::{CommandResult, Failure, results};

/// What is split into folds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum SplitKind {
    /// Whole games; no position occurs in both training and validation
    Games,
    /// Single rows, as in the report; overestimates R2
    Rows,
}

/// Train k networks, validate each on its held-out fold, and tabulate the errors
///
/// Example: trainer cross-validate --data datasets/kaggle/sample.csv.gz --net "dual [64]"
#[derive(Args)]
pub(crate) struct CrossValidate {
    #[command(flatten)]
    data: DataArgs,
    #[command(flatten)]
    training: TrainArgs,
    /// Number of folds, at least 2
    #[arg(long, value_name = "K", default_value_t = 5)]
    folds: usize,
    /// What is split into folds
    #[arg(long, value_enum, default_value_t = SplitKind::Games)]
    split: SplitKind,
    /// Which epoch's weights are validated
    #[arg(long, value_enum, default_value_t = Select::Last)]
    select: Select,
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
}

/// The JSON output.
#[derive(Serialize)]
struct Report {
    architecture: String,
    split: SplitBy,
    selection: EpochSelection,
    folds: usize,
    seed: u64,
    mean_r2: f64,
    sd_r2: f64,
    results: Vec<Fold>,
}

impl Fold {
    fn of(result: &FoldResult) -> Self {
        let &FoldResult { fold: number, training_rows, inner_rows, dropped_rows, epoch, metrics, .. } = result;
        Self { number, training_rows, inner_rows, dropped_rows, epoch, metrics }
    }
}

impl CrossValidate {
    pub(crate) fn run(&self) -> CommandResult {
        let training = self.training.config()?.options().clone();
        self.replace.check(
            paths(&self.data.data).chain(paths(&self.extra)),
            [&self.csv, &self.json, &self.markdown, &self.latex].into_iter().filter_map(|path| path.as_deref()),
        )?;
        let settings = RunSettings {
            split: match self.split {
                SplitKind::Games => SplitBy::Games,
                SplitKind::Rows => SplitBy::Rows,
            },
            folds: self.folds,
            split_seed: training.seed,
            training_rows: None,
            validation_rows: None,
            extra_rows: None,
            selection: self.select.into(),
            training,
        };
        settings.check()?;
        let extra = load_extra(&self.data.read, &self.extra, &self.data.filter.filter())?;
        let set = ExperimentData::new(self.data.load()?, extra);
        results::check(&settings.training, &set.rows)?;
        // Check the split before hours are spent on training.
        check_folds(&set, &settings)?;
        let (net, rows) = (&settings.training.architecture, grouped(set.dealt as u64));
        remark(&format!("{net}, {rows} rows, {} folds split {}", settings.folds, settings.split));
        let results = self.folds(&settings, &set)?;
        if results.is_empty() {
            return Err(Failure::new("stopped before the first fold was finished"));
        }
        if results.len() < settings.folds {
            remark(&format!("stopped: {} of {} folds are finished", results.len(), settings.folds));
        }
        self.publish(&settings, &results)
    }

    /// Trains the folds; returns all of them, unless the run was stopped.
    fn folds(&self, settings: &RunSettings, set: &ExperimentData) -> Result<Vec<FoldResult>, Failure> {
        if let Some(folder) = &self.save {
            let plan = Plan::single("cross-validation", settings.clone())?;
            let store = Store::open(folder, plan, &set.fingerprint)?;
            let failed = FoldRunner::new(&store, set, store.plan().tasks(Shard::WHOLE))?.run()?;
            return match failed.into_iter().next() {
                Some(sentence) => Err(Failure::new(sentence)),
                None => Ok(store.results()?.into_iter().flatten().collect()),
            };
        }
        let mut results = Vec::new();
        for fold in 0..settings.folds {
            let mut display = TrainingDisplay::fold(&format!("fold {} ", fold + 1), settings.selection);
            let run = run_fold(set, settings, fold, None, &mut display)
                .map_err(|error| Failure::new(format!("fold {}: {error}", fold + 1)))?;
            match run {
                FoldRun::Finished(result) => results.push(*result),
                FoldRun::Interrupted => break,
            }
        }
        Ok(results)
    }

    fn publish(&self, settings: &RunSettings, results: &[FoldResult]) -> CommandResult {
        let summary = |value: fn(&Metrics) -> f64| {
            let values: Vec<f64> = results.iter().map(|fold| value(&fold.metrics)).collect();
            mean_and_deviation(&values).unwrap_or((0.0, 0.0))
        };
        let columns = [summary(|m| m.mse), summary(|m| m.rmse), summary(|m| m.mae), summary(|m| m.r2)];
        let (mean_r2, sd_r2) = columns[3];
        let centipawns = summary(Metrics::rmse_centipawns);
        // A run that the same command resumes writes the files when it is complete: existing ones would stop it.
        let resumable = self.save.is_some() && results.len() < settings.folds;
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
                architecture: settings.training.architecture.to_string(),
                split: settings.split,
                selection: settings.selection,
                folds: results.len(),
                seed: settings.training.seed,
                mean_r2,
                sd_r2,
                results: results.iter().map(Fold::of).collect(),
            };
            output::write_json(path, &report)?;
        }
        if paths.into_iter().flatten().any(output::is_stdout) {
            return Ok(());
        }
        line(&format!("split {}", settings.split));
        line(&format!("epoch {}", settings.selection));
        line("fold         rows       epoch      MSE     RMSE      MAE       R2  RMSE cp");
        for fold in results {
            let m = fold.metrics;
            line(&format!(
                "{:>4} {:>12} {:>11} {:>8.4} {:>8.4} {:>8.4} {:>8.4} {:>8.1}",
                fold.fold,
                grouped(m.rows),
                fold.epoch,
                m.mse,
                m.rmse,
                m.mae,
                m.r2,
                m.rmse_centipawns(),
            ));
        }
        let cells = |select: fn(&(f64, f64)) -> f64| {
            let cells = columns.iter().fold(String::new(), |text, column| text + &format!(" {:>8.4}", select(column)));
            cells + &format!(" {:>8.1}", select(&centipawns))
        };
        line(&format!("{:<29}{}", "mean over the folds", cells(|column| column.0)));
        line(&format!("{:<29}{}", "standard deviation over folds", cells(|column| column.1)));
        let (constant, _) = summary(|m| m.label_variance);
        let rmse = constant.sqrt();
        let centipawns = rmse * CLIP_CENTIPAWNS;
        line(&format!("{:<29} {constant:>8.4} {rmse:>8.4} {:>17.4} {centipawns:>8.1}", "constant predictor", 0.0));
        line(&format!("mean R2 {mean_r2:.4} sd {sd_r2:.4} folds {}", results.len()));
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
        table.numbers(name, cells.map(|cell| cell.map_or_else(String::new, |value| format!("{value:.decimals$}"))));
    };
    column("MSE", 4, |m| m.mse, Some(|variance| variance));
    column("RMSE", 4, |m| m.rmse, Some(f64::sqrt));
    column("MAE", 4, |m| m.mae, None);
    column("R²", 4, |m| m.r2, Some(|_| 0.0));
    column("RMSE, centipawns", 1, Metrics::rmse_centipawns, Some(|variance| variance.sqrt() * CLIP_CENTIPAWNS));
    table
}
