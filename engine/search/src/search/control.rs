//! The strings by which a running search is held: stop, ponder hit, and the count of its nodes.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Condvar, Mutex, PoisonError};

use super::limits::Answer;

/// Shared by the caller of a search and all its threads.
#[derive(Default)]
pub struct Control {
    /// The search is to end.
    stopped: AtomicBool,
    /// The search has come to its own end; it may still have to wait before it answers.
    halted: AtomicBool,
    pondering: AtomicBool,
    gate: Mutex<()>,
    changed: Condvar,
    nodes: AtomicU64,
    tablebase_hits: AtomicU64,
}

impl Control {
    /// For a search that has not begun; `answer` says whether it ponders.
    pub fn new(answer: Answer) -> Self {
        Self { pondering: AtomicBool::new(answer == Answer::AfterPonderHit), ..Self::default() }
    }

    /// Ends the search as soon as possible; it still answers.
    pub fn stop(&self) {
        self.change(|| {
            self.stopped.store(true, Relaxed);
            self.halted.store(true, Relaxed);
        });
    }

    /// The expected move was played: from now on the clock counts.
    pub fn ponder_hit(&self) {
        self.change(|| self.pondering.store(false, Relaxed));
    }

    /// Nodes visited by all threads, a little behind.
    pub fn nodes(&self) -> u64 {
        self.nodes.load(Relaxed)
    }

    /// Positions that endgame tables knew, of all threads, a little behind.
    pub fn tablebase_hits(&self) -> u64 {
        self.tablebase_hits.load(Relaxed)
    }

    /// Ends the search of all threads, not the wait for the right moment to answer.
    pub(super) fn halt(&self) {
        self.halted.store(true, Relaxed);
    }

    pub(super) fn is_halted(&self) -> bool {
        self.halted.load(Relaxed)
    }

    pub(super) fn is_pondering(&self) -> bool {
        self.pondering.load(Relaxed)
    }

    /// Takes orders where nobody can give them from another thread; to be called often during a search.
    #[inline]
    #[cfg_attr(not(target_family = "wasm"), expect(clippy::unused_self, reason = "orders come from other threads"))]
    pub(super) fn listen(&self) {
        #[cfg(target_family = "wasm")]
        {
            let heard = crate::platform::heard();
            if heard.ponder_hit {
                self.ponder_hit();
            }
            if heard.stop {
                self.stop();
            }
        }
    }

    pub(super) fn add_nodes(&self, nodes: u64) {
        self.nodes.fetch_add(nodes, Relaxed);
    }

    pub(super) fn add_tablebase_hits(&self, hits: u64) {
        self.tablebase_hits.fetch_add(hits, Relaxed);
    }

    fn must_wait(&self, answer: Answer) -> bool {
        !self.stopped.load(Relaxed) && (answer == Answer::WhenStopped || self.is_pondering())
    }

    /// Sleeps until the search may answer.
    #[cfg(target_family = "wasm")]
    pub fn wait_for_leave(&self, answer: Answer) {
        while self.must_wait(answer) {
            self.listen();
            crate::platform::rest();
        }
    }

    /// Sleeps until the search may answer.
    #[cfg(not(target_family = "wasm"))]
    pub fn wait_for_leave(&self, answer: Answer) {
        let mut guard = self.gate.lock().unwrap_or_else(PoisonError::into_inner);
        while self.must_wait(answer) {
            guard = self.changed.wait(guard).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn change(&self, change: impl FnOnce()) {
        let _guard = self.gate.lock().unwrap_or_else(PoisonError::into_inner);
        change();
        self.changed.notify_all();
    }
}
