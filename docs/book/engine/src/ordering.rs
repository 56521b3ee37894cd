//! Chapter 3: the order in which moves are searched.

use alfiere_chess::board::Board;
use alfiere_chess::types::{Move, MoveList, PieceKind};

use crate::evaluation::value;

/// How often quiet moves between two squares have refuted a position, weighted by depth.
pub struct History([[i32; 64]; 64]);

impl History {
    /// Without any experience.
    pub fn new() -> Self {
        Self([[0; 64]; 64])
    }

    /// Notes that a quiet move caused a cutoff.
    pub fn reward(&mut self, mv: Move, depth: i32) {
        let count = &mut self.0[mv.source().index()][mv.target().index()];
        *count = (*count + depth * depth).min(MOST);
    }

    fn get(&self, mv: Move) -> i32 {
        self.0[mv.source().index()][mv.target().index()]
    }
}

impl Default for History {
    fn default() -> Self {
        Self::new()
    }
}

/// Above every history count, so that captures precede quiet moves.
const CAPTURES: i32 = 1_000_000;
const MOST: i32 = CAPTURES / 2;

// ANCHOR: order
/// Sorts moves: the move from the table, then captures and promotions, then quiet moves by their history.
pub fn sort(board: &Board, moves: &mut MoveList, table_move: Option<Move>, history: &History) {
    moves.sort_by_cached_key(|&mv| -priority(board, mv, table_move, history));
}

fn priority(board: &Board, mv: Move, table_move: Option<Move>, history: &History) -> i32 {
    if Some(mv) == table_move {
        return i32::MAX;
    }
    if !mv.is_noisy() {
        return history.get(mv);
    }
    // The most valuable victim first; for equal victims, the least valuable attacker.
    let victim = board.captured(mv).map_or(0, |piece| value(piece.kind()));
    let promotion = mv.promotion().map_or(0, value);
    let attacker = match board.moved(mv).kind() {
        PieceKind::King => 1_000,
        kind => value(kind),
    };
    CAPTURES + 16 * (victim + promotion) - attacker
}
// ANCHOR_END: order
