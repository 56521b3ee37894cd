//! Formats rows as FEN.

use std::fmt::Write;

use alfiere_chess::types::{Bitboard, CastleSide, Color, File, Piece, PieceKind, Rank};

use super::row::Row;

impl Row {
    /// The position as FEN, castling rights as `KQkq` (the rook's file if another rook is further out).
    pub fn to_fen(&self) -> String {
        let mut mailbox = [None; 64];
        for (piece, square) in self.pieces() {
            mailbox[square.index()] = Some(piece);
        }
        let mut text = String::with_capacity(90);
        for rank in (0..8).rev() {
            let mut gap = 0u8;
            for piece in &mailbox[rank * 8..rank * 8 + 8] {
                if let Some(piece) = piece {
                    if gap > 0 {
                        text.push(char::from(b'0' + gap));
                        gap = 0;
                    }
                    text.push(piece.letter());
                } else {
                    gap += 1;
                }
            }
            if gap > 0 {
                text.push(char::from(b'0' + gap));
            }
            text.push(if rank > 0 { '/' } else { ' ' });
        }
        let us = self.side_to_move();
        text.push_str(if us == Color::White { "w " } else { "b " });
        let rights = self.castling_rights();
        for (color, side, letter) in [
            (Color::White, CastleSide::King, 'K'),
            (Color::White, CastleSide::Queen, 'Q'),
            (Color::Black, CastleSide::King, 'k'),
            (Color::Black, CastleSide::Queen, 'q'),
        ] {
            if !rights.has(color, side) {
                continue;
            }
            let king = mailbox.iter().position(|&piece| piece == Some(Piece::new(color, PieceKind::King)));
            let mut rooks = self.inner_castling_rooks() & Bitboard::rank(Rank::First.relative_to(color));
            let rook = rooks.find(|rook| (Some(rook.index()) > king) == (side == CastleSide::King));
            let file = rook.map(|rook| rook.file().letter());
            text.push(match file {
                Some(file) if color == Color::White => file.to_ascii_uppercase(),
                file => file.unwrap_or(letter),
            });
        }
        if rights.is_empty() {
            text.push('-');
        }
        text.push(' ');
        match self.en_passant_file() {
            Some(file) => {
                text.push(File::letter(file));
                text.push(Rank::Sixth.relative_to(us).digit());
            }
            None => text.push('-'),
        }
        // Writing to a string cannot fail.
        let _ = write!(text, " {} {}", self.halfmove_clock(), self.fullmove_number());
        text
    }
}
