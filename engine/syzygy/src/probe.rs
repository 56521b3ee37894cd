//! Probing: combines stored values with a search of captures, en passant captures and, for DTZ, quiet moves.
//!
//! A stored value is arbitrary where a capture is best, ignores en passant, and DTZ is stored for one side to move
//! only.

use alfiere_chess::board::Board;
use alfiere_chess::movegen::{add_noisy_moves, has_legal_move, legal_moves};
use alfiere_chess::types::{Move, MoveList, PieceKind};

use super::Wdl;
use super::set::Tablebases;
use super::table::Distance;

/// A WDL value and its origin.
#[derive(Clone, Copy)]
struct ProbeResult {
    wdl: Wdl,
    /// The best move is a winning capture or an en passant capture, so DTZ follows directly.
    by_capture: bool,
}

impl Tablebases {
    /// The WDL value of a position with a halfmove clock of zero; `None` if a table is missing.
    ///
    /// Positions with castling rights are not in any table.
    pub fn probe_wdl(&self, board: &Board) -> Option<Wdl> {
        Some(self.resolve(board)?.wdl)
    }

    /// Distance to zeroing (DTZ): plies to the next capture or pawn move with best play. Positive for a win, negative
    /// for a loss, beyond 100 for cursed wins and blessed losses, 0 for a draw. It may be too small by one.
    pub fn probe_dtz(&self, board: &Board) -> Option<i32> {
        let ProbeResult { wdl, by_capture } = self.resolve(board)?;
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

    /// DTZ from the values after each quiet move.
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

    /// The better of the stored value and the best capture.
    fn resolve(&self, board: &Board) -> Option<ProbeResult> {
        if !board.castling_rights().is_empty() {
            return None;
        }
        let mut best_capture: Option<Wdl> = None;
        let mut best_en_passant: Option<Wdl> = None;
        for mv in captures(board) {
            let bound = -best_capture.unwrap_or(Wdl::Loss);
            let wdl = -self.search_captures(&after(board, mv), Wdl::Loss, bound)?;
            if wdl == Wdl::Win {
                return Some(ProbeResult { wdl, by_capture: true });
            }
            let best = if mv.is_en_passant() { &mut best_en_passant } else { &mut best_capture };
            *best = (*best).max(Some(wdl));
        }
        let stored = self.stored_wdl(board)?;
        if let Some(en_passant) = best_en_passant {
            let better = en_passant > stored && best_en_passant > best_capture;
            // If all legal moves are en passant captures, the table stores a stalemate.
            let forced = stored == Wdl::Draw
                && best_capture.is_none_or(|capture| capture < stored)
                && !board.in_check()
                && legal_moves(board).iter().all(|mv| mv.is_en_passant());
            if better || forced {
                return Some(ProbeResult { wdl: en_passant, by_capture: true });
            }
        }
        Some(match best_capture.max(best_en_passant) {
            Some(wdl) if wdl >= stored => ProbeResult { wdl, by_capture: wdl > Wdl::Draw },
            _ => ProbeResult { wdl: stored, by_capture: false },
        })
    }

    /// Alpha-beta search of captures. En passant is impossible, because the last move was a capture.
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
