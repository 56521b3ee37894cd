//! Ranks moves by tablebase values, the game's history and the fifty-move rule.

use alfiere_chess::board::{Board, KeyHistory};
use alfiere_chess::types::Move;

use super::Wdl;
use super::probe::{after, is_mate};
use super::set::Tablebases;

/// Whether the fifty-move rule applies to tablebase wins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FiftyMoveRule {
    /// Cursed wins and blessed losses are draws.
    Counts,
    /// Cursed wins and blessed losses are wins and losses.
    Ignored,
}

impl FiftyMoveRule {
    pub fn applied_to(self, wdl: Wdl) -> Wdl {
        match (self, wdl) {
            (Self::Ignored, Wdl::CursedWin) => Wdl::Win,
            (Self::Ignored, Wdl::BlessedLoss) => Wdl::Loss,
            _ => wdl,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RankedMove {
    pub mv: Move,
    /// Higher is better; moves of equal rank are left to the search.
    pub rank: i32,
    /// The WDL value after the move, for the side that plays it, taking the halfmove clock into account.
    pub wdl: Wdl,
    /// Plies to the next capture or pawn move, including this one, where the rank depends on them; 0 elsewhere.
    pub plies: u32,
}

/// The tables that ranks are based on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Basis {
    /// DTZ tables: every move of the best rank keeps a win within the fifty-move rule. After a repetition the best move
    /// makes progress.
    Distances,
    /// WDL tables: every move of the best rank keeps the result, and the search must make progress.
    Outcomes,
}

/// Rank of a certain win, if no position has been repeated; larger than any distance.
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
        let clock = Clock { plies: board.halfmove_clock().into(), repeated: keys.has_repeated(board), rule };
        let by_distance = |child: &Board, mv| {
            let dtz = if is_drawn(child, &past, rule) { 0 } else { self.dtz_of_move(child)? };
            Some(clock.rank(mv, dtz))
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

/// The part of the position's past on which ranks depend.
#[derive(Clone, Copy)]
struct Clock {
    plies: i32,
    /// Whether a position has been repeated since the last capture or pawn move.
    repeated: bool,
    rule: FiftyMoveRule,
}

impl Clock {
    /// Ranks a move by its DTZ. Certain wins have the same rank until a position is repeated, because the move of the least
    /// DTZ may be a capture or a pawn move that delays a mate. All losses have the same rank, except those where the
    /// fifty-move rule may still save the game.
    fn rank(self, mv: Move, dtz: i32) -> RankedMove {
        let plies = dtz.abs();
        // DTZ may be too small by one, except for a move that mates or zeroes the clock.
        let is_safe = plies + self.plies < if plies == 1 { 101 } else { 100 };
        // With a clock of 0, WDL decides.
        let within_rule = is_safe || plies + self.plies == 100 && self.plies == 0;
        let is_certain = match dtz.signum() {
            1 => !self.repeated && (is_safe || self.rule == FiftyMoveRule::Ignored),
            _ => 2 * plies + self.plies < 100,
        };
        let distance = if is_certain || dtz == 0 { 0 } else { plies + self.plies };
        let wdl = match (dtz.signum(), within_rule) {
            (0, _) => Wdl::Draw,
            (1, true) => Wdl::Win,
            (1, false) => Wdl::CursedWin,
            (_, true) => Wdl::Loss,
            (_, false) => Wdl::BlessedLoss,
        };
        RankedMove {
            mv,
            rank: dtz.signum() * (CERTAIN - distance),
            wdl: self.rule.applied_to(wdl),
            plies: if distance == 0 { 0 } else { plies as u32 },
        }
    }
}
