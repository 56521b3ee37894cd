//! Tablebases at the root: ranks the root moves and decides which nodes may probe.
//!
//! If the root itself is in the tables, only the moves of the best rank are searched, and no node probes again: the search
//! looks for mates, and the reported score is the tables' until it finds one.

use alfiere_chess::board::{Board, KeyHistory};
use alfiere_chess::types::Move;
use alfiere_syzygy::{Basis, FiftyMoveRule, MAX_PIECES, Tablebases, Wdl};

use super::control::Control;
use super::root_moves::{RootMoves, TbRootRank};
use crate::search::score::{MAX_PLY, Score};

/// Centipawns by which a win that the fifty-move rule turns into a draw scores above a draw.
const CURSED: i32 = 2;

/// When the search probes endgame tables.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ProbeRules {
    /// Minimum depth of a node that probes with the largest permitted number of pieces; with fewer, every node probes.
    pub depth: u32,
    /// Maximum number of pieces, kings included; 0 never probes.
    pub pieces: usize,
    /// Whether a win that takes more than fifty moves is a draw.
    pub fifty_moves: FiftyMoveRule,
}

impl Default for ProbeRules {
    fn default() -> Self {
        Self { depth: 1, pieces: MAX_PIECES, fifty_moves: FiftyMoveRule::Counts }
    }
}

/// The tables that the nodes of one search may probe.
pub(crate) struct TablebaseContext<'a> {
    pub(crate) tables: &'a Tablebases,
    pub(crate) rules: ProbeRules,
    /// Maximum number of pieces of a node that probes; 0 for none.
    pub(crate) pieces: usize,
}

impl<'a> TablebaseContext<'a> {
    pub(crate) fn new(tables: &'a Tablebases, rules: ProbeRules) -> Self {
        Self { tables, rules, pieces: rules.pieces.min(tables.largest()) }
    }

    /// The root moves, ranked if the tables hold the position; the probes are added to `control`'s count.
    pub(crate) fn rank_root(
        &mut self,
        board: &Board,
        keys: &KeyHistory,
        moves: &[Move],
        control: &Control,
    ) -> RootMoves {
        let covered = board.occupied().count() as usize <= self.pieces;
        let ranking = if covered { self.tables.rank(board, keys, moves, self.rules.fifty_moves) } else { None };
        let Some((basis, ranked)) = ranking else {
            return RootMoves::new(moves.iter().copied());
        };
        control.add_tablebase_hits(ranked.len() as u64);
        let best = ranked.iter().map(|ranked| ranked.wdl).max().unwrap_or(Wdl::Draw);
        if basis == Basis::Distances || best <= Wdl::Draw {
            self.pieces = 0;
        }
        let ranks = ranked.iter().map(|ranked| {
            let plies = (ranked.plies as usize).min(MAX_PLY);
            (ranked.mv, TbRootRank { rank: ranked.rank, score: score_of(ranked.wdl, plies, Score::DRAW) })
        });
        RootMoves::ranked(ranks)
    }
}

/// The score of an outcome that is reached `ply` plies from the root.
pub(crate) fn score_of(wdl: Wdl, ply: usize, draw: Score) -> Score {
    match wdl {
        Wdl::Win => Score::tablebase_win_at(ply),
        Wdl::CursedWin => draw + CURSED,
        Wdl::Draw => draw,
        Wdl::BlessedLoss => draw - CURSED,
        Wdl::Loss => Score::tablebase_loss_at(ply),
    }
}
