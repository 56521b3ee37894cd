//! What attacks and defends each piece, as far as inputs depend on it.

use alfiere_chess::board::{Board, attacks};
use alfiere_chess::types::{Bitboard, Color, Piece, PieceKind, Square};

use crate::shape::inputs::Inputs;

/// The classes of what attacks each piece and of what defends it.
///
/// The least attacker, of the other side: 0 none, 1 a pawn, 2 a minor piece, 3 a rook, queen or king. The least defender of an
/// attacked piece: 0 none, 1 a pawn, 2 another piece. Each class has two bits, and each bit is a bitboard of the pieces
/// that have it.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Relations {
    pub(crate) attackers: [Bitboard; 2],
    pub(crate) defenders: [Bitboard; 2],
}

impl Relations {
    pub fn new(pieces: impl IntoIterator<Item = (Piece, Square)>) -> Self {
        let mut boards = [Bitboard::EMPTY; 12];
        for (piece, square) in pieces {
            boards[piece.index()] |= Bitboard::from(square);
        }
        Self::between(|side, kind| boards[Piece::new(side, kind).index()])
    }

    /// Of the pieces on a board; none where inputs do not depend on them.
    pub(crate) fn on(board: &Board, inputs: &Inputs) -> Self {
        if inputs.has_attacks() { Self::between(|side, kind| board.colored(side, kind)) } else { Self::default() }
    }

    fn between(pieces: impl Fn(Color, PieceKind) -> Bitboard) -> Self {
        let [white, black] = Color::ALL
            .map(|side| PieceKind::ALL.into_iter().fold(Bitboard::EMPTY, |all, kind| all | pieces(side, kind)));
        let [by_white, by_black] = Color::ALL.map(|side| attacks_by(side, white | black, |kind| pieces(side, kind)));
        let reached = |of_white: [Bitboard; 3], of_black: [Bitboard; 3]| {
            [0, 1, 2].map(|class| white & of_white[class] | black & of_black[class])
        };
        let [pawns, minors, any] = reached(by_black, by_white);
        let [pawn_defended, _, defended] = reached(by_white, by_black).map(|squares| squares & any);
        Self { attackers: [pawns | any & !minors, any & !pawns], defenders: [pawn_defended, defended & !pawn_defended] }
    }

    /// The state of the piece on a square, 0 to 9.
    #[inline]
    pub fn state(&self, square: Square) -> usize {
        let class =
            |bits: [Bitboard; 2]| usize::from(bits[0].contains(square)) + 2 * usize::from(bits[1].contains(square));
        state(class(self.attackers), class(self.defenders))
    }
}

/// The state of a piece with this class of attacker and of defender.
#[inline]
pub(crate) const fn state(attacker: usize, defender: usize) -> usize {
    if attacker == 0 { 0 } else { 3 * attacker + defender - 2 }
}

/// The squares that a side attacks with pawns, with pawns and minor pieces, and with any pieces.
fn attacks_by(side: Color, occupied: Bitboard, pieces: impl Fn(PieceKind) -> Bitboard) -> [Bitboard; 3] {
    let pawns = attacks::pawn_attacks_of_all(side, pieces(PieceKind::Pawn));
    let mut minors = pawns | attacks::knight_attacks_of_all(pieces(PieceKind::Knight));
    for square in pieces(PieceKind::Bishop) {
        minors |= attacks::bishop_attacks(square, occupied);
    }
    let mut any = minors;
    for square in pieces(PieceKind::Rook) {
        any |= attacks::rook_attacks(square, occupied);
    }
    for square in pieces(PieceKind::Queen) {
        any |= attacks::queen_attacks(square, occupied);
    }
    for square in pieces(PieceKind::King) {
        any |= attacks::king_attacks(square);
    }
    [pawns, minors, any]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::inputs::STATES;

    #[test]
    fn states_are_what_the_position_shows() {
        let board = Board::from_fen("4k3/8/5n2/3p1b2/4P3/3B2N1/6r1/4K3 w - - 0 1").expect("a legal position");
        let relations = Relations::on(&board, &Inputs::PLAIN.with_attacks(true));
        for (square, attacker, defender) in [
            // Attacked by the pawn, the bishop and a knight; a bishop and a knight defend it.
            (Square::E4, 1, 2),
            // Attacked by the pawn and the knight; nothing defends it.
            (Square::F5, 1, 0),
            (Square::D5, 1, 2),
            (Square::G3, 3, 0),
            (Square::D3, 0, 0),
            (Square::G2, 0, 0),
            (Square::F6, 0, 0),
        ] {
            assert_eq!(relations.state(square), state(attacker, defender), "{square}");
        }
        let pieces = board.occupied().into_iter().map(|square| (board.piece_on(square).expect("a piece"), square));
        assert_eq!(Relations::new(pieces), relations);
    }

    #[test]
    fn states_are_numbered_without_gaps() {
        let mut states = vec![state(0, 0)];
        states.extend((1..4).flat_map(|attacker| (0..3).map(move |defender| state(attacker, defender))));
        assert!(states.into_iter().eq(0..STATES));
    }
}
