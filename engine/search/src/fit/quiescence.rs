//! A network's value of a position: static, or after quiescence search.
//!
//! This quiescence is plain on purpose (no table, no margins): what is measured with it is the network.

use alfiere_chess::board::Board;
use alfiere_chess::movegen::{add_noisy_moves, legal_moves};
use alfiere_chess::types::{Move, MoveList};
use alfiere_nnue::{AccumulatorStack, Delta, Network};

/// The value of a mate at the root; one ply further away it is one less.
const MATE: i32 = 30_000;
/// Maximum number of plies, at which a line is evaluated statically.
const MAX_PLIES: i32 = 24;

/// The static evaluation by a network.
pub struct StaticEval<'a> {
    network: &'a Network,
    stack: AccumulatorStack,
}

impl<'a> StaticEval<'a> {
    /// For this network.
    pub fn new(network: &'a Network) -> Self {
        Self { network, stack: AccumulatorStack::new(network) }
    }

    /// Centipawns for the side to move.
    pub fn evaluate(&mut self, board: &Board) -> i32 {
        self.stack.reset(board);
        self.stack.evaluate(self.network, board)
    }
}

/// The network's value once captures and promotions that do not lose material are played out.
pub struct QuiescenceEval<'a>(StaticEval<'a>);

impl<'a> QuiescenceEval<'a> {
    /// For this network.
    pub fn new(network: &'a Network) -> Self {
        Self(StaticEval::new(network))
    }

    /// Centipawns for the side to move; near ±30,000 where a mate is forced by captures and evasions alone.
    pub fn evaluate(&mut self, board: &Board) -> i32 {
        self.0.stack.reset(board);
        self.search(board, -MATE, MATE, 0)
    }

    fn search(&mut self, board: &Board, mut alpha: i32, beta: i32, ply: i32) -> i32 {
        let in_check = board.in_check();
        if ply >= MAX_PLIES {
            return self.0.stack.evaluate(self.0.network, board);
        }
        let mut moves = MoveList::new();
        let mut best = if in_check {
            // In check all evasions are searched, and there is no stand pat.
            moves = legal_moves(board);
            ply - MATE
        } else {
            add_noisy_moves(board, &mut moves);
            moves.retain(|mv| board.see_at_least(*mv, 0));
            self.0.stack.evaluate(self.0.network, board)
        };
        alpha = alpha.max(best);
        if alpha >= beta {
            return best;
        }
        moves.sort_by_key(|&mv| std::cmp::Reverse(gain(board, mv)));
        for mv in moves {
            let mut child = board.clone();
            self.0.stack.push(Delta::of_played(&mut child, mv));
            let value = -self.search(&child, -beta, -alpha, ply + 1);
            self.0.stack.pop();
            best = best.max(value);
            alpha = alpha.max(value);
            if alpha >= beta {
                break;
            }
        }
        best
    }
}

/// The MVV-LVA order: most valuable victim, then least valuable attacker.
fn gain(board: &Board, mv: Move) -> usize {
    let taken = board.captured(mv).map_or(0, |piece| piece.kind().index() + 1);
    let promoted = mv.promotion().map_or(0, |kind| kind.index() + 1);
    (taken + promoted) * 8 + 7 - board.moved(mv).kind().index()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pending_captures_are_played_out_and_mates_seen() {
        let network = Network::embedded();
        let mut resolver = QuiescenceEval::new(network);
        let mut fixed = StaticEval::new(network);
        for fen in ["4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"] {
            let board = Board::from_fen(fen).unwrap();
            assert_eq!(resolver.evaluate(&board), fixed.evaluate(&board), "nothing to capture in {fen}");
        }
        // Whatever the network thinks of it, taking is one of the choices.
        let board = Board::from_fen("4k3/8/8/3q4/8/4N3/8/4K3 w - - 0 1").unwrap();
        assert!(resolver.evaluate(&board) >= fixed.evaluate(&board));
        let mated = Board::from_fen("R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1").unwrap();
        assert_eq!(resolver.evaluate(&mated), -MATE);
    }
}
