//! The root moves, what is known about each, and their ranks by endgame tables.

use alfiere_chess::board::{Board, KeyHistory};
use alfiere_chess::types::Move;
use alfiere_syzygy::{Basis, FiftyMoveRule, MAX_PIECES, Tablebases, Wdl};

use super::control::Control;
use crate::search::score::{MAX_PLY, Score, ScoreKind, Window};

/// The rank of a root move by endgame tables.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct TbRootRank {
    /// Moves of a higher rank come first, independent of their search scores.
    pub(crate) rank: i32,
    pub(crate) score: Score,
}

#[derive(Clone, Debug)]
pub(crate) struct RootMove {
    pub(crate) mv: Move,
    tb_rank: Option<TbRootRank>,
    /// Its score in the running iteration, or the lowest if it has none yet.
    pub(crate) score: Score,
    /// Whether `score` is exact or a bound.
    kind: ScoreKind,
    /// Its score in the last iteration.
    pub(crate) previous_score: Score,
    /// A running mean of its scores: where to open the aspiration window.
    pub(crate) mean_score: Option<Score>,
    pub(crate) selective_depth: u32,
    pub(crate) nodes: u64,
    /// The expected moves, this one first.
    pub(crate) variation: Vec<Move>,
}

impl RootMove {
    fn new(mv: Move) -> Self {
        Self {
            mv,
            tb_rank: None,
            score: Score::MIN,
            kind: ScoreKind::Exact,
            previous_score: Score::MIN,
            mean_score: None,
            selective_depth: 0,
            nodes: 0,
            variation: vec![mv],
        }
    }

    /// The score to report and its kind: the tablebase score, unless the search has found a mate.
    pub(crate) fn reported_score(&self) -> (Score, ScoreKind) {
        match self.tb_rank {
            Some(TbRootRank { score, .. }) if !self.reports_search_score() => (score, ScoreKind::Exact),
            _ => (self.known_score(), self.known_kind()),
        }
    }

    /// Whether the search's score is reported, not the tablebase score.
    pub(crate) fn reports_search_score(&self) -> bool {
        let known = self.known_score();
        // A mate that the search finds is within the fifty-move rule, even where the tables are not sure.
        let agrees = |table: Score| if known.is_win() { table > Score::DRAW } else { table < Score::DRAW };
        self.tb_rank.is_none_or(|tb_rank| known.is_mate() && agrees(tb_rank.score))
    }

    fn rank(&self) -> i32 {
        self.tb_rank.map_or(0, |tb_rank| tb_rank.rank)
    }

    fn sort_key(&self) -> impl Ord + use<> {
        (self.rank(), self.score, self.previous_score)
    }

    /// The score of the running iteration, or of the last if it has not come to this move.
    pub(crate) fn known_score(&self) -> Score {
        if self.score == Score::MIN { self.previous_score } else { self.score }
    }

    /// Whether [`Self::known_score`] is exact or a bound: a search may be stopped between a fail-low or fail-high and
    /// the re-search with a wider window.
    pub(crate) fn known_kind(&self) -> ScoreKind {
        if self.score == Score::MIN { ScoreKind::Exact } else { self.kind }
    }

    /// Sets the score of the current iteration, a bound if it is outside `window`.
    pub(crate) fn set_score(&mut self, score: Score, window: Window) {
        self.score = score;
        self.kind = if window.fails_high(score) {
            ScoreKind::LowerBound
        } else if window.fails_low(score) {
            ScoreKind::UpperBound
        } else {
            ScoreKind::Exact
        };
    }
}

/// The root moves, best first; those before `first` belong to lines already reported in this iteration.
#[derive(Clone, Debug)]
pub(crate) struct RootMoves {
    pub(crate) moves: Vec<RootMove>,
    pub(crate) first: usize,
}

impl RootMoves {
    pub(crate) fn new(moves: impl IntoIterator<Item = Move>) -> Self {
        Self { moves: moves.into_iter().map(RootMove::new).collect(), first: 0 }
    }

    /// The moves in the order of their ranks.
    pub(crate) fn ranked(moves: impl IntoIterator<Item = (Move, TbRootRank)>) -> Self {
        let with_rank = |(mv, tb_rank)| RootMove { tb_rank: Some(tb_rank), ..RootMove::new(mv) };
        let mut moves: Vec<RootMove> = moves.into_iter().map(with_rank).collect();
        moves.sort_by_key(|root| std::cmp::Reverse(root.rank()));
        Self { moves, first: 0 }
    }

    pub(crate) fn len(&self) -> usize {
        self.moves.len()
    }

    /// Whether the move is to be searched for the current line.
    pub(crate) fn allows(&self, mv: Move) -> bool {
        self.current().any(|root| root.mv == mv)
    }

    /// How many moves the current line chooses from.
    pub(crate) fn choices(&self) -> usize {
        self.current().count()
    }

    /// The moves of the current line: of those left, the ones that tables put first.
    fn current(&self) -> impl Iterator<Item = &RootMove> {
        let left = &self.moves[self.first..];
        left.iter().take_while(|root| root.rank() == left[0].rank())
    }

    /// The move that begins the current line.
    pub(crate) fn leader(&self) -> Option<&RootMove> {
        self.moves.get(self.first)
    }

    pub(crate) fn get_mut(&mut self, mv: Move) -> Option<&mut RootMove> {
        self.moves.iter_mut().find(|root| root.mv == mv)
    }

    /// Moves each score to `previous_score` and clears it for the next iteration.
    pub(crate) fn start_iteration(&mut self) {
        for root in &mut self.moves {
            root.previous_score = root.score;
            root.score = Score::MIN;
        }
    }

    /// Puts the best of the current line and later ones first; equals keep their order.
    pub(crate) fn sort_current(&mut self) {
        let first = self.first;
        self.moves[first..].sort_by_key(|root| std::cmp::Reverse(root.sort_key()));
    }

    /// Puts the lines searched so far in order.
    pub(crate) fn sort_lines(&mut self) {
        let searched = (self.first + 1).min(self.moves.len());
        self.moves[..searched].sort_by_key(|root| std::cmp::Reverse(root.sort_key()));
    }
}

// Tablebases at the root: ranks the root moves and decides which nodes may probe.
//
// If the root itself is in the tables, only the moves of the best rank are searched, and no node probes again: the search
// looks for mates, and the reported score is the tables' until it finds one.

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
