//! Endgame tables in the search: what they say about a node, and about the moves at the root.
//!
//! Where the root itself is in the tables, they rank its moves, only the best rank is searched, and no node asks again: the
//! search then looks for mates, and what it shows is the tables' word until it finds one.

use alfiere_chess::types::Move;
use alfiere_syzygy::{Basis, FiftyMoveRule, MOST_MEN, Tablebases, Wdl};

use super::control::Control;
use super::depth::Depth;
use super::entry::{Bound, Entry};
use super::node::Site;
use super::root::{RootMoves, Verdict};
use super::score::{MAX_PLY, Score};
use super::threads::Job;
use super::worker::Worker;
use crate::eval::Evaluator;

/// What an entry from a table is worth in plies of depth, beyond the node's own.
const ENTRY_BONUS: i32 = 6;
/// A win that the fifty-move rule takes away is a draw, but one that the opponent must still hold.
const CURSED: i32 = 2;

/// When tables are asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ProbeRules {
    /// With as many men as the largest tables (or the limit) allow, nodes with less depth do not ask.
    pub depth: u32,
    /// Positions with more men are not asked about; 0 for never.
    pub men: usize,
    /// Whether wins that take too long are draws.
    pub fifty_moves: FiftyMoveRule,
}

impl Default for ProbeRules {
    fn default() -> Self {
        Self { depth: 1, men: MOST_MEN, fifty_moves: FiftyMoveRule::Counts }
    }
}

/// What the nodes of one search may ask.
pub(super) struct Endgames<'a> {
    tables: &'a Tablebases,
    rules: ProbeRules,
    /// Nodes with so many men ask, and those with fewer; 0 for none.
    men: usize,
}

impl<'a> Endgames<'a> {
    /// For the search of a job: the moves at its root as the tables rank them, and what its nodes may ask.
    pub(super) fn at_root(job: &Job<'a>, moves: &[Move], control: &Control) -> (Self, RootMoves) {
        let Job { tablebases: tables, probe_rules: rules, board, .. } = *job;
        let mut endgames = Self { tables, rules, men: rules.men.min(tables.largest()) };
        let covered = board.occupied().count() as usize <= endgames.men;
        let ranking = if covered { tables.rank(board, job.keys, moves, rules.fifty_moves) } else { None };
        let Some((basis, ranked)) = ranking else {
            return (endgames, RootMoves::new(moves.iter().copied()));
        };
        control.add_tablebase_hits(ranked.len() as u64);
        let best = ranked.iter().map(|ranked| ranked.wdl).max().unwrap_or(Wdl::Draw);
        if basis == Basis::Distances || best <= Wdl::Draw {
            endgames.men = 0;
        }
        let verdicts = ranked.iter().map(|ranked| {
            let plies = (ranked.plies as usize).min(MAX_PLY);
            (ranked.mv, Verdict { rank: ranked.rank, score: score_of(ranked.wdl, plies, Score::DRAW) })
        });
        (endgames, RootMoves::ranked(verdicts))
    }
}

/// The score of an outcome, a win or a loss being settled `ply` plies from the root.
fn score_of(wdl: Wdl, ply: usize, draw: Score) -> Score {
    match wdl {
        Wdl::Win => Score::tablebase_win_at(ply),
        Wdl::CursedWin => draw + CURSED,
        Wdl::Draw => draw,
        Wdl::BlessedLoss => draw - CURSED,
        Wdl::Loss => Score::tablebase_loss_at(ply),
    }
}

/// What a table says about a node.
pub(super) enum Word {
    /// Nothing.
    None,
    /// The node is worth this, as far as the window asks.
    Score(Score),
    /// It is worth this or, if there is a mate, more.
    AtLeast(Score),
    /// It is worth this or, if there is a mate, less.
    AtMost(Score),
}

impl<E: Evaluator> Worker<'_, E> {
    /// Endgame tables: with few men left the outcome is known, so long as no plies of the fifty-move rule have passed.
    #[inline]
    pub(super) fn ask_tables(&mut self, site: &Site<'_>, raw_eval: Option<Score>) -> Word {
        let men = site.board.occupied().count() as usize;
        if men > self.shared.endgames.men { Word::None } else { self.ask_for(men, site, raw_eval) }
    }

    #[cold]
    fn ask_for(&mut self, men: usize, site: &Site<'_>, raw_eval: Option<Score>) -> Word {
        let Endgames { tables, rules, men: most } = self.shared.endgames;
        if site.board.halfmove_clock() > 0
            || !site.board.castling_rights().is_empty()
            || men == most && site.depth < rules.depth as i32
        {
            return Word::None;
        }
        let Some(wdl) = tables.probe_wdl(site.board) else { return Word::None };
        self.tablebase_hits += 1;
        let wdl = rules.fifty_moves.applied_to(wdl);
        let score = score_of(wdl, site.ply, self.draw(site.ply));
        let (bound, settled) = match wdl {
            Wdl::Win => (Bound::Lower, site.window.fails_high(score)),
            Wdl::Loss => (Bound::Upper, site.window.fails_low(score)),
            _ => (Bound::Exact, true),
        };
        if settled {
            let depth = (site.depth + ENTRY_BONUS).min(Depth::plies(MAX_PLY as i32 - 1));
            let entry = Entry::new(depth, bound, score, site.ply, None, raw_eval).with_importance(site.importance);
            self.shared.table.store(site.board.key(), entry);
            return Word::Score(score);
        }
        match bound {
            // Off the principal variation one side of the window is all there is.
            _ if !site.node.is_principal() => Word::None,
            Bound::Lower => Word::AtLeast(score),
            _ => Word::AtMost(score),
        }
    }
}
