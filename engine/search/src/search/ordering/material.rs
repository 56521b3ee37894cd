//! The material at stake in a move: what it captures or promotes to, and the piece that it saves from a cheaper attacker or
//! exposes to one.

use alfiere_chess::board::{Board, attacks};
use alfiere_chess::types::{Bitboard, Move, PieceKind};

/// Centipawns by kind, for move order and futility. Static exchange evaluation has others
/// ([`alfiere_chess::board::EXCHANGE_VALUES`]), with equal minor pieces, so that exchanging those costs nothing.
const VALUES: [i32; 6] = [100, 320, 330, 500, 950, 0];

/// The value of what a move captures or promotes to.
pub(crate) fn gain_of(board: &Board, mv: Move) -> i32 {
    let captured = board.captured(mv).map_or(0, |piece| VALUES[piece.kind().index()]);
    let promoted = mv.promotion().map_or(0, |kind| VALUES[kind.index()] - VALUES[PieceKind::Pawn.index()]);
    captured + promoted
}

/// The squares where a piece of the side to move is attacked by a cheaper one.
pub(crate) struct Escapes([Bitboard; 6]);

impl Escapes {
    /// For the side to move.
    pub(crate) fn of(board: &Board) -> Self {
        let them = !board.side_to_move();
        let attacked_by = |kind: PieceKind| {
            let attack = |square| match kind {
                PieceKind::Pawn => attacks::pawn_attacks(them, square),
                kind => attacks::piece_attacks(kind, square, board.occupied()),
            };
            board.colored(them, kind).into_iter().fold(Bitboard::EMPTY, |all, square| all | attack(square))
        };
        let pawns = attacked_by(PieceKind::Pawn);
        let minors = pawns | attacked_by(PieceKind::Knight) | attacked_by(PieceKind::Bishop);
        let rooks = minors | attacked_by(PieceKind::Rook);
        Self([Bitboard::EMPTY, pawns, pawns, minors, rooks, Bitboard::EMPTY])
    }

    /// The value of the piece, in centipawns, if the move saves it; negative if it exposes it; else 0.
    pub(crate) fn gain(&self, board: &Board, mv: Move) -> i32 {
        let kind = board.moved(mv).kind().index();
        let at_risk = |square| i32::from(self.0[kind].contains(square));
        VALUES[kind] * (at_risk(mv.source()) - at_risk(mv.target()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alfiere_chess::movegen::legal_moves;
    use alfiere_chess::types::Square;

    #[test]
    fn pieces_flee_from_cheaper_ones() {
        // The pawn attacks the knight, the bishop the rook; nothing attacks the queen.
        let board = Board::from_fen("7k/8/8/2p5/3N4/6b1/8/3QRK2 w - - 0 1").expect("a legal position");
        let escapes = Escapes::of(&board);
        let gain = |source: Square, target: Square| {
            let moves = legal_moves(&board);
            let mv = moves.iter().find(|mv| mv.source() == source && mv.target() == target);
            escapes.gain(&board, *mv.expect("a legal move"))
        };
        assert_eq!(gain(Square::D4, Square::F3), 320);
        assert_eq!(gain(Square::E1, Square::E2), 500);
        assert_eq!(gain(Square::E1, Square::E5), 0, "the bishop attacks that square, too");
        assert_eq!(gain(Square::D1, Square::C1), 0);
        assert_eq!(gain(Square::D1, Square::A4), 0);
    }
}
