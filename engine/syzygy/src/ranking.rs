//! Ranks moves by tablebase values, the game's history and the fifty-move rule.

use alfiere_chess::board::{Board, KeyHistory};
use alfiere_chess::types::Move;

use super::probe::{after, is_mate};
use super::set::Tablebases;
use super::wdl::Wdl;

/// Whether the fifty-move rule applies to tablebase wins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FiftyMoveRule {
    /// Cursed wins and blessed losses are draws.
    Counts,
    /// Cursed wins and blessed losses are wins and losses.
    Ignored,
}

impl FiftyMoveRule {
    /// The WDL value under this rule.
    pub fn applied_to(self, wdl: Wdl) -> Wdl {
        match (self, wdl) {
            (Self::Ignored, Wdl::CursedWin) => Wdl::Win,
            (Self::Ignored, Wdl::BlessedLoss) => Wdl::Loss,
            _ => wdl,
        }
    }
}

/// The tablebase rank of a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RankedMove {
    /// The move.
    pub mv: Move,
    /// Higher is better; moves of equal rank are left to the search.
    pub rank: i32,
    /// The WDL value after the move, for the side that plays it, taking the halfmove clock into account.
    pub wdl: Wdl,
    /// Plies to the next capture or pawn move, including this one; 0 for draws and if only WDL is known.
    pub plies: u32,
}

/// The tables that ranks are based on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Basis {
    /// DTZ tables: the best move makes progress.
    Distances,
    /// WDL tables: every move of the best rank keeps the result, and the search must make progress.
    Outcomes,
}

/// Rank of a certain win; larger than any distance.
const CERTAIN: i32 = 1 << 18;

impl Tablebases {
    /// Ranks moves of a position; `None` if a table is missing for some of them.
    pub fn rank(
        &self,
        board: &Board,
        keys: &KeyHistory,
        moves: &[Move],
        rule: FiftyMoveRule,
    ) -> Option<(Basis, Vec<RankedMove>)> {
        if self.is_empty() || !board.castling_rights().is_empty() {
            return None;
        }
        let rank_all = |rank_one: &dyn Fn(&Board, Move) -> Option<RankedMove>| -> Option<Vec<RankedMove>> {
            moves.iter().map(|&mv| rank_one(&after(board, mv), mv)).collect()
        };
        let mut past = keys.clone();
        past.push(board);
        let clock = i32::from(board.halfmove_clock());
        let by_distance = |child: &Board, mv| {
            let dtz = if is_drawn(child, &past, rule) { 0 } else { self.dtz_of_move(child)? };
            Some(ranked_by_distance(mv, dtz, clock, rule))
        };
        if let Some(ranked) = rank_all(&by_distance) {
            return Some((Basis::Distances, ranked));
        }
        let by_outcome = |child: &Board, mv| {
            let wdl = if is_drawn(child, &past, rule) { Wdl::Draw } else { rule.applied_to(-self.probe_wdl(child)?) };
            Some(RankedMove { mv, rank: wdl.value(), wdl, plies: 0 })
        };
        rank_all(&by_outcome).map(|ranked| (Basis::Outcomes, ranked))
    }

    /// DTZ before a move, from the position after it.
    fn dtz_of_move(&self, child: &Board) -> Option<i32> {
        if is_mate(child) {
            return Some(1);
        }
        if child.halfmove_clock() == 0 {
            return Some((-self.probe_wdl(child)?).dtz_if_zeroing());
        }
        let dtz = -self.probe_dtz(child)?;
        Some(dtz + dtz.signum())
    }
}

/// Whether the position is drawn by repetition or, if it counts, by the fifty-move rule.
fn is_drawn(child: &Board, past: &KeyHistory, rule: FiftyMoveRule) -> bool {
    past.count(child) >= 2 || rule == FiftyMoveRule::Counts && child.halfmove_clock() >= 100 && !is_mate(child)
}

/// Ranks a win by its distance. All losses have the same rank, except those where the fifty-move rule may still save
/// the game.
fn ranked_by_distance(mv: Move, dtz: i32, clock: i32, rule: FiftyMoveRule) -> RankedMove {
    let plies = dtz.abs();
    let within_rule = plies + clock <= 100;
    let (rank, wdl) = match dtz.signum() {
        1 => (CERTAIN - plies - clock, if within_rule { Wdl::Win } else { Wdl::CursedWin }),
        0 => (0, Wdl::Draw),
        _ => {
            let is_certain_loss = 2 * plies + clock < 100;
            let rank = if is_certain_loss { -CERTAIN } else { -CERTAIN + plies + clock };
            (rank, if within_rule { Wdl::Loss } else { Wdl::BlessedLoss })
        }
    };
    RankedMove { mv, rank, wdl: rule.applied_to(wdl), plies: plies as u32 }
}
