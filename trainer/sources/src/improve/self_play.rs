//! Games of a network against itself, and the rows of their searches.

use std::convert::Infallible;

use alfiere_chess::board::{Board, KeyHistory};
use alfiere_chess::game::{Adjudicator, GameResult, GameRules, ResignRule, Ruling, end_by_rules};
use alfiere_chess::random::Random;
use alfiere_chess::types::Color;
use alfiere_data::{Row, RowResult};
use alfiere_search::eval::AnyEvaluator;
use alfiere_search::genfens::{PlyRange, StartPositions};
use alfiere_search::search::SearchResult;
use rayon::prelude::*;

use super::TABLE_MIB;
use super::settings::RowSettings;
use super::tree::Collector;
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
            let result = match result {
                Some(GameResult::Win(Color::White)) => RowResult::WhiteWins,
                Some(GameResult::Win(Color::Black)) => RowResult::BlackWins,
                Some(GameResult::Draw) | None => RowResult::Draw,
            };
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
