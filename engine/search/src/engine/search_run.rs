//! One search of the engine: from a position and settings to the input of the search.

use alfiere_chess::board::{Board, KeyHistory};
use alfiere_chess::movegen::{MoveError, parse_uci_move};
use alfiere_chess::types::Move;
use alfiere_syzygy::Tablebases;

use super::player::SearchContext;
use super::scale::ScoreScale;
use super::settings::Settings;
use super::strength::Rating;
use crate::eval::AnyEvaluator;
use crate::search::{Control, Limits, ProbeRules, Reporter, SearchInput, SearchResult, Table, ThreadData};

/// One search: all that it needs besides thread data and limits.
pub(super) struct SearchRun<'a> {
    pub(super) position: &'a Position,
    pub(super) settings: &'a Settings,
    /// `None` for full strength.
    pub(super) level: Option<Rating>,
    pub(super) random: u64,
    pub(super) tablebases: &'a Tablebases,
    pub(super) table: &'a Table,
    pub(super) game_seed: u64,
    pub(super) control: &'a Control,
}

impl SearchRun<'_> {
    pub(super) fn run(
        &self,
        thread_data: &mut [ThreadData<AnyEvaluator>],
        limits: &Limits,
        reporter: &mut dyn Reporter,
    ) -> SearchResult {
        let input = SearchInput {
            board: self.position.board(),
            keys: self.position.keys(),
            limits,
            lines: self.settings.lines,
            contempt: ScoreScale::of(self.position.board()).to_internal(self.settings.effective_contempt()),
            move_overhead: self.settings.move_overhead,
            tunables: &self.settings.tunables,
            tablebases: self.tablebases,
            probe_rules: self.settings.probe_rules,
            table: self.table,
            strength_limit: None,
            control: self.control,
        };
        let context = SearchContext { beam: self.settings.beam, random: self.random };
        match self.level {
            Some(level) => self.run_limited(level, thread_data, context, &input, reporter),
            None => self.settings.player.search(thread_data, context, &input, reporter),
        }
    }

    /// Limited strength searches with one thread and without endgame tables, so that it is the same on every machine.
    fn run_limited(
        &self,
        level: Rating,
        thread_data: &mut [ThreadData<AnyEvaluator>],
        context: SearchContext,
        input: &SearchInput<'_>,
        reporter: &mut dyn Reporter,
    ) -> SearchResult {
        let strength_limit = level.strength_limit(input.board, self.game_seed);
        let limits = level.limit(input.limits, input.lines);
        let probe_rules = ProbeRules { pieces: 0, ..input.probe_rules };
        let input = SearchInput { limits: &limits, strength_limit: Some(&strength_limit), probe_rules, ..*input };
        self.settings.player.search(&mut thread_data[..1], context, &input, reporter)
    }
}

/// A board and the positions played before it.
#[derive(Clone, Default, Debug)]
pub struct Position {
    board: Board,
    keys: KeyHistory,
}

impl Position {
    /// A position without a past.
    pub fn new(board: Board) -> Self {
        Self { board, keys: KeyHistory::new() }
    }

    /// The board as it stands.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The positions played before.
    pub fn keys(&self) -> &KeyHistory {
        &self.keys
    }

    /// Plays a move that is legal here.
    pub fn play(&mut self, mv: Move) {
        self.keys.push(&self.board);
        self.board.play(mv);
    }

    /// Plays a move as UCI writes it.
    ///
    /// # Errors
    /// If it is no move or not legal here; the position stays as it was.
    pub fn play_uci(&mut self, text: &str) -> Result<(), MoveError> {
        let mv = parse_uci_move(&self.board, text)?;
        self.play(mv);
        Ok(())
    }
}
