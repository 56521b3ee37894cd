//! The handle of a running search: stop and ponder-hit signals, and the counts of nodes and tablebase hits.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Condvar, Mutex, PoisonError};

use super::limits::SearchMode;

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
    /// For a search that has not begun; `mode` says whether it ponders.
    pub fn new(mode: SearchMode) -> Self {
        Self { pondering: AtomicBool::new(mode == SearchMode::Ponder), ..Self::default() }
    }

    /// Ends the search as soon as possible; it still answers.
    pub fn stop(&self) {
        self.change(|| {
            self.stopped.store(true, Relaxed);
            self.halted.store(true, Relaxed);
        });
    }

    /// Prepares for the next of several searches: counts start at zero, a stop signal stays.
    pub fn next_search(&self) {
        self.nodes.store(0, Relaxed);
        self.tablebase_hits.store(0, Relaxed);
        self.change(|| self.halted.store(self.stopped.load(Relaxed), Relaxed));
    }

    /// Whether a stop signal has arrived.
    pub fn is_stopped(&self) -> bool {
        self.poll_host();
        self.stopped.load(Relaxed)
    }

    /// The expected move was played: from now on the clock counts.
    pub fn ponder_hit(&self) {
        self.change(|| self.pondering.store(false, Relaxed));
    }

    /// Nodes searched by all threads; updated at intervals.
    pub fn nodes(&self) -> u64 {
        self.nodes.load(Relaxed)
    }

    /// Tablebase hits of all threads; updated at intervals.
    pub fn tablebase_hits(&self) -> u64 {
        self.tablebase_hits.load(Relaxed)
    }

    /// Ends the search of all threads; it may still have to wait before it answers.
    pub(crate) fn halt(&self) {
        self.halted.store(true, Relaxed);
    }

    pub(crate) fn is_halted(&self) -> bool {
        self.halted.load(Relaxed)
    }

    pub(crate) fn is_pondering(&self) -> bool {
        self.pondering.load(Relaxed)
    }

    /// In WebAssembly, reads the stop and ponder-hit signals from the host; call it often during a search.
    #[inline]
    #[cfg_attr(not(target_family = "wasm"), expect(clippy::unused_self, reason = "other threads send the signals"))]
    pub(crate) fn poll_host(&self) {
        #[cfg(target_family = "wasm")]
        {
            let signals = crate::platform::signals();
            if signals.ponder_hit {
                self.ponder_hit();
            }
            if signals.stop {
                self.stop();
            }
        }
    }

    pub(crate) fn add_nodes(&self, nodes: u64) {
        self.nodes.fetch_add(nodes, Relaxed);
    }

    pub(crate) fn add_tablebase_hits(&self, hits: u64) {
        self.tablebase_hits.fetch_add(hits, Relaxed);
    }

    fn must_wait(&self, mode: SearchMode) -> bool {
        !self.stopped.load(Relaxed) && (mode == SearchMode::Infinite || self.is_pondering())
    }

    /// Sleeps until the search may answer.
    #[cfg(target_family = "wasm")]
    pub fn wait_until_answer_allowed(&self, mode: SearchMode) {
        while self.must_wait(mode) {
            self.poll_host();
            crate::platform::rest();
        }
    }

    /// Sleeps until the search may answer.
    #[cfg(not(target_family = "wasm"))]
    pub fn wait_until_answer_allowed(&self, mode: SearchMode) {
        let mut guard = self.gate.lock().unwrap_or_else(PoisonError::into_inner);
        while self.must_wait(mode) {
            guard = self.changed.wait(guard).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn change(&self, change: impl FnOnce()) {
        let _guard = self.gate.lock().unwrap_or_else(PoisonError::into_inner);
        change();
        self.changed.notify_all();
    }
}
