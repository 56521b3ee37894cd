//! Game endings by the rules of chess.

use std::fmt;

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

/// A draw that ends a game without a claim (FIDE Laws of Chess, 9.6). [`draw_by_rules`] ends games earlier, at the draws
/// that a player can claim, so it only occurs in games played elsewhere.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AutomaticDraw {
    /// Fivefold repetition.
    Fivefold,
    /// 75 moves by each side without a capture or a pawn move.
    SeventyFiveMoves,
}

impl fmt::Display for AutomaticDraw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Fivefold => "fivefold repetition",
            Self::SeventyFiveMoves => "75 moves without a capture or a pawn move",
        })
    }
}

/// The draw that ends the game in this position even if nobody claims it; a checkmate takes precedence. `keys` are the
/// earlier positions of the game.
pub fn automatic_draw(board: &Board, keys: &KeyHistory) -> Option<AutomaticDraw> {
    if keys.count(board) >= 4 {
        Some(AutomaticDraw::Fivefold)
    } else if board.halfmove_clock() >= 150 && has_legal_move(board) {
        Some(AutomaticDraw::SeventyFiveMoves)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::movegen::parse_uci_move;

    /// Plays the moves in a circle; the first plies of a claimable and of an automatic draw.
    fn draws(fen: &str, moves: [&str; 4]) -> [Option<(usize, String)>; 2] {
        let (mut board, mut keys) = (Board::from_fen(fen).expect("valid"), KeyHistory::new());
        let mut found = [None, None];
        for (ply, text) in moves.into_iter().cycle().take(40).enumerate() {
            let claimable = draw_by_rules(&board, &keys).map(|reason| (ply, reason.to_string()));
            let automatic = automatic_draw(&board, &keys).map(|draw| (ply, draw.to_string()));
            for (found, draw) in found.iter_mut().zip([claimable, automatic]) {
                *found = found.take().or(draw);
            }
            keys.push(&board);
            board.play(parse_uci_move(&board, text).expect("legal"));
        }
        found
    }

    #[test]
    fn claimable_draws_come_before_automatic_ones() {
        let at = |ply, reason: &str| Some((ply, reason.to_owned()));
        let circle = ["h1h2", "e8d8", "h2h1", "d8e8"];
        let found = draws("4k3/8/8/8/8/8/8/4K2R w - - 0 1", circle);
        assert_eq!(found, [at(8, "threefold repetition"), at(16, "fivefold repetition")]);
        let found = draws("4k3/8/8/8/8/8/8/4K2R w - - 147 90", circle);
        assert_eq!(found, [at(0, "fifty moves"), at(3, "75 moves without a capture or a pawn move")]);
        // Mate with the last move of the 75.
        let mate = Board::from_fen("R5k1/5ppp/8/8/8/8/8/6K1 b - - 150 90").expect("valid");
        assert_eq!(automatic_draw(&mate, &KeyHistory::new()), None);
    }
}
