//! Moves as UCI writes them: `e2e4`, `e7e8q`, castling as `e1g1` or, in Chess960, as king takes rook `e1h1`.

use std::fmt;

use super::notation_error::excerpt;
use super::{MoveError, legal_moves};
use crate::board::{Board, castling_targets};
use crate::types::{File, Move, PieceKind, Square};

/// How castling is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum CastlingNotation {
    /// The king's two steps, `e1g1`; from another square than `e1` or `e8` king takes rook, because there the king's
    /// way to where it castles may be an ordinary move.
    #[default]
    Standard,
    /// King takes rook, `e1h1`: what `UCI_Chess960` asks for.
    Chess960,
}

/// A move that is written as UCI wants it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UciMove {
    mv: Move,
    notation: CastlingNotation,
}

/// The move, ready to be written.
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

/// Reads a move that is legal here; castling in either notation.
///
/// # Errors
/// For text that is no move, and for moves that are not legal here.
pub fn parse_uci_move(board: &Board, text: &str) -> Result<Move, MoveError> {
    let (source, target, promotion) =
        split(text).ok_or_else(|| MoveError::Syntax { text: excerpt(text), expected: "squares like e2e4 or e7e8q" })?;
    let moves = legal_moves(board);
    let find = |matches: &dyn Fn(Square, Move) -> bool| {
        moves.iter().copied().find(|&mv| mv.source() == source && mv.promotion() == promotion && matches(target, mv))
    };
    // A king's step to where it would also castle to is a step: exact targets come first.
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
    fn castling_is_read_in_both_notations_and_written_in_the_chosen_one() {
        let board = Board::from_fen("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1").unwrap();
        let short = parse_uci_move(&board, "e1g1").unwrap();
        assert_eq!(parse_uci_move(&board, "e1h1").unwrap(), short);
        assert_eq!(format_uci_move(short, CastlingNotation::Standard).to_string(), "e1g1");
        assert_eq!(format_uci_move(short, CastlingNotation::Chess960).to_string(), "e1h1");
        // The king already stands beside its target: the step and the castling move differ.
        let board = Board::from_fen("4k3/8/8/8/8/8/8/5K1R w K - 0 1").unwrap();
        assert!(!parse_uci_move(&board, "f1g1").unwrap().is_castle());
        assert!(parse_uci_move(&board, "f1h1").unwrap().is_castle());
    }

    #[test]
    fn what_is_written_means_the_same_move_when_read() {
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
    fn what_is_no_move_is_refused_with_a_reason() {
        let board = Board::startpos();
        for (text, reason) in [
            ("", "no move"),
            ("e2", "no move"),
            ("e2e9", "no move"),
            ("é2e4", "no move"),
            ("e2e4x", "no move"),
            ("e2e4qq", "no move"),
            ("e2e5", "not legal"),
            ("e7e5", "not legal"),
            ("e2e4q", "not legal"),
            ("0000", "no move"),
        ] {
            let error = parse_uci_move(&board, text).unwrap_err();
            assert!(error.to_string().contains(reason), "{text}: {error}");
        }
    }
}
