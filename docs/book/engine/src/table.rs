//! Chapter 3: the transposition table remembers positions that were searched.

use alfiere_chess::types::Move;

/// What a stored score says about the true one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// It is the true score.
    Exact,
    /// The true score is at least this: the search failed high.
    Lower,
    /// The true score is at most this: the search failed low.
    Upper,
}

/// What is known about a position.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// The whole key of the position.
    pub key: u64,
    /// The best move found.
    pub best: Option<Move>,
    /// The score in centipawns for the side to move.
    pub score: i32,
    /// The depth of the search behind the score, in plies.
    pub depth: i32,
    /// What the score says.
    pub bound: Bound,
}

/// A table of fixed size; a new entry replaces the old one in its place.
pub struct Table {
    entries: Vec<Option<Entry>>,
}

impl Table {
    /// A table with `2^bits` entries.
    pub fn new(bits: u32) -> Self {
        Self { entries: vec![None; 1 << bits] }
    }

    /// The entry of the position with this key.
    pub fn probe(&self, key: u64) -> Option<Entry> {
        // Two positions may share a place: the whole key tells them apart.
        self.entries[self.place(key)].filter(|entry| entry.key == key)
    }

    /// Stores an entry.
    pub fn store(&mut self, entry: Entry) {
        let place = self.place(entry.key);
        self.entries[place] = Some(entry);
    }

    fn place(&self, key: u64) -> usize {
        key as usize & (self.entries.len() - 1)
    }
}

impl Entry {
    // ANCHOR: cutoff
    /// Whether the score answers a search of this depth and window without searching.
    pub fn answers(&self, depth: i32, alpha: i32, beta: i32) -> bool {
        self.depth >= depth
            && match self.bound {
                Bound::Exact => true,
                Bound::Lower => self.score >= beta,
                Bound::Upper => self.score <= alpha,
            }
    }
    // ANCHOR_END: cutoff
}
