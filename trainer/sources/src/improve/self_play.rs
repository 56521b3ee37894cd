//! Games of a network against itself, and the rows of their searches.

use std::convert::Infallible;

use alfiere_chess::board::{Board, KeyHistory};
use alfiere_chess::game::{Adjudicator, GameResult, GameRules, ResignRule, Ruling, end_by_rules};
use alfiere_chess::random::Random;
use alfiere_chess::types::{Color, Move};
use alfiere_data::{Label, Row, RowResult};
use alfiere_search::eval::{AnyEvaluator, Evaluator};
use alfiere_search::genfens::{PlyRange, StartPositions};
use alfiere_search::search::{KnownScore, ScoreKind, SearchResult, Table};
use rayon::prelude::*;

use super::TABLE_MIB;
use super::settings::RowSettings;
use crate::searcher::{Searcher, random_move, reported};

/// In games with stumbles, one move in this many is random.
const STUMBLE_EVERY: u64 = 12;
/// Games end when they are decided, and after this number of plies.
const RULES: GameRules =
    GameRules { draw: None, resign: Some(ResignRule { moves: 3, centipawns: 1_200 }), max_plies: 300 };

/// Rows of games that a player with this evaluator plays against itself, from the initial position after some random moves.
/// There are at least `settings.count`; they depend on the seed only, not on the number of threads.
pub(crate) fn self_play_rows(
    evaluator: impl Fn() -> AnyEvaluator + Sync,
    settings: &RowSettings,
    plies: PlyRange,
    seed: u64,
) -> Vec<Row> {
    let starts = StartPositions::new(Vec::new(), plies);
    let parts = settings.count.div_ceil(settings.per_file);
    let rows = (0..parts).into_par_iter().map_init(
        || SelfPlay::new(evaluator(), settings, &starts),
        |player, part| {
            let mut numbers = Random::for_part(seed, part);
            let mut rows = Vec::new();
            while (rows.len() as u64) < settings.per_file {
                rows.append(&mut player.rows(&mut numbers));
            }
            rows
        },
    );
    rows.flatten_iter().collect()
}

/// The player of one thread, for both sides.
pub(super) struct SelfPlay<'a> {
    searcher: Searcher<Collector>,
    settings: &'a RowSettings,
    starts: &'a StartPositions,
}

impl<'a> SelfPlay<'a> {
    pub(super) fn new(evaluator: AnyEvaluator, settings: &'a RowSettings, starts: &'a StartPositions) -> Self {
        let searcher = Searcher::new(Collector::new(evaluator, settings.every), TABLE_MIB);
        Self { searcher, settings, starts }
    }

    /// The rows of one game, determined only by these random numbers.
    pub(super) fn rows(&mut self, numbers: &mut Random) -> Vec<Row> {
        self.searcher.new_game();
        self.searcher.evaluator_mut().begin(numbers.next_number());
        let place = numbers.next_number();
        let any = |_: &Board| Ok::<_, Infallible>(Some(()));
        let Ok(start) = self.starts.find(place, numbers, any);
        let Some((board, ())) = start else { return Vec::new() };
        self.play(board, numbers)
    }

    fn play(&mut self, mut board: Board, numbers: &mut Random) -> Vec<Row> {
        let stumbles = numbers.chance(self.settings.stumbles);
        let mut keys = KeyHistory::new();
        let mut adjudicator = Adjudicator::new(RULES);
        let mut rows: Vec<Row> = Vec::new();
        // The rows whose labels agree with the score of the game.
        let mut agreeing = Vec::new();
        let mut result = None;
        for _ in 0..RULES.max_plies {
            let found = self.search(&board, &keys, numbers);
            let Some(best) = found.best else { break };
            let side = board.side_to_move();
            let score = if side == Color::White { found.score.value() } else { -found.score.value() };
            self.label(score, &mut rows, &mut agreeing);
            match adjudicator.observe(side, Some(reported(&found)), u32::from(board.fullmove_number())) {
                Some(Ruling::Win(winner)) => result = Some(GameResult::Win(winner)),
                Some(Ruling::Draw) => result = Some(GameResult::Draw),
                None => {}
            }
            if result.is_some() {
                break;
            }
            let is_random = stumbles && numbers.below(STUMBLE_EVERY) == 0;
            let mv = if is_random { random_move(&board, numbers).unwrap_or(best) } else { best };
            keys.push(&board);
            board.play(mv);
            if let Some((outcome, _)) = end_by_rules(&board, &keys) {
                result = Some(outcome);
                break;
            }
        }
        self.label(0, &mut rows, &mut Vec::new());
        if !stumbles {
            let result = result.map_or(RowResult::Draw, RowResult::from);
            for index in agreeing {
                rows[index] = rows[index].with_result(result);
            }
        }
        rows
    }

    /// Adds the rows of the search before the last, and the numbers of those that agree with this score.
    fn label(&mut self, score: i32, rows: &mut Vec<Row>, agreeing: &mut Vec<usize>) {
        let first = rows.len();
        let (collector, table) = self.searcher.evaluator_and_table();
        collector.label(table, self.settings, rows);
        let agrees = |row: &Row| (row.label().as_centipawns() - score).abs() <= self.settings.result_window;
        agreeing.extend((first..rows.len()).filter(|&index| agrees(&rows[index])));
    }

    fn search(&mut self, board: &Board, keys: &KeyHistory, numbers: &mut Random) -> SearchResult {
        let [low, high] = self.settings.nodes.map(u64::from);
        self.searcher.search(board, keys, low + numbers.below(high - low + 1))
    }
}

struct Evaluated {
    key: u64,
    /// The network's value for the side to move.
    value: i32,
    row: Row,
}

/// Evaluates for the search, and remembers the positions.
pub(super) struct Collector {
    evaluator: AnyEvaluator,
    every: u32,
    numbers: Random,
    /// Positions of the last search, and of the search before it.
    latest: Vec<Evaluated>,
    earlier: Vec<Evaluated>,
}

impl Collector {
    pub(super) fn new(evaluator: AnyEvaluator, every: u32) -> Self {
        Self { evaluator, every, numbers: Random::new(0), latest: Vec::new(), earlier: Vec::new() }
    }

    /// Starts a game; the sampling depends only on `seed`.
    pub(super) fn begin(&mut self, seed: u64) {
        self.numbers = Random::new(seed);
        self.latest.clear();
        self.earlier.clear();
    }

    /// Adds rows of the positions that the search before the last has evaluated: the last may have searched them more deeply.
    /// At the end of a game, another call adds those of the last search.
    pub(super) fn label(&mut self, table: &Table, settings: &RowSettings, rows: &mut Vec<Row>) {
        for Evaluated { key, value, row } in self.earlier.drain(..) {
            let target = match table.known_score(key).and_then(|known| lesson(&known, value, &row, settings)) {
                Some(Lesson::Score(score)) => score,
                Some(Lesson::Violated(bound)) if self.numbers.chance(settings.bounds) => bound,
                Some(Lesson::Agrees) if self.numbers.chance(settings.anchors) => value,
                _ => continue,
            };
            let for_white = if row.side_to_move() == Color::White { target } else { -target };
            rows.push(row.with_label(Label::centipawns(i64::from(for_white))));
        }
        std::mem::swap(&mut self.latest, &mut self.earlier);
    }
}

/// What a network can learn from a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Lesson {
    /// An exact score, for the side to move.
    Score(i32),
    /// A bound that the network's value violates.
    Violated(i32),
    /// A bound that it does not violate.
    Agrees,
}

/// What the table's score teaches about a position of this static value; `None` if such positions are left out.
fn lesson(known: &KnownScore, value: i32, row: &Row, settings: &RowSettings) -> Option<Lesson> {
    let is_tactical = settings.quiet && known.best.is_some_and(Move::is_noisy);
    if known.depth < settings.min_depth || known.score.is_decisive() || is_tactical {
        return None;
    }
    // The search scales evaluations towards a draw by the half-move clock, which the network does not see.
    let score = known.score.value() * 200 / (200 - i32::from(row.halfmove_clock().min(100)));
    Some(match known.kind {
        ScoreKind::Exact => Lesson::Score(score),
        ScoreKind::LowerBound if score > value => Lesson::Violated(score),
        ScoreKind::UpperBound if score < value => Lesson::Violated(score),
        ScoreKind::LowerBound | ScoreKind::UpperBound => Lesson::Agrees,
    })
}

impl Evaluator for Collector {
    fn reset(&mut self, board: &Board) {
        self.evaluator.reset(board);
    }

    fn play(&mut self, board: &mut Board, mv: Move) {
        self.evaluator.play(board, mv);
    }

    fn undo(&mut self) {
        self.evaluator.undo();
    }

    fn evaluate(&mut self, board: &Board) -> i32 {
        let value = self.evaluator.evaluate(board);
        if self.numbers.below(u64::from(self.every)) == 0 && !board.in_check() {
            self.latest.push(Evaluated { key: board.key(), value, row: Row::of_board(board) });
        }
        value
    }
}

#[cfg(test)]
mod tests {
    use alfiere_chess::board::KeyHistory;
    use alfiere_chess::movegen::legal_moves;
    use alfiere_chess::types::MoveKind;
    use alfiere_search::eval::Classical;
    use alfiere_search::search::Score;

    use super::*;
    use crate::searcher::Searcher;

    fn classical() -> AnyEvaluator {
        AnyEvaluator::Classical(Classical::new())
    }

    #[test]
    fn rows_have_the_scores_of_the_table_or_the_networks_own_value() {
        let settings = RowSettings { min_depth: 1, anchors: 1.0, ..RowSettings::default() };
        let start =
            Board::from_fen("r1bqk2r/ppp2ppp/2np1n2/2b1p3/2B1P3/2PP1N2/PP3PPP/RNBQ1RK1 w kq - 0 6").expect("legal");
        let mut searcher = Searcher::new(Collector::new(classical(), 1), 1);
        searcher.evaluator_mut().begin(1);
        searcher.search(&start, &KeyHistory::new(), 4_000);
        let mut rows = Vec::new();
        let (collector, table) = searcher.evaluator_and_table();
        collector.label(table, &settings, &mut rows);
        assert!(rows.is_empty(), "the next search may search these positions more deeply");
        collector.label(table, &settings, &mut rows);
        let (mut labelled, mut own) = (0, 0);
        for row in &rows {
            let board = row.to_board().expect("legal");
            let known = table.known_score(board.key()).expect("searched");
            let mut evaluator = classical();
            evaluator.reset(&board);
            let value = evaluator.evaluate(&board);
            let label = row.label().as_centipawns() * if board.side_to_move() == Color::White { 1 } else { -1 };
            let score = known.score.value() * 200 / (200 - i32::from(board.halfmove_clock()));
            let is_violated = match known.kind {
                ScoreKind::Exact => true,
                ScoreKind::LowerBound => value < score,
                ScoreKind::UpperBound => value > score,
            };
            assert_eq!(label, if is_violated { score } else { value }, "{}", row.to_fen());
            assert!(!board.in_check() && known.depth >= 1 && !known.best.is_some_and(Move::is_noisy));
            labelled += usize::from(is_violated);
            own += usize::from(!is_violated);
        }
        assert!(labelled > 10 && own > 10, "{labelled} and {own}");
    }

    #[test]
    fn only_violated_bounds_and_exact_scores_teach() {
        let settings = RowSettings { min_depth: 3, ..RowSettings::default() };
        let row = Row::of_board(&Board::startpos());
        let quiet = legal_moves(&Board::startpos())[0];
        let noisy = Move::new(quiet.source(), quiet.target(), MoveKind::Capture);
        let known = KnownScore { depth: 3, score: Score::evaluation(40), kind: ScoreKind::Exact, best: Some(quiet) };
        let of = |known: KnownScore, value| lesson(&known, value, &row, &settings);
        assert_eq!(of(known, 90), Some(Lesson::Score(40)));
        let [lower, upper] = [ScoreKind::LowerBound, ScoreKind::UpperBound].map(|kind| KnownScore { kind, ..known });
        assert_eq!([of(lower, 30), of(lower, 50)], [Some(Lesson::Violated(40)), Some(Lesson::Agrees)]);
        assert_eq!([of(upper, 30), of(upper, 50)], [Some(Lesson::Agrees), Some(Lesson::Violated(40))]);
        assert_eq!(of(KnownScore { depth: 2, ..known }, 90), None);
        assert_eq!(of(KnownScore { best: Some(noisy), ..known }, 90), None);
        assert_eq!(of(KnownScore { score: Score::mate_at(9), ..known }, 90), None);
    }
}
