//! From what tables hold to what a position comes to: captures, en passant and the other side's distances are searched.
//!
//! Tables may hold anything where a capture is best, know no en passant, and tell distances for one side to move only.

use alfiere_chess::board::Board;
use alfiere_chess::movegen::{add_noisy_moves, has_legal_move, legal_moves};
use alfiere_chess::types::{Move, MoveList, PieceKind};

use super::set::Tablebases;
use super::table::Distance;
use super::wdl::Wdl;

/// An outcome and how it comes about.
#[derive(Clone, Copy)]
struct Found {
    wdl: Wdl,
    /// A capture that keeps a win, or a capture en passant that is best: the distance follows at once.
    by_capture: bool,
}

impl Tablebases {
    /// What a position comes to if the last move was a capture or a pawn's; `None` where no table tells.
    ///
    /// Positions with a right to castle are in no table.
    pub fn probe_wdl(&self, board: &Board) -> Option<Wdl> {
        Some(self.resolve(board)?.wdl)
    }

    /// Plies to the next capture or pawn's move with best play: positive for a win, negative for a loss, more than a
    /// hundred for results that the fifty-move rule takes away, 0 for a draw. It may be one more than it should.
    pub fn probe_dtz(&self, board: &Board) -> Option<i32> {
        let Found { wdl, by_capture } = self.resolve(board)?;
        if wdl == Wdl::Draw || by_capture {
            return Some(wdl.dtz_if_zeroing());
        }
        let sign = wdl.value().signum();
        if sign > 0 {
            for mv in legal_moves(board).into_iter().filter(|&mv| !mv.is_capture() && is_pawn_move(board, mv)) {
                if -self.probe_wdl(&after(board, mv))? == wdl {
                    return Some(wdl.dtz_if_zeroing());
                }
            }
        }
        match self.stored_dtz(board, wdl)? {
            Distance::Plies(plies) => Some(wdl.dtz_if_zeroing() + sign * plies),
            Distance::OtherSide => self.dtz_by_moves(board, wdl),
        }
    }

    /// The distance from those after each quiet move.
    fn dtz_by_moves(&self, board: &Board, wdl: Wdl) -> Option<i32> {
        let mut best = if wdl > Wdl::Draw { None } else { Some(wdl.dtz_if_zeroing()) };
        for mv in legal_moves(board).into_iter().filter(|&mv| !mv.is_capture() && !is_pawn_move(board, mv)) {
            let child = after(board, mv);
            let reply = -self.probe_dtz(&child)?;
            let found = if reply == 1 && is_mate(&child) {
                1
            } else if wdl > Wdl::Draw {
                if reply <= 0 {
                    continue;
                }
                reply + 1
            } else {
                reply - 1
            };
            best = Some(best.map_or(found, |best| best.min(found)));
        }
        best
    }

    /// The better of the table's word and the best capture.
    fn resolve(&self, board: &Board) -> Option<Found> {
        if !board.castling_rights().is_empty() {
            return None;
        }
        let mut best_capture: Option<Wdl> = None;
        let mut best_passing: Option<Wdl> = None;
        for mv in captures(board) {
            let bound = -best_capture.unwrap_or(Wdl::Loss);
            let wdl = -self.search_captures(&after(board, mv), Wdl::Loss, bound)?;
            if wdl == Wdl::Win {
                return Some(Found { wdl, by_capture: true });
            }
            let best = if mv.is_en_passant() { &mut best_passing } else { &mut best_capture };
            *best = (*best).max(Some(wdl));
        }
        let stored = self.stored_wdl(board)?;
        if let Some(passing) = best_passing {
            let better = passing > stored && best_passing > best_capture;
            // The table believes in stalemate where taking in passing is the only move.
            let forced = stored == Wdl::Draw
                && best_capture.is_none_or(|capture| capture < stored)
                && !board.in_check()
                && legal_moves(board).iter().all(|mv| mv.is_en_passant());
            if better || forced {
                return Some(Found { wdl: passing, by_capture: true });
            }
        }
        Some(match best_capture.max(best_passing) {
            Some(wdl) if wdl >= stored => Found { wdl, by_capture: wdl > Wdl::Draw },
            _ => Found { wdl: stored, by_capture: false },
        })
    }

    /// The same after a capture, where no pawn can be taken in passing, as far as the window asks.
    fn search_captures(&self, board: &Board, mut alpha: Wdl, beta: Wdl) -> Option<Wdl> {
        for mv in captures(board) {
            let wdl = -self.search_captures(&after(board, mv), -beta, -alpha)?;
            if wdl >= beta {
                return Some(wdl);
            }
            alpha = alpha.max(wdl);
        }
        Some(alpha.max(self.stored_wdl(board)?))
    }
}

fn captures(board: &Board) -> MoveList {
    let mut moves = MoveList::new();
    add_noisy_moves(board, &mut moves);
    moves.retain(|mv| mv.is_capture());
    moves
}

pub(super) fn after(board: &Board, mv: Move) -> Board {
    let mut child = board.clone();
    child.play(mv);
    child
}

pub(super) fn is_mate(board: &Board) -> bool {
    board.in_check() && !has_legal_move(board)
}

fn is_pawn_move(board: &Board, mv: Move) -> bool {
    board.moved(mv).kind() == PieceKind::Pawn
}
