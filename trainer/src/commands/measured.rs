//! What `train` measures of the network that it writes: errors on validation rows, their uncertainty, and errors on
//! training rows.

use alfiere_data::metrics::{Metrics, R2Interval, clipped};
use alfiere_data::{Captures, HeldOutUnit};
use alfiere_model::Objective;
use alfiere_nnue::{FloatNetwork, Network};
use alfiere_trainer::check::{Agreement, Compared, compare};
use alfiere_training::{EpochRecord, Rows};
use serde::Serialize;

use super::Failure;
use super::output::{grouped, line};
use super::run_data::RunData;

/// The errors of a run's network.
#[derive(Serialize)]
pub(crate) struct Measured {
    /// Float and quantised weights on the validation rows.
    #[serde(skip)]
    pub(crate) agreement: Agreement,
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
        let bytes = network.to_bytes();
        let Compared { agreement, values } = compare(&bytes, network, Some(float), samples, picks)?;
        let label = |&pick: &u32| samples[pick as usize].label().clipped();
        let pairs = values.iter().map(|&value| clipped(f64::from(value))).zip(picks.iter().map(label));
        let r2_interval = R2Interval::new(&run_data.ranks, pairs);
        let Rows { samples, picks } = run_data.validation_in_other_form();
        let other = compare(&bytes, network, None, samples, picks)?.agreement.engine;
        let [as_given, resolved] = captures.trained_first([agreement.engine, other]);
        Ok(Self { agreement, r2_interval, training, as_given, resolved })
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
        line(&format!("validation on {rows} rows of held-out {}, captures {captures}", unit.name()));
        line(&format!("float      {}", errors(float)));
        line(&format!("quantised  {}", errors(quantised)));
        let (given, resolved) = (self.as_given.r2, self.resolved.r2);
        line(&format!("R2 on rows as given {given:.4}, with captures resolved {resolved:.4}"));
        if let Some(interval) = self.r2_interval {
            let R2Interval { low, high, units } = interval;
            line(&format!(
                "interval   R2 {low:.4} to {high:.4} (95 %, bootstrap over {} held-out {})",
                grouped(units as u64),
                unit.name()
            ));
        }
        if let Some(training) = self.training {
            line(&format!("training   {}, float, on {}", errors(training), training_rows(training, run_data)));
        }
        if let Some(hint) = self.r2_interval.and_then(|interval| interval.hint()) {
            line(&hint);
        }
        if let Some(warning) = unit.warning() {
            line(&format!("warning: {warning}"));
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
