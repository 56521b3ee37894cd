//! Game endings by the rules of chess.

use crate::board::{Board, KeyHistory};
use crate::game::{EndReason, GameResult};
use crate::movegen::has_legal_move;

/// The result and reason if the rules end the game in this position; `None` while the game continues. `keys` are the
/// earlier positions of the game.
pub fn end_by_rules(board: &Board, keys: &KeyHistory) -> Option<(GameResult, EndReason)> {
    let draw = |reason| Some((GameResult::Draw, reason));
    if !has_legal_move(board) {
        return if board.in_check() {
            Some((GameResult::Win(!board.side_to_move()), EndReason::Checkmate))
        } else {
            draw(EndReason::Stalemate)
        };
    }
    draw_by_rules(board, keys).and_then(draw)
}

/// The draw by the rules in this position, if any, independent of whether the side to move has a legal move.
pub fn draw_by_rules(board: &Board, keys: &KeyHistory) -> Option<EndReason> {
    if board.has_insufficient_material() {
        Some(EndReason::InsufficientMaterial)
    } else if board.halfmove_clock() >= 100 {
        Some(EndReason::FiftyMoves)
    } else if keys.count(board) >= 2 {
        Some(EndReason::Threefold)
    } else {
        None
    }
}
