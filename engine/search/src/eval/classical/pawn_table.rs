//! The pawn hash table: pawn structure terms by pawn key.

use alfiere_chess::board::Board;

use super::pair::Pair;
use super::pawns::{PawnFacts, structure};
use super::term_sink::Sum;
use super::weights::Weights;

/// Number of entries; a power of two.
const ENTRIES: usize = 1 << 13;

/// Sums and facts of pawn structures, one entry per slot.
pub(super) struct PawnTable(Vec<Entry>);

#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
struct Entry {
    key: u64,
    sides: [Pair; 2],
    facts: PawnFacts,
}

impl PawnTable {
    pub(super) fn new() -> Self {
        // The key of no pawns is 0: the first entry must be right for it.
        let mut table = Self(vec![Entry { key: 1, ..Entry::default() }; ENTRIES]);
        table.0[1].key = 0;
        table
    }

    /// The sums and facts of the board's pawns.
    pub(super) fn get(&mut self, board: &Board, weights: &Weights) -> ([Pair; 2], PawnFacts) {
        let key = board.pawn_key();
        let entry = &mut self.0[key as usize % ENTRIES];
        if entry.key != key {
            let mut sum = Sum::new(weights);
            let facts = structure(board, &mut sum);
            *entry = Entry { key, sides: sum.sides, facts };
        }
        (entry.sides, entry.facts)
    }
}
