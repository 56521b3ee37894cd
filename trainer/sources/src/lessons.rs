//! The rows of lessons: what a network learns beside the user's rows, because a small file cannot teach it what a queen is.
//!
//! Static values: half of the positions are near those of the file, half near those that searches by the same evaluation
//! meet, as a small file has too few. They are made when they are read, by seed, and never stored: an epoch has other
//! positions than the one before. The first lesson teaches the values of the start's evaluation to a network of another shape;
//! rehearsal repeats them beside the rows to one that knows them.
//!
//! A network teaches what its own short searches evaluate, [`SearchedValues`]: the positions in which an engine will ask. The
//! hand-written evaluation, and rehearsal, take positions up to two random moves away with captures resolved,
//! [`KnownValues`].

use std::convert::Infallible;
use std::ops::{ControlFlow, Range};
use std::sync::{Arc, Mutex, PoisonError};

use alfiere_chess::board::{Board, KeyHistory};
use alfiere_chess::game::GameResult;
use alfiere_chess::movegen::legal_moves;
use alfiere_chess::random::{Random, mix};
use alfiere_chess::types::Color;
use alfiere_data::{DataError, Label, Row, resolved, shuffle};
use alfiere_nnue::{FloatNetwork, Provenance, quantise};
use alfiere_search::eval::{AnyEvaluator, Classical, Evaluator, NetworkChoice};
use alfiere_search::genfens::PlyRange;
use alfiere_training::{
    Lesson, LessonRows, Lessons, Phase, RowSource, Rows, TrainingError, TrainingObserver, TrainingOptions,
    VALIDATION_PART, Window,
};
use rayon::prelude::*;

use crate::collector::{Collector, Labeller};
use crate::game_loop::{Step, best_or_random, by_rules, play_game};
use crate::improve::{RowSettings, self_play_rows};
use crate::searcher::Searcher;
use crate::start_network::StartNetwork;

/// Rows made with one generator of random numbers, or by one player; several are made at the same time.
const PART: u64 = 4_096;
/// Rows in memory at a time.
const WINDOW: u64 = 1 << 20;
/// Maximum number of random moves from a position of the file.
const RANDOM_MOVES: usize = 2;
/// Attempts to make a row, relative to the number of rows: files of positions without moves end.
const ATTEMPTS: u64 = 100;
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
/// Moves searched from a root, in turn, and one in how many of them is random.
const SEGMENT: u32 = 8;
const RANDOM_EVERY: u32 = 6;
/// Minimum and maximum number of nodes of a search in a segment; of the positions that it evaluates, one in this many is kept.
const SEGMENT_NODES: [u32; 2] = [100, 400];
const KEPT_EVERY: u32 = 2;
/// Size of their tables in MiB.
const TABLE_MIB: usize = 1;

/// Makes the rows of lessons with the search, for runs with these options.
pub struct SearchLessons {
    options: TrainingOptions,
    /// The network that the run starts from; `None` for the hand-written evaluation.
    start: Option<StartNetwork>,
    /// Positions of searches by the start's evaluation, once they are made.
    searched: Mutex<Option<Arc<Vec<Row>>>>,
    /// Positions of own searches, the newest first, and the number of rounds that they are from.
    own: Mutex<(u32, Arc<Vec<Row>>)>,
}

impl SearchLessons {
    pub fn new(options: &TrainingOptions, start: Option<&StartNetwork>) -> Self {
        let (options, start) = (options.clone(), start.cloned());
        Self { options, start, searched: Mutex::default(), own: Mutex::default() }
    }

    /// Centipawns of the labels for each internal unit.
    fn label_scale(&self) -> f64 {
        self.start.as_ref().map_or(1.0, |start| f64::from(start.label_scale))
    }

    fn evaluator(&self) -> AnyEvaluator {
        match &self.start {
            Some(start) => AnyEvaluator::neural(start.network.clone()),
            None => AnyEvaluator::Classical(Classical::new()),
        }
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
        let made = searched_rows(|| self.evaluator(), &settings, self.options.seed, count, observer)?;
        *known = made.map(|rows| Arc::new(in_label_units(rows, self.label_scale())));
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
            let unit = f64::from(options.objective.output_scale()) / self.label_scale();
            let network = quantise(weights, unit as f32, Provenance::default())?;
            let network = NetworkChoice::Loaded(Arc::new(network));
            let seed = mix(options.seed ^ mix(u64::from(round)));
            let evaluator = || AnyEvaluator::neural(network.clone());
            let Some(new) = searched_rows(evaluator, &RowSettings::default(), seed, count, observer)? else {
                return Ok(None);
            };
            // The newest first: they validate.
            let mut rows = in_label_units(new, self.label_scale());
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
        let known_values = |count: u64, searched: Arc<Vec<Row>>| KnownValues { lessons: self, near, searched, count };
        let made = match phase.lesson {
            Lesson::Evaluation => {
                let count = self.options.start.searched_for(phase.positions);
                let Some(searched) = self.searched(count, observer)? else { return Ok(None) };
                let values = known_values(phase.rows, searched);
                let (seed, range) = (self.options.seed ^ VALIDATION_SEED, 0..VALIDATION_ROWS.min(phase.rows));
                if self.start.is_some() {
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

/// Positions near those of a file and near those of searches, labelled by the start's evaluation.
struct KnownValues<'a> {
    lessons: &'a SearchLessons,
    near: Rows<'a>,
    searched: Arc<Vec<Row>>,
    count: u64,
}

impl KnownValues<'_> {
    /// Rows made with this seed; fewer than asked for if hardly any position of the file has a quiet one near.
    fn make(&self, seed: u64, range: Range<u64>) -> Vec<Row> {
        let starts: Vec<u64> = range.clone().step_by(PART as usize).collect();
        let parts = starts.into_par_iter().map_init(
            || self.lessons.evaluator(),
            |evaluator, start| {
                let count = PART.min(range.end - start) as usize;
                self.part(evaluator, &mut Random::new(mix(seed ^ mix(start))), count)
            },
        );
        parts.flatten_iter().collect()
    }

    /// A position of either kind, at random.
    fn root(&self, numbers: &mut Random) -> Option<&Row> {
        let Rows { samples, picks } = self.near;
        let mut below = |count: usize| (count > 0).then(|| numbers.below(count as u64) as usize);
        if below(2) == Some(0) {
            return below(self.searched.len()).map(|index| &self.searched[index]);
        }
        below(picks.len()).map(|index| &samples[picks[index] as usize])
    }

    fn part(&self, evaluator: &mut AnyEvaluator, numbers: &mut Random, count: usize) -> Vec<Row> {
        let scale = self.lessons.label_scale();
        let mut rows = Vec::with_capacity(count + RANDOM_MOVES);
        for _ in 0..count as u64 * ATTEMPTS {
            if rows.len() >= count {
                break;
            }
            let Some(root) = self.root(numbers) else { break };
            let Ok(mut board) = root.to_board() else { continue };
            rows.extend(labelled(evaluator, &board, scale));
            for _ in 0..RANDOM_MOVES {
                let moves = legal_moves(&board);
                if moves.is_empty() {
                    break;
                }
                board.play(moves[numbers.below(moves.len() as u64) as usize]);
                rows.extend(labelled(evaluator, &board, scale));
            }
        }
        rows.truncate(count);
        rows
    }
}

impl RowSource for KnownValues<'_> {
    fn rows(&self) -> u64 {
        self.count
    }

    fn window_rows(&self) -> u64 {
        WINDOW
    }

    fn window(&self, order_seed: u64, range: Range<u64>) -> Result<Window<'_>, DataError> {
        Ok(Window::read(self.make(order_seed, range)))
    }
}

/// Positions that short searches from such roots evaluate, with the values that these searches are given: what a network of
/// another shape will be asked.
struct SearchedValues<'a>(KnownValues<'a>);

impl SearchedValues<'_> {
    fn make(&self, seed: u64, range: Range<u64>) -> Vec<Row> {
        let starts: Vec<u64> = range.clone().step_by(PART as usize).collect();
        let lessons = self.0.lessons;
        let parts = starts.into_par_iter().map_init(
            || {
                let labels = OwnValues { scale: lessons.label_scale(), rows: Vec::new() };
                Searcher::new(Collector::new(lessons.evaluator(), KEPT_EVERY, labels), TABLE_MIB)
            },
            |searcher, start| {
                let count = PART.min(range.end - start) as usize;
                self.part(searcher, &mut Random::new(mix(seed ^ mix(start))), count)
            },
        );
        parts.flatten_iter().collect()
    }

    fn part(&self, searcher: &mut Searcher<Collector<OwnValues>>, numbers: &mut Random, count: usize) -> Vec<Row> {
        searcher.evaluator_mut().begin(numbers.next_number());
        for _ in 0..count as u64 * ATTEMPTS {
            if searcher.evaluator_mut().labeller.rows.len() >= count {
                break;
            }
            let Some(root) = self.0.root(numbers) else { break };
            if let Ok(board) = root.to_board() {
                search_segment(searcher, board, numbers);
            }
        }
        let mut rows = std::mem::take(&mut searcher.evaluator_mut().labeller.rows);
        rows.truncate(count);
        rows
    }
}

/// Plays some moves from a position, each after a short search.
fn search_segment(searcher: &mut Searcher<Collector<OwnValues>>, board: Board, numbers: &mut Random) {
    searcher.new_game();
    let Ok::<_, Infallible>(_) = play_game((board, KeyHistory::new()), SEGMENT, by_rules, |board, keys| {
        let found = searcher.search_between(board, keys, SEGMENT_NODES, numbers);
        let Some(best) = found.best else { return Ok(Step::End(GameResult::Draw)) };
        Ok(Step::Play(best_or_random(board, best, Some(RANDOM_EVERY), numbers), None))
    });
}

impl RowSource for SearchedValues<'_> {
    fn rows(&self) -> u64 {
        self.0.count
    }

    fn window_rows(&self) -> u64 {
        WINDOW
    }

    fn window(&self, order_seed: u64, range: Range<u64>) -> Result<Window<'_>, DataError> {
        let mut rows = self.make(order_seed, range);
        shuffle(&mut rows, order_seed);
        Ok(Window::read(rows))
    }
}

/// Labels positions with the values that the search is given.
struct OwnValues {
    scale: f64,
    rows: Vec<Row>,
}

impl Labeller for OwnValues {
    fn begin(&mut self) {
        self.rows.clear();
    }

    fn take(&mut self, board: &Board, value: i32, _: &mut Random) {
        self.rows.push(row_of(board, value, self.scale));
    }
}

fn row_of(board: &Board, value: i32, scale: f64) -> Row {
    let for_white = f64::from(if board.side_to_move() == Color::White { value } else { -value });
    Row::of_board(board).with_label(Label::centipawns((for_white * scale).round() as i64))
}

/// The position with its captures resolved and its value; none in check, where the search does not ask for one.
fn labelled(evaluator: &mut AnyEvaluator, board: &Board, scale: f64) -> Option<Row> {
    let end = resolved(board);
    let board = end.as_ref().unwrap_or(board);
    if board.in_check() {
        return None;
    }
    evaluator.reset(board);
    let value = evaluator.evaluate(board);
    Some(row_of(board, value, scale))
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
        Rows { samples: &self.rows[self.validation..], picks: &self.picks }
    }
}

impl RowSource for SearchedRows {
    fn rows(&self) -> u64 {
        self.picks.len() as u64
    }

    fn window_rows(&self) -> u64 {
        u64::MAX
    }

    fn window(&self, order_seed: u64, range: Range<u64>) -> Result<Window<'_>, DataError> {
        Ok(Window::of(self.trained()).in_range(order_seed, range))
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

#[cfg(test)]
mod tests {
    use alfiere_data::sample;

    use super::*;

    #[test]
    fn rows_have_the_hand_written_value_of_quiet_positions() {
        let roots = sample::real(500);
        let picks: Vec<u32> = (0..roots.len() as u32).collect();
        let (file, searched) = roots.split_at(250);
        let options = TrainingOptions::default();
        let lessons = SearchLessons::new(&options, None);
        let near = Rows { samples: file, picks: &picks[..250] };
        let values = KnownValues { lessons: &lessons, near, searched: Arc::new(searched.to_vec()), count: 1_000 };
        let rows = values.make(7, 0..1_000);
        assert_eq!(rows, values.make(7, 0..1_000));
        assert_ne!(rows, values.make(8, 0..1_000));
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
