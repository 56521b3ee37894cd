//! The transposition table: rows of entries, the newest first.

use crate::{
    board::{Board, Move},
    symmetry::Symmetry,
};

/// What a stored score says about the position's value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// It is the value.
    Exact,
    /// The value is at least this.
    Lower,
    /// The value is at most this.
    Upper,
}

/// What a search found out about a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The best move found.
    pub best: Move,
    /// The score for the side to move; wins are counted from this position.
    pub score: i16,
    /// The depth of the search, in plies.
    pub depth: u8,
    /// What the score says.
    pub bound: Bound,
}

/// Which positions share an entry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lookup {
    /// Equal positions.
    Plain,
    /// Positions that are equal after a reflection or rotation.
    Symmetric,
}

const ROW: usize = 4;
/// Keys and entries, the newest first.
type Row = [Option<(u64, Entry)>; ROW];
const _: () = assert!(size_of::<Row>() == 64);

/// A table of fixed size.
pub struct Table {
    rows: Vec<Row>,
    lookup: Lookup,
}

impl Table {
    /// A table of 2^`bits` rows of four entries: 64 bytes each.
    pub fn new(bits: u32, lookup: Lookup) -> Self {
        Self { rows: vec![[None; ROW]; 1 << bits], lookup }
    }

    // ANCHOR: table
    /// The entry of the position, its move as it is played on this board.
    pub fn probe(&self, board: &Board) -> Option<Entry> {
        let (key, symmetry) = self.key(board);
        let row = &self.rows[self.index(key)];
        let (_, entry) = row.iter().flatten().find(|(stored, _)| *stored == key)?;
        Some(Entry { best: entry.best.image(symmetry.inverse()), ..*entry })
    }
    // ANCHOR_END: table

    /// Stores an entry in front of its row. An older entry of the position goes, or else the oldest of the row.
    pub fn store(&mut self, board: &Board, entry: Entry) {
        let (key, symmetry) = self.key(board);
        let index = self.index(key);
        let row = &mut self.rows[index];
        let same = |slot: &Option<(u64, Entry)>| slot.is_some_and(|(stored, _)| stored == key);
        let last = row.iter().position(same).unwrap_or(ROW - 1);
        row[..=last].rotate_right(1);
        row[0] = Some((key, Entry { best: entry.best.image(symmetry), ..entry }));
    }

    /// The key under which the position is stored, and the symmetry from the board to the stored image.
    fn key(&self, board: &Board) -> (u64, Symmetry) {
        match self.lookup {
            Lookup::Plain => (board.keys().own(), Symmetry::IDENTITY),
            Lookup::Symmetric => board.keys().canonical(),
        }
    }

    fn index(&self, key: u64) -> usize {
        key as usize & (self.rows.len() - 1)
    }
}
