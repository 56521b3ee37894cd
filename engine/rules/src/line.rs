//! Moves from a position: what each is, and what is possible after them.

use alfiere_chess::board::{Board, FenError, KeyHistory};
use alfiere_chess::game::{GameResult, end_by_rules};
use alfiere_chess::movegen::{
    CastlingNotation, MoveError, format_san, format_uci_move, legal_moves, parse_san, parse_uci_move,
};
use alfiere_chess::pgn::NULL_MOVE;
use alfiere_chess::types::{Color, Move, Piece, PieceKind};
use serde::Serialize;

/// A null move in UCI notation.
const NULL_UCI: &str = "0000";

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Placement {
    pub fen: String,
    /// The square of the king in check.
    pub check: Option<String>,
    /// White's material minus Black's, in pawns.
    pub balance: i32,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Ply {
    pub san: String,
    pub uci: String,
    /// The letter of the captured piece.
    pub captured: Option<char>,
    #[serde(flatten)]
    pub placement: Placement,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct End {
    /// `1-0`, `0-1` or `1/2-1/2`.
    pub result: String,
    /// `white`, `black`, or `None` for a draw.
    pub winner: Option<&'static str>,
    pub reason: String,
}

/// Moves from a position.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct PlayedLine {
    /// The position before the first move.
    pub start: Placement,
    /// The moves, up to the first that is not legal.
    pub plies: Vec<Ply>,
    /// Why the first move that is not in `plies` is not legal.
    pub problem: Option<String>,
    /// The legal moves after the last move, in UCI notation.
    pub legal: Vec<String>,
    /// The end of the game after the last move.
    pub end: Option<End>,
}

impl Placement {
    pub fn new(board: &Board) -> Self {
        Self {
            fen: board.to_fen(),
            check: board.in_check().then(|| board.king(board.side_to_move()).to_string()),
            balance: material(board, Color::White) - material(board, Color::Black),
        }
    }
}

impl Ply {
    /// Plays a legal move in UCI or SAN, or a null move outside check.
    pub(crate) fn play(board: &mut Board, text: &str) -> Result<Self, MoveError> {
        if matches!(text, NULL_MOVE | NULL_UCI) && !board.in_check() {
            board.play_null();
            let (san, uci) = (NULL_MOVE.to_owned(), NULL_UCI.to_owned());
            return Ok(Self { san, uci, captured: None, placement: Placement::new(board) });
        }
        let mv = parse_san(board, text)?;
        let (san, uci) = (format_san(board, mv), write_move(board, mv));
        let captured = board.captured(mv).map(Piece::letter);
        board.play(mv);
        Ok(Self { san, uci, captured, placement: Placement::new(board) })
    }
}

impl PlayedLine {
    /// Plays the moves, in UCI or SAN, from a FEN (the initial position by default).
    ///
    /// # Errors
    /// If the FEN is invalid.
    pub fn new(fen: Option<&str>, moves: &[String]) -> Result<Self, FenError> {
        let mut board = fen.map_or_else(|| Ok(Board::startpos()), Board::from_fen)?;
        let mut keys = KeyHistory::new();
        let (start, mut plies, mut problem) = (Placement::new(&board), Vec::new(), None);
        for text in moves {
            let before = board.clone();
            match Ply::play(&mut board, text) {
                Ok(ply) => {
                    keys.push(&before);
                    plies.push(ply);
                }
                Err(error) => {
                    problem = Some(refusal(&error));
                    break;
                }
            }
        }
        let legal = legal_moves(&board).into_iter().map(|mv| write_move(&board, mv)).collect();
        let end = end_by_rules(&board, &keys).map(|(result, reason)| End::new(result, reason.to_string()));
        Ok(Self { start, plies, problem, legal, end })
    }
}

impl End {
    fn new(result: GameResult, reason: String) -> Self {
        let winner = match result {
            GameResult::Win(side) => Some(side_name(side)),
            GameResult::Draw => None,
        };
        Self { result: result.to_string(), winner, reason }
    }
}

/// Why a move cannot be played, without the position: the reader sees it.
fn refusal(error: &MoveError) -> String {
    match error {
        MoveError::Illegal { text, .. } => format!("'{text}' is not legal here"),
        MoveError::Ambiguous { text, .. } => {
            format!("'{text}' is ambiguous here, expected also where the piece comes from")
        }
        MoveError::Syntax { .. } => error.to_string(),
    }
}

const fn side_name(side: Color) -> &'static str {
    match side {
        Color::White => "white",
        Color::Black => "black",
    }
}

fn material(board: &Board, side: Color) -> i32 {
    const VALUES: [i32; 6] = [1, 3, 3, 5, 9, 0];
    PieceKind::ALL.into_iter().map(|kind| VALUES[kind.index()] * board.colored(side, kind).count() as i32).sum()
}

/// Formats a move so that it is parsed as itself: castling is written as king takes rook if the king's move is ambiguous.
fn write_move(board: &Board, mv: Move) -> String {
    let standard = format_uci_move(mv, CastlingNotation::Standard).to_string();
    if !mv.is_castle() || parse_uci_move(board, &standard).is_ok_and(|read| read == mv) {
        standard
    } else {
        format_uci_move(mv, CastlingNotation::Chess960).to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(fen: Option<&str>, moves: &str) -> PlayedLine {
        let moves: Vec<String> = moves.split_whitespace().map(str::to_owned).collect();
        PlayedLine::new(fen, &moves).expect("a valid FEN")
    }

    #[test]
    fn moves_are_played_up_to_the_first_illegal_one() {
        let line = line(None, "e4 e7e5 Nf3 d6 Nxe5 Ke9");
        assert_eq!(
            line.plies.iter().map(|ply| ply.san.as_str()).collect::<Vec<_>>(),
            ["e4", "e5", "Nf3", "d6", "Nxe5"]
        );
        assert_eq!((line.plies[4].captured, line.plies[4].placement.balance), (Some('p'), 1));
        assert!(line.problem.is_some_and(|problem| problem.contains("Ke9")));
        let refused = |moves| self::line(None, moves).problem.expect("a problem");
        assert_eq!(refused("e4 e4"), "'e4' is not legal here");
        assert!(refused("Nf3 d5 d4 Nf6 Nd2").starts_with("'Nd2' is ambiguous here"));
        assert!(line.legal.contains(&"d6e5".to_owned()) && line.end.is_none());
    }

    #[test]
    fn the_end_of_a_game_is_known_with_its_history() {
        let mate = line(None, "f3 e5 g4 Qh4");
        assert_eq!(mate.plies[3].san, "Qh4#");
        assert_eq!(mate.plies[3].placement.check.as_deref(), Some("e1"));
        let end = mate.end.expect("a mate");
        assert_eq!((end.result.as_str(), end.winner, end.reason.as_str()), ("0-1", Some("black"), "checkmate"));
        assert!(mate.legal.is_empty());
        let draw = line(None, "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8").end.expect("a draw");
        assert_eq!((draw.winner, draw.reason.as_str()), (None, "threefold repetition"));
    }

    #[test]
    fn ambiguous_castling_is_written_as_king_takes_rook() {
        let line = line(Some("4k3/8/8/8/8/8/8/5K1R w K - 0 1"), "O-O");
        assert_eq!((line.plies[0].uci.as_str(), line.plies[0].san.as_str()), ("f1h1", "O-O"));
    }
}
