//! The commands `d` and `flip`: the position as a diagram, and with colours exchanged.

use std::fmt::Write;

use alfiere_chess::board::Board;
use alfiere_chess::types::{File, Piece, Rank, Square};

/// The board as a diagram with its FEN and key.
pub(super) fn diagram(board: &Board) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    for rank in Rank::ALL.into_iter().rev() {
        let _ = write!(text, " {} ", rank.digit());
        for file in File::ALL {
            let letter = board.piece_on(Square::new(file, rank)).map_or('.', Piece::letter);
            let _ = write!(text, " {letter}");
        }
        text.push('\n');
    }
    let _ = writeln!(text, "    a b c d e f g h\n");
    let _ = writeln!(text, "Fen: {}", board.to_fen());
    let _ = write!(text, "Key: {:016X}\nCheckers:", board.key());
    for square in board.checkers() {
        let _ = write!(text, " {square}");
    }
    text
}

/// The FEN of the same position with colours exchanged.
pub(super) fn flipped_fen(board: &Board) -> String {
    let fen = board.to_shredder_fen();
    let fields: Vec<&str> = fen.split_whitespace().collect();
    let [pieces, side, castling, en_passant, clocks @ ..] = fields.as_slice() else { return fen };
    let exchange =
        |text: &str| -> String {
            text.chars()
                .map(|letter| {
                    if letter.is_ascii_uppercase() { letter.to_ascii_lowercase() } else { letter.to_ascii_uppercase() }
                })
                .collect()
        };
    let ranks: Vec<String> = pieces.split('/').rev().map(exchange).collect();
    let side = if *side == "w" { "b" } else { "w" };
    let en_passant = en_passant.replace('3', "x").replace('6', "3").replace('x', "6");
    format!("{} {side} {} {en_passant} {}", ranks.join("/"), exchange(castling), clocks.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flipping_twice_changes_nothing() {
        for fen in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b Kq - 3 9",
            "8/8/8/8/k2Pp2K/8/8/8 b - d3 0 1",
        ] {
            let board = Board::from_fen(fen).expect("a legal position");
            let once = Board::from_fen(&flipped_fen(&board)).expect("legal as well");
            assert_ne!(once, board);
            assert_eq!(Board::from_fen(&flipped_fen(&once)).expect("legal again").to_fen(), board.to_fen());
        }
    }
}
