//! Static exchange evaluation: what a sequence of captures on one square wins, each side taking with its cheapest piece.

use super::{Board, attacks};
use crate::types::{Bitboard, Move, MoveKind, PieceKind, Rank, Square};

/// What each kind counts in an exchange, in centipawns; the king is never exchanged.
const VALUES: [i32; 6] = [100, 300, 300, 500, 900, 0];

const fn value(kind: PieceKind) -> i32 {
    VALUES[kind.index()]
}

/// What a pawn gains by becoming a queen.
const PROMOTION: i32 = value(PieceKind::Queen) - value(PieceKind::Pawn);

impl Board {
    /// Whether the exchange that this pseudo-legal move begins wins at least `threshold` centipawns.
    ///
    /// Either side stops when going on would lose. Pins are not looked at, as in the published test suite.
    pub fn see_at_least(&self, mv: Move, threshold: i32) -> bool {
        if mv.is_castle() {
            return threshold <= 0;
        }
        let balance = self.first_gain(mv) - threshold;
        if balance < 0 {
            return false;
        }
        let standing = mv.promotion().unwrap_or_else(|| self.moved(mv).kind());
        if balance >= value(standing) && !is_last_rank(mv.target()) {
            return true;
        }
        self.exchange(mv, balance, standing)
    }

    /// What the move takes, and what a promotion adds.
    fn first_gain(&self, mv: Move) -> i32 {
        let captured = self.captured(mv).map_or(0, |piece| value(piece.kind()));
        let promoted = mv.promotion().map_or(0, |kind| value(kind) - value(PieceKind::Pawn));
        captured + promoted
    }

    /// Plays the exchange on, beginning with the answer to the capture by `standing`, which has won `balance` more than
    /// it has to.
    fn exchange(&self, mv: Move, mut balance: i32, mut standing: PieceKind) -> bool {
        let target = mv.target();
        let mut occupied = self.occupied().without(mv.source()).with(target);
        if mv.kind() == MoveKind::EnPassant {
            occupied = occupied.without(Square::new(target.file(), mv.source().rank()));
        }
        let (diagonal, straight) = (self.diagonal_sliders(), self.straight_sliders());
        let mut attackers = self.attackers_to(target, occupied) & occupied;
        let mut side = !self.side_to_move();
        loop {
            // `side` is to take; it has lost if the other side can bear whatever this wins.
            let own = attackers & self.color(side);
            let pawns_promote = is_last_rank(target) && (own & self.pieces(PieceKind::Pawn)).is_some();
            let most = value(standing) + if pawns_promote { PROMOTION } else { 0 };
            if balance >= most {
                break;
            }
            let Some((kind, source)) = self.cheapest(own, target) else { break };
            let promotes = kind == PieceKind::Pawn && is_last_rank(target);
            let gain = value(standing) + if promotes { PROMOTION } else { 0 };
            if balance >= gain {
                break;
            }
            if kind == PieceKind::King {
                // The king takes only what nobody protects.
                if (attackers & self.color(!side)).is_empty() {
                    side = !side;
                }
                break;
            }
            occupied = occupied.without(source);
            if matches!(kind, PieceKind::Pawn | PieceKind::Bishop | PieceKind::Queen) {
                attackers |= attacks::bishop_attacks(target, occupied) & diagonal;
            }
            if matches!(kind, PieceKind::Rook | PieceKind::Queen) {
                attackers |= attacks::rook_attacks(target, occupied) & straight;
            }
            attackers &= occupied;
            standing = if promotes { PieceKind::Queen } else { kind };
            side = !side;
            balance = gain - balance - 1;
        }
        side != self.side_to_move()
    }

    /// The attacker that risks least; a pawn that would be promoted risks a queen.
    fn cheapest(&self, attackers: Bitboard, target: Square) -> Option<(PieceKind, Square)> {
        use PieceKind::{Bishop, King, Knight, Pawn, Queen, Rook};
        let order = if is_last_rank(target) {
            [Knight, Bishop, Rook, Pawn, Queen, King]
        } else {
            [Pawn, Knight, Bishop, Rook, Queen, King]
        };
        order.into_iter().find_map(|kind| Some((kind, (attackers & self.pieces(kind)).first()?)))
    }
}

fn is_last_rank(square: Square) -> bool {
    matches!(square.rank(), Rank::First | Rank::Eighth)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::movegen::parse_uci_move;

    #[test]
    fn every_exchange_of_the_suite_has_its_value() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../datasets/suites/see.epd");
        let suite = std::fs::read_to_string(path).unwrap();
        let mut count = 0;
        for line in suite.lines().filter(|line| !line.trim().is_empty()) {
            let fields: Vec<&str> = line.split('|').map(str::trim).collect();
            let board = Board::from_fen(fields[0]).unwrap_or_else(|error| panic!("{line}: {error}"));
            let mv = parse_uci_move(&board, fields[1]).unwrap_or_else(|error| panic!("{line}: {error}"));
            let expected: i32 = fields[2].parse().unwrap();
            assert!(board.see_at_least(mv, expected), "{line}: less than {expected}");
            assert!(!board.see_at_least(mv, expected + 1), "{line}: more than {expected}");
            count += 1;
        }
        assert_eq!(count, 71);
    }
}
