//! `trainer train`: from data files to a network file.

use std::path::{Path, PathBuf};

use alfiere::network::{Network, Provenance, quantise};
use alfiere_trainer::check::{Agreement, compare};
use alfiere_trainer::data::{Dataset, HeldOut, Split, SplitBy, atomic, split};
use alfiere_trainer::metrics::Metrics;
use alfiere_trainer::training::{
    Checkpoint, EpochRecord, Outcome as RunOutcome, Rows, RunFiles, StopReason, TrainingConfig, TrainingData, train,
};
use clap::Args;
use serde::Serialize;

use super::card::{Card, write_card};
use super::data_args::DataArgs;
use super::output::{self, grouped, line};
use super::progress::remark;
use super::train_args::TrainArgs;
use super::watch::Watch;
use super::{Failure, Outcome, interrupt};

/// Train a network, quantise it, and write it with a card of its data, command and metrics
///
/// The validation split keeps games whole. The weights of the best epoch are taken. A checkpoint beside the network lets
/// `--resume` go on after Ctrl-C or a crash, with the same result as an unbroken run.
///
/// Example: trainer train --data datasets/kaggle/sample.csv.gz --net "dual [128] x8" --epochs 20 --out nets/first.nnue
#[derive(Args)]
pub(crate) struct Train {
    #[command(flatten)]
    data: DataArgs,
    #[command(flatten)]
    training: TrainArgs,
    /// Network file to write; a card of the same name ending in .md goes beside it
    #[arg(long, value_name = "NET.nnue")]
    out: PathBuf,
    /// Share of the rows held out for validation, in whole games
    #[arg(long, value_name = "SHARE", default_value_t = 0.05)]
    validation: f64,
    /// Where the run's state is saved after each epoch [default: beside the network, ending in .checkpoint]
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,
    /// Go on from the checkpoint of a run that was stopped
    #[arg(long)]
    resume: bool,
    /// Write curves and metrics as JSON, `-` for standard output
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

/// What a program reads about a run.
#[derive(Serialize)]
struct Report<'a> {
    network: String,
    architecture: String,
    best_epoch: u32,
    stop: String,
    training_rows: usize,
    validation_rows: usize,
    float: Metrics,
    quantised: Metrics,
    epochs: &'a [EpochRecord],
}

impl Train {
    pub(crate) fn run(&self) -> Outcome {
        let config = self.training.config()?;
        let checkpoint = self.checkpoint.clone().unwrap_or_else(|| self.out.with_extension("checkpoint"));
        self.check_places(&checkpoint)?;
        let resume = if self.resume { Some(Checkpoint::load(&checkpoint)?) } else { None };
        let set = self.data.load()?;
        let sides = split(&set.rows, &set.games, SplitBy::Games, HeldOut::Share(self.validation), self.training.seed)?;
        remark(&format!(
            "{}: {} rows to learn from, {} held out ({}; {} dropped because their position is held out)",
            config.options().architecture,
            grouped(sides.training.len() as u64),
            grouped(sides.validation.len() as u64),
            SplitBy::Games,
            grouped(sides.dropped as u64),
        ));
        let data = TrainingData {
            training: Rows { samples: &set.rows, picks: &sides.training },
            validation: Rows { samples: &set.rows, picks: &sides.validation },
            fingerprint: fingerprint(&set, &self.data, self.validation, self.training.seed),
        };
        let files = RunFiles { resume, checkpoint: Some(checkpoint.clone()) };
        let run = train(&config, &data, files, &mut Watch::default())?;
        if run.best_epoch == 0 {
            let state = checkpoint.display();
            return Err(Failure::new(format!("{}: no epoch was finished; {state} goes on with --resume", run.stop)));
        }
        self.export(&config, &set, &sides, &run).map_err(|Failure(sentence)| {
            Failure::new(format!("{sentence}; the trained weights are safe in {}", checkpoint.display()))
        })
    }

    /// Refuses places that cannot be written before hours are spent.
    fn check_places(&self, checkpoint: &Path) -> Outcome {
        if let Some(folder) = self.out.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            std::fs::create_dir_all(folder)
                .map_err(|error| Failure::new(format!("{}: cannot make this folder: {error}", folder.display())))?;
        }
        atomic::check_writable(&self.out)?;
        atomic::check_writable(checkpoint)?;
        output::check_writable(&[&self.json])?;
        if checkpoint.exists() && !self.resume {
            remark(&format!("{}: an earlier run's state is replaced", checkpoint.display()));
        }
        Ok(())
    }

    fn export(&self, config: &TrainingConfig, set: &Dataset, sides: &Split, run: &RunOutcome) -> Outcome {
        let options = config.options();
        let configuration = serde_json::to_value(options)?;
        let best = run.history.iter().find(|record| record.epoch == run.best_epoch);
        let validation = best.and_then(|record| record.validation);
        let mut provenance = Provenance {
            data_fingerprint: prints(set).join(" "),
            configuration,
            seed: options.seed,
            ..Provenance::default()
        }
        .with("training_rows", sides.training.len() as u64)
        .with("validation_rows", sides.validation.len() as u64)
        .with("best_epoch", u64::from(run.best_epoch));
        if let Some(validation) = validation {
            provenance = provenance
                .with_metric("validation_r2", validation.metrics.r2)
                .with_metric("validation_mse", validation.metrics.mse)
                .with_metric("validation_mae", validation.metrics.mae);
        }
        let network = quantise(&run.network, run.output_scale, provenance)?;
        network.save(&self.out)?;
        let agreement = Self::check(&network, run, config, set, sides)?;
        let command: Vec<String> = std::env::args().skip(1).collect();
        let card = Card { path: &self.out, command, config, set, sides, run, agreement: &agreement };
        write_card(&card)?;
        self.print(config, sides, run, &agreement)
    }

    /// What the written network says about the held-out rows, against the float weights.
    fn check(
        network: &Network,
        run: &RunOutcome,
        config: &TrainingConfig,
        set: &Dataset,
        sides: &Split,
    ) -> Result<Agreement, Failure> {
        let float = Some((&run.network, config.options().objective));
        Ok(compare(&network.to_bytes(), network, float, &set.rows, &sides.validation)?)
    }

    fn print(&self, config: &TrainingConfig, sides: &Split, run: &RunOutcome, agreement: &Agreement) -> Outcome {
        let quantised = agreement.engine;
        let float = agreement.float.as_ref().map_or(quantised, |float| float.metrics);
        let why = if interrupt::requested() { StopReason::Interrupted } else { run.stop };
        remark(&format!("{why}; best epoch {}", run.best_epoch));
        let name = self.out.display();
        if let Some(path) = &self.json {
            let report = Report {
                network: name.to_string(),
                architecture: config.options().architecture.to_string(),
                best_epoch: run.best_epoch,
                stop: run.stop.to_string(),
                training_rows: sides.training.len(),
                validation_rows: sides.validation.len(),
                float,
                quantised,
                epochs: &run.history,
            };
            output::write_json(path, &report)?;
        }
        if self.json.as_deref() != Some(Path::new("-")) {
            line(&format!("float      R2 {:.4} MSE {:.5} MAE {:.4}", float.r2, float.mse, float.mae));
            line(&format!("quantised  R2 {:.4} MSE {:.5} MAE {:.4}", quantised.r2, quantised.mse, quantised.mae));
            line(&format!("wrote {name}"));
        }
        Ok(())
    }
}

/// The content hash and scale of each file.
fn prints(set: &Dataset) -> Vec<String> {
    set.files.iter().map(|file| format!("{}*{}", file.fingerprint, file.file.scale)).collect()
}

/// Tells a run's data, with filters and split, from other data, wherever the files lie.
fn fingerprint(set: &Dataset, data: &DataArgs, share: f64, seed: u64) -> String {
    let rows = set.rows.len();
    let filtered = set.filtered.total();
    let limit = data.read.rows.limit.map_or_else(|| "all".to_owned(), |rows| rows.to_string());
    format!("{} rows {rows} of {limit}, {filtered} left out, split {share} seed {seed}", prints(set).join(" "))
}
