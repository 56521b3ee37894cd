//! Game results, their reasons and points; faults; and the ends of games by the rules of chess.

use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::board::{Board, KeyHistory};
use crate::movegen::has_legal_move;
use crate::types::Color;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GameResult {
    Win(Color),
    Draw,
}

impl GameResult {
    /// Parses `1-0`, `0-1` and `1/2-1/2`, and the forms `1:0`, `0:1`, `1/2` and `0.5-0.5`.
    pub fn parse(text: &str) -> Option<Self> {
        match text {
            "1-0" | "1:0" => Some(Self::Win(Color::White)),
            "0-1" | "0:1" => Some(Self::Win(Color::Black)),
            "1/2-1/2" | "1/2:1/2" | "1/2" | "0.5-0.5" => Some(Self::Draw),
            _ => None,
        }
    }

    pub fn points(self, side: Color) -> Points {
        match self {
            Self::Draw => Points::Draw,
            Self::Win(winner) if winner == side => Points::Win,
            Self::Win(_) => Points::Loss,
        }
    }
}

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Win(Color::White) => "1-0",
            Self::Win(Color::Black) => "0-1",
            Self::Draw => "1/2-1/2",
        })
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EndReason {
    Checkmate,
    /// The side to move has no legal move and is not in check.
    Stalemate,
    /// Fifty moves by each side without a capture or a pawn move.
    FiftyMoves,
    Threefold,
    InsufficientMaterial,
    /// The runner's maximum number of plies.
    MaxPlies,
    /// Adjudication by both engines' scores.
    Adjudication,
    EndgameTables,
    Fault(Color, Fault),
}

impl fmt::Display for EndReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Checkmate => f.write_str("checkmate"),
            Self::Stalemate => f.write_str("stalemate"),
            Self::FiftyMoves => f.write_str("fifty moves"),
            Self::Threefold => f.write_str("threefold repetition"),
            Self::InsufficientMaterial => f.write_str("insufficient material"),
            Self::MaxPlies => f.write_str("too long"),
            Self::Adjudication => f.write_str("adjudication"),
            Self::EndgameTables => f.write_str("endgame tables"),
            Self::Fault(side, fault) => write!(f, "{side} {fault}"),
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Points {
    Loss,
    Draw,
    Win,
}

impl Points {
    pub const fn reversed(self) -> Self {
        match self {
            Self::Loss => Self::Win,
            Self::Draw => Self::Draw,
            Self::Win => Self::Loss,
        }
    }

    /// Twice the points: 0, 1 or 2.
    pub const fn half_points(self) -> usize {
        match self {
            Self::Loss => 0,
            Self::Draw => 1,
            Self::Win => 2,
        }
    }
}

/// A fault of an engine; each of them loses the game.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum Fault {
    #[error("did not start: {0}")]
    NoStart(String),
    #[error("crashed: {0}")]
    Crash(String),
    #[error("hangs: no answer to \"{command}\" after {waited:?}")]
    Hang { command: &'static str, waited: Duration },
    #[error("lost on time: used {used:?} of {allowed:?}")]
    TimeLoss { used: Duration, allowed: Duration },
    #[error("illegal move \"{text}\" in {fen}")]
    IllegalMove { text: String, fen: String },
}

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

/// The draw that ends the game in this position even if nobody claims it (FIDE Laws of Chess, 9.6); a checkmate takes
/// precedence. `keys` are the earlier positions of the game. [`draw_by_rules`] ends games earlier, at the draws that a
/// player can claim, so it only occurs in games played elsewhere.
pub fn automatic_draw(board: &Board, keys: &KeyHistory) -> Option<&'static str> {
    if keys.count(board) >= 4 {
        Some("fivefold repetition")
    } else if board.halfmove_clock() >= 150 && has_legal_move(board) {
        Some("75 moves without a capture or a pawn move")
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
