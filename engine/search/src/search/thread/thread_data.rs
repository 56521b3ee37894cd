//! What a thread keeps from one search to the next.

use super::counters::{Counters, SearchCounts};
use super::frame::Frames;
use super::reduction_table::Reductions;
use super::variation::Variations;
use crate::search::ordering::{CorrectionHistory, History};
use crate::search::score::Score;

/// A thread's evaluator, statistics and buffers.
pub struct ThreadData<E> {
    pub(crate) evaluator: E,
    pub(crate) history: History,
    pub(crate) corrections: CorrectionHistory,
    pub(crate) reductions: Option<Reductions>,
    pub(crate) frames: Option<Frames>,
    pub(crate) variations: Option<Variations>,
    pub(crate) counters: Counters,
    /// The score of the last search, which was of the move before if a game goes on.
    pub(crate) last_score: Option<Score>,
}

impl<E> ThreadData<E> {
    /// A thread that has not searched yet.
    pub fn new(evaluator: E) -> Self {
        Self {
            evaluator,
            history: History::new(),
            corrections: CorrectionHistory::new(),
            reductions: None,
            frames: None,
            variations: None,
            counters: Counters::default(),
            last_score: None,
        }
    }

    /// The evaluator.
    pub fn evaluator_mut(&mut self) -> &mut E {
        &mut self.evaluator
    }

    /// What happened in the searches since the last call; `None` without the feature `counters`.
    pub fn take_counts(&mut self) -> Option<SearchCounts> {
        self.counters.take()
    }

    /// Forgets everything about earlier games.
    pub fn clear(&mut self) {
        self.history.clear();
        self.corrections.clear();
        self.last_score = None;
    }
}
