//! One player of a game inside the program: an evaluator, its table and what it remembers of the game.

use std::time::Duration;

use alfiere_chess::board::{Board, KeyHistory};
use alfiere_chess::game::ReportedScore;
use alfiere_chess::random::Random;
use alfiere_chess::types::Color;
use alfiere_search::eval::Evaluator;
use alfiere_search::search::{
    Control, Limits, ProbeRules, SearchInput, SearchMode, SearchResult, Silent, Table, ThreadData, search,
};
use alfiere_syzygy::Tablebases;

/// Searches with one thread, at full strength and without endgame tables.
pub(crate) struct Searcher<E> {
    data: ThreadData<E>,
    table: Table,
}

impl<E: Evaluator> Searcher<E> {
    /// A player with a table of this many MiB.
    pub(crate) fn new(evaluator: E, table_mib: usize) -> Self {
        let (table, _) = Table::new(table_mib);
        Self { data: ThreadData::new(evaluator), table }
    }

    /// Forgets the game before.
    pub(crate) fn new_game(&mut self) {
        self.data.clear();
        self.table.clear(1);
    }

    pub(crate) fn evaluator_mut(&mut self) -> &mut E {
        self.data.evaluator_mut()
    }

    pub(crate) fn evaluator_and_table(&mut self) -> (&mut E, &Table) {
        (self.data.evaluator_mut(), &self.table)
    }

    /// Searches a position for this number of nodes; `keys` are those of the positions before it.
    pub(crate) fn search(&mut self, board: &Board, keys: &KeyHistory, nodes: u64) -> SearchResult {
        let input = SearchInput {
            board,
            keys,
            limits: &Limits::nodes(nodes),
            lines: 1,
            contempt: 0,
            move_overhead: Duration::ZERO,
            tablebases: &Tablebases::none(),
            probe_rules: ProbeRules::default(),
            table: &self.table,
            strength_limit: None,
            control: &Control::new(SearchMode::Normal),
        };
        search(std::slice::from_mut(&mut self.data), &input, &mut Silent)
    }

    /// Searches for a random number of nodes, from the first to the second of these.
    pub(crate) fn search_between(
        &mut self,
        board: &Board,
        keys: &KeyHistory,
        [low, high]: [u32; 2],
        numbers: &mut Random,
    ) -> SearchResult {
        self.search(board, keys, u64::from(low) + numbers.below(u64::from(high - low) + 1))
    }
}

/// A value for this side, from White's point of view.
pub(crate) fn for_white(side: Color, value: i32) -> i32 {
    if side == Color::White { value } else { -value }
}

/// The score of a search as adjudication reads it.
pub(crate) fn reported(found: &SearchResult) -> ReportedScore {
    match found.score.moves_to_mate() {
        Some(moves) => ReportedScore::Mate(moves),
        None => ReportedScore::Centipawns(found.score.value()),
    }
}
