//! A network's value of a position, static or after quiescence search, and the scale at which values agree best with labels.
//!
//! R², MSE and MAE are in clipped centipawns, `clamp(centipawns / 1000, -1, 1)` from White's side, mates at ±1.
//! Independent of training. Prints nothing.

use alfiere_chess::board::Board;
use alfiere_chess::centipawns::clipped;
use alfiere_chess::movegen::{add_noisy_moves, legal_moves};
use alfiere_chess::types::{Move, MoveList};
use alfiere_nnue::{AccumulatorStack, Delta, Network};
use ndarray::Array1;
use serde::Serialize;

// A network's value of a position: static, or after quiescence search.
//
// This quiescence is plain on purpose (no table, no margins): what is measured with it is the network.

/// The value of a mate at the root; one ply further away it is one less.
const MATE: i32 = 30_000;
/// Maximum number of plies, at which a line is evaluated statically.
const MAX_PLIES: i32 = 24;

pub struct StaticEval<'a> {
    network: &'a Network,
    stack: AccumulatorStack,
}

impl<'a> StaticEval<'a> {
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

/// Scales that are tried; outside of it a network's centipawns mean something else.
const SCALES: (f64, f64) = (0.02, 50.0);
/// Points of the first, coarse look over all scales (logarithmic).
const COARSE_POINTS: u32 = 60;
/// Steps of the golden section after it: a relative precision of a millionth.
const FINE_STEPS: u32 = 32;

/// Agreement over a set, in clipped centipawns.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct FitMetrics {
    /// What the values were multiplied by.
    pub scale: f64,
    /// 1 − MSE / variance of the targets; not a number when all targets are equal.
    pub r2: f64,
    pub mse: f64,
    pub mae: f64,
    pub rows: usize,
}

/// Agreement of `clamp(scale · centipawns / 1000, -1, 1)` with the targets. Both columns are of one length, at least 1.
fn fit_at_scale(centipawns: &Array1<f64>, targets: &Array1<f64>, scale: f64) -> FitMetrics {
    let errors = centipawns.mapv(|value| clipped(scale * value)) - targets;
    let count = targets.len() as f64;
    let (mse, mae) = (errors.pow2().sum() / count, errors.abs().sum() / count);
    FitMetrics { scale, r2: 1.0 - mse / targets.var(0.0), mse, mae, rows: targets.len() }
}

/// The fit at the scale with the smallest mean squared error.
///
/// Clamping makes the error no parabola of the scale, so it is searched: a coarse grid, then a golden section around
/// its best point.
pub fn best_scale(centipawns: &Array1<f64>, targets: &Array1<f64>) -> FitMetrics {
    let mse = |log_scale: f64| fit_at_scale(centipawns, targets, log_scale.exp()).mse;
    let (low, high) = (SCALES.0.ln(), SCALES.1.ln());
    let step = (high - low) / f64::from(COARSE_POINTS);
    let (mut best, mut best_mse) = (low, f64::INFINITY);
    for point in 0..=COARSE_POINTS {
        let log_scale = low + step * f64::from(point);
        let found = mse(log_scale);
        if found < best_mse {
            (best, best_mse) = (log_scale, found);
        }
    }
    let golden = (5f64.sqrt() - 1.0) / 2.0;
    let (mut low, mut high) = (best - step, best + step);
    for _ in 0..FINE_STEPS {
        let left = high - golden * (high - low);
        let right = low + golden * (high - low);
        if mse(left) < mse(right) {
            high = right;
        } else {
            low = left;
        }
    }
    fit_at_scale(centipawns, targets, f64::midpoint(low, high).exp())
}

#[cfg(test)]
mod tests {
    use ndarray::array;

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

    #[test]
    fn a_fit_by_hand() {
        // Targets 0.1, -0.1, 1, values 0.2, 0, 1 (clamped): errors 0.1, 0.1, 0. Mean 1/3, variance 0.22889.
        let fit = fit_at_scale(&array![200.0, 0.0, 1500.0], &array![0.1, -0.1, 1.0], 1.0);
        assert!((fit.mse - 0.02 / 3.0).abs() < 1e-12 && (fit.mae - 0.2 / 3.0).abs() < 1e-12);
        assert!((fit.r2 - (1.0 - 0.006_666_67 / 0.228_888_89)).abs() < 1e-6, "{fit:?}");
        assert_eq!(fit.rows, 3);
    }

    #[test]
    fn the_scale_is_found() {
        let targets: Array1<f64> = (-40..=40).map(|n| f64::from(n) / 30.0).map(|t: f64| t.clamp(-1.0, 1.0)).collect();
        let values: Array1<f64> = (-40..=40).map(|n| f64::from(n) / 30.0 * 1000.0 / 1.37).collect();
        let fit = best_scale(&values, &targets);
        assert!((fit.scale - 1.37).abs() < 0.01 && fit.r2 > 0.9999, "{fit:?}");
    }
}
