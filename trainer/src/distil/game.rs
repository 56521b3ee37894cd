//! Games of the engine against itself, played for the positions that their searches meet.

use std::time::Duration;

use alfiere_chess::board::{Board, KeyHistory};
use alfiere_chess::game::draw_by_rules;
use alfiere_chess::movegen::legal_moves;
use alfiere_chess::openings::Opening;
use alfiere_chess::random::Random;
use alfiere_chess::types::{Color, Move};
use alfiere_search::eval::{AnyEvaluator, NetworkChoice};
use alfiere_search::search::{
    Answer, Control, Job, Limits, Outcome, ProbeRules, Silent, Table, ThreadData, Tunables, search,
};
use alfiere_syzygy::Tablebases;

use super::sampler::Sampler;
use super::settings::DistilSettings;
use crate::data::Row;
use crate::teacher::Teacher;

/// Size of the table, in MiB: the searches are small.
const TABLE_MIB: usize = 4;
/// Plies after which a game is given up.
const MAX_PLIES: usize = 260;
/// Plies in a row that the score must be beyond [`super::GameRules::decided`].
const DECIDED_PLIES: usize = 6;
/// From this ply on a game may be given up as drawn, when its score has been within [`super::GameRules::drawn`] for so long.
const DRAWN_FROM: usize = 60;
const DRAWN_PLIES: usize = 10;
/// Roots that are searched one after the other, with the table and the histories of those before.
const ROOTS: usize = 100;
/// One move in this many is random in games with stumbles.
const STUMBLE_EVERY: u64 = 12;

/// Where the searches begin whose positions are kept.
#[derive(Clone, Copy, Debug)]
pub enum Starts<'a> {
    /// Games from these openings, or from the initial position if there are none.
    Openings(&'a [Opening]),
    /// One search of each position, drawn at random: positions that other games reached, with the score there.
    Roots(&'a [Row]),
}

/// Both players of one thread's games.
pub(super) struct Players<'a> {
    data: ThreadData<Sampler<'a>>,
    table: Table,
    tunables: Tunables,
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
        let (table, _) = Table::new(TABLE_MIB);
        Self { data: ThreadData::new(sampler), table, tunables: Tunables::default(), settings, starts }
    }

    /// Positions of one game, or of the searches of some roots, that these numbers alone decide on.
    pub(super) fn positions(&mut self, numbers: &mut Random) -> Vec<Row> {
        self.data.clear();
        self.table.clear(1);
        self.data.evaluator_mut().begin(numbers.next_number());
        match self.starts {
            Starts::Openings(openings) => self.play(openings, numbers),
            Starts::Roots(roots) => self.search_roots(roots, numbers),
        }
    }

    /// Positions of a game, in order of their move numbers.
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
            let found = self.think(&board, numbers);
            let Some(best) = found.best else { break };
            let score = found.score.value();
            self.data.evaluator_mut().centre(if board.side_to_move() == Color::White { score } else { -score });
            decided = if score.abs() >= rules.decided { decided + 1 } else { 0 };
            drawn = if ply >= DRAWN_FROM && score.abs() < rules.drawn { drawn + 1 } else { 0 };
            let stumbled =
                (stumbles && numbers.below(STUMBLE_EVERY) == 0).then(|| random_move(&board, numbers)).flatten();
            let is_over = decided >= DECIDED_PLIES || drawn >= DRAWN_PLIES;
            if is_over || play(&mut board, stumbled.unwrap_or(best)) {
                break;
            }
        }
        let mut rows = self.data.evaluator_mut().take_rows();
        rows.sort_by_key(Row::fullmove_number);
        rows
    }

    /// Positions of searches of roots, root after root; those in check and those decided are passed over.
    fn search_roots(&mut self, roots: &[Row], numbers: &mut Random) -> Vec<Row> {
        for _ in 0..ROOTS {
            let Some(root) = roots.get(numbers.below(roots.len() as u64) as usize) else { break };
            let score = root.label().as_centipawns();
            if score.abs() < self.settings.games.decided
                && let Ok(board) = root.to_board()
                && !board.in_check()
            {
                self.data.evaluator_mut().centre(score);
                self.think(&board, numbers);
            }
        }
        self.data.evaluator_mut().take_rows()
    }

    fn think(&mut self, board: &Board, numbers: &mut Random) -> Outcome {
        let [low, high] = self.settings.nodes;
        let limits = Limits::nodes(u64::from(low) + numbers.below(u64::from(high - low) + 1));
        let job = Job {
            board,
            keys: &KeyHistory::new(),
            limits: &limits,
            lines: 1,
            contempt: 0,
            move_overhead: Duration::ZERO,
            tunables: &self.tunables,
            tablebases: &Tablebases::none(),
            probe_rules: ProbeRules::default(),
            table: &self.table,
            strength_limit: None,
            control: &Control::new(Answer::WhenDone),
        };
        search(std::slice::from_mut(&mut self.data), &job, &mut Silent)
    }
}

fn random_move(board: &Board, numbers: &mut Random) -> Option<Move> {
    let moves = legal_moves(board);
    (!moves.is_empty()).then(|| moves[numbers.below(moves.len() as u64) as usize])
}
