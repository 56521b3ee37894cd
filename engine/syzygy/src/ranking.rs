//! The moves of a position in the order of what they come to, with the game's history and the fifty-move rule in mind.

use alfiere_chess::board::{Board, KeyHistory};
use alfiere_chess::types::Move;

use super::probe::{after, is_mate};
use super::set::Tablebases;
use super::wdl::Wdl;

/// Whether a win that takes more than fifty moves without capture or pawn's move counts as one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FiftyMoveRule {
    /// It is a draw.
    Counts,
    /// It is a win.
    Ignored,
}

impl FiftyMoveRule {
    /// What an outcome is under this rule.
    pub fn applied_to(self, wdl: Wdl) -> Wdl {
        match (self, wdl) {
            (Self::Ignored, Wdl::CursedWin) => Wdl::Win,
            (Self::Ignored, Wdl::BlessedLoss) => Wdl::Loss,
            _ => wdl,
        }
    }
}

/// What the tables say about one move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RankedMove {
    /// The move.
    pub mv: Move,
    /// Higher is better; moves of one rank are left for a search to tell apart.
    pub rank: i32,
    /// What the position comes to after it, for the side that plays it, with the plies already played counted in.
    pub wdl: Wdl,
    /// Plies to the next capture or pawn's move, this one included; 0 for draws and where only outcomes are known.
    pub plies: u32,
}

/// What the ranks are made from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Basis {
    /// Distances: the best move makes progress.
    Distances,
    /// Outcomes: each move of the best rank keeps the result, progress is for a search to find.
    Outcomes,
}

/// Beyond any distance.
const CERTAIN: i32 = 1 << 18;

impl Tablebases {
    /// Ranks moves of a position; `None` if some of them leads where no table tells.
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
            let dtz = if is_drawn(child, &past) { 0 } else { self.dtz_of_move(child)? };
            Some(ranked_by_distance(mv, dtz, clock, rule))
        };
        if let Some(ranked) = rank_all(&by_distance) {
            return Some((Basis::Distances, ranked));
        }
        let by_outcome = |child: &Board, mv| {
            let wdl = if is_drawn(child, &past) { Wdl::Draw } else { rule.applied_to(-self.probe_wdl(child)?) };
            Some(RankedMove { mv, rank: wdl.value(), wdl, plies: 0 })
        };
        rank_all(&by_outcome).map(|ranked| (Basis::Outcomes, ranked))
    }

    /// The distance before a move from the position after it.
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

/// Drawn by the game's history: a third occurrence, or a hundred plies without progress.
fn is_drawn(child: &Board, past: &KeyHistory) -> bool {
    past.count(child) >= 2 || child.halfmove_clock() >= 100 && !is_mate(child)
}

/// A win: the sooner the better. A loss: all the same, unless the fifty-move rule may come to help.
fn ranked_by_distance(mv: Move, dtz: i32, clock: i32, rule: FiftyMoveRule) -> RankedMove {
    let plies = dtz.abs();
    let within_rule = plies + clock <= 100;
    let (rank, wdl) = match dtz.signum() {
        1 => (CERTAIN - plies - clock, if within_rule { Wdl::Win } else { Wdl::CursedWin }),
        0 => (0, Wdl::Draw),
        _ => {
            let hopeless = 2 * plies + clock < 100;
            let rank = if hopeless { -CERTAIN } else { -CERTAIN + plies + clock };
            (rank, if within_rule { Wdl::Loss } else { Wdl::BlessedLoss })
        }
    };
    RankedMove { mv, rank, wdl: rule.applied_to(wdl), plies: plies as u32 }
}
