//! Which moves of a node give check, known without playing them.

use alfiere_chess::board::{Board, attacks};
use alfiere_chess::types::{Bitboard, CastleSide, Move, PieceKind, Square};

/// What gives check in one position.
#[derive(Clone, Copy)]
pub(crate) struct Checks {
    king: Square,
    /// By kind: from where it would attack the king.
    squares: [Bitboard; 6],
    /// Own pieces that stand between an own slider and the king.
    blockers: Bitboard,
}

impl Checks {
    /// For the side to move.
    pub(crate) fn of(board: &Board) -> Self {
        let (us, them) = (board.side_to_move(), !board.side_to_move());
        let king = board.king(them);
        let occupied = board.occupied();
        let diagonal = attacks::bishop_attacks(king, occupied);
        let straight = attacks::rook_attacks(king, occupied);
        let own = board.color(us);
        let sliders = own
            & (attacks::bishop_rays(king) & board.diagonal_sliders()
                | attacks::rook_rays(king) & board.straight_sliders());
        let mut blockers = Bitboard::EMPTY;
        for slider in sliders {
            let between = attacks::between(king, slider) & occupied;
            if !between.has_several() {
                blockers |= between & own;
            }
        }
        let squares = [
            attacks::pawn_attacks(them, king),
            attacks::knight_attacks(king),
            diagonal,
            straight,
            diagonal | straight,
            Bitboard::EMPTY,
        ];
        Self { king, squares, blockers }
    }

    /// Whether a legal move gives check; what en passant or castling uncovers on other lines is not looked at.
    #[inline(always)]
    #[allow(clippy::inline_always, reason = "asked of every quiet move")]
    pub(crate) fn gives(&self, board: &Board, mv: Move) -> bool {
        let (source, target) = (mv.source(), mv.target());
        self.squares[board.moved(mv).kind().index()].contains(target)
            || self.blockers.contains(source) && !attacks::line(self.king, source).contains(target)
            || (mv.is_promotion() || mv.is_castle()) && self.new_piece_gives(board, mv)
    }

    /// Whether a promoted pawn or a castling rook gives check.
    #[cold]
    fn new_piece_gives(&self, board: &Board, mv: Move) -> bool {
        match mv.promotion() {
            // The pawn no longer stands between its new self and a king behind it.
            Some(kind) => {
                let occupied = board.occupied() ^ mv.source().into();
                attacks::piece_attacks(kind, mv.target(), occupied).contains(self.king)
            }
            None => self.squares[PieceKind::Rook.index()].contains(rook_target(mv)),
        }
    }
}

/// Where the castling rook lands.
fn rook_target(mv: Move) -> Square {
    let side = if mv.target().file() > mv.source().file() { CastleSide::King } else { CastleSide::Queen };
    Square::new(side.rook_file(), mv.source().rank())
}

#[cfg(test)]
mod tests {
    use super::*;
    use alfiere_chess::movegen::legal_moves;

    #[test]
    fn told_before_playing_as_seen_after() {
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
            "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
            "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
            "5k2/8/8/8/8/8/8/4K2R w K - 0 1",
            "4k3/8/8/8/4N3/8/4R3/4K3 w - - 0 1",
            // Promotions that check through the square that the pawn came from.
            "8/4P3/8/4k3/8/8/8/4K3 w - - 0 1",
            "3r1b2/4P3/3k4/8/8/8/8/4K3 w - - 0 1",
        ] {
            let board = Board::from_fen(fen).expect("a legal position");
            let checks = Checks::of(&board);
            for mv in legal_moves(&board) {
                let mut child = board.clone();
                child.play(mv);
                assert_eq!(checks.gives(&board, mv), child.in_check(), "{mv:?} in {fen}");
            }
        }
    }
}
