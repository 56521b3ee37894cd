//! One book entry: 16 bytes, all numbers big-endian.
//!
//! ```text
//! 0..8    key of the position
//! 8..10   move: target file and rank, source file and rank, promotion, 3 bits each from the least significant bit
//! 10..12  weight, relative to the position's other moves
//! 12..16  learning data: written as 0 and ignored
//! ```

use crate::board::{Board, castling_targets};
use crate::movegen::legal_moves;
use crate::types::{File, Move, PieceKind, Rank, Square};

/// Size of an entry in bytes.
pub(super) const LENGTH: usize = 16;

/// A decoded entry; its move is not yet checked against a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Entry {
    pub(super) key: u64,
    pub(super) mv: EncodedMove,
    pub(super) weight: u16,
}

impl Entry {
    pub(super) fn from_bytes(bytes: &[u8; LENGTH]) -> Self {
        let [a, b, c, d, e, f, g, h, move_high, move_low, weight_high, weight_low, ..] = *bytes;
        Self {
            key: u64::from_be_bytes([a, b, c, d, e, f, g, h]),
            mv: EncodedMove(u16::from_be_bytes([move_high, move_low])),
            weight: u16::from_be_bytes([weight_high, weight_low]),
        }
    }

    pub(super) fn to_bytes(self) -> [u8; LENGTH] {
        let mut bytes = [0; LENGTH];
        bytes[..8].copy_from_slice(&self.key.to_be_bytes());
        bytes[8..10].copy_from_slice(&self.mv.0.to_be_bytes());
        bytes[10..12].copy_from_slice(&self.weight.to_be_bytes());
        bytes
    }
}

/// A move as a book encodes it; castling is king takes rook, as in [`Move`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct EncodedMove(pub(super) u16);

impl EncodedMove {
    pub(super) fn of(mv: Move) -> Self {
        let square = |square: Square| (square.file().index() | square.rank().index() << 3) as u16;
        let promotion = match mv.promotion() {
            None => 0,
            Some(PieceKind::Knight) => 1,
            Some(PieceKind::Bishop) => 2,
            Some(PieceKind::Rook) => 3,
            Some(_) => 4,
        };
        Self(square(mv.target()) | square(mv.source()) << 6 | promotion << 12)
    }

    /// The legal move that this encodes; `None` if there is none. A king move of two squares is also accepted as
    /// castling, because some books write it so.
    pub(super) fn on(self, board: &Board) -> Option<Move> {
        let square = |bits: u16| {
            let bits = usize::from(bits);
            Square::new(File::ALL[bits & 7], Rank::ALL[bits >> 3 & 7])
        };
        let (target, source) = (square(self.0), square(self.0 >> 6));
        let promotion = match self.0 >> 12 {
            0 => None,
            1 => Some(PieceKind::Knight),
            2 => Some(PieceKind::Bishop),
            3 => Some(PieceKind::Rook),
            4 => Some(PieceKind::Queen),
            _ => return None,
        };
        let moves = legal_moves(board);
        let find = |matches: &dyn Fn(Move) -> bool| {
            moves.iter().copied().find(|&mv| mv.source() == source && mv.promotion() == promotion && matches(mv))
        };
        find(&|mv| mv.target() == target)
            .or_else(|| find(&|mv| mv.is_castle() && castling_targets(source, mv.target()).0 == target))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::movegen::parse_uci_move;

    #[test]
    fn moves_are_encoded_as_the_format_says() {
        // From the format description: e2e4 from the start, promotions 1 to 4, castling as king takes rook.
        let promoting = "7k/P7/8/8/8/8/8/K7 w - - 0 1";
        let castling = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
        for (fen, uci, bits) in [
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "e2e4", 0o1434),
            (promoting, "a7a8n", 0o16070),
            (promoting, "a7a8b", 0o26070),
            (promoting, "a7a8r", 0o36070),
            (promoting, "a7a8q", 0o46070),
            (castling, "e1h1", 0o0407),
            (castling, "e1a1", 0o0400),
            ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2", "e5d6", 0o4453),
        ] {
            let board = Board::from_fen(fen).expect("valid");
            let mv = parse_uci_move(&board, uci).expect("legal");
            assert_eq!(EncodedMove::of(mv), EncodedMove(bits), "{uci}: {:o}", EncodedMove::of(mv).0);
            assert_eq!(EncodedMove(bits).on(&board), Some(mv), "{uci}");
        }
        let board = Board::from_fen(castling).expect("valid");
        assert!(EncodedMove(0o0406).on(&board).is_some_and(Move::is_castle), "e1g1");
        // A king move that is legal is not castling; zero and invalid bits are not moves.
        let board = Board::from_fen("4k3/8/8/8/8/8/8/5K1R w K - 0 1").expect("valid");
        assert!(EncodedMove(0o0506).on(&board).is_some_and(|mv| !mv.is_castle()));
        for bits in [0, 0o1434, 0o50506, u16::MAX] {
            assert_eq!(EncodedMove(bits).on(&board), None, "{bits:o}");
        }
    }

    #[test]
    fn every_legal_move_round_trips() {
        for fen in crate::positions::POSITIONS {
            let board = Board::from_fen(fen).expect("valid");
            for mv in legal_moves(&board) {
                assert_eq!(EncodedMove::of(mv).on(&board), Some(mv), "{fen}");
            }
        }
    }

    #[test]
    fn entries_are_big_endian() {
        let entry = Entry { key: 0x0102_0304_0506_0708, mv: EncodedMove(0x090a), weight: 0x0b0c };
        let bytes = entry.to_bytes();
        assert_eq!(bytes, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 0, 0, 0, 0]);
        assert_eq!(Entry::from_bytes(&bytes), entry);
    }
}
