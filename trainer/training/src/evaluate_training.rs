//! Errors on training rows: how much better than on validation rows shows how much is memorised.

use alfiere_data::metrics::Metrics;
use alfiere_data::shuffle;
use alfiere_model::{Objective, Processor};
use alfiere_nnue::FloatNetwork;

use super::evaluate::{Rows, evaluate};
use super::source::RowSource;

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
