//! `trainer cross-validate`: how well a network learns, on data it has not seen.

use std::fmt::Write;
use std::path::PathBuf;

use alfiere_trainer::data::{Dataset, Folds, SplitBy};
use alfiere_trainer::metrics::{Metrics, mean_and_deviation};
use alfiere_trainer::training::{Rows, RunFiles, StopReason, TrainingConfig, TrainingData, evaluate, train};
use clap::{Args, ValueEnum};
use serde::Serialize;

use super::data_args::DataArgs;
use super::output::{self, grouped, line};
use super::progress::remark;
use super::train_args::TrainArgs;
use super::watch::Watch;
use super::{Failure, Outcome, interrupt};

/// What is dealt to the folds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum SplitKind {
    /// Whole games; no position stands on both sides
    Games,
    /// Single rows, as the report did; flatters R2
    Rows,
}

/// Train k networks, each judged on the fold that it has not seen, and tabulate their errors
///
/// Example: trainer cross-validate --data datasets/kaggle/sample.csv.gz --folds 5 --net "dual [64]" --epochs 8
#[derive(Args)]
pub(crate) struct CrossValidate {
    #[command(flatten)]
    data: DataArgs,
    #[command(flatten)]
    training: TrainArgs,
    /// Folds, at least 2
    #[arg(long, value_name = "K", default_value_t = 5)]
    folds: usize,
    /// What is dealt to the folds
    #[arg(long, value_enum, default_value_t = SplitKind::Games)]
    split: SplitKind,
    /// Write the table as CSV, `-` for standard output
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Write the table as JSON, `-` for standard output
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

/// One fold's errors.
#[derive(Serialize)]
struct Fold {
    #[serde(rename = "fold")]
    number: usize,
    training_rows: usize,
    dropped_rows: usize,
    best_epoch: u32,
    #[serde(flatten)]
    metrics: Metrics,
}

/// All that a program reads.
#[derive(Serialize)]
struct Report<'a> {
    architecture: String,
    split: SplitBy,
    folds: usize,
    seed: u64,
    mean_r2: f64,
    sd_r2: f64,
    results: &'a [Fold],
}

impl CrossValidate {
    pub(crate) fn run(&self) -> Outcome {
        let config = self.training.config()?;
        output::check_writable(&[&self.csv, &self.json])?;
        let by = match self.split {
            SplitKind::Games => SplitBy::Games,
            SplitKind::Rows => SplitBy::Rows,
        };
        let set = self.data.load()?;
        let folds = Folds::new(&set.rows, &set.games, by, self.folds, self.training.seed)?;
        let rows = grouped(set.rows.len() as u64);
        remark(&format!("{}, {rows} rows, {} folds split {by}", config.options().architecture, folds.count()));
        let mut results = Vec::new();
        for index in 0..folds.count() {
            match Self::fold(&config, &set, &folds, index)? {
                Some(fold) => results.push(fold),
                None => break,
            }
        }
        if results.is_empty() {
            return Err(Failure::new("stopped before the first fold was finished"));
        }
        if results.len() < folds.count() {
            remark(&format!("stopped: {} of {} folds are finished", results.len(), folds.count()));
        }
        self.publish(&config, by, &results)
    }

    /// Trains and judges one fold; `None` when it was stopped on the way.
    fn fold(config: &TrainingConfig, set: &Dataset, folds: &Folds, index: usize) -> Result<Option<Fold>, Failure> {
        let sides = folds.split(&set.rows, index);
        let validation = Rows { samples: &set.rows, picks: &sides.validation };
        let data = TrainingData {
            training: Rows { samples: &set.rows, picks: &sides.training },
            validation,
            fingerprint: String::new(),
        };
        let mut watch = Watch::new(&format!("fold {} ", index + 1));
        let run = train(config, &data, RunFiles::default(), &mut watch)?;
        if run.stop == StopReason::Interrupted || interrupt::requested() || run.best_epoch == 0 {
            if let StopReason::NotFinite { .. } = run.stop {
                return Err(Failure::new(format!("fold {}: {}", index + 1, run.stop)));
            }
            return Ok(None);
        }
        let judged = evaluate(&run.network, config.options().objective, 0.0, validation);
        Ok(judged.map(|judged| Fold {
            number: index + 1,
            training_rows: sides.training.len(),
            dropped_rows: sides.dropped,
            best_epoch: run.best_epoch,
            metrics: judged.metrics,
        }))
    }

    fn publish(&self, config: &TrainingConfig, by: SplitBy, results: &[Fold]) -> Outcome {
        let summary = |value: fn(&Metrics) -> f64| {
            let values: Vec<f64> = results.iter().map(|fold| value(&fold.metrics)).collect();
            mean_and_deviation(&values).unwrap_or((0.0, 0.0))
        };
        let columns = [summary(|m| m.mse), summary(|m| m.rmse), summary(|m| m.mae), summary(|m| m.r2)];
        let (mean_r2, sd_r2) = columns[3];
        if let Some(path) = &self.csv {
            output::write_text(path, &csv(results))?;
        }
        if let Some(path) = &self.json {
            let report = Report {
                architecture: config.options().architecture.to_string(),
                split: by,
                folds: results.len(),
                seed: config.options().seed,
                mean_r2,
                sd_r2,
                results,
            };
            output::write_json(path, &report)?;
        }
        line(&format!("split {by}"));
        line("fold         rows  best epoch      MSE     RMSE      MAE       R2");
        for fold in results {
            let m = fold.metrics;
            line(&format!(
                "{:>4} {:>12} {:>11} {:>8.4} {:>8.4} {:>8.4} {:>8.4}",
                fold.number,
                grouped(m.rows),
                fold.best_epoch,
                m.mse,
                m.rmse,
                m.mae,
                m.r2
            ));
        }
        let cells = |pick: fn(&(f64, f64)) -> f64| {
            columns.iter().fold(String::new(), |text, column| text + &format!(" {:>8.4}", pick(column)))
        };
        line(&format!("mean {:>24}{}", "", cells(|column| column.0)));
        line(&format!("sd   {:>24}{}", "", cells(|column| column.1)));
        let (constant, _) = summary(|m| m.label_variance);
        line(&format!("constant predictor {:>10} {constant:>8.4} {:>8.4} {:>17.4}", "", constant.sqrt(), 0.0));
        line(&format!("mean R2 {mean_r2:.4} sd {sd_r2:.4} folds {}", results.len()));
        Ok(())
    }
}

fn csv(results: &[Fold]) -> String {
    let mut text = String::from(
        "fold,training_rows,dropped_rows,validation_rows,best_epoch,mse,rmse,mae,r2,label_mean,label_variance\n",
    );
    for fold in results {
        let m = fold.metrics;
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "{},{},{},{},{},{},{},{},{},{},{}",
            fold.number,
            fold.training_rows,
            fold.dropped_rows,
            m.rows,
            fold.best_epoch,
            m.mse,
            m.rmse,
            m.mae,
            m.r2,
            m.label_mean,
            m.label_variance
        );
    }
    text
}
