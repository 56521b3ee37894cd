//! Principal variations, one for every ply of the line being searched.

use alfiere_chess::types::Move;

use crate::search::score::MAX_PLY;

#[derive(Clone)]
struct Line {
    moves: [Option<Move>; MAX_PLY + 1],
    length: usize,
}

/// The triangular table of variations.
pub(crate) struct Variations {
    lines: Vec<Line>,
}

impl Variations {
    pub(crate) fn new() -> Self {
        Self { lines: vec![Line { moves: [None; MAX_PLY + 1], length: 0 }; MAX_PLY + 2] }
    }

    /// Clears the variation from `ply`.
    pub(crate) fn clear(&mut self, ply: usize) {
        self.lines[ply].length = 0;
    }

    /// Sets the variation at `ply` to `mv` followed by the variation at `ply + 1`.
    pub(crate) fn extend(&mut self, ply: usize, mv: Move) {
        let (above, below) = self.lines.split_at_mut(ply + 1);
        let (line, rest) = (&mut above[ply], &below[0]);
        let length = rest.length.min(MAX_PLY);
        line.moves[0] = Some(mv);
        line.moves[1..=length].copy_from_slice(&rest.moves[..length]);
        line.length = length + 1;
    }

    /// The variation from `ply`.
    pub(crate) fn line(&self, ply: usize) -> impl Iterator<Item = Move> + '_ {
        let line = &self.lines[ply];
        line.moves[..line.length].iter().flatten().copied()
    }
}
