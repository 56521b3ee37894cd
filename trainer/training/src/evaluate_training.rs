//! Errors on training rows: how much better than on validation rows shows how much is memorised.

use alfiere_data::DataError;
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
///
/// # Errors
/// If the rows cannot be read.
pub fn evaluate_training(
    network: &FloatNetwork,
    processor: &Processor,
    objective: Objective,
    seed: u64,
    source: &dyn RowSource,
) -> Result<Option<Metrics>, DataError> {
    let wanted = source.rows().min(MEASURED_TRAINING_ROWS);
    let mut window = source.window(seed, 0..wanted)?;
    shuffle(&mut window.order, seed);
    window.order.truncate(wanted as usize);
    window.order.sort_unstable();
    let rows = Rows { samples: window.samples(), picks: &window.order };
    Ok(evaluate(network, processor, objective, 0.0, rows).map(|validation| validation.metrics))
}
