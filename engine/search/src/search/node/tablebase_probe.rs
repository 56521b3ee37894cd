//! Tablebase probes at the nodes of the search.

use alfiere_syzygy::Wdl;

use super::facts::Node;
use crate::eval::Evaluator;
use crate::search::depth::Depth;
use crate::search::request::{TablebaseContext, score_of};
use crate::search::score::{MAX_PLY, Score};
use crate::search::table::{Bound, Entry};
use crate::search::thread::Worker;

/// Plies added to the depth of a table entry that endgame tables wrote.
const ENTRY_BONUS: i32 = 6;

/// The result of probing the tables at a node.
pub(crate) enum TbProbe {
    /// Not probed, or not in the tables.
    None,
    /// The node's score: return it.
    Score(Score),
    /// A lower bound: a win, and possibly a mate.
    LowerBound(Score),
    /// An upper bound: a loss, and possibly a mate.
    UpperBound(Score),
}

impl<E: Evaluator> Worker<'_, E> {
    /// Probes the tables where they may hold the position: few pieces, no castling rights, half-move clock 0.
    #[inline]
    pub(crate) fn probe_tables(&mut self, node: &Node<'_>) -> TbProbe {
        let pieces = node.board.occupied().count() as usize;
        if pieces > self.endgames.pieces { TbProbe::None } else { self.probe_with(pieces, node) }
    }

    #[cold]
    fn probe_with(&mut self, pieces: usize, node: &Node<'_>) -> TbProbe {
        let TablebaseContext { tables, rules, pieces: most } = *self.endgames;
        if node.board.halfmove_clock() > 0
            || !node.board.castling_rights().is_empty()
            || pieces == most && node.depth < rules.depth as i32
        {
            return TbProbe::None;
        }
        let Some(wdl) = tables.probe_wdl(node.board) else { return TbProbe::None };
        self.tablebase_hits += 1;
        let wdl = rules.fifty_moves.applied_to(wdl);
        let score = score_of(wdl, node.ply, self.draw(node.ply));
        let (bound, settled) = match wdl {
            Wdl::Win => (Bound::Lower, node.window.fails_high(score)),
            Wdl::Loss => (Bound::Upper, node.window.fails_low(score)),
            _ => (Bound::Exact, true),
        };
        if settled {
            let depth = (node.depth + ENTRY_BONUS).min(Depth::plies(MAX_PLY as i32 - 1));
            let entry = Entry::new(depth, bound, score, node.ply, None, node.raw_eval).with_tt_pv(node.tt_pv);
            self.input.table.store(node.board.key(), entry);
            return TbProbe::Score(score);
        }
        match bound {
            // Off the principal variation one side of the window is all there is.
            _ if !node.kind.is_pv() => TbProbe::None,
            Bound::Lower => TbProbe::LowerBound(score),
            _ => TbProbe::UpperBound(score),
        }
    }
}
