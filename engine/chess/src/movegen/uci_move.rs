//! UCI move notation: `e2e4`, `e7e8q`, castling as `e1g1` or, in Chess960, as king takes rook `e1h1`.

use std::fmt;

use super::notation_error::excerpt;
use super::{MoveError, legal_moves};
use crate::board::{Board, castling_targets};
use crate::types::{File, Move, PieceKind, Square};

/// The notation of castling.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum CastlingNotation {
    /// The king's move of two squares, `e1g1`. A king that is not on `e1` or `e8` is written as king takes rook,
    /// because a move to its castling square may be an ordinary king move.
    #[default]
    Standard,
    /// King takes rook, `e1h1`, as with `UCI_Chess960`.
    Chess960,
}

/// A move formatted as UCI notation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UciMove {
    mv: Move,
    notation: CastlingNotation,
}

/// Returns the move in a form that can be displayed.
pub fn format_uci_move(mv: Move, notation: CastlingNotation) -> UciMove {
    UciMove { mv, notation }
}

impl fmt::Display for UciMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let source = self.mv.source();
        let mut target = self.mv.target();
        if self.mv.is_castle() && self.notation == CastlingNotation::Standard && source.file() == File::E {
            target = castling_targets(source, target).0;
        }
        write!(f, "{source}{target}")?;
        match self.mv.promotion() {
            Some(kind) => write!(f, "{}", kind.letter()),
            None => Ok(()),
        }
    }
}

/// Parses a legal move; castling is accepted in both notations.
///
/// # Errors
/// If the text is not a move, or the move is not legal.
pub fn parse_uci_move(board: &Board, text: &str) -> Result<Move, MoveError> {
    let (source, target, promotion) =
        split(text).ok_or_else(|| MoveError::Syntax { text: excerpt(text), expected: "squares like e2e4 or e7e8q" })?;
    let moves = legal_moves(board);
    let find = |matches: &dyn Fn(Square, Move) -> bool| {
        moves.iter().copied().find(|&mv| mv.source() == source && mv.promotion() == promotion && matches(target, mv))
    };
    // An ordinary king move to the castling square takes precedence over castling.
    find(&|target, mv| mv.target() == target)
        .or_else(|| find(&|target, mv| mv.is_castle() && castling_targets(mv.source(), mv.target()).0 == target))
        .ok_or_else(|| MoveError::Illegal { text: excerpt(text), fen: board.to_fen() })
}

fn split(text: &str) -> Option<(Square, Square, Option<PieceKind>)> {
    let source = Square::parse(text.get(0..2)?)?;
    let target = Square::parse(text.get(2..4)?)?;
    let promotion = match text.get(4..)? {
        "" => None,
        letter if letter.len() == 1 => Some(PieceKind::from_letter(letter.chars().next()?)?),
        _ => return None,
    };
    Some((source, target, promotion))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn castling_is_parsed_in_both_notations_and_formatted_in_the_chosen_one() {
        let board = Board::from_fen("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1").unwrap();
        let short = parse_uci_move(&board, "e1g1").unwrap();
        assert_eq!(parse_uci_move(&board, "e1h1").unwrap(), short);
        assert_eq!(format_uci_move(short, CastlingNotation::Standard).to_string(), "e1g1");
        assert_eq!(format_uci_move(short, CastlingNotation::Chess960).to_string(), "e1h1");
        // The king is next to its castling square: the king move and castling differ.
        let board = Board::from_fen("4k3/8/8/8/8/8/8/5K1R w K - 0 1").unwrap();
        assert!(!parse_uci_move(&board, "f1g1").unwrap().is_castle());
        assert!(parse_uci_move(&board, "f1h1").unwrap().is_castle());
    }

    #[test]
    fn every_legal_move_round_trips() {
        for fen in [
            "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
            "4k3/8/8/8/8/8/8/1R1K1R2 w BF - 0 1",
            "4k3/8/8/8/8/8/8/R4KR1 w AG - 0 1",
            "4k3/8/8/8/8/8/8/RK5R w AH - 0 1",
            "nr1k1qrb/2p1ppp1/1p3n2/p2p1PBp/1P4b1/1N1P4/P1P1PQPP/1R1KN1RB b KQkq - 0 12",
        ] {
            let board = Board::from_fen(fen).unwrap();
            for mv in legal_moves(&board) {
                for notation in [CastlingNotation::Standard, CastlingNotation::Chess960] {
                    let text = format_uci_move(mv, notation).to_string();
                    assert_eq!(parse_uci_move(&board, &text), Ok(mv), "{text} {notation:?} {fen}");
                }
            }
        }
    }

    #[test]
    fn invalid_moves_are_rejected_with_a_reason() {
        let board = Board::startpos();
        for (text, reason) in [
            ("", "not a move"),
            ("e2", "not a move"),
            ("e2e9", "not a move"),
            ("é2e4", "not a move"),
            ("e2e4x", "not a move"),
            ("e2e4qq", "not a move"),
            ("e2e5", "not legal"),
            ("e7e5", "not legal"),
            ("e2e4q", "not legal"),
            ("0000", "not a move"),
        ] {
            let error = parse_uci_move(&board, text).unwrap_err();
            assert!(error.to_string().contains(reason), "{text}: {error}");
        }
    }
}
