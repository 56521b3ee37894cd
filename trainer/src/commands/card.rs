//! The card of a network: its data, command, curves and metrics.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use alfiere_data::metrics::R2Interval;
use alfiere_data::{FilterReason, GameOrder, LoadedFile};
use alfiere_trainer::VERSION;
use alfiere_trainer::stated_options::command_line;
use alfiere_training::{TrainingConfig, TrainingResult};
use serde_json::Value;

use super::command_line::quoted;
use super::output::{grouped, write_text};
use super::run_data::{Measured, RunData, training_rows};
use super::train_args::Planned;
use super::{CommandResult, Failure};

pub(crate) struct Card<'a> {
    pub(crate) path: &'a Path,
    /// Command-line arguments of the run.
    pub(crate) command: Vec<String>,
    pub(crate) config: &'a TrainingConfig,
    pub(crate) planned: &'a Planned,
    pub(crate) run_data: &'a RunData<'a>,
    pub(crate) run: &'a TrainingResult,
    /// Errors of the network.
    pub(crate) measured: &'a Measured,
    pub(crate) pictures: &'a [PathBuf],
}

/// A marker that identifies cards.
const COMMAND: &str = "## Command\n\n```\ntrainer ";

/// Path of a network's card: the network's path with the extension `.md`.
pub(crate) fn card_path(network: &Path) -> PathBuf {
    network.with_extension("md")
}

/// Fails if the card would overwrite a file that is not a card.
pub(crate) fn check_card(path: &Path) -> CommandResult {
    match std::fs::read(path) {
        Ok(bytes) if !String::from_utf8_lossy(&bytes).contains(COMMAND) => Err(Failure::at(
            path,
            "the card would overwrite this file, which is not a card; choose another name for --out",
        )),
        _ => Ok(()),
    }
}

/// Writes the card next to the network.
pub(crate) fn write_card(card: &Card<'_>) -> CommandResult {
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = fill(&mut text, card);
    write_text(&card_path(card.path), &text)
}

fn fill(text: &mut String, card: &Card<'_>) -> std::fmt::Result {
    let options = card.config.options();
    let name = card.path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    writeln!(text, "# {name}\n")?;
    writeln!(
        text,
        "`{}`, {} parameters.\n",
        options.architecture,
        grouped(options.architecture.parameter_count() as u64)
    )?;
    writeln!(text, "{COMMAND}{}\n```\n", quoted(&card.command))?;
    let all = quoted(&command_line(options).concat());
    writeln!(text, "All options of the training, also those that the number of rows chose: `{all}`.\n")?;
    let selecting = match card.run_data.inner_rows() {
        0 => "the validation rows".to_owned(),
        rows => format!("{} inner rows, which were not trained on", grouped(rows)),
    };
    let checksum = std::fs::read(card.path).map_or_else(|_| String::new(), |bytes| checksum(&bytes));
    writeln!(text, "Made by trainer {VERSION}; checksum of the network file `{checksum}`.\n")?;
    writeln!(
        text,
        "Seed {}. Stopped because {}. Epoch {} was selected on {selecting}.\n",
        options.seed, card.run.stop, card.run.best_epoch
    )?;
    if let Some(start) = &card.planned.start {
        let name = match start.network.provenance().free.get("version").and_then(Value::as_str) {
            Some(version) => format!("{} ({version})", start.name),
            None => start.name.clone(),
        };
        let (how, scale) =
            (if options.start.lesson().is_some() { "Taught by" } else { "Started from" }, start.label_scale);
        writeln!(text, "{how} the network `{name}`; the labels are {scale:.2} times its values.\n")?;
    }
    if options.own_searches > 0 {
        writeln!(
            text,
            "Then it learnt from {} positions of its own searches (`--own-searches`).\n",
            grouped(options.own_searches)
        )?;
    }
    data(text, card)?;
    metrics(text, card)?;
    pictures(text, card)?;
    writeln!(
        text,
        "## Curves\n\n| phase | epoch | learning rate | training loss | {} loss | R² | MSE | MAE |\n|---|---|---|---|---|---|---|---|",
        card.run_data.selection(),
    )?;
    let phases = card.config.phases(card.run_data.training_rows).unwrap_or_default();
    for record in &card.run.history {
        let rest = record.validation.map_or_else(
            || "| | | |".to_owned(),
            |validation| {
                let metrics = validation.metrics;
                format!("{:.5} | {:.4} | {:.5} | {:.4}", validation.loss, metrics.r2, metrics.mse, metrics.mae)
            },
        );
        let lesson = phases.get(record.phase as usize).map_or_else(String::new, |phase| phase.lesson.to_string());
        writeln!(
            text,
            "| {lesson} | {} | {:.2e} | {:.5} | {rest} |",
            record.epoch, record.learning_rate, record.training_loss
        )?;
    }
    Ok(())
}

/// The CRC-32 with which a network file ends.
fn checksum(bytes: &[u8]) -> String {
    bytes.last_chunk().map_or_else(String::new, |&end| format!("{:08x}", u32::from_le_bytes(end)))
}

fn data(text: &mut String, card: &Card<'_>) -> std::fmt::Result {
    let run_data = card.run_data;
    data_table(text, run_data.files)?;
    let counts = FilterReason::ALL.map(|reason| (run_data.filtered.of(reason), reason.text()));
    let left_out: Vec<String> = counts
        .iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, why)| format!("{} {why}", grouped(*count)))
        .collect();
    let left_out = if left_out.is_empty() { "none".to_owned() } else { left_out.join(", ") };
    writeln!(
        text,
        "\nLeft out: {left_out}. Trained on {} rows, validated on {} {}; {} rows were dropped from training because their \
         position is held out. Held out: {}.\n",
        grouped(run_data.training_rows),
        grouped(run_data.validation_rows()),
        run_data.rule.unit.held_out_rows(),
        grouped(run_data.dropped),
        run_data.rule,
    )?;
    for file in run_data.files.iter().filter(|file| file.order == GameOrder::Board) {
        let name = file.file.path.file_name().unwrap_or_default().to_string_lossy();
        writeln!(text, "{name} has no move numbers: its games are told apart by the changes on the board.\n")?;
    }
    run_data.warnings.iter().try_for_each(|warning| writeln!(text, "**Warning: {warning}.**\n"))
}

pub(crate) fn data_table(text: &mut String, files: &[LoadedFile]) -> std::fmt::Result {
    writeln!(text, "## Data\n\n| file | rows | label factor | content |\n|---|---|---|---|")?;
    for file in files {
        let name = file.file.path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        writeln!(
            text,
            "| {name} | {} | {}{} | `{}` |",
            grouped(file.report.rows),
            file.file.scale,
            file.file.labels,
            file.fingerprint
        )?;
    }
    Ok(())
}

fn metrics(text: &mut String, card: &Card<'_>) -> std::fmt::Result {
    let Measured { agreement, r2_interval, training, as_given, resolved, .. } = card.measured;
    let captures = card.config.options().captures;
    writeln!(
        text,
        "## Validation\n\nIn clipped centipawns, `clamp(cp / 1000, -1, 1)`, mates ±1. Captures {captures}.\n"
    )?;
    writeln!(text, "| weights | R² | MSE | RMSE | MAE |\n|---|---|---|---|---|")?;
    let float = agreement.float.as_ref().map(|float| ("float", float.metrics));
    let on_training_rows = training.map(|training| ("float, on training rows", training));
    for (name, metrics) in float.into_iter().chain([("quantised", agreement.engine)]).chain(on_training_rows) {
        let (r2, mse, rmse, mae) = (metrics.r2, metrics.mse, metrics.rmse, metrics.mae);
        writeln!(text, "| {name} | {r2:.4} | {mse:.5} | {rmse:.4} | {mae:.4} |")?;
    }
    let constant = agreement.engine.label_variance;
    writeln!(text, "| best constant | 0 | {constant:.5} | {:.4} | |\n", constant.sqrt())?;
    let (given, resolved) = (as_given.r2, resolved.r2);
    writeln!(
        text,
        "R² of the quantised network on the rows as given {given:.4}, with captures resolved {resolved:.4}.\n"
    )?;
    if let Some(R2Interval { low, high, units }) = *r2_interval {
        let (units, unit) = (grouped(units as u64), card.run_data.rule.unit.name());
        writeln!(
            text,
            "95 % interval of the quantised R²: {low:.4} to {high:.4}, by bootstrap over the {units} held-out {unit}.\n"
        )?;
    }
    training
        .iter()
        .try_for_each(|&training| writeln!(text, "Training rows: {}.\n", training_rows(training, card.run_data)))
}

fn pictures(text: &mut String, card: &Card<'_>) -> std::fmt::Result {
    if card.pictures.is_empty() {
        return Ok(());
    }
    writeln!(text, "## Pictures\n")?;
    let folder = card.path.parent().unwrap_or(Path::new(""));
    for picture in card.pictures {
        let name = picture.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        // Angle brackets allow spaces.
        writeln!(text, "![{name}](<{}>)\n", relative(folder, picture))?;
    }
    Ok(())
}

/// The path that leads from a folder to a file, with `/` on every system.
fn relative(folder: &Path, file: &Path) -> String {
    let absolute = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    let (folder, file) =
        (absolute(&if folder == Path::new("") { PathBuf::from(".") } else { folder.into() }), absolute(file));
    let parts = |path: &Path| -> Vec<String> {
        path.components()
            .map(|part| part.as_os_str().to_string_lossy().into_owned())
            .filter(|part| part != ".")
            .collect()
    };
    let (from, to) = (parts(&folder), parts(&file));
    let common = from.iter().zip(&to).take_while(|(one, other)| one == other).count();
    let up = std::iter::repeat_n("..", from.len() - common);
    up.chain(to[common..].iter().map(String::as_str)).collect::<Vec<_>>().join("/")
}
