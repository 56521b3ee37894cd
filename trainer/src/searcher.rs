//! One player of a game inside the program: an evaluator, its table and what it remembers of the game.

use std::time::Duration;

use alfiere_chess::board::{Board, KeyHistory};
use alfiere_chess::game::ReportedScore;
use alfiere_search::eval::Evaluator;
use alfiere_search::search::{
    Control, Limits, ProbeRules, SearchInput, SearchMode, SearchResult, Silent, Table, ThreadData, Tunables, search,
};
use alfiere_syzygy::Tablebases;

/// Hash size in MiB; the searches are small.
const TABLE_MIB: usize = 8;

/// Searches with one thread, at full strength and without endgame tables.
pub(super) struct Searcher<E> {
    data: ThreadData<E>,
    table: Table,
    tunables: Tunables,
}

impl<E: Evaluator> Searcher<E> {
    pub(super) fn new(evaluator: E) -> Self {
        let (table, _) = Table::new(TABLE_MIB);
        Self { data: ThreadData::new(evaluator), table, tunables: Tunables::default() }
    }

    /// Forgets the game before.
    pub(super) fn new_game(&mut self) {
        self.data.clear();
        self.table.clear(1);
    }

    pub(super) fn evaluator_mut(&mut self) -> &mut E {
        self.data.evaluator_mut()
    }

    /// The evaluator, and the table that the searches have filled.
    pub(super) fn evaluator_and_table(&mut self) -> (&mut E, &Table) {
        (self.data.evaluator_mut(), &self.table)
    }

    /// Searches a position for this number of nodes; `keys` are those of the positions before it.
    pub(super) fn search(&mut self, board: &Board, keys: &KeyHistory, nodes: u64) -> SearchResult {
        let input = SearchInput {
            board,
            keys,
            limits: &Limits::nodes(nodes),
            lines: 1,
            contempt: 0,
            move_overhead: Duration::ZERO,
            tunables: &self.tunables,
            tablebases: &Tablebases::none(),
            probe_rules: ProbeRules::default(),
            table: &self.table,
            strength_limit: None,
            control: &Control::new(SearchMode::Normal),
        };
        search(std::slice::from_mut(&mut self.data), &input, &mut Silent)
    }
}

/// The score of a search as adjudication reads it.
pub(super) fn reported(found: &SearchResult) -> ReportedScore {
    match found.score.moves_to_mate() {
        Some(moves) => ReportedScore::Mate(moves),
        None => ReportedScore::Centipawns(found.score.value()),
    }
}
