//! When the rules of chess end a game.

use crate::board::{Board, KeyHistory};
use crate::game::{EndReason, GameResult};
use crate::movegen::has_legal_move;

/// How a game stands that has come to this position through those in `keys`; `None` while it goes on.
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

/// Which draw this position is by the rules, whether or not its side to move has a move.
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
