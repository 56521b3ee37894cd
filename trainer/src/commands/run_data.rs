//! The data of a run as shown in messages, reports and cards.

use alfiere_data::metrics::{Metrics, R2Interval, clipped};
use alfiere_data::{
    Captures, Dataset, FilterCounts, Game, HeldOutRule, HeldOutUnit, LoadedFile, Row, RowResult, Samples, Split,
    fingerprints, unit_ranks,
};
use alfiere_model::{FloatNetwork, Objective};
use alfiere_nnue::Network;
use alfiere_terminal::{remark, say};
use alfiere_trainer::check::{Agreement, Compared, compare};
use alfiere_training::{EpochRecord, Rows, TrainingOptions, record};
use serde::Serialize;

use super::data_args::{DataArgs, warn};
use super::output::grouped;
use super::{CommandResult, Failure};

pub(crate) struct RunData<'a> {
    pub(crate) files: &'a [LoadedFile],
    /// Number of rows removed by filters.
    pub(crate) filtered: FilterCounts,
    pub(crate) training_rows: u64,
    /// Number of rows dropped from training because their position is held out.
    pub(crate) dropped: u64,
    pub(crate) validation: Rows<'a>,
    /// The games of all rows.
    pub(crate) games: &'a [Game],
    /// The rank of each validation row, by which those of one game are recognised.
    pub(crate) ranks: Vec<u64>,
    /// The inner rows, if they select the epoch.
    pub(crate) inner: Option<Rows<'a>>,
    /// The validation rows in the form that is not trained on: as given if captures are resolved, else resolved.
    other_samples: Samples<'a>,
    pub(crate) rule: HeldOutRule,
    /// Warnings about the data, which were printed when it was loaded.
    pub(crate) warnings: Vec<String>,
}

impl<'a> RunData<'a> {
    /// The data of a run, with printed warnings. `inner` is the split of the training side.
    pub(crate) fn new(
        set: &'a Dataset,
        outer: &'a Split,
        inner: Option<&'a Split>,
        rule: HeldOutRule,
        captures: Captures,
    ) -> Self {
        let [samples, other_samples] = set.samples(captures);
        let rows = |picks| Rows { samples, picks };
        Self {
            files: &set.files,
            filtered: set.filtered,
            training_rows: inner.unwrap_or(outer).training.len() as u64,
            dropped: (outer.dropped + inner.map_or(0, |inner| inner.dropped)) as u64,
            validation: rows(&outer.validation),
            games: &set.games,
            ranks: unit_ranks(&set.rows, &set.games, &outer.validation, rule.seed),
            warnings: warn(&set.rows, rule.unit),
            inner: inner.map(|inner| rows(&inner.validation)),
            other_samples,
            rule,
        }
    }

    /// The validation rows in the form that is not trained on.
    pub(crate) fn validation_in_other_form(&self) -> Rows<'a> {
        Rows { samples: self.other_samples, picks: self.validation.picks }
    }

    pub(crate) fn validation_rows(&self) -> u64 {
        self.validation.picks.len() as u64
    }

    pub(crate) fn inner_rows(&self) -> u64 {
        self.inner.map_or(0, |inner| inner.picks.len() as u64)
    }

    pub(crate) fn selecting(&self) -> Rows<'a> {
        self.inner.unwrap_or(self.validation)
    }

    /// The kind of these rows.
    pub(crate) const fn selection(&self) -> &'static str {
        if self.inner.is_some() { "inner" } else { "validation" }
    }

    /// Content hash and scale of each file.
    pub(crate) fn fingerprints(&self) -> String {
        fingerprints(self.files)
    }

    /// Fingerprint of a run's data with filters and split, independent of the location of the files.
    pub(crate) fn fingerprint(&self, data: &DataArgs) -> String {
        let rows = self.training_rows + self.inner_rows() + self.validation_rows() + self.dropped;
        let filtered = self.filtered.total();
        let limit = data.read.rows.limit.map_or_else(|| "all".to_owned(), |rows| rows.to_string());
        let filter = if filtered == 0 { String::new() } else { format!(" by {:?}", data.filter) };
        format!("{} rows {rows} of {limit}, {filtered} left out{filter}, held out {}", self.fingerprints(), self.rule)
    }

    /// Describes training and validation rows.
    pub(crate) fn summary(&self) -> String {
        let inner = self.inner.map_or_else(String::new, |_| format!("{} inner rows, ", grouped(self.inner_rows())));
        format!(
            "{} training rows, {inner}{} held out ({}; {} dropped because their position is held out)",
            grouped(self.training_rows),
            grouped(self.validation_rows()),
            self.rule,
            grouped(self.dropped),
        )
    }
}

/// Rejects a game result share if no row has a result, and prints a message if some do not.
pub(crate) fn check_results(options: &TrainingOptions, rows: &[Row]) -> CommandResult {
    if options.result_share.ends() == (0.0, 0.0) {
        return Ok(());
    }
    let known = rows.iter().filter(|row| row.result() != RowResult::Unknown).count();
    let all = rows.len();
    if known == 0 {
        return Err(Failure::new(
            "no row has a game result, so the result share cannot be used; expected a Result column (1-0, 0-1, 1/2-1/2)",
        ));
    }
    if known < all {
        let percent = 100.0 * known as f64 / all as f64;
        remark(format_args!(
            "{percent:.0} % of the rows have a game result; the others are trained on their score only"
        ));
    }
    Ok(())
}

/// The errors of a run's network.
#[derive(Serialize)]
pub(crate) struct Measured {
    /// Float and quantised weights on the validation rows.
    #[serde(skip)]
    pub(crate) agreement: Agreement,
    /// What the quantised weights predict of the validation rows, in centipawns of the labels.
    #[serde(skip)]
    pub(crate) values: Vec<f64>,
    /// The interval of the quantised weights' R²; `None` with a single game.
    pub(crate) r2_interval: Option<R2Interval>,
    /// The float weights on training rows.
    pub(crate) training: Option<Metrics>,
    /// The quantised weights on the validation rows as given.
    pub(crate) as_given: Metrics,
    /// The same with captures resolved.
    pub(crate) resolved: Metrics,
}

impl Measured {
    /// Measures a network and the weights that it was quantised from.
    pub(crate) fn new(
        network: &Network,
        float: (&FloatNetwork, Objective),
        run_data: &RunData<'_>,
        captures: Captures,
        training: Option<Metrics>,
    ) -> Result<Self, Failure> {
        let Rows { samples, picks } = run_data.validation;
        // R² is in centipawns of the labels.
        let label_scale = f64::from(float.1.output_scale() / network.output_scale());
        let Compared { agreement, values } = compare(network, Some(float), label_scale, samples, picks)?;
        let values: Vec<f64> = values.into_iter().map(|value| f64::from(value) * label_scale).collect();
        let label = |&pick: &u32| samples.row(pick).label().clipped();
        let pairs = values.iter().map(|&value| clipped(value)).zip(picks.iter().map(label));
        let r2_interval = R2Interval::new(&run_data.ranks, pairs);
        let Rows { samples, picks } = run_data.validation_in_other_form();
        let other = compare(network, None, label_scale, samples, picks)?.agreement.engine;
        let [as_given, resolved] = captures.trained_first([agreement.engine, other]);
        Ok(Self { agreement, values, r2_interval, training, as_given, resolved })
    }

    /// What the record of the run keeps.
    pub(crate) fn for_record(&self, unit: HeldOutUnit) -> record::Measured {
        let (r2, as_given, resolved) = (self.agreement.engine.r2, self.as_given.r2, self.resolved.r2);
        record::Measured { r2, interval: self.r2_interval, unit: unit.name().to_owned(), as_given, resolved }
    }

    /// Errors of the quantised and of the float weights.
    pub(crate) fn validation(&self) -> (Metrics, Metrics) {
        let quantised = self.agreement.engine;
        (quantised, self.agreement.float.map_or(quantised, |float| float.metrics))
    }

    pub(crate) fn print(&self, run_data: &RunData<'_>, captures: Captures) {
        let errors = |m: Metrics| format!("R2 {:.4} MSE {:.5} MAE {:.4}", m.r2, m.mse, m.mae);
        let (quantised, float) = self.validation();
        let unit = run_data.rule.unit;
        let rows = grouped(run_data.validation_rows());
        say(format_args!("validation on {rows} rows of held-out {}, captures {captures}", unit.name()));
        say(format_args!("float      {}", errors(float)));
        say(format_args!("quantised  {}", errors(quantised)));
        let (given, resolved) = (self.as_given.r2, self.resolved.r2);
        say(format_args!("R2 on rows as given {given:.4}, with captures resolved {resolved:.4}"));
        if let Some(interval) = self.r2_interval {
            let R2Interval { low, high, units } = interval;
            say(format_args!(
                "interval   R2 {low:.4} to {high:.4} (95 %, bootstrap over {} held-out {})",
                grouped(units as u64),
                unit.name()
            ));
        }
        if let Some(training) = self.training {
            say(format_args!("training   {}, float, on {}", errors(training), training_rows(training, run_data)));
        }
        if let Some(hint) = self.r2_interval.and_then(|interval| interval.hint()) {
            say(&hint);
        }
        if let Some(warning) = unit.warning() {
            say(format_args!("warning: {warning}"));
        }
    }
}

/// The JSON output of a run.
#[derive(Serialize)]
pub(crate) struct RunReport<'a> {
    pub(crate) network: String,
    pub(crate) architecture: String,
    pub(crate) best_epoch: u32,
    pub(crate) stop: String,
    pub(crate) selection: &'static str,
    pub(crate) training_rows: u64,
    pub(crate) inner_rows: u64,
    pub(crate) validation_rows: u64,
    /// What is held out as a whole.
    pub(crate) held_out: HeldOutUnit,
    pub(crate) warnings: &'a [String],
    pub(crate) captures: Captures,
    pub(crate) float: Metrics,
    pub(crate) quantised: Metrics,
    #[serde(flatten)]
    pub(crate) measured: &'a Measured,
    pub(crate) epochs: &'a [EpochRecord],
}

/// How many training rows were measured.
pub(crate) fn training_rows(training: Metrics, run_data: &RunData<'_>) -> String {
    let (measured, all) = (grouped(training.rows), grouped(run_data.training_rows));
    if training.rows < run_data.training_rows {
        format!("{measured} of {all} training rows, chosen by the seed")
    } else {
        format!("all {all} training rows")
    }
}
