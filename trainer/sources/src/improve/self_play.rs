//! Games of a network against itself, and the rows of their searches.

use std::convert::Infallible;

use alfiere_chess::board::{Board, KeyHistory};
use alfiere_chess::game::{Adjudicator, GameResult, GameRules, ResignRule};
use alfiere_chess::random::Random;
use alfiere_chess::types::Move;
use alfiere_data::{Label, Row, RowResult};
use alfiere_search::eval::AnyEvaluator;
use alfiere_search::genfens::{PlyRange, StartPositions};
use alfiere_search::search::{KnownScore, ScoreKind, Table};
use rayon::prelude::*;

use super::TABLE_MIB;
use super::settings::RowSettings;
use crate::collector::{Collector, Labeller};
use crate::game_loop::{STUMBLE_EVERY, Step, best_or_random, by_rules, by_scores, play_game};
use crate::row_files::{NoRows, rows_of_games};
use crate::searcher::{Searcher, for_white, reported};

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
) -> Result<Vec<Row>, NoRows> {
    let starts = StartPositions::new(Vec::new(), plies);
    let parts = settings.count.div_ceil(settings.per_file);
    let rows = (0..parts).into_par_iter().map_init(
        || SelfPlay::new(evaluator(), settings, &starts),
        |player, part| {
            let mut numbers = Random::for_part(seed, part);
            rows_of_games(settings.per_file as usize, || Some(player.rows(&mut numbers)))
        },
    );
    let rows: Vec<Option<Vec<Row>>> = rows.collect::<Result<_, _>>()?;
    Ok(rows.into_iter().flatten().flatten().collect())
}

/// The player of one thread, for both sides.
pub(super) struct SelfPlay<'a> {
    searcher: Searcher<Collector<SearchLabels>>,
    settings: &'a RowSettings,
    starts: &'a StartPositions,
}

impl<'a> SelfPlay<'a> {
    pub(super) fn new(evaluator: AnyEvaluator, settings: &'a RowSettings, starts: &'a StartPositions) -> Self {
        let collector = Collector::new(evaluator, settings.every, SearchLabels::default());
        let searcher = Searcher::new(collector, TABLE_MIB);
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

    fn play(&mut self, start: Board, numbers: &mut Random) -> Vec<Row> {
        let stumbles = numbers.chance(self.settings.stumbles).then_some(STUMBLE_EVERY);
        let mut adjudicator = Adjudicator::new(RULES);
        let mut rows: Vec<Row> = Vec::new();
        // The rows whose labels agree with the score of the game.
        let mut agreeing = Vec::new();
        let Ok::<_, Infallible>(result) =
            play_game((start, KeyHistory::new()), RULES.max_plies, by_rules, |board, keys| {
                let found = self.searcher.search_between(board, keys, self.settings.nodes, numbers);
                let Some(best) = found.best else { return Ok(Step::End(GameResult::Draw)) };
                let score = for_white(board.side_to_move(), found.score.value());
                self.label(score, &mut rows, &mut agreeing);
                if let Some(result) = by_scores(&mut adjudicator, board, reported(&found)) {
                    return Ok(Step::End(result));
                }
                Ok(Step::Play(best_or_random(board, best, stumbles, numbers), None))
            });
        self.label(0, &mut rows, &mut Vec::new());
        if stumbles.is_none() {
            for index in agreeing {
                rows[index] = rows[index].with_result(RowResult::from(result));
            }
        }
        rows
    }

    /// Adds the rows of the search before the last, and the numbers of those that agree with this score.
    fn label(&mut self, score: i32, rows: &mut Vec<Row>, agreeing: &mut Vec<usize>) {
        let first = rows.len();
        let (collector, table) = self.searcher.evaluator_and_table();
        collector.labeller.label(table, self.settings, &mut collector.numbers, rows);
        let agrees = |row: &Row| (row.label().as_centipawns() - score).abs() <= self.settings.result_window;
        agreeing.extend((first..rows.len()).filter(|&index| agrees(&rows[index])));
    }
}

struct Evaluated {
    key: u64,
    /// The network's value for the side to move.
    value: i32,
    row: Row,
}

/// Labels positions by what the table knows of them after the next search.
#[derive(Default)]
struct SearchLabels {
    /// Positions of the last search, and of the search before it.
    latest: Vec<Evaluated>,
    earlier: Vec<Evaluated>,
}

impl SearchLabels {
    /// Adds rows of the positions that the search before the last has evaluated: the last may have searched them more deeply.
    /// At the end of a game, another call adds those of the last search.
    fn label(&mut self, table: &Table, settings: &RowSettings, numbers: &mut Random, rows: &mut Vec<Row>) {
        for Evaluated { key, value, row } in self.earlier.drain(..) {
            let target = match table.known_score(key).and_then(|known| lesson(&known, value, &row, settings)) {
                Some(Lesson::Score(score)) => score,
                Some(Lesson::Violated(bound)) if numbers.chance(settings.bounds) => bound,
                Some(Lesson::Agrees) if numbers.chance(settings.anchors) => value,
                _ => continue,
            };
            let label = i64::from(for_white(row.side_to_move(), target));
            rows.push(row.with_label(Label::centipawns(label)));
        }
        std::mem::swap(&mut self.latest, &mut self.earlier);
    }
}

impl Labeller for SearchLabels {
    fn begin(&mut self) {
        self.latest.clear();
        self.earlier.clear();
    }

    fn take(&mut self, board: &Board, value: i32, _: &mut Random) {
        self.latest.push(Evaluated { key: board.key(), value, row: Row::of_board(board) });
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

#[cfg(test)]
mod tests {
    use alfiere_chess::movegen::legal_moves;
    use alfiere_chess::types::MoveKind;
    use alfiere_search::eval::{Classical, Evaluator as _};
    use alfiere_search::search::Score;

    use super::*;

    fn classical() -> AnyEvaluator {
        AnyEvaluator::Classical(Classical::new())
    }

    #[test]
    fn rows_have_the_scores_of_the_table_or_the_networks_own_value() {
        let settings = RowSettings { min_depth: 1, anchors: 1.0, ..RowSettings::default() };
        let start =
            Board::from_fen("r1bqk2r/ppp2ppp/2np1n2/2b1p3/2B1P3/2PP1N2/PP3PPP/RNBQ1RK1 w kq - 0 6").expect("legal");
        let mut searcher = Searcher::new(Collector::new(classical(), 1, SearchLabels::default()), 1);
        searcher.evaluator_mut().begin(1);
        searcher.search(&start, &KeyHistory::new(), 4_000);
        let mut rows = Vec::new();
        let (Collector { labeller, numbers, .. }, table) = searcher.evaluator_and_table();
        labeller.label(table, &settings, numbers, &mut rows);
        assert!(rows.is_empty(), "the next search may search these positions more deeply");
        labeller.label(table, &settings, numbers, &mut rows);
        let (mut labelled, mut own) = (0, 0);
        for row in &rows {
            let board = row.to_board().expect("legal");
            let known = table.known_score(board.key()).expect("searched");
            let mut evaluator = classical();
            evaluator.reset(&board);
            let value = evaluator.evaluate(&board);
            let label = for_white(board.side_to_move(), row.label().as_centipawns());
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
    fn settings_that_leave_out_every_position_are_refused() {
        let settings =
            RowSettings { min_depth: 99, nodes: [20, 30], per_file: 10, count: 10, ..RowSettings::default() };
        let refused = self_play_rows(classical, &settings, PlyRange { min: 6, max: 9 }, 1).expect_err("no rows");
        assert!(refused.to_string().starts_with("100 games in a row gave no row"), "{refused}");
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
