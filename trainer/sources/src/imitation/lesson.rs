//! The first lesson of a network: the hand-written evaluation, then what searches with it find.

use std::ops::ControlFlow;

use alfiere_chess::random::mix;
use alfiere_data::{Captures, Row};
use alfiere_nnue::FloatNetwork;
use alfiere_search::eval::{AnyEvaluator, Classical};
use alfiere_search::genfens::PlyRange;
use alfiere_training::{
    RowSource, Rows, RunFiles, Schedule, Start, StopReason, TrainingConfig, TrainingData, TrainingError,
    TrainingObserver, TrainingOptions, train,
};

use crate::improve::{RowSettings, self_play_rows};

use super::Imitation;

/// Positions per step; small steps, because there are always new rows.
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

/// Positions with a static value for each of the second part, which are dearer: nodes of searches.
const POSITIONS_PER_SEARCHED: u64 = 16;
/// Rows that one player makes; several are made at the same time.
const PART: u64 = 4_096;
/// Rows between two reports of progress.
const PARTS_ROWS: u64 = 16 * PART;
/// Random moves before a game.
const PLIES: PlyRange = PlyRange { min: 6, max: 9 };
/// Peak learning rate of the second part.
const SEARCHED_LEARNING_RATE: f32 = 5e-4;
/// Steps until it is reached, so that the optimiser does not lose what the network knows.
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
    let options = config.options();
    let Start::Classical { positions } = options.start else { return Ok(None) };
    let Some(searched) = searched_rows(options.seed, positions.div_ceil(POSITIONS_PER_SEARCHED), observer) else {
        return Ok(None);
    };
    let epochs = positions.div_ceil(EPOCH_ROWS).max(1);
    let rows = positions.div_ceil(epochs);
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
    let imitation = Imitation { roots, searched: &searched, rows };
    let validation = imitation.make(options.seed ^ VALIDATION_SEED, 0..VALIDATION_ROWS.min(rows));
    let run = learn(options.clone(), imitation, &validation, None, observer)?;
    let Some(weights) = run else { return Ok(None) };

    let (validation, training) = searched.split_at(searched.len() / 20);
    let picks: Vec<u32> = (0..training.len() as u32).collect();
    let options = TrainingOptions {
        epochs: 1,
        learning_rate: SEARCHED_LEARNING_RATE,
        schedule: Schedule::Cosine { final_share: 0.01 },
        warmup_steps: WARMUP,
        ..options
    };
    learn(options, Rows { samples: training, picks: &picks }, validation, Some(weights), observer)
}

/// Positions that searches by the hand-written evaluation meet in games against itself, labelled by what they find; `None`
/// if the observer stops.
fn searched_rows(seed: u64, count: u64, observer: &mut dyn TrainingObserver) -> Option<Vec<Row>> {
    let mut rows = Vec::with_capacity(count as usize);
    while (rows.len() as u64) < count {
        if observer.on_rows(rows.len() as u64, count) == ControlFlow::Break(()) {
            return None;
        }
        let settings =
            RowSettings { count: PARTS_ROWS.min(count), per_file: PART.min(count), every: 1, ..RowSettings::default() };
        let seed = mix(seed ^ mix(rows.len() as u64));
        rows.append(&mut self_play_rows(|| AnyEvaluator::Classical(Classical::new()), &settings, PLIES, seed));
    }
    let _ = observer.on_rows(count, count);
    rows.truncate(count as usize);
    Some(rows)
}

/// Trains on rows of any source; `None` if the observer stops.
fn learn<T: RowSource<Row>>(
    options: TrainingOptions,
    training: T,
    validation: &[Row],
    start: Option<FloatNetwork>,
    observer: &mut (dyn TrainingObserver + Send),
) -> Result<Option<FloatNetwork>, TrainingError> {
    let picks: Vec<u32> = (0..validation.len() as u32).collect();
    let data = TrainingData {
        training,
        validation: Rows { samples: validation, picks: &picks },
        other_form: None,
        fingerprint: String::new(),
        held_out: None,
        hints: None,
    };
    let files = RunFiles { start, ..RunFiles::default() };
    let run = train(&TrainingConfig::new(options)?, &data, files, observer)?;
    Ok((run.stop == StopReason::Finished).then_some(run.network))
}
