//! The first field of a FEN.

use alfiere_chess::types::Piece;

/// The placement field of a FEN, from squares a1 to h8.
pub(super) fn placement(mailbox: &[Option<Piece>; 64]) -> String {
    let rank = |rank: &[Option<Piece>]| -> String {
        let letters: String = rank.iter().map(|piece| piece.map_or('.', Piece::letter)).collect();
        (1..=8).rev().fold(letters, |text, gap| text.replace(&".".repeat(gap), &gap.to_string()))
    };
    mailbox.chunks(8).rev().map(rank).collect::<Vec<_>>().join("/")
}
