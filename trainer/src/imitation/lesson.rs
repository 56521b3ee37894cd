//! The first lesson of a network: the hand-written evaluation.

use alfiere_nnue::FloatNetwork;

use crate::data::{Captures, Row};
use crate::training::{
    Rows, RunFiles, Schedule, Start, StopReason, TrainingConfig, TrainingData, TrainingError, TrainingObserver,
    TrainingOptions, train,
};

use super::Imitation;
use super::searched::Searched;

/// Positions per step; small steps first, because there are always new rows.
const BATCH: usize = 8_192;
/// Peak learning rate.
const LEARNING_RATE: f32 = 4e-3;
/// Final learning rate as a share of the peak.
const FINAL_SHARE: f32 = 0.002;
/// Rows of an epoch, after which the weights are validated.
const EPOCH_ROWS: u64 = 1 << 22;
/// Rows that validate an epoch.
const VALIDATION_ROWS: u64 = 1 << 15;
/// Seeds of the validation rows differ from those of all epochs.
const VALIDATION_SEED: u64 = 0x5EED_0F7E_5715;

/// Positions of the first part for each of the second, which are dearer: nodes of searches.
const ROWS_PER_SEARCHED: u64 = 16;
const SEARCHED_LEARNING_RATE: f32 = 5e-4;
const SEARCHED_FINAL_SHARE: f32 = 0.01;
/// Steps until the second part's learning rate, so that the optimiser does not lose what the network knows.
const WARMUP: u64 = 20;

/// The first weights of a run that starts from knowledge, of its architecture, objective and seed; `None` for random ones,
/// or if the observer stops. Positions are made near `roots`.
///
/// # Errors
/// As [`train`].
pub fn first_lesson(
    config: &TrainingConfig,
    roots: Rows<'_, Row>,
    observer: &mut (dyn TrainingObserver + Send),
) -> Result<Option<FloatNetwork>, TrainingError> {
    let Start::Classical { positions } = config.options().start else { return Ok(None) };
    let epochs = positions.div_ceil(EPOCH_ROWS).max(1);
    let rows = positions.div_ceil(epochs);
    let options = config.options();
    let options = TrainingOptions {
        architecture: options.architecture.clone(),
        objective: options.objective,
        seed: options.seed,
        threads: options.threads,
        device: options.device,
        epochs: epochs as u32,
        batch_size: BATCH,
        learning_rate: LEARNING_RATE,
        schedule: Schedule::Cosine { final_share: FINAL_SHARE },
        weight_decay: 0.0,
        captures: Captures::Keep,
        ..TrainingOptions::default()
    };
    let config = TrainingConfig::new(options)?;
    let training = Imitation { roots, rows };
    let samples = training.make(config.options().seed ^ VALIDATION_SEED, 0..VALIDATION_ROWS.min(rows));
    let picks: Vec<u32> = (0..samples.len() as u32).collect();
    let validation = Rows { samples: &samples, picks: &picks };
    let data = lesson(training, validation);
    let run = train(&config, &data, RunFiles::default(), observer)?;
    if run.stop != StopReason::Finished {
        return Ok(None);
    }
    learn_searches(&config, run.network, positions / ROWS_PER_SEARCHED, observer)
}

fn lesson<T>(training: T, validation: Rows<'_, Row>) -> TrainingData<'_, Row, T> {
    TrainingData { training, validation, other_form: None, fingerprint: String::new(), held_out: None, hints: None }
}

/// Goes on with what searches by the hand-written evaluation find: values of the nodes of its games.
fn learn_searches(
    config: &TrainingConfig,
    weights: FloatNetwork,
    rows: u64,
    observer: &mut (dyn TrainingObserver + Send),
) -> Result<Option<FloatNetwork>, TrainingError> {
    let options = config.options();
    let options = TrainingOptions {
        epochs: 1,
        learning_rate: SEARCHED_LEARNING_RATE,
        schedule: Schedule::Cosine { final_share: SEARCHED_FINAL_SHARE },
        warmup_steps: WARMUP,
        ..options.clone()
    };
    let config = TrainingConfig::new(options)?;
    let seed = config.options().seed ^ VALIDATION_SEED;
    let samples = Searched::make(seed, VALIDATION_ROWS.min(rows.max(1)));
    let picks: Vec<u32> = (0..samples.len() as u32).collect();
    let data = lesson(Searched { rows: rows.max(1) }, Rows { samples: &samples, picks: &picks });
    let run = train(&config, &data, RunFiles { start: Some(weights), ..RunFiles::default() }, observer)?;
    Ok((run.stop == StopReason::Finished).then_some(run.network))
}
