//! Counts of what happens in a search, for `alfiere metrics`. Without the feature `counters` nothing is counted, and the
//! calls compile to nothing.

use serde::Serialize;

/// What happened in one or several searches.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize)]
pub struct SearchCounts {
    /// Positions entered by the quiescence search.
    pub quiescence_nodes: u64,
    /// Nodes of the main search that failed high by a searched move.
    pub cutoffs: u64,
    /// Those that failed high by their first move.
    pub first_move_cutoffs: u64,
    /// Positions looked up in the table.
    pub table_probes: u64,
    /// Positions found there.
    pub table_hits: u64,
    /// Nodes whose score was taken from the table.
    pub table_cutoffs: u64,
}

impl SearchCounts {
    /// Adds the counts of `other`.
    pub fn merge(&mut self, other: Self) {
        self.quiescence_nodes += other.quiescence_nodes;
        self.cutoffs += other.cutoffs;
        self.first_move_cutoffs += other.first_move_cutoffs;
        self.table_probes += other.table_probes;
        self.table_hits += other.table_hits;
        self.table_cutoffs += other.table_cutoffs;
    }
}

/// The counts of one thread.
#[derive(Default)]
pub(crate) struct Counters {
    #[cfg(feature = "counters")]
    counts: SearchCounts,
}

#[cfg_attr(not(feature = "counters"), allow(clippy::unused_self, clippy::needless_pass_by_ref_mut))]
impl Counters {
    /// Changes the counts.
    #[inline]
    pub(crate) fn count(&mut self, event: impl FnOnce(&mut SearchCounts)) {
        #[cfg(feature = "counters")]
        event(&mut self.counts);
        #[cfg(not(feature = "counters"))]
        let _ = event;
    }

    /// Returns the counts and sets them to 0; `None` if nothing is counted.
    pub(crate) fn take(&mut self) -> Option<SearchCounts> {
        #[cfg(feature = "counters")]
        let counts = Some(std::mem::take(&mut self.counts));
        #[cfg(not(feature = "counters"))]
        let counts = None;
        counts
    }
}
