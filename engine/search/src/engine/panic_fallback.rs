//! A reporter that keeps the best line so far, so that a search that panics still answers: a GUI without a move waits
//! for ever.

use std::any::Any;

use alfiere_chess::board::Board;
use alfiere_chess::movegen::legal_moves;
use alfiere_chess::types::Move;

use crate::search::{Info, Reporter, Score, ScoreKind, SearchResult};

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
