//! Positions in FEN: what is read is legal, and written and read again it is the same.
#![no_main]

use alfiere_chess::board::Board;
use alfiere_chess::movegen::{CastlingNotation, format_san, format_uci_move, legal_moves, parse_san, parse_uci_move};
use alfiere_fuzz as _;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let Ok(board) = Board::from_fen(text) else { return };
    for fen in [board.to_fen(), board.to_shredder_fen()] {
        assert_eq!(Board::from_fen(&fen).as_ref(), Ok(&board), "{fen}");
    }
    for &mv in &legal_moves(&board) {
        assert_eq!(parse_san(&board, &format_san(&board, mv)), Ok(mv), "{board}");
        let text = format_uci_move(mv, CastlingNotation::Chess960).to_string();
        assert_eq!(parse_uci_move(&board, &text), Ok(mv), "{board}: {text}");
        let mut child = board.clone();
        child.play(mv);
        // Not the same board: it does not know how many of its plies were reversible.
        let again = Board::from_fen(&child.to_fen()).map(|again| (again.key(), again.to_fen()));
        assert_eq!(again, Ok((child.key(), child.to_fen())), "{board}: {text}");
    }
});
