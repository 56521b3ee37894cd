//! `trainer fit-classical`: fits the weights of the engine's hand-crafted evaluation.

use std::fmt::Write;
use std::path::PathBuf;

use alfiere_data::{Captures, Dataset, Filter, HeldOut, HeldOutUnit, Split};
use alfiere_search::eval::{WEIGHT_COUNT, Weights};
use alfiere_trainer::classical::{FitEpoch, FitSettings, FittedWeights, Traces, fit, measure};
use clap::Args;

use super::card::{check_card, data_table};
use super::command_line::quoted;
use super::data_args::{DataArgs, paths};
use super::output::{Replace, grouped, is_stdout, line, write_json, write_text};
use super::progress::{Progress, remark};
use super::{CommandResult, Failure, command_line, interrupt};

/// Fit the weights of the engine's hand-crafted evaluation (the player `classical`) to labelled positions
///
/// Rows in check, with a capture or promotion as best move, or with a mate label are excluded. The weights are compiled
/// into the engine from nets/classical.weights. A card with the same name and the extension .md is written next to
/// them.
///
/// Example: trainer fit-classical --data games.csv.zst --out nets/classical.weights
#[derive(Args)]
pub(crate) struct FitClassical {
    #[command(flatten)]
    data: DataArgs,
    #[command(flatten)]
    settings: FitSettings,
    /// Share of the games held out for validation
    #[arg(long, value_name = "SHARE", default_value_t = 0.02)]
    validation: f64,
    /// Weights file to write
    #[arg(long, value_name = "FILE.weights")]
    out: PathBuf,
    /// Write curves and metrics as JSON, `-` for standard output
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    #[command(flatten)]
    replace: Replace,
}

impl FitClassical {
    pub(crate) fn run(&self) -> CommandResult {
        let card = self.out.with_extension("md");
        let outputs = [self.out.as_path(), &card].into_iter().chain(self.json.as_deref());
        self.replace.check(paths(&self.data.data), outputs)?;
        check_card(&card)?;
        let filter = Filter { in_check: true, mates: true, ..self.data.filter.clone() };
        let set = self.data.read.load(&self.data.data, filter)?;
        let (mut split, rule) = set.split(HeldOut::Share(self.validation), self.settings.seed)?;
        for side in [&mut split.training, &mut split.validation] {
            set.drop_captures(Captures::Drop, side);
        }
        let training = trace(&set, &split.training)?;
        let validation = trace(&set, &split.validation)?;
        let each = training.coefficient_count() as f64 / training.len() as f64;
        remark(&format!(
            "{} weights, {each:.0} of them nonzero in an average position",
            grouped(2 * WEIGHT_COUNT as u64)
        ));
        let settings = self.settings;
        let mut progress = Progress::new("epochs", u64::from(settings.epochs), "epochs");
        let fitted = fit(&training, &validation, &Weights::material(), &settings, &mut |epoch| {
            progress.say(&text_of(epoch));
            progress.at(u64::from(epoch.epoch), "");
            interrupt::flow()
        });
        progress.finish();
        let fitted = fitted.ok_or_else(|| Failure::new("no rows to validate on"))?;
        let weights = Weights::from_values(fitted.values.iter().copied());
        self.write(&set, (&split, rule.unit), &validation, &fitted, &weights)
    }

    fn write(
        &self,
        set: &Dataset,
        split: (&Split, HeldOutUnit),
        validation: &Traces,
        fitted: &FittedWeights,
        weights: &Weights,
    ) -> CommandResult {
        let values: Vec<[f32; 2]> =
            (0..WEIGHT_COUNT).map(|place| weights.values(place).map(|value| value as f32)).collect();
        let (loss, metrics) =
            measure(validation, &values, &self.settings).ok_or_else(|| Failure::new("no rows to validate on"))?;
        let text = format!(
            "# Weights of the hand-crafted evaluation: middlegame,endgame in centipawns. Written by `trainer fit-classical`.\n{}",
            weights.to_text()
        );
        write_text(&self.out, &text)?;
        let mut card = String::new();
        // Writing to a string cannot fail.
        let _ = self.card(&mut card, set, split, fitted);
        let _ =
            writeln!(card, "| rounded | | | {loss:.6} | {:.4} | {:.5} | {:.4} |", metrics.r2, metrics.mse, metrics.mae);
        write_text(&self.out.with_extension("md"), &card)?;
        if let Some(path) = &self.json {
            let value = serde_json::json!({
                "settings": self.settings, "epochs": fitted.epochs, "rounded_loss": loss, "rounded": metrics,
            });
            write_json(path, &value)?;
            if is_stdout(path) {
                return Ok(());
            }
        }
        line(&format!("rounded R2 {:.4} MSE {:.5} MAE {:.4} loss {loss:.6}", metrics.r2, metrics.mse, metrics.mae));
        line(&format!("wrote {}", self.out.display()));
        Ok(())
    }

    fn card(
        &self,
        text: &mut String,
        set: &Dataset,
        (split, unit): (&Split, HeldOutUnit),
        fitted: &FittedWeights,
    ) -> std::fmt::Result {
        let name = self.out.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let arguments = command_line::arguments();
        writeln!(text, "# {name}\n\nThe hand-crafted evaluation: {} weights.\n", 2 * WEIGHT_COUNT)?;
        writeln!(text, "## Command\n\n```\ntrainer {}\n```\n", quoted(&arguments))?;
        data_table(text, &set.files)?;
        let used = split.training.len() + split.validation.len() + split.dropped;
        writeln!(
            text,
            "\nQuiet rows only: {} were excluded. Trained on {} rows, validated on {} {}; {} rows were dropped \
             from training because their position is held out.\n",
            grouped(set.filtered.total() + (set.rows.len() - used) as u64),
            grouped(split.training.len() as u64),
            grouped(split.validation.len() as u64),
            unit.held_out_rows(),
            grouped(split.dropped as u64),
        )?;
        writeln!(
            text,
            "## Fit\n\nLoss: the mean squared error of the expected score, `1 / (1 + exp(-cp / {}))`. R², MSE and MAE on the validation \
             rows, in clipped centipawns, `clamp(cp / 1000, -1, 1)`.\n",
            self.settings.scale
        )?;
        writeln!(text, "| epoch | centipawns a step | training loss | validation loss | R² | MSE | MAE |")?;
        writeln!(text, "|---|---|---|---|---|---|---|")?;
        for epoch in &fitted.epochs {
            let metrics = epoch.validation;
            writeln!(
                text,
                "| {} | {:.3} | {:.6} | {:.6} | {:.4} | {:.5} | {:.4} |",
                epoch.epoch,
                epoch.rate,
                epoch.training_loss,
                epoch.validation_loss,
                metrics.r2,
                metrics.mse,
                metrics.mae
            )?;
        }
        Ok(())
    }
}

fn text_of(epoch: &FitEpoch) -> String {
    let FitEpoch { epoch, rate, training_loss, validation_loss, validation } = epoch;
    format!(
        "epoch {epoch:>3}  step {rate:.3} cp  loss {training_loss:.6}  validation {validation_loss:.6}  R2 {:.4}  MAE {:.4}",
        validation.r2, validation.mae
    )
}

fn trace(set: &Dataset, picks: &[u32]) -> Result<Traces, Failure> {
    let mut progress = Progress::new("counting", picks.len() as u64, "positions");
    let traces = Traces::of(&set.rows, picks, &mut |done| {
        progress.at(done as u64, "");
        interrupt::flow()
    });
    progress.finish();
    Ok(traces?)
}
