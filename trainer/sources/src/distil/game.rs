//! Plays the engine against itself to collect the positions that its searches evaluate.

use std::convert::Infallible;

use alfiere_chess::board::{Board, KeyHistory};
use alfiere_chess::game::{GameResult, draw_by_rules};
use alfiere_chess::openings::Opening;
use alfiere_chess::random::Random;
use alfiere_chess::types::Move;
use alfiere_data::{Label, Row};
use alfiere_search::eval::{AnyEvaluator, NetworkChoice};
use alfiere_teacher::{Evaluator as TeacherEvaluator, Teacher};
use serde::{Deserialize, Serialize};

use crate::collector::{Collector, Labeller};
use crate::game_loop::{STUMBLE_EVERY, Step, best_or_random, play_game, random_move};
use crate::searcher::{Searcher, for_white};

/// Hash size in MiB; the searches are small.
const TABLE_MIB: usize = 4;
const MAX_PLIES: u32 = 260;
/// Number of consecutive plies with a score beyond [`super::GameRules::decided`] that ends a game.
const DECIDED_PLIES: usize = 6;
/// First ply at which a game can be ended as a draw, after [`DRAWN_PLIES`] plies within [`super::GameRules::drawn`].
const DRAWN_FROM: usize = 60;
const DRAWN_PLIES: usize = 10;
/// Roots searched in sequence with the same transposition table and histories.
const ROOTS: usize = 100;

/// The root positions of the searches.
#[derive(Clone, Copy, Debug)]
pub enum Starts<'a> {
    /// Games from these openings, or from the initial position if there are none.
    Openings(&'a [Opening]),
    /// One search for each of these positions, drawn at random: positions of other games with their scores.
    Roots(&'a [Row]),
}

/// The engine of one thread, for both sides.
pub(super) struct Players<'a> {
    searcher: Searcher<Collector<TeacherLabels<'a>>>,
    settings: &'a DistilSettings,
    starts: Starts<'a>,
}

impl<'a> Players<'a> {
    pub(super) fn new(
        settings: &'a DistilSettings,
        teacher: &'a Teacher,
        network: NetworkChoice,
        starts: Starts<'a>,
    ) -> Self {
        let labels =
            TeacherLabels { teacher: teacher.evaluator(), window: settings.window, score: None, rows: Vec::new() };
        let collector = Collector::new(AnyEvaluator::neural(network), settings.every, labels);
        Self { searcher: Searcher::new(collector, TABLE_MIB), settings, starts }
    }

    /// Positions of one game, or of the searches of some roots, determined only by these random numbers.
    pub(super) fn positions(&mut self, numbers: &mut Random) -> Vec<Row> {
        self.searcher.new_game();
        self.searcher.evaluator_mut().begin(numbers.next_number());
        match self.starts {
            Starts::Openings(openings) => self.play(openings, numbers),
            Starts::Roots(roots) => self.search_roots(roots, numbers),
        }
    }

    /// Positions of one game, in game order.
    fn play(&mut self, openings: &[Opening], numbers: &mut Random) -> Vec<Row> {
        let rules = &self.settings.games;
        let opening = match openings.len() {
            0 => None,
            count => openings.get(numbers.below(count as u64) as usize),
        };
        let mut board = opening.map_or_else(Board::startpos, |opening| opening.start.clone());
        let mut keys = KeyHistory::new();
        let mut play = |board: &mut Board, mv: Move| {
            keys.push(board);
            board.play(mv);
        };
        for &mv in opening.iter().flat_map(|opening| &opening.moves) {
            play(&mut board, mv);
        }
        let [fewest, most] = rules.random_plies.map(u64::from);
        for _ in 0..fewest + numbers.below(most - fewest + 1) {
            match random_move(&board, numbers) {
                Some(mv) => play(&mut board, mv),
                None => return Vec::new(),
            }
        }
        let stumbles = numbers.chance(rules.stumbles).then_some(STUMBLE_EVERY);
        let (mut ply, mut decided, mut drawn) = (0, 0, 0);
        // The search of a position without moves also takes a random number.
        let over = |board: &Board, keys: &KeyHistory| draw_by_rules(board, keys).map(|_| GameResult::Draw);
        let nodes = self.settings.nodes;
        let Ok::<_, Infallible>(_) = play_game((board, keys), MAX_PLIES, over, |board, _| {
            let found = self.searcher.search_between(board, &KeyHistory::new(), nodes, numbers);
            let Some(best) = found.best else { return Ok(Step::End(GameResult::Draw)) };
            let score = found.score.value();
            self.centre(for_white(board.side_to_move(), score));
            decided = if score.abs() >= rules.decided { decided + 1 } else { 0 };
            drawn = if ply >= DRAWN_FROM && score.abs() < rules.drawn { drawn + 1 } else { 0 };
            ply += 1;
            let mv = best_or_random(board, best, stumbles, numbers);
            let is_over = decided >= DECIDED_PLIES || drawn >= DRAWN_PLIES;
            Ok(if is_over { Step::End(GameResult::Draw) } else { Step::Play(mv, None) })
        });
        let mut rows = self.take_rows();
        rows.sort_by_key(Row::fullmove_number);
        rows
    }

    /// Positions of the searches of roots, root by root; roots in check and decided ones are skipped.
    fn search_roots(&mut self, roots: &[Row], numbers: &mut Random) -> Vec<Row> {
        for _ in 0..ROOTS {
            let Some(root) = roots.get(numbers.below(roots.len() as u64) as usize) else { break };
            if let Some(board) = searched_root(root, self.settings.games.decided) {
                self.centre(root.label().as_centipawns());
                self.searcher.search_between(&board, &KeyHistory::new(), self.settings.nodes, numbers);
            }
        }
        self.take_rows()
    }

    /// Centres the window on a score from White's point of view, in internal units.
    fn centre(&mut self, score: i32) {
        self.searcher.evaluator_mut().labeller.score = Some(score);
    }

    fn take_rows(&mut self) -> Vec<Row> {
        std::mem::take(&mut self.searcher.evaluator_mut().labeller.rows)
    }
}

/// The position of a root that is searched: out of check, with a score that is not decided.
pub fn searched_root(root: &Row, decided: i32) -> Option<Board> {
    let is_open = root.label().as_centipawns().abs() < decided;
    root.to_board().ok().filter(|board| is_open && !board.in_check())
}

/// Positions whose static evaluation is far from the score of the game are kept less often: there a search only needs
/// to distinguish winning from losing.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Window {
    /// Half width of the window around the score of the last move, in internal units.
    pub units: i32,
    /// Of the positions outside the window, one in this many is kept, relative to those inside.
    pub outside: u32,
}

/// Labels positions with the teacher's evaluation.
struct TeacherLabels<'a> {
    teacher: TeacherEvaluator<'a>,
    window: Option<Window>,
    /// The score of the game from White's point of view, if known.
    score: Option<i32>,
    rows: Vec<Row>,
}

impl TeacherLabels<'_> {
    fn is_wanted(&self, board: &Board, value: i32, numbers: &mut Random) -> bool {
        let (Some(window), Some(score)) = (self.window, self.score) else { return true };
        (for_white(board.side_to_move(), value) - score).abs() <= window.units
            || numbers.below(u64::from(window.outside)) == 0
    }
}

impl Labeller for TeacherLabels<'_> {
    fn begin(&mut self) {
        self.score = None;
    }

    fn take(&mut self, board: &Board, value: i32, numbers: &mut Random) {
        if !self.is_wanted(board, value, numbers) {
            return;
        }
        let value = for_white(board.side_to_move(), self.teacher.evaluate(board));
        self.rows.push(Row::of_board(board).with_label(Label::centipawns(i64::from(value))));
    }
}

/// Everything the rows depend on. A copy is stored with the files, so that files with different settings are not mixed.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct DistilSettings {
    /// Hash of the teacher's file.
    pub teacher: String,
    /// Hash of the playing network.
    pub player: String,
    pub seed: u64,
    pub shard_rows: usize,
    /// Minimum and maximum number of nodes per move.
    pub nodes: [u32; 2],
    /// Of the positions that searches evaluate, one in this many is kept.
    pub every: u32,
    pub games: GameRules,
    /// Which of the evaluated positions are kept more often.
    pub window: Option<Window>,
}

/// How games start and end.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct GameRules {
    /// Hashes of the opening files; none for the initial position.
    pub openings: Vec<String>,
    /// Hashes of the files of root positions that are searched instead of playing games; none if games are played.
    pub roots: Vec<String>,
    /// Minimum and maximum number of random moves after the opening.
    pub random_plies: [u32; 2],
    /// Share of games in which one move in twelve is random, so that unbalanced positions also occur.
    pub stumbles: f64,
    /// Score in internal units beyond which a game is ended as decided.
    pub decided: i32,
    /// Score in internal units within which a long game is ended as a draw; 0 disables this rule.
    pub drawn: i32,
}

impl Default for GameRules {
    /// Games from the initial position with random first moves and stumbles in half of them, played almost to the end.
    fn default() -> Self {
        Self { openings: Vec::new(), roots: Vec::new(), random_plies: [4, 9], stumbles: 0.5, decided: 2_000, drawn: 0 }
    }
}

#[cfg(test)]
mod tests {
    use alfiere_search::eval::NetworkChoice;

    use super::*;

    #[test]
    fn positions_outside_the_window_are_kept_less_often() {
        let teacher = Teacher::Own(Box::new((*NetworkChoice::default()).clone()));
        let window = Window { units: 300, outside: 4 };
        let mut labels =
            TeacherLabels { teacher: teacher.evaluator(), window: Some(window), score: None, rows: Vec::new() };
        let mut numbers = Random::new(1);
        let mut black = Board::startpos();
        black.play(alfiere_chess::movegen::legal_moves(&black)[0]);
        assert!((0..100).all(|_| labels.is_wanted(&black, 5_000, &mut numbers)), "the score is not known yet");
        labels.score = Some(-500);
        let mut kept = |value| (0..1_000).filter(|_| labels.is_wanted(&black, value, &mut numbers)).count();
        assert_eq!([kept(200), kept(500), kept(800)], [1_000; 3]);
        assert!([199, 801, -500].map(kept).iter().all(|count| (180..320).contains(count)));
    }
}
