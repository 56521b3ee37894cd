//! Rows from the nodes of a search: every position that it evaluated has a value or a bound in the table.
//!
//! `TreeStrap` (Veness, Silver, Uther and Blair, 2009): a network learns from all nodes of its own searches. An exact score
//! is a label, and so is a bound that the static evaluation violates; a bound that it does not violate says nothing.

use alfiere_chess::board::Board;
use alfiere_chess::random::Random;
use alfiere_chess::types::{Color, Move};
use alfiere_data::{Label, Row};
use alfiere_search::eval::{AnyEvaluator, Evaluator};
use alfiere_search::search::{KnownScore, ScoreKind, Table};

use super::settings::RowSettings;

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
