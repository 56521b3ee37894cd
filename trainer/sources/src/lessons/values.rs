//! Positions with the values that the start's evaluation has there.
//!
//! A network teaches what its own short searches evaluate, [`SearchedValues`]: the positions in which an engine will ask. The
//! hand-written evaluation, and rehearsal, take positions up to two random moves away with captures resolved,
//! [`KnownValues`].

use std::convert::Infallible;
use std::ops::Range;
use std::sync::Arc;

use alfiere_chess::board::{Board, KeyHistory};
use alfiere_chess::game::GameResult;
use alfiere_chess::movegen::legal_moves;
use alfiere_chess::random::{Random, mix};
use alfiere_chess::types::Color;
use alfiere_data::{Label, Row, resolved, shuffle};
use alfiere_search::eval::{AnyEvaluator, Classical, Evaluator};
use alfiere_training::{RowSource, Rows, Window};
use rayon::prelude::*;

use crate::collector::{Collector, Labeller};
use crate::game_loop::{Step, best_or_random, by_rules, play_game};
use crate::searcher::Searcher;
use crate::start_network::StartNetwork;

/// Rows made with one generator of random numbers, or by one player; several are made at the same time.
pub(super) const PART: u64 = 4_096;
/// Rows in memory at a time.
const WINDOW: u64 = 1 << 20;
/// Maximum number of random moves from a position of the file.
const RANDOM_MOVES: usize = 2;
/// Attempts to make a row, relative to the number of rows: files of positions without moves end.
const ATTEMPTS: u64 = 100;
/// Moves searched from a root, in turn, and one in how many of them is random.
const SEGMENT: u32 = 8;
const RANDOM_EVERY: u32 = 6;
/// Minimum and maximum number of nodes of a search in a segment; of the positions that it evaluates, one in this many is kept.
const SEGMENT_NODES: [u32; 2] = [100, 400];
const KEPT_EVERY: u32 = 2;
/// Size of their tables in MiB.
const TABLE_MIB: usize = 1;

/// The evaluation that a run starts from.
pub(super) struct Evaluation {
    /// The network; `None` for the hand-written evaluation.
    pub(super) start: Option<StartNetwork>,
}

impl Evaluation {
    /// Centipawns of the labels for each internal unit.
    pub(super) fn label_scale(&self) -> f64 {
        self.start.as_ref().map_or(1.0, |start| f64::from(start.label_scale))
    }

    pub(super) fn evaluator(&self) -> AnyEvaluator {
        match &self.start {
            Some(start) => AnyEvaluator::neural(start.network.clone()),
            None => AnyEvaluator::Classical(Classical::new()),
        }
    }
}

/// The rows of parts made at the same time, each with random numbers of its own, which the seed and its place decide.
fn in_parts<S>(
    seed: u64,
    range: Range<u64>,
    state: impl Fn() -> S + Sync + Send,
    part: impl Fn(&mut S, &mut Random, usize) -> Vec<Row> + Sync + Send,
) -> Vec<Row> {
    let starts: Vec<u64> = range.clone().step_by(PART as usize).collect();
    let parts = starts.into_par_iter().map_init(state, |state, start| {
        part(state, &mut Random::new(mix(seed ^ mix(start))), PART.min(range.end - start) as usize)
    });
    parts.flatten_iter().collect()
}

/// Positions near those of a file and near those of searches, labelled by the start's evaluation.
pub(super) struct KnownValues<'a> {
    pub(super) evaluation: &'a Evaluation,
    pub(super) near: Rows<'a>,
    pub(super) searched: Arc<Vec<Row>>,
    pub(super) count: u64,
}

impl KnownValues<'_> {
    /// Rows made with this seed; fewer than asked for if hardly any position of the file has a quiet one near.
    pub(super) fn make(&self, seed: u64, range: Range<u64>) -> Vec<Row> {
        in_parts(
            seed,
            range,
            || self.evaluation.evaluator(),
            |evaluator, numbers, count| self.part(evaluator, numbers, count),
        )
    }

    /// A position of either kind, at random.
    fn root(&self, numbers: &mut Random) -> Option<&Row> {
        let Rows { samples, picks } = self.near;
        let mut below = |count: usize| (count > 0).then(|| numbers.below(count as u64) as usize);
        if below(2) == Some(0) {
            return below(self.searched.len()).map(|index| &self.searched[index]);
        }
        below(picks.len()).map(|index| samples.row(picks[index]))
    }

    fn part(&self, evaluator: &mut AnyEvaluator, numbers: &mut Random, count: usize) -> Vec<Row> {
        let scale = self.evaluation.label_scale();
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

    fn window(&self, order_seed: u64, range: Range<u64>) -> Window<'_> {
        Window::read(self.make(order_seed, range))
    }
}

/// Positions that short searches from such roots evaluate, with the values that these searches are given: what a network of
/// another shape will be asked.
pub(super) struct SearchedValues<'a>(pub(super) KnownValues<'a>);

impl SearchedValues<'_> {
    pub(super) fn make(&self, seed: u64, range: Range<u64>) -> Vec<Row> {
        let evaluation = self.0.evaluation;
        let searcher = || {
            let labels = OwnValues { scale: evaluation.label_scale(), rows: Vec::new() };
            Searcher::new(Collector::new(evaluation.evaluator(), KEPT_EVERY, labels), TABLE_MIB)
        };
        in_parts(seed, range, searcher, |searcher, numbers, count| self.part(searcher, numbers, count))
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

    fn window(&self, order_seed: u64, range: Range<u64>) -> Window<'_> {
        let mut rows = self.make(order_seed, range);
        shuffle(&mut rows, order_seed);
        Window::read(rows)
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

#[cfg(test)]
mod tests {
    use alfiere_data::sample;

    use super::*;

    #[test]
    fn rows_have_the_hand_written_value_of_quiet_positions() {
        let roots = sample::real(500);
        let picks: Vec<u32> = (0..roots.len() as u32).collect();
        let (file, searched) = roots.split_at(250);
        let evaluation = Evaluation { start: None };
        let near = Rows::new(file, &picks[..250]);
        let values = KnownValues { evaluation: &evaluation, near, searched: Arc::new(searched.to_vec()), count: 1_000 };
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
