//! A player of limited strength at work: the moves that it overlooks and its misjudgement of positions.

use alfiere_chess::board::Board;
use alfiere_chess::types::Move;

use crate::eval::Evaluator;
use crate::search::thread::Worker;

impl<E: Evaluator> Worker<'_, E> {
    /// Oversight: whether a player of limited strength does not see the move, `ply` plies from the root.
    #[inline]
    pub(crate) fn overlooks(&self, board: &Board, mv: Move, ply: usize) -> bool {
        let Some(limit) = self.input.strength_limit else { return false };
        !board.in_check() && limit.overlooks(board, mv, ply, self.frames.before(ply, 1).current.map(Move::target))
    }

    /// The centipawns by which a player of limited strength misjudges the position; 0 at full strength.
    #[inline]
    pub(crate) fn misjudgement(&self, board: &Board) -> i32 {
        self.input.strength_limit.map_or(0, |limit| limit.misjudgement(board))
    }
}
