//! The network that a run leaves, with what its file says about the run, and its errors on training rows: how much better
//! they are than on validation rows shows how much is memorised.

use alfiere_data::metrics::Metrics;
use alfiere_data::{HeldOutRule, shuffle};
use alfiere_model::{FloatNetwork, Objective, Processor, QuantiseError, quantise, sort_neurons};
use alfiere_nnue::{Network, Provenance};

use super::evaluate::{Rows, evaluate};
use super::observer::Validation;
use super::options::TrainingOptions;
use super::run_interface::TrainingResult;
use super::source::RowSource;

/// Number of held-out rows used to order neurons by activity: enough for the engine's speed to converge.
const ORDERING_ROWS: usize = 5_000;

impl TrainingOptions {
    /// What the file of a network says about the options that made it.
    pub fn provenance(&self) -> Provenance {
        // The number of threads changes nothing, so it is no part of the file.
        let configuration = serde_json::to_value(Self { threads: 0, own_searches: 0, ..self.clone() });
        let configuration = configuration.unwrap_or_default();
        let provenance = Provenance { configuration, seed: self.seed, ..Provenance::default() };
        if self.own_searches > 0 { provenance.with("own_searches", self.own_searches) } else { provenance }
    }
}

/// Orders the neurons of a run's network and quantises it; also returns the weights before. `provenance` is that of the options,
/// with the fingerprint and the number of the training rows, and further fields; `errors` are those on the validation rows.
/// `label_scale` is the number of centipawns of the labels for each internal unit of the network, by which the search's margins
/// and the scores that it shows stay those of the network that a run starts from.
///
/// # Errors
/// If the weights are out of range.
pub fn finished_network(
    run: &TrainingResult,
    validation: Rows<'_>,
    errors: Option<Validation>,
    label_scale: f32,
    provenance: Provenance,
) -> Result<(Network, FloatNetwork), QuantiseError> {
    let mut provenance =
        provenance.with("validation_rows", validation.picks.len() as u64).with("best_epoch", u64::from(run.best_epoch));
    if let Some(rule) = &run.held_out {
        provenance = provenance.with(HeldOutRule::FIELD, rule.to_json());
    }
    if let Some(Validation { metrics, .. }) = errors {
        provenance = provenance
            .with_metric("validation_r2", metrics.r2)
            .with_metric("validation_mse", metrics.mse)
            .with_metric("validation_mae", metrics.mae);
    }
    let mut float = run.network.clone();
    sort_neurons(&mut float, validation.iter().take(ORDERING_ROWS));
    Ok((quantise(&float, run.output_scale / label_scale, provenance)?, float))
}

/// Maximum number of training rows that [`evaluate_training`] measures.
pub const MEASURED_TRAINING_ROWS: u64 = 50_000;

/// The network's errors on training rows, to be compared with those on validation rows: on at most
/// [`MEASURED_TRAINING_ROWS`], chosen by the seed; of streamed rows, in a few blocks of neighbours.
pub fn evaluate_training(
    network: &FloatNetwork,
    processor: &Processor,
    objective: Objective,
    seed: u64,
    source: &dyn RowSource,
) -> Option<Metrics> {
    let wanted = source.rows().min(MEASURED_TRAINING_ROWS);
    let mut window = source.window(seed, 0..wanted);
    let mut picks = std::mem::take(&mut window.order).into_owned();
    shuffle(&mut picks, seed);
    picks.truncate(wanted as usize);
    picks.sort_unstable();
    let rows = Rows { samples: window.samples(), picks: &picks };
    evaluate(network, processor, objective, 0.0, rows).map(|validation| validation.metrics)
}
