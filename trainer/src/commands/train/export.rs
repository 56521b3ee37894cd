//! What a finished run leaves: the network, its card, pictures and figures.

use std::path::{Path, PathBuf};

use alfiere_nnue::Provenance;
use alfiere_terminal::{interrupt, remark, say};
use alfiere_training::{
    RowSource, StopReason, TrainingConfig, TrainingResult, Validation, evaluate, evaluate_training, finished_network,
};

use super::Train;
use crate::commands::card::{Card, write_card};
use crate::commands::output::{self, grouped};
use crate::commands::run_data::{Measured, RunData, RunReport};
use crate::commands::train_args::Planned;
use crate::commands::{CommandResult, Failure, command_line, figures};

impl Train {
    pub(super) fn export(
        &self,
        planned: &Planned,
        config: &TrainingConfig,
        training: &dyn RowSource,
        run_data: &RunData<'_>,
        run: &TrainingResult,
        tell: impl FnOnce(&Measured),
    ) -> CommandResult {
        let options = config.options();
        let processor = options.device.processor().map_err(Failure::new)?;
        let training = evaluate_training(&run.network, &processor, options.objective, options.seed, training);
        let validation = validation(config, run_data, run)?;
        let mut provenance = Provenance { data_fingerprint: run_data.fingerprints(), ..options.provenance() }
            .with("training_rows", run_data.training_rows);
        if let Some(start) = &planned.start {
            provenance = provenance.with("started_from", start.name.as_str()).with("label_scale", start.label_scale);
        }
        if run_data.inner.is_some() {
            provenance = provenance.with("inner_rows", run_data.inner_rows()).with("selection", run_data.selection());
        }
        let label_scale = planned.label_scale();
        let (network, float) = finished_network(run, run_data.validation, validation, label_scale, provenance)?;
        network.save(&self.out)?;
        // Metrics of the written network on the held-out rows, compared with the float weights.
        let measured = Measured::new(&network, (&float, options.objective), run_data, options.captures, training)?;
        tell(&measured);
        let command = command_line::arguments();
        let drawn = self.draw(&measured, config, run_data, run);
        let pictures = drawn.as_deref().unwrap_or_default();
        let card = Card { path: &self.out, command, config, planned, run_data, run, measured: &measured, pictures };
        write_card(&card)?;
        self.print(config, run_data, run, &measured)?;
        drawn.map(|_| ())
    }

    /// Draws the pictures, and returns the SVG files.
    fn draw(
        &self,
        measured: &Measured,
        config: &TrainingConfig,
        run_data: &RunData<'_>,
        run: &TrainingResult,
    ) -> Result<Vec<PathBuf>, Failure> {
        let Some(folder) = &self.figures else { return Ok(Vec::new()) };
        let options = config.options();
        let (training, held_out) = (grouped(run_data.training_rows), grouped(run_data.selecting().picks.len() as u64));
        let kind = run_data.selection();
        let others = run_data.rule.unit.held_out_rows();
        let about = format!("{}, {training} training rows, {held_out} {kind} {others}", options.architecture);
        let mut names = figures::write_curves(folder, &about, options, run, run_data)?;
        let what = if run_data.inner.is_some() { "selected nothing" } else { "selected the epoch" };
        let about = format!("{}, validation {}, which {what}", options.architecture, run_data.rule.unit.name());
        figures::write_errors(folder, &about, measured.values.iter().copied(), run_data.validation.iter())?;
        names.extend(["agreement".to_owned(), "phase".to_owned()]);
        Ok(names.iter().map(|name| folder.join(format!("{name}.svg"))).collect())
    }

    fn print(
        &self,
        config: &TrainingConfig,
        run_data: &RunData<'_>,
        run: &TrainingResult,
        measured: &Measured,
    ) -> CommandResult {
        let (quantised, float) = measured.validation();
        let why = if interrupt::requested() { StopReason::Interrupted } else { run.stop };
        remark(format_args!("{why}; lowest {} loss after epoch {}", run_data.selection(), run.best_epoch));
        let name = self.out.display();
        if let Some(path) = &self.json {
            let report = RunReport {
                network: name.to_string(),
                architecture: config.options().architecture.to_string(),
                best_epoch: run.best_epoch,
                stop: run.stop.to_string(),
                selection: run_data.selection(),
                training_rows: run_data.training_rows,
                inner_rows: run_data.inner_rows(),
                validation_rows: run_data.validation_rows(),
                captures: config.options().captures,
                held_out: run_data.rule.unit,
                warnings: &run_data.warnings,
                measured,
                float,
                quantised,
                epochs: &run.history,
            };
            output::write_json(path, &report)?;
        }
        if self.json.as_deref() != Some(Path::new("-")) {
            measured.print(run_data, config.options().captures);
            let selecting = match run_data.inner_rows() {
                0 => "these validation rows".to_owned(),
                rows => format!("{} inner rows", grouped(rows)),
            };
            say(format_args!("wrote {name}, epoch {}, selected on {selecting}", run.best_epoch));
        }
        Ok(())
    }
}

/// Errors of the exported weights on the validation rows.
fn validation(
    config: &TrainingConfig,
    run_data: &RunData<'_>,
    run: &TrainingResult,
) -> Result<Option<Validation>, Failure> {
    if run_data.inner.is_none() {
        return Ok(run.validation);
    }
    let options = config.options();
    let processor = options.device.processor().map_err(Failure::new)?;
    let (_, share) = options.result_share.ends();
    Ok(evaluate(&run.network, &processor, options.objective, share, run_data.validation))
}
