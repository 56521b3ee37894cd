//! The rows of lessons: what a network learns beside the user's rows, because a small file cannot teach it what a queen is.
//!
//! Static values: half of the positions are near those of the file, half near those that searches by the same evaluation
//! meet, as a small file has too few. They are made when they are read, by seed, and never stored: an epoch has other
//! positions than the one before. The first lesson teaches the values of the start's evaluation to a network of another shape;
//! rehearsal repeats them beside the rows to one that knows them.

mod values;

use std::ops::{ControlFlow, Range};
use std::sync::{Arc, Mutex, PoisonError};

use alfiere_chess::random::mix;
use alfiere_data::{Label, Row};
use alfiere_model::{FloatNetwork, quantise};
use alfiere_nnue::Provenance;
use alfiere_search::eval::{AnyEvaluator, NetworkChoice};
use alfiere_search::genfens::PlyRange;
use alfiere_training::{
    Lesson, LessonRows, Lessons, Phase, RowSource, Rows, TrainingError, TrainingObserver, TrainingOptions,
    VALIDATION_PART, Window,
};

use self::values::{Evaluation, KnownValues, PART, SearchedValues};
use crate::improve::{RowSettings, self_play_rows};
use crate::start_network::StartNetwork;

/// Rows that validate static values.
const VALIDATION_ROWS: u64 = 1 << 15;
/// Seeds of the validation rows differ from those of all epochs.
const VALIDATION_SEED: u64 = 0x5EED_0F7E_5715;
/// Rows between two reports of progress.
const PARTS_ROWS: u64 = 16 * PART;
/// Random moves before a game.
const PLIES: PlyRange = PlyRange { min: 6, max: 9 };
/// Most positions of searches near which positions are rehearsed.
const REHEARSED_SEARCHES: u64 = 200_000;

/// Makes the rows of lessons with the search, for runs with these options.
pub struct SearchLessons {
    options: TrainingOptions,
    evaluation: Evaluation,
    /// Positions of searches by the start's evaluation, once they are made.
    searched: Mutex<Option<Arc<Vec<Row>>>>,
    /// Positions of own searches, the newest first, and the number of rounds that they are from.
    own: Mutex<(u32, Arc<Vec<Row>>)>,
}

impl SearchLessons {
    pub fn new(options: &TrainingOptions, start: Option<&StartNetwork>) -> Self {
        let (options, evaluation) = (options.clone(), Evaluation { start: start.cloned() });
        Self { options, evaluation, searched: Mutex::default(), own: Mutex::default() }
    }

    /// Positions of searches by the start's evaluation, made once; `None` if the observer stops.
    fn searched(
        &self,
        count: u64,
        observer: &mut dyn TrainingObserver,
    ) -> Result<Option<Arc<Vec<Row>>>, TrainingError> {
        let mut known = self.searched.lock().unwrap_or_else(PoisonError::into_inner);
        if known.is_some() {
            return Ok(known.clone());
        }
        let settings = RowSettings { every: 1, ..RowSettings::default() };
        let made = searched_rows(|| self.evaluation.evaluator(), &settings, self.options.seed, count, observer)?;
        *known = made.map(|rows| Arc::new(in_label_units(rows, self.evaluation.label_scale())));
        Ok(known.clone())
    }

    /// Positions of the searches of all rounds up to this one, the newest first; `None` if the observer stops. `weights` are
    /// those before each of these rounds.
    fn own(
        &self,
        round: u32,
        count: u64,
        weights: &[FloatNetwork],
        observer: &mut dyn TrainingObserver,
    ) -> Result<Option<Arc<Vec<Row>>>, TrainingError> {
        let mut known = self.own.lock().unwrap_or_else(PoisonError::into_inner);
        let (before, options) = (known.0, &self.options);
        for (round, weights) in (1..=round).zip(weights).skip(before as usize) {
            let unit = f64::from(options.objective.output_scale()) / self.evaluation.label_scale();
            let network = quantise(weights, unit as f32, Provenance::default())?;
            let network = NetworkChoice::Loaded(Arc::new(network));
            let seed = mix(options.seed ^ mix(u64::from(round)));
            let evaluator = || AnyEvaluator::neural(network.clone());
            let Some(new) = searched_rows(evaluator, &RowSettings::default(), seed, count, observer)? else {
                return Ok(None);
            };
            // The newest first: they validate.
            let mut rows = in_label_units(new, self.evaluation.label_scale());
            rows.extend_from_slice(&known.1);
            *known = (round, Arc::new(rows));
        }
        Ok(Some(known.1.clone()))
    }
}

impl Lessons for SearchLessons {
    fn rows<'a>(
        &'a self,
        phase: &Phase,
        near: Rows<'a>,
        weights: &[FloatNetwork],
        observer: &mut (dyn TrainingObserver + Send),
    ) -> Result<Option<LessonRows<'a>>, TrainingError> {
        let known_values =
            |count: u64, searched: Arc<Vec<Row>>| KnownValues { evaluation: &self.evaluation, near, searched, count };
        let made = match phase.lesson {
            Lesson::Evaluation => {
                let count = self.options.start.searched_for(phase.positions);
                let Some(searched) = self.searched(count, observer)? else { return Ok(None) };
                let values = known_values(phase.rows, searched);
                let (seed, range) = (self.options.seed ^ VALIDATION_SEED, 0..VALIDATION_ROWS.min(phase.rows));
                if self.evaluation.start.is_some() {
                    let values = SearchedValues(values);
                    LessonRows { validation: values.make(seed, range), training: Box::new(values) }
                } else {
                    LessonRows { validation: values.make(seed, range), training: Box::new(values) }
                }
            }
            Lesson::Rows => {
                let count = REHEARSED_SEARCHES.min(phase.positions);
                let Some(searched) = self.searched(count, observer)? else { return Ok(None) };
                LessonRows { training: Box::new(known_values(phase.positions, searched)), validation: Vec::new() }
            }
            Lesson::Searches => {
                let Some(rows) = self.searched(phase.positions, observer)? else { return Ok(None) };
                SearchedRows::of(rows)
            }
            Lesson::OwnSearches(round) => {
                let first = weights.len() - round as usize;
                let Some(rows) = self.own(round, phase.positions, &weights[first..], observer)? else {
                    return Ok(None);
                };
                SearchedRows::of(rows)
            }
        };
        Ok(Some(made))
    }
}

/// Rows of searches that are trained on.
struct SearchedRows {
    rows: Arc<Vec<Row>>,
    /// The number of rows at the front that validate.
    validation: usize,
    picks: Vec<u32>,
}

impl SearchedRows {
    fn of(rows: Arc<Vec<Row>>) -> LessonRows<'static> {
        let validation = rows.len() / VALIDATION_PART as usize;
        let picks = (0..(rows.len() - validation) as u32).collect();
        LessonRows { validation: rows[..validation].to_vec(), training: Box::new(Self { rows, validation, picks }) }
    }

    fn trained(&self) -> Rows<'_> {
        Rows::new(&self.rows[self.validation..], &self.picks)
    }
}

impl RowSource for SearchedRows {
    fn rows(&self) -> u64 {
        self.picks.len() as u64
    }

    fn window_rows(&self) -> u64 {
        u64::MAX
    }

    fn window(&self, order_seed: u64, range: Range<u64>) -> Window<'_> {
        Window::of(self.trained()).in_range(order_seed, range)
    }
}

/// Rows with labels in internal units as rows in centipawns of the user's labels.
fn in_label_units(mut rows: Vec<Row>, scale: f64) -> Vec<Row> {
    for row in &mut rows {
        let value = f64::from(row.label().as_centipawns()) * scale;
        *row = row.with_label(Label::centipawns(value.round() as i64));
    }
    rows
}

/// Positions that searches meet in games of a player with this evaluator against itself, labelled by what they find;
/// `None` if the observer stops. The settings' numbers of rows are not used.
fn searched_rows(
    evaluator: impl Fn() -> AnyEvaluator + Sync,
    settings: &RowSettings,
    seed: u64,
    count: u64,
    observer: &mut dyn TrainingObserver,
) -> Result<Option<Vec<Row>>, TrainingError> {
    let settings = RowSettings { count: PARTS_ROWS.min(count), per_file: PART.min(count), ..settings.clone() };
    let mut rows = Vec::with_capacity(count as usize);
    while (rows.len() as u64) < count {
        if observer.on_rows(rows.len() as u64, count) == ControlFlow::Break(()) {
            return Ok(None);
        }
        let seed = mix(seed ^ mix(rows.len() as u64));
        let mut new = self_play_rows(&evaluator, &settings, PLIES, seed)
            .map_err(|problem| TrainingError::Searches(problem.to_string()))?;
        rows.append(&mut new);
    }
    let _ = observer.on_rows(count, count);
    rows.truncate(count as usize);
    Ok(Some(rows))
}
