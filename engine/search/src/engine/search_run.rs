//! One search of the engine: from a position and settings to the input of the search, and to an answer even if it panics.

use std::any::Any;

use alfiere_chess::board::{Board, KeyHistory};
use alfiere_chess::movegen::{MoveError, legal_moves, parse_uci_move};
use alfiere_chess::types::Move;
use alfiere_syzygy::Tablebases;

use super::player::SearchContext;
use super::scale::ScoreScale;
use super::settings::Settings;
use super::strength::Rating;
use crate::eval::AnyEvaluator;
use crate::search::{
    Control, Info, Limits, ProbeRules, Reporter, Score, ScoreKind, SearchInput, SearchResult, Table, ThreadData,
};

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
        Self::after(KeyHistory::new(), board)
    }

    /// A position after others.
    pub fn after(keys: KeyHistory, board: Board) -> Self {
        Self { board, keys }
    }

    pub fn board(&self) -> &Board {
        &self.board
    }

    pub fn keys(&self) -> &KeyHistory {
        &self.keys
    }

    /// Plays a move that is legal here, or a null move outside check.
    pub fn play(&mut self, mv: Move) {
        self.keys.push(&self.board);
        self.board.play_or_pass(mv);
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

// A reporter that keeps the best line so far, so that a search that panics still answers: a GUI without a move waits
// for ever.

/// Forwards all reports and keeps the best line.
pub(super) struct PanicFallback<'a> {
    reporter: &'a mut dyn Reporter,
    found: Option<SearchResult>,
    has_answered: bool,
}

impl<'a> PanicFallback<'a> {
    pub(super) fn new(reporter: &'a mut dyn Reporter) -> Self {
        Self { reporter, found: None, has_answered: false }
    }

    /// Answers in place of a search that panicked: with its best move so far, or with any.
    pub(super) fn answer(self, panic: &(dyn Any + Send), board: &Board) {
        let text = panic.downcast_ref::<&str>().copied();
        let reason = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("no reason given");
        self.reporter.failed(reason);
        if !self.has_answered {
            self.reporter.finished(&self.found.unwrap_or_else(|| any_move(board)));
        }
    }
}

fn any_move(board: &Board) -> SearchResult {
    let best = legal_moves(board).first().copied();
    let variation = Vec::from_iter(best);
    SearchResult {
        best,
        ponder: None,
        score: Score::DRAW,
        depth: 0,
        nodes: 0,
        time: std::time::Duration::ZERO,
        variation,
    }
}

impl Reporter for PanicFallback<'_> {
    fn wants_lines(&self) -> bool {
        self.reporter.wants_lines()
    }

    fn info(&mut self, info: &Info<'_>) {
        let &Info { depth, score, nodes, time, variation, .. } = info;
        if let (&[best, ref rest @ ..], 1, true) = (variation, info.line, info.kind != ScoreKind::UpperBound) {
            let (best, ponder, variation) = (Some(best), rest.first().copied(), variation.to_vec());
            self.found = Some(SearchResult { best, ponder, score, depth, nodes, time, variation });
        }
        self.reporter.info(info);
    }

    fn current_move(&mut self, depth: u32, mv: Move, number: usize) {
        self.reporter.current_move(depth, mv, number);
    }

    fn finished(&mut self, outcome: &SearchResult) {
        self.has_answered = true;
        self.reporter.finished(outcome);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{Sender, channel};

    use super::*;
    use crate::engine::{Engine, Settings};
    use crate::search::{Limits, Silent};

    /// A listener that breaks the search at depth 3.
    struct Broken {
        said: Sender<String>,
        threads: usize,
    }

    impl Reporter for Broken {
        fn info(&mut self, info: &Info<'_>) {
            assert!(info.depth < 3, "broken on purpose with {} threads", self.threads);
        }

        fn failed(&mut self, reason: &str) {
            self.said.send(reason.to_owned()).expect("somebody listens");
        }

        fn finished(&mut self, outcome: &SearchResult) {
            self.said.send(format!("depth {} {}", outcome.depth, outcome.best.is_some())).expect("somebody listens");
        }
    }

    #[test]
    fn a_search_that_panics_answers_and_the_engine_goes_on() {
        let mut engine = Engine::new();
        for threads in [1, 3] {
            engine.configure(Settings { threads, ..Settings::default() });
            let (said, heard) = channel();
            engine.go(Limits::depth(40), Broken { said, threads }).expect("a thread");
            engine.wait();
            let heard: Vec<String> = heard.iter().collect();
            assert_eq!(heard, [format!("broken on purpose with {threads} threads"), "depth 3 true".to_owned()]);
            assert_eq!(engine.search(&Limits::depth(2), &mut Silent).expect("a thread").depth, 2);
        }
    }
}
