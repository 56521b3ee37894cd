//! The mirror image of a position, the a-file exchanged with the h-file.
//!
//! Only castling tells left from right. Where nobody may castle any more, a position and its image have the same moves,
//! mirrored, and the same value.

use super::{Board, zobrist};
use crate::types::{Bitboard, Color, PieceKind};

impl Board {
    /// Whether a game that led here could easily have led to the mirror image: nobody may castle, and the pawns of each
    /// side stand on files that mirror one another, so that no pawn had to change its file.
    pub fn may_meet_its_mirror(&self) -> bool {
        self.castling_rights().is_empty()
            && Color::ALL.into_iter().all(|color| {
                let files = files_of(self.colored(color, PieceKind::Pawn));
                files == files.reverse_bits()
            })
    }

    /// The key of the mirror image of a position in which nobody may castle.
    ///
    /// Computed from nothing: few positions are asked for it, so none pays for keeping it up to date.
    pub fn mirror_key(&self) -> u64 {
        debug_assert!(self.castling_rights().is_empty(), "castling has no mirror image");
        let pieces = self.occupied().into_iter().filter_map(|square| Some((self.piece_on(square)?, square)));
        let mut key = pieces.fold(0, |key, (piece, square)| key ^ zobrist::piece_key(piece, square.mirror()));
        if let Some(passed) = self.en_passant() {
            key ^= zobrist::en_passant_key(passed.mirror().file());
        }
        if self.side_to_move() == Color::White {
            key ^= zobrist::WHITE_TO_MOVE_KEY;
        }
        key
    }
}

/// The files on which some of these squares lie, one bit each.
fn files_of(squares: Bitboard) -> u8 {
    let halves = squares.0 | squares.0 >> 32;
    let quarters = halves | halves >> 16;
    (quarters | quarters >> 8) as u8
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::movegen::legal_moves;
    use crate::types::Move;

    /// The same position with every rank of its FEN read backwards.
    fn mirrored(board: &Board) -> Board {
        let fen = board.to_fen();
        let mut fields: Vec<String> = fen.split(' ').map(str::to_owned).collect();
        fields[0] = fields[0].split('/').map(|rank| rank.chars().rev().collect()).collect::<Vec<String>>().join("/");
        if let Some(passed) = board.en_passant() {
            fields[3] = passed.mirror().to_string();
        }
        Board::from_fen(&fields.join(" ")).unwrap()
    }

    fn compare(board: &Board, depth: u32) -> usize {
        let image = mirrored(board);
        assert_eq!(board.mirror_key(), image.key(), "{board}");
        assert_eq!(image.mirror_key(), board.key(), "{board}");
        let mut expected: Vec<u16> = legal_moves(&image).iter().map(|mv| mv.to_bits()).collect();
        let mut moves: Vec<u16> = legal_moves(board).into_iter().filter_map(Move::mirror).map(Move::to_bits).collect();
        expected.sort_unstable();
        moves.sort_unstable();
        assert_eq!(moves, expected, "{board}");
        if depth == 0 {
            return 1;
        }
        let children = legal_moves(board).into_iter().map(|mv| {
            let mut child = board.clone();
            child.play(mv);
            compare(&child, depth - 1)
        });
        1 + children.sum::<usize>()
    }

    #[test]
    fn key_and_moves_are_those_of_the_mirrored_position() {
        let mut compared = 0;
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w - - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
            "r7/8/2b1k3/Pp2p1b1/1Rp5/2K5/1PP5/R7 w - b6 0 52",
            "8/8/3P4/1K6/5k2/2r5/6p1/6R1 b - - 2 56",
        ] {
            compared += compare(&Board::from_fen(fen).unwrap(), 2);
        }
        assert!(compared > 2_000, "{compared}");
    }

    #[test]
    fn only_pawns_on_mirrored_files_and_no_castling_let_an_image_arise() {
        for (fen, may) in [
            ("8/8/4k3/8/8/3K4/8/3R4 w - - 0 1", true),
            ("8/8/4k3/p6p/8/3K4/3P4/3R4 w - - 0 1", false),
            ("8/8/4k3/p6p/4P3/3K4/3P4/3R4 w - - 0 1", true),
            ("8/8/4k3/p6p/2p5/3K4/8/3R4 w - - 0 1", false),
            ("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", false),
        ] {
            assert_eq!(Board::from_fen(fen).unwrap().may_meet_its_mirror(), may, "{fen}");
        }
    }
}
