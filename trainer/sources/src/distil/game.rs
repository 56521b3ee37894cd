//! Plays the engine against itself to collect the positions that its searches evaluate.

use alfiere_chess::board::{Board, KeyHistory};
use alfiere_chess::game::draw_by_rules;
use alfiere_chess::openings::Opening;
use alfiere_chess::random::Random;
use alfiere_chess::types::{Color, Move};
use alfiere_data::Row;
use alfiere_search::eval::{AnyEvaluator, NetworkChoice};
use alfiere_search::search::SearchResult;
use alfiere_teacher::Teacher;

use super::sampler::DistilSettings;
use super::sampler::Sampler;
use crate::searcher::{Searcher, random_move};

/// Hash size in MiB; the searches are small.
const TABLE_MIB: usize = 4;
/// Maximum number of plies in a game.
const MAX_PLIES: usize = 260;
/// Number of consecutive plies with a score beyond [`super::GameRules::decided`] that ends a game.
const DECIDED_PLIES: usize = 6;
/// First ply at which a game can be ended as a draw, after [`DRAWN_PLIES`] plies within [`super::GameRules::drawn`].
const DRAWN_FROM: usize = 60;
const DRAWN_PLIES: usize = 10;
/// Roots searched in sequence with the same transposition table and histories.
const ROOTS: usize = 100;
/// In games with stumbles, one move in this many is random.
const STUMBLE_EVERY: u64 = 12;

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
    searcher: Searcher<Sampler<'a>>,
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
        let sampler = Sampler::new(AnyEvaluator::neural(network), teacher.evaluator(), settings.every, settings.window);
        Self { searcher: Searcher::new(sampler, TABLE_MIB), settings, starts }
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
            draw_by_rules(board, &keys).is_some()
        };
        for &mv in opening.iter().flat_map(|opening| &opening.moves) {
            play(&mut board, mv);
        }
        let [fewest, most] = rules.random_plies.map(u64::from);
        for _ in 0..fewest + numbers.below(most - fewest + 1) {
            match random_move(&board, numbers) {
                Some(mv) => _ = play(&mut board, mv),
                None => return Vec::new(),
            }
        }
        let stumbles = numbers.chance(rules.stumbles);
        let (mut decided, mut drawn) = (0, 0);
        for ply in 0..MAX_PLIES {
            let found = self.search(&board, numbers);
            let Some(best) = found.best else { break };
            let score = found.score.value();
            self.searcher.evaluator_mut().centre(if board.side_to_move() == Color::White { score } else { -score });
            decided = if score.abs() >= rules.decided { decided + 1 } else { 0 };
            drawn = if ply >= DRAWN_FROM && score.abs() < rules.drawn { drawn + 1 } else { 0 };
            let stumbled =
                (stumbles && numbers.below(STUMBLE_EVERY) == 0).then(|| random_move(&board, numbers)).flatten();
            let is_over = decided >= DECIDED_PLIES || drawn >= DRAWN_PLIES;
            if is_over || play(&mut board, stumbled.unwrap_or(best)) {
                break;
            }
        }
        let mut rows = self.searcher.evaluator_mut().take_rows();
        rows.sort_by_key(Row::fullmove_number);
        rows
    }

    /// Positions of the searches of roots, root by root; roots in check and decided ones are skipped.
    fn search_roots(&mut self, roots: &[Row], numbers: &mut Random) -> Vec<Row> {
        for _ in 0..ROOTS {
            let Some(root) = roots.get(numbers.below(roots.len() as u64) as usize) else { break };
            if let Some(board) = searched_root(root, self.settings.games.decided) {
                self.searcher.evaluator_mut().centre(root.label().as_centipawns());
                self.search(&board, numbers);
            }
        }
        self.searcher.evaluator_mut().take_rows()
    }

    fn search(&mut self, board: &Board, numbers: &mut Random) -> SearchResult {
        let [low, high] = self.settings.nodes.map(u64::from);
        self.searcher.search(board, &KeyHistory::new(), low + numbers.below(high - low + 1))
    }
}

/// The position of a root that is searched: out of check, with a score that is not decided.
pub fn searched_root(root: &Row, decided: i32) -> Option<Board> {
    let is_open = root.label().as_centipawns().abs() < decided;
    root.to_board().ok().filter(|board| is_open && !board.in_check())
}
