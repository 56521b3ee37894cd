//! Rows that teach a network the hand-written evaluation, so that a small file does not have to teach it what a queen is.
//!
//! Half of the positions are near those of the file, half near those that searches by that evaluation meet: a small file
//! has too few. Some are one or two random moves away; each has its captures resolved. They are made when they are read, by
//! seed, and never stored: an epoch has other positions than the one before.

use std::ops::{ControlFlow, Range};
use std::sync::Arc;

use alfiere_chess::board::Board;
use alfiere_chess::movegen::legal_moves;
use alfiere_chess::random::{Random, mix};
use alfiere_chess::types::Color;
use alfiere_data::{Captures, DataError, Label, Row, resolved};
use alfiere_nnue::{FloatNetwork, Provenance, quantise};
use alfiere_search::eval::{AnyEvaluator, Classical, Evaluator, NetworkChoice};
use alfiere_search::genfens::PlyRange;
use alfiere_training::{
    RowSource, Rows, RunFiles, Schedule, Start, StopReason, TrainingConfig, TrainingData, TrainingError,
    TrainingObserver, TrainingOptions, Window, train,
};
use rayon::prelude::*;

use crate::improve::{RowSettings, self_play_rows};

/// Rows made with one generator of random numbers, or by one player; several are made at the same time.
const PART: u64 = 4_096;
/// Rows in memory at a time.
const WINDOW: u64 = 1 << 20;
/// Maximum number of random moves from a position of the file.
const RANDOM_MOVES: usize = 2;
/// Attempts to make a row, relative to the number of rows: files of positions without moves end.
const ATTEMPTS: u64 = 100;

/// Positions near those of a file, labelled by the hand-written evaluation.
#[derive(Clone, Copy, Debug)]
pub struct Imitation<'a> {
    pub roots: Rows<'a, Row>,
    pub searched: &'a [Row],
    pub rows: u64,
}

impl Imitation<'_> {
    /// Rows made with this seed; fewer than asked for if hardly any position of the file has a quiet one near.
    pub fn make(&self, seed: u64, range: Range<u64>) -> Vec<Row> {
        let starts: Vec<u64> = range.clone().step_by(PART as usize).collect();
        let parts = starts.into_par_iter().map_init(Classical::new, |classical, start| {
            let count = PART.min(range.end - start) as usize;
            self.part(classical, &mut Random::new(mix(seed ^ mix(start))), count)
        });
        parts.flatten_iter().collect()
    }

    /// A position of either kind, at random.
    fn root(&self, numbers: &mut Random) -> Option<&Row> {
        let Rows { samples, picks } = self.roots;
        let mut below = |count: usize| (count > 0).then(|| numbers.below(count as u64) as usize);
        if below(2) == Some(0) {
            return below(self.searched.len()).map(|index| &self.searched[index]);
        }
        below(picks.len()).map(|index| &samples[picks[index] as usize])
    }

    fn part(&self, classical: &mut Classical, numbers: &mut Random, count: usize) -> Vec<Row> {
        let mut rows = Vec::with_capacity(count + RANDOM_MOVES);
        for _ in 0..count as u64 * ATTEMPTS {
            if rows.len() >= count {
                break;
            }
            let Some(root) = self.root(numbers) else { break };
            let Ok(mut board) = root.to_board() else { continue };
            rows.extend(labelled(classical, &board));
            for _ in 0..RANDOM_MOVES {
                let moves = legal_moves(&board);
                if moves.is_empty() {
                    break;
                }
                board.play(moves[numbers.below(moves.len() as u64) as usize]);
                rows.extend(labelled(classical, &board));
            }
        }
        rows.truncate(count);
        rows
    }
}

/// The position with its captures resolved and its value; none in check, where the search does not ask for one.
fn labelled(classical: &mut Classical, board: &Board) -> Option<Row> {
    let end = resolved(board);
    let board = end.as_ref().unwrap_or(board);
    if board.in_check() {
        return None;
    }
    let value = i64::from(classical.evaluate(board));
    let value = if board.side_to_move() == Color::White { value } else { -value };
    Some(Row::of_board(board).with_label(Label::centipawns(value)))
}

impl RowSource<Row> for Imitation<'_> {
    fn rows(&self) -> u64 {
        self.rows
    }

    fn window_rows(&self) -> u64 {
        WINDOW
    }

    fn window(&self, order_seed: u64, range: Range<u64>) -> Result<Window<'_, Row>, DataError> {
        Ok(Window::read(self.make(order_seed, range)))
    }
}

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
/// Rows between two reports of progress.
const PARTS_ROWS: u64 = 16 * PART;
/// Random moves before a game.
const PLIES: PlyRange = PlyRange { min: 6, max: 9 };
/// Peak learning rate for positions of searches.
const SEARCHED_LEARNING_RATE: f32 = 5e-4;
/// Steps until it is reached, so that the optimiser does not lose what the network knows.
const WARMUP: u64 = 20;
/// Times that a network learns from its own searches, each from the rows so far.
const OWN_ROUNDS: u64 = 3;
/// Positions of the first lesson for each of the last one, by default.
const POSITIONS_PER_OWN: u64 = 8;

/// Positions of its own searches from which a network learns after the rows, by default.
pub const fn own_searches(start: Start) -> u64 {
    match start {
        Start::Random => 0,
        Start::Classical { positions } => positions / POSITIONS_PER_OWN,
    }
}

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
    let classical = || AnyEvaluator::Classical(Classical::new());
    let count = positions.div_ceil(POSITIONS_PER_SEARCHED);
    let settings = RowSettings { every: 1, ..RowSettings::default() };
    let Some(searched) = searched_rows(classical, &settings, options.seed, count, observer) else { return Ok(None) };
    let epochs = positions.div_ceil(EPOCH_ROWS).max(1);
    let rows = positions.div_ceil(epochs);
    let lesson = TrainingOptions {
        epochs: epochs as u32,
        learning_rate: LEARNING_RATE,
        schedule: Schedule::Cosine { final_share: FINAL_SHARE },
        warmup_steps: 0,
        ..searched_lesson(options)
    };
    let imitation = Imitation { roots, searched: &searched, rows };
    let validation = imitation.make(options.seed ^ VALIDATION_SEED, 0..VALIDATION_ROWS.min(rows));
    let Some(weights) = learn(lesson, imitation, &validation, None, observer)? else { return Ok(None) };
    learn_searched(options, &searched, weights, observer)
}

/// Weights that have also learnt from `count` positions of their own searches, labelled by what these find; `None` if the
/// observer stops. The options' architecture, objective and seed are those of the run that made the weights.
///
/// # Errors
/// As [`train`], or if the weights cannot be quantised to play.
pub fn learn_own_searches(
    options: &TrainingOptions,
    mut weights: FloatNetwork,
    count: u64,
    observer: &mut (dyn TrainingObserver + Send),
) -> Result<Option<FloatNetwork>, TrainingError> {
    let mut rows = Vec::new();
    for round in 1..=OWN_ROUNDS {
        let network = quantise(&weights, options.objective.output_scale(), Provenance::default())?;
        let network = NetworkChoice::Loaded(Arc::new(network));
        let (seed, count) = (mix(options.seed ^ mix(round)), count.div_ceil(OWN_ROUNDS));
        let evaluator = || AnyEvaluator::neural(network.clone());
        let settings = RowSettings::default();
        let Some(mut new) = searched_rows(evaluator, &settings, seed, count, observer) else { return Ok(None) };
        // The newest first: they validate.
        new.append(&mut rows);
        rows = new;
        let Some(learnt) = learn_searched(options, &rows, weights, observer)? else { return Ok(None) };
        weights = learnt;
    }
    Ok(Some(weights))
}

/// Positions that searches meet in games of a player with this evaluator against itself, labelled by what they find;
/// `None` if the observer stops. The settings' numbers of rows are not used.
fn searched_rows(
    evaluator: impl Fn() -> AnyEvaluator + Sync,
    settings: &RowSettings,
    seed: u64,
    count: u64,
    observer: &mut dyn TrainingObserver,
) -> Option<Vec<Row>> {
    let settings = RowSettings { count: PARTS_ROWS.min(count), per_file: PART.min(count), ..settings.clone() };
    let mut rows = Vec::with_capacity(count as usize);
    while (rows.len() as u64) < count {
        if observer.on_rows(rows.len() as u64, count) == ControlFlow::Break(()) {
            return None;
        }
        let seed = mix(seed ^ mix(rows.len() as u64));
        rows.append(&mut self_play_rows(&evaluator, &settings, PLIES, seed));
    }
    let _ = observer.on_rows(count, count);
    rows.truncate(count as usize);
    Some(rows)
}

/// The options of a training on rows of searches, for a run with these options.
fn searched_lesson(run: &TrainingOptions) -> TrainingOptions {
    TrainingOptions {
        architecture: run.architecture.clone(),
        objective: run.objective,
        seed: run.seed,
        threads: run.threads,
        device: run.device,
        side_to_move: run.side_to_move,
        epochs: 1,
        batch_size: BATCH,
        learning_rate: SEARCHED_LEARNING_RATE,
        warmup_steps: WARMUP,
        weight_decay: 0.0,
        captures: Captures::Keep,
        ..TrainingOptions::default()
    }
}

/// Continues with rows of searches, of which the first twentieth validates.
fn learn_searched(
    options: &TrainingOptions,
    rows: &[Row],
    weights: FloatNetwork,
    observer: &mut (dyn TrainingObserver + Send),
) -> Result<Option<FloatNetwork>, TrainingError> {
    let (validation, training) = rows.split_at(rows.len() / 20);
    let picks: Vec<u32> = (0..training.len() as u32).collect();
    let training = Rows { samples: training, picks: &picks };
    learn(searched_lesson(options), training, validation, Some(weights), observer)
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
    let data = TrainingData::new(training, Rows { samples: validation, picks: &picks });
    let files = RunFiles { start, ..RunFiles::default() };
    let run = train(&TrainingConfig::new(options)?, &data, files, observer)?;
    Ok((run.stop == StopReason::Finished).then_some(run.network))
}

#[cfg(test)]
mod tests {
    use alfiere_data::sample;

    use super::*;

    #[test]
    fn rows_have_the_hand_written_value_of_quiet_positions() {
        let roots = sample::real(500);
        let picks: Vec<u32> = (0..roots.len() as u32).collect();
        let (file, searched) = roots.split_at(250);
        let imitation = Imitation { roots: Rows { samples: file, picks: &picks[..250] }, searched, rows: 1_000 };
        let rows = imitation.make(7, 0..1_000);
        assert_eq!(rows, imitation.make(7, 0..1_000));
        assert_ne!(rows, imitation.make(8, 0..1_000));
        assert_eq!(rows.len(), 1_000);
        let mut classical = Classical::new();
        for row in &rows {
            let board = row.to_board().expect("legal");
            let value = classical.evaluate(&board);
            let value = if board.side_to_move() == Color::White { value } else { -value };
            assert_eq!(row.label(), Label::centipawns(i64::from(value)), "{}", row.to_fen());
            assert!(!board.in_check());
        }
    }
}
