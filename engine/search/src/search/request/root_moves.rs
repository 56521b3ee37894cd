//! The root moves and what is known about each.

use alfiere_chess::types::Move;

use crate::search::score::{Score, ScoreKind};
use crate::search::window::Window;

/// The rank of a root move by endgame tables.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct TbRootRank {
    /// Moves of a higher rank come first, independent of their search scores.
    pub(crate) rank: i32,
    pub(crate) score: Score,
}

/// One root move.
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
