//! Games of the engine against itself, played for the positions that their searches meet.

use std::time::Duration;

use alfiere::arena::random::Random;
use alfiere::arena::rules::draw_by_rules;
use alfiere::board::{Board, KeyHistory};
use alfiere::eval::{Judge, NetworkChoice};
use alfiere::movegen::legal_moves;
use alfiere::search::{Answer, Control, Job, Limits, Mind, Outcome, ProbeRules, Silent, Table, Tunables, search};
use alfiere::tablebase::Tablebases;
use alfiere::types::Move;

use super::sampler::Sampler;
use super::shards::Settings;
use crate::data::Row;
use crate::teacher::{Pupil, Teacher};

/// Size of the table, in MiB: the searches are small.
const TABLE_MIB: usize = 4;
/// Plies after which a game is given up.
const MAX_PLIES: usize = 260;
/// Internal centipawns beyond which a game counts as decided, and for how many plies on end.
const DECIDED: i32 = 2_000;
const DECIDED_PLIES: usize = 6;

/// Both players of one thread's games.
pub(super) struct Players<'a> {
    mind: Mind<Sampler<'a>>,
    table: Table,
    tunables: Tunables,
    settings: &'a Settings,
}

impl<'a> Players<'a> {
    pub(super) fn new(settings: &'a Settings, teacher: &'a Teacher, network: NetworkChoice) -> Self {
        let sampler = Sampler::new(Judge::neural(network), Pupil::new(teacher), settings.every);
        let (table, _) = Table::new(TABLE_MIB);
        Self { mind: Mind::new(sampler), table, tunables: Tunables::default(), settings }
    }

    /// Plays a game that these numbers alone decide on, and gives the positions met in order of their move numbers.
    pub(super) fn play(&mut self, numbers: &mut Random) -> Vec<Row> {
        self.mind.clear();
        self.table.clear(1);
        self.mind.evaluator_mut().reseed(numbers.next_number());
        let mut board = Board::startpos();
        let mut keys = KeyHistory::new();
        let mut play = |board: &mut Board, mv: Move| {
            keys.push(board);
            board.play(mv);
            draw_by_rules(board, &keys).is_some()
        };
        for _ in 0..4 + numbers.below(6) {
            match random_move(&board, numbers) {
                Some(mv) => _ = play(&mut board, mv),
                None => return Vec::new(),
            }
        }
        // In half of the games the players stumble now and then, so that worse positions are met too.
        let stumbles = numbers.below(2) == 0;
        let mut decided = 0;
        for _ in 0..MAX_PLIES {
            let found = self.think(&board, numbers);
            let Some(best) = found.best else { break };
            let score = found.score.value();
            decided = if score.abs() >= DECIDED { decided + 1 } else { 0 };
            let stumbled = (stumbles && numbers.below(12) == 0).then(|| random_move(&board, numbers)).flatten();
            if decided >= DECIDED_PLIES || play(&mut board, stumbled.unwrap_or(best)) {
                break;
            }
        }
        let mut rows = self.mind.evaluator_mut().take_rows();
        rows.sort_by_key(Row::fullmove_number);
        rows
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
            handicap: None,
            control: &Control::new(Answer::WhenDone),
        };
        search(std::slice::from_mut(&mut self.mind), &job, &mut Silent)
    }
}

fn random_move(board: &Board, numbers: &mut Random) -> Option<Move> {
    let moves = legal_moves(board);
    (!moves.is_empty()).then(|| moves[numbers.below(moves.len() as u64) as usize])
}
