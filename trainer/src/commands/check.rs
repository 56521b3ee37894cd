//! `trainer check`: checks that trainer and engine agree on a network.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use alfiere_data::metrics::{MetricSums, Metrics, clipped};
use alfiere_data::{Captures, Dataset, HeldOutRule, Row, held_out_rows};
use alfiere_nnue::Network;
use alfiere_search::engine::Player;
use alfiere_search::eval::NetworkChoice;
use alfiere_search::fit::{FitMetrics, best_scale};
use alfiere_teacher::Teacher;
use alfiere_terminal::{Replace, remark, say};
use alfiere_trainer::check::{Agreement, Compared, Differences, compare, evaluator_values};
use alfiere_training::Checkpoint;
use clap::Args;
use serde::Serialize;
use serde_json::Value;

use super::data_args::{DataArgs, paths};
use super::earlier::is_of_best_weights;
use super::output::{grouped, is_stdout, write_json, write_text};
use super::{CommandResult, Failure, figures};

/// Default value of `--rows`.
const DEFAULT_ROWS: usize = 100_000;

/// Compare a network's float weights with the engine's evaluation on real positions
///
/// The float weights are read from the run's checkpoint. R2 is of all rows; if the network's file says which its training
/// held out, also of these.
///
/// Examples:
///
/// trainer check nets/first.nnue --data datasets/kaggle/sample.csv.gz
///
/// trainer check --player classical perceptron --data datasets/kaggle/sample.csv.gz
#[derive(Args)]
pub(crate) struct Check {
    /// Network file; may be missing with --player
    #[arg(value_name = "NET.nnue", required_unless_present = "player")]
    network: Option<PathBuf>,
    #[command(flatten)]
    data: DataArgs,
    /// Checkpoint with the float weights [default: next to the network, if it exists]
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,
    /// Networks of this project or of Stockfish 19, whose static evaluations are measured on the same rows, as they are and
    /// after scaling them optimally; rows in check are excluded from these lines
    #[arg(long, value_name = "FILE", num_args = 1..)]
    teacher: Vec<PathBuf>,
    /// Players of the engine that are measured in the same way: nnue, classical, kaggle, perceptron, beam
    #[arg(long, value_name = "NAME", num_args = 1.., value_parser = parse_player)]
    player: Vec<Player>,
    /// Write the results as JSON, `-` for standard output
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Write a CSV with the FEN, the label and the engine's evaluation of each row in centipawns from White's side, both
    /// clipped as for R2, and the error: clipped evaluation minus clipped label. `-` for standard output
    #[arg(long, value_name = "FILE.csv")]
    predictions: Option<PathBuf>,
    /// Draw predictions against labels and errors by game phase, as SVG, into this folder
    #[arg(long, value_name = "FOLDER")]
    figures: Option<PathBuf>,
    #[command(flatten)]
    replace: Replace,
}

fn parse_player(name: &str) -> Result<Player, String> {
    let with_evaluation = |player: &Player| *player != Player::Random;
    Player::named(name).filter(with_evaluation).ok_or_else(|| format!("expected one of {}", Player::names()))
}

impl Check {
    pub(crate) fn run(mut self) -> CommandResult {
        figures::prepare(self.figures.as_ref())?;
        let inputs = self.teacher.iter().chain(&self.checkpoint).chain(&self.network).map(PathBuf::as_path);
        let outputs = self.json.as_deref().into_iter().chain(self.predictions.as_deref());
        self.replace.check(inputs.chain(paths(&self.data.data)), outputs)?;
        let network = self.network.as_deref().map(Network::load).transpose()?;
        let teachers: Vec<_> = self.teacher.iter().map(|path| Teacher::load(path)).collect::<Result<_, _>>()?;
        self.data.read.rows.limit.get_or_insert(DEFAULT_ROWS);
        let set = self.data.load()?;
        let checked = match (&self.network, network) {
            (Some(path), Some(network)) => Some(self.check(path, network, &set)?),
            _ => None,
        };
        let static_fits = self.static_fits(checked.as_ref(), &teachers, &set.rows)?;
        if let Some(path) = &self.json {
            write_json(path, &Report { checked: checked.as_ref(), static_fits: &static_fits })?;
        } else if !self.predictions.as_deref().is_some_and(is_stdout) {
            checked.iter().for_each(Checked::print);
            static_fits.iter().for_each(StaticFit::print);
        }
        checked.iter().for_each(Checked::warn);
        Ok(())
    }

    fn check(&self, path: &Path, network: Network, set: &Dataset) -> Result<Checked, Failure> {
        let checkpoint = self.load_checkpoint(path)?.filter(|state| is_of_best_weights(&network, state));
        let picks: Vec<u32> = (0..set.rows.len() as u32).collect();
        let float = checkpoint.as_ref().map(|state| (&state.best.network, state.config.options().objective));
        if float.is_none() {
            remark("no checkpoint with this network's float weights found: only the engine is measured");
        }
        let label_scale = network.provenance().free.get("label_scale").and_then(Value::as_f64).unwrap_or(1.0);
        let [given, resolved] = set.samples(Captures::Keep);
        let Compared { agreement, values } = compare(&network, float, label_scale, given, &picks)?;
        let resolved = compare(&network, None, label_scale, resolved, &picks)?.agreement.engine;
        let limit = self.data.read.rows.limit.unwrap_or(DEFAULT_ROWS) as u64;
        let held_out = HeldOutFit::of(&network, label_scale, set, limit)?;
        let is_trained_on =
            set.files.iter().any(|file| network.provenance().data_fingerprint.contains(&file.fingerprint.to_string()));
        if let Some(path) = &self.predictions {
            write_text(path, &predictions(&set.rows, &values, label_scale))?;
        }
        if let Some(folder) = &self.figures {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let about = format!("{name}, {}", network.architecture());
            let values = values.iter().map(|&value| f64::from(value) * label_scale);
            figures::write_errors(folder, &about, values, set.rows.iter())?;
        }
        Ok(Checked { network, agreement, values, resolved, is_trained_on, held_out })
    }

    /// The static evaluations of players and teachers, and of the network beside them.
    fn static_fits(
        &self,
        checked: Option<&Checked>,
        teachers: &[Teacher],
        rows: &[Row],
    ) -> Result<Vec<StaticFit>, Failure> {
        let mut fits = Vec::new();
        if self.teacher.is_empty() && self.player.is_empty() {
            return Ok(fits);
        }
        if let (Some(path), Some(checked)) = (&self.network, checked) {
            let known = |(&value, row): (&i32, &Row)| (!row.in_check()).then_some(value);
            let values: Vec<Option<i32>> = checked.values.iter().zip(rows).map(known).collect();
            fits.push(StaticFit::of(path.display().to_string(), &values, rows));
        }
        for player in &self.player {
            let values = evaluator_values(|| player.evaluator(&NetworkChoice::default()), rows)?;
            fits.push(StaticFit::of(player.name().to_owned(), &values, rows));
        }
        for (path, teacher) in self.teacher.iter().zip(teachers) {
            fits.push(StaticFit::of(path.display().to_string(), &alfiere_teacher::values(teacher, rows), rows));
        }
        Ok(fits)
    }

    fn load_checkpoint(&self, network: &Path) -> Result<Option<Checkpoint>, Failure> {
        let beside = network.with_extension("checkpoint");
        match &self.checkpoint {
            Some(path) => Ok(Some(Checkpoint::load(path)?)),
            None if Path::exists(&beside) => Ok(Some(Checkpoint::load(&beside)?)),
            None => Ok(None),
        }
    }
}

/// The rows with their predictions, as CSV.
fn predictions(rows: &[Row], values: &[i32], label_scale: f64) -> String {
    let mut text = "fen,label,prediction,clipped_label,clipped_prediction,error\n".to_owned();
    for (row, &value) in rows.iter().zip(values) {
        let value = (f64::from(value) * label_scale).round();
        let (label, prediction) = (row.label().clipped(), clipped(value));
        let error = prediction - label;
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{},{},{value},{label:.3},{prediction:.3},{error:.3}", row.to_fen(), row.label());
    }
    text
}

/// The JSON output.
#[derive(Serialize)]
struct Report<'a> {
    #[serde(flatten)]
    checked: Option<&'a Checked>,
    /// Players, teachers and the network beside them; empty without players and teachers.
    static_fits: &'a [StaticFit],
}

/// What is found about a network.
#[derive(Serialize)]
struct Checked {
    #[serde(skip)]
    network: Network,
    #[serde(flatten)]
    agreement: Agreement,
    /// The engine's evaluation of each row, in internal units from White's point of view.
    #[serde(skip)]
    values: Vec<i32>,
    /// The engine's evaluation of the same rows with captures resolved.
    resolved: Metrics,
    /// True if the network was trained on rows of these files.
    is_trained_on: bool,
    /// The rows that its training held out.
    held_out: Option<HeldOutFit>,
}

impl Checked {
    fn print(&self) {
        print(&self.network, &self.agreement, self.resolved);
        self.held_out.iter().for_each(HeldOutFit::print);
    }

    fn warn(&self) {
        match &self.held_out {
            Some(held_out) => remark(held_out.meaning(self.is_trained_on)),
            None if self.is_trained_on => remark("R2 is too high: the network was trained on rows of these files"),
            None => {}
        }
    }
}

/// The engine's errors on the rows that the network's training held out.
#[derive(Serialize)]
struct HeldOutFit {
    rule: HeldOutRule,
    rows: u64,
    engine: Metrics,
    resolved: Metrics,
}

impl HeldOutFit {
    /// `None` if the network has no rule, or the rule holds out none of these rows, of which at most `limit` were read.
    fn of(network: &Network, label_scale: f64, set: &Dataset, limit: u64) -> Result<Option<Self>, Failure> {
        let rule = network.provenance().free.get(HeldOutRule::FIELD).and_then(HeldOutRule::from_json);
        let Some(rule) = rule else { return Ok(None) };
        // A game that is cut by the limit may be known by another position.
        let is_cut = set.files.iter().map(|file| file.report.rows).sum::<u64>() >= limit;
        let last = set.games.last().filter(|game| is_cut && game.anchor.is_some());
        let mut picks = held_out_rows(&set.rows, &set.games, &rule);
        picks.retain(|pick| !last.is_some_and(|game| game.rows.contains(pick)));
        if picks.is_empty() {
            return Ok(None);
        }
        let errors = |rows| compare(network, None, label_scale, rows, &picks).map(|found| found.agreement.engine);
        let [given, resolved] = set.samples(Captures::Keep).map(errors);
        let (engine, resolved) = (given?, resolved?);
        Ok(Some(Self { rule, rows: picks.len() as u64, engine, resolved }))
    }

    fn print(&self) {
        print_fit("held-out rows", self.engine);
        print_fit("held out, resolved", self.resolved);
    }

    fn meaning(&self, is_trained_on: bool) -> String {
        let (rows, rule) = (grouped(self.rows), &self.rule);
        let before = if rule.throughout { "" } else { "; an earlier training may have used them" };
        let others = if is_trained_on {
            "it was trained on the others, whose R2 is too high"
        } else {
            "it was trained on the others if they are of its data"
        };
        format!("the network's training held out {rows} of these rows ({rule}{before}); {others}")
    }
}

/// How well static evaluations fit the labels, as they are and after optimal scaling.
#[derive(Serialize)]
struct StaticFit {
    name: String,
    as_is: Option<Metrics>,
    #[serde(flatten)]
    at_best_scale: FitMetrics,
}

impl StaticFit {
    /// Of evaluations from White's point of view, where they are known.
    fn of(name: String, values: &[Option<i32>], rows: &[Row]) -> Self {
        let known = |(value, row): (&Option<i32>, &Row)| Some((f64::from((*value)?), row.label().clipped()));
        let (values, labels): (Vec<f64>, Vec<f64>) = values.iter().zip(rows).filter_map(known).unzip();
        let sums: MetricSums = values.iter().zip(&labels).map(|(&value, &label)| (clipped(value), label)).collect();
        let as_is = sums.metrics();
        Self { name, as_is, at_best_scale: best_scale(&values.into(), &labels.into()) }
    }

    fn print(&self) {
        let FitMetrics { scale, r2, mse, mae, rows } = self.at_best_scale;
        say(format_args!(
            "{}: R2 {:.4}, at the best scale {scale:.3} R2 {r2:.4} MSE {mse:.5} MAE {mae:.5}, {} rows not in check",
            self.name,
            self.as_is.map_or(0.0, |metrics| metrics.r2),
            grouped(rows as u64)
        ));
    }
}

fn print_fit(name: &str, m: Metrics) {
    say(format_args!("{name:<18} R2 {:.5} MSE {:.6} MAE {:.5}", m.r2, m.mse, m.mae));
}

fn print(network: &Network, agreement: &Agreement, resolved: Metrics) {
    let apart = |name: &str, d: Differences| {
        let (largest, mean, unequal) = (d.largest, d.mean, grouped(d.unequal));
        say(format_args!("{name:<18} largest difference {largest:.2} cp, mean {mean:.4} cp, unequal rows {unequal}"));
    };
    say(format_args!("{}, {}, {} rows", network.architecture(), network.instruction_set(), grouped(agreement.rows)));
    if let Some(float) = agreement.float {
        print_fit("float", float.metrics);
    }
    print_fit("engine", agreement.engine);
    print_fit("captures resolved", resolved);
    if let Some(float) = agreement.float {
        apart("float : engine", float.differences);
        say(format_args!("quantisation reduces R2 by {:.6}", float.metrics.r2 - agreement.engine.r2));
    }
}
