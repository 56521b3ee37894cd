//! Notation of moves: standard algebraic (SAN: `Nf3`, `exd5`, `O-O`, `e8=Q+`), and that of UCI (`e2e4`, `e7e8q`, castling
//! as `e1g1` or, in Chess960, as king takes rook `e1h1`).

use std::fmt::{self, Write};

use thiserror::Error;

use super::{has_legal_move, legal_moves};
use crate::board::{Board, castling_targets};
use crate::types::{File, Move, MoveList, PieceKind, Rank, Square};

/// Formats a legal move with minimal disambiguation and a suffix for check or mate; [`Move::NULL`] as `--`.
pub fn format_san(board: &Board, mv: Move) -> String {
    if mv == Move::NULL {
        return "--".to_owned();
    }
    let mut text = if mv.is_castle() { castling_text(mv).to_owned() } else { piece_text(board, mv) };
    let mut child = board.clone();
    child.play(mv);
    if child.in_check() {
        text.push(if has_legal_move(&child) { '+' } else { '#' });
    }
    text
}

fn castling_text(mv: Move) -> &'static str {
    if mv.target().file() > mv.source().file() { "O-O" } else { "O-O-O" }
}

fn piece_text(board: &Board, mv: Move) -> String {
    let (source, target) = (mv.source(), mv.target());
    let kind = board.moved(mv).kind();
    let mut text = String::with_capacity(7);
    if kind == PieceKind::Pawn {
        if mv.is_capture() {
            text.push(source.file().letter());
        }
    } else {
        text.push(kind.letter().to_ascii_uppercase());
        let rivals: MoveList = legal_moves(board)
            .into_iter()
            .filter(|other| other.target() == target && other.source() != source && !other.is_castle())
            .filter(|&other| board.moved(other).kind() == kind)
            .collect();
        let shares_file = rivals.iter().any(|rival| rival.source().file() == source.file());
        let shares_rank = rivals.iter().any(|rival| rival.source().rank() == source.rank());
        if !rivals.is_empty() && (!shares_file || shares_rank) {
            text.push(source.file().letter());
        }
        if shares_file {
            text.push(source.rank().digit());
        }
    }
    if mv.is_capture() {
        text.push('x');
    }
    // Writing to a string cannot fail.
    let _ = write!(text, "{target}");
    if let Some(kind) = mv.promotion() {
        text.push('=');
        text.push(kind.letter().to_ascii_uppercase());
    }
    text
}

/// Parses a legal move leniently: suffixes for check, the capture sign and the promotion sign may be missing or extra,
/// castling may be written with zeros, and UCI notation is accepted, also with a hyphen. A pawn's capture needs its file.
///
/// # Errors
/// If the text is not a move, the move is not legal, or several legal moves match.
pub fn parse_san(board: &Board, text: &str) -> Result<Move, MoveError> {
    let bare = text.trim_end_matches(['+', '#', '!', '?']);
    if let Some(side) = castling_side(bare) {
        let mv = legal_moves(board).into_iter().find(|&mv| mv.is_castle() && castling_text(mv) == side);
        return mv.ok_or_else(|| MoveError::Illegal { text: excerpt(text), fen: board.to_fen() });
    }
    let Some(pattern) = Pattern::parse(bare) else {
        return Err(MoveError::Syntax { text: excerpt(text), expected: "one like Nf3, exd5, e8=Q or O-O" });
    };
    let mut matches = legal_moves(board).into_iter().filter(|&mv| pattern.matches(board, mv));
    match (matches.next(), matches.next()) {
        (Some(mv), None) => Ok(mv),
        (Some(_), Some(_)) => Err(MoveError::Ambiguous { text: excerpt(text), fen: board.to_fen() }),
        (None, _) => parse_uci_move(board, &bare.trim_start_matches('K').replace('-', "").to_ascii_lowercase())
            .map_err(|_| MoveError::Illegal { text: excerpt(text), fen: board.to_fen() }),
    }
}

fn castling_side(text: &str) -> Option<&'static str> {
    match text {
        "O-O" | "0-0" | "o-o" => Some("O-O"),
        "O-O-O" | "0-0-0" | "o-o-o" => Some("O-O-O"),
        _ => None,
    }
}

/// The parts of a move that the text specifies.
struct Pattern {
    kind: PieceKind,
    file: Option<File>,
    rank: Option<Rank>,
    target: Square,
    promotion: Option<PieceKind>,
}

impl Pattern {
    fn parse(text: &str) -> Option<Self> {
        let mut rest: Vec<char> =
            text.chars().filter(|letter| !matches!(letter, 'x' | '-' | ':' | '=' | '(' | ')' | '/')).collect();
        let mut kind = PieceKind::Pawn;
        if rest.first().is_some_and(char::is_ascii_uppercase) {
            kind = PieceKind::from_letter(rest.remove(0))?;
        }
        let mut promotion = None;
        if rest.last().is_some_and(char::is_ascii_alphabetic) {
            promotion = Some(PieceKind::from_letter(rest.pop()?)?);
        }
        let rank = Rank::from_digit(rest.pop()?)?;
        let file = File::from_letter(rest.pop()?)?;
        let mut pattern = Self { kind, file: None, rank: None, target: Square::new(file, rank), promotion };
        for letter in rest {
            match (File::from_letter(letter), Rank::from_digit(letter)) {
                (Some(file), _) if pattern.file.is_none() => pattern.file = Some(file),
                (_, Some(rank)) if pattern.rank.is_none() => pattern.rank = Some(rank),
                _ => return None,
            }
        }
        Some(pattern)
    }

    fn matches(&self, board: &Board, mv: Move) -> bool {
        !mv.is_castle()
            && mv.target() == self.target
            && mv.promotion() == self.promotion
            && board.moved(mv).kind() == self.kind
            && self.file.map_or(self.kind != PieceKind::Pawn || !mv.is_capture(), |file| mv.source().file() == file)
            && self.rank.is_none_or(|rank| mv.source().rank() == rank)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum CastlingNotation {
    /// The king's move of two squares, `e1g1`. A king that is not on `e1` or `e8` is written as king takes rook,
    /// because a move to its castling square may be an ordinary king move.
    #[default]
    Standard,
    /// King takes rook, `e1h1`, as with `UCI_Chess960`.
    Chess960,
}

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
    find_move(board, source, target, promotion)
        .ok_or_else(|| MoveError::Illegal { text: excerpt(text), fen: board.to_fen() })
}

/// The legal move between these squares; castling is the king capturing its rook or moving to its castling square, over
/// which an ordinary king move takes precedence.
pub(crate) fn find_move(board: &Board, source: Square, target: Square, promotion: Option<PieceKind>) -> Option<Move> {
    let moves = legal_moves(board);
    let mut own = moves.iter().copied().filter(|mv| mv.source() == source && mv.promotion() == promotion);
    let castles_to = |mv: Move| mv.is_castle() && castling_targets(source, mv.target()).0 == target;
    own.clone().find(|mv| mv.target() == target).or_else(|| own.find(|&mv| castles_to(mv)))
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

/// A move text that cannot be resolved in the position.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum MoveError {
    #[error("'{text}' is not a move, expected {expected}")]
    Syntax { text: String, expected: &'static str },
    #[error("'{text}' is not legal in {fen}")]
    Illegal { text: String, fen: String },
    #[error("'{text}' is ambiguous in {fen}")]
    Ambiguous { text: String, fen: String },
}

/// Letters of a refused text that an error shows.
const LONGEST_EXCERPT: usize = 80;

/// The start of a text for an error.
pub(super) fn excerpt(text: &str) -> String {
    match text.char_indices().nth(LONGEST_EXCERPT) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_formatted_as_in_print() {
        for (fen, uci, san) in [
            ("2k5/8/8/Q3Q3/8/8/Q7/4K3 w - - 0 1", "a5c3", "Qac3"),
            ("6k1/8/8/Q7/8/8/8/Q3K3 w - - 0 1", "a5c3", "Q5c3"),
            ("6k1/8/8/1Q2Q3/8/8/1Q6/4K3 w - - 0 1", "b5e2", "Qb5e2+"),
            ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2", "e5d6", "exd6"),
            ("7k/P7/6K1/8/8/8/8/8 w - - 0 1", "a7a8q", "a8=Q#"),
            ("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "e1c1", "O-O-O"),
        ] {
            let board = Board::from_fen(fen).unwrap();
            let mv = parse_uci_move(&board, uci).unwrap();
            let written = format_san(&board, mv);
            assert_eq!(written.trim_end_matches('+'), san.trim_end_matches('+'), "{fen}");
        }
    }

    #[test]
    fn lenient_forms_are_accepted_and_invalid_ones_rejected() {
        let board = Board::from_fen("4k3/1P6/8/8/8/8/8/R3K2R w KQ - 0 1").unwrap();
        for text in [
            "b8Q", "b8=Q+", "b8q", "b7b8q", "b7-b8=Q", "b8(Q)", "b8/Q", "0-0", "O-O-O!", "Ra1-b1", "Rab1", "e1-g1",
            "Ke1-c1",
        ] {
            assert!(parse_san(&board, text).is_ok(), "{text}");
        }
        for text in ["", "b8", "Qb8", "Ke3", "R", "Zz9", "é", "=", "Rd1f1"] {
            assert!(parse_san(&board, text).is_err(), "{text}");
        }
        let board = Board::from_fen("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2").unwrap();
        assert!(
            parse_san(&board, "d6").is_err() && parse_san(&board, "ed6").is_ok(),
            "a capture, not a move of a d-pawn"
        );
    }

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
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
            "2k5/8/8/Q3Q3/8/8/Q7/4K3 w - - 0 1",
            "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2",
            "2r1kr2/8/8/8/8/8/8/1R2K1R1 w GBfc - 0 1",
            "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
            "4k3/8/8/8/8/8/8/1R1K1R2 w BF - 0 1",
            "4k3/8/8/8/8/8/8/R4KR1 w AG - 0 1",
            "4k3/8/8/8/8/8/8/RK5R w AH - 0 1",
            "nr1k1qrb/2p1ppp1/1p3n2/p2p1PBp/1P4b1/1N1P4/P1P1PQPP/1R1KN1RB b KQkq - 0 12",
        ] {
            let board = Board::from_fen(fen).unwrap();
            for mv in legal_moves(&board) {
                let text = format_san(&board, mv);
                assert_eq!(parse_san(&board, &text), Ok(mv), "{fen}: {text}");
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
