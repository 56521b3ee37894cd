//! Static exchange evaluation (SEE): the material result of a sequence of captures on one square, each side capturing
//! with its least valuable piece.

use super::{Board, attacks};
use crate::types::{Bitboard, Move, MoveKind, PieceKind, Rank, Square};

/// Centipawns by kind of piece, for move order and futility.
pub const PIECE_VALUES: [i32; 6] = [100, 320, 330, 500, 950, 0];

/// Centipawns by kind of piece for exchanges: equal minor pieces, so that exchanging them gains nothing; the king is never
/// exchanged.
pub const EXCHANGE_VALUES: [i32; 6] = [100, 300, 300, 500, 900, 0];

const fn value(kind: PieceKind) -> i32 {
    EXCHANGE_VALUES[kind.index()]
}

const PROMOTION: i32 = value(PieceKind::Queen) - value(PieceKind::Pawn);

impl Board {
    /// Whether the exchange that this pseudo-legal move starts gains at least `threshold` centipawns.
    ///
    /// Either side stops when capturing again would lose material. Pins are ignored, as in the published test suite.
    pub fn see_at_least(&self, mv: Move, threshold: i32) -> bool {
        if mv.is_castle() {
            return threshold <= 0;
        }
        let balance = self.first_gain(mv) - threshold;
        if balance < 0 {
            return false;
        }
        let occupant = mv.promotion().unwrap_or_else(|| self.moved(mv).kind());
        if balance >= value(occupant) && !is_last_rank(mv.target()) {
            return true;
        }
        self.exchange(mv, balance, occupant)
    }

    /// Value of the captured piece, plus the gain of a promotion.
    fn first_gain(&self, mv: Move) -> i32 {
        let captured = self.captured(mv).map_or(0, |piece| value(piece.kind()));
        let promoted = mv.promotion().map_or(0, |kind| value(kind) - value(PieceKind::Pawn));
        captured + promoted
    }

    /// Continues the exchange with the reply to the capture by `occupant`; `balance` is the margin above the threshold
    /// so far.
    fn exchange(&self, mv: Move, mut balance: i32, mut occupant: PieceKind) -> bool {
        let target = mv.target();
        let mut occupied = self.occupied().without(mv.source()).with(target);
        if mv.kind() == MoveKind::EnPassant {
            occupied = occupied.without(Square::new(target.file(), mv.source().rank()));
        }
        let (diagonal, straight) = (self.diagonal_sliders(), self.straight_sliders());
        let mut attackers = self.attackers_to(target, occupied) & occupied;
        let mut side = !self.side_to_move();
        loop {
            // `side` is to capture; it has lost if the opponent stays ahead after the largest possible gain.
            let own = attackers & self.color(side);
            let pawns_promote = is_last_rank(target) && (own & self.pieces(PieceKind::Pawn)).is_some();
            let max_gain = value(occupant) + if pawns_promote { PROMOTION } else { 0 };
            if balance >= max_gain {
                break;
            }
            let Some((kind, source)) = self.least_valuable_attacker(own, target) else { break };
            let promotes = kind == PieceKind::Pawn && is_last_rank(target);
            let gain = value(occupant) + if promotes { PROMOTION } else { 0 };
            if balance >= gain {
                break;
            }
            if kind == PieceKind::King {
                // The king captures only unprotected pieces.
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
            occupant = if promotes { PieceKind::Queen } else { kind };
            side = !side;
            balance = gain - balance - 1;
        }
        side != self.side_to_move()
    }

    /// The least valuable attacker; a promoting pawn counts as a queen.
    fn least_valuable_attacker(&self, attackers: Bitboard, target: Square) -> Option<(PieceKind, Square)> {
        use PieceKind::{Bishop, King, Knight, Pawn, Queen, Rook};
        const LAST_RANK: [PieceKind; 6] = [Knight, Bishop, Rook, Pawn, Queen, King];
        let order = if is_last_rank(target) { &LAST_RANK } else { &PieceKind::ALL };
        order.iter().find_map(|&kind| Some((kind, (attackers & self.pieces(kind)).first()?)))
    }
}

fn is_last_rank(square: Square) -> bool {
    matches!(square.rank(), Rank::First | Rank::Eighth)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::movegen::{legal_moves, parse_uci_move};

    #[test]
    fn see_matches_the_published_suite() {
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

    #[test]
    fn quiet_moves_between_unattacked_squares_lose_nothing() {
        let mut compared = 0;
        for fen in crate::positions::POSITIONS {
            let board = Board::from_fen(fen).expect("a legal position");
            let threats = board.attacked_by(!board.side_to_move());
            for mv in legal_moves(&board).into_iter().filter(|mv| !mv.is_noisy()) {
                if !threats.contains(mv.source()) && !threats.contains(mv.target()) {
                    assert!(board.see_at_least(mv, 0), "{mv:?} in {fen}");
                    compared += 1;
                }
            }
        }
        assert!(compared > 500, "only {compared} moves were compared");
    }
}
