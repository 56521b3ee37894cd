//! Iterative deepening: one ply deeper in each iteration, until a limit is reached. Each has an aspiration window around the
//! expected score, which is widened until the score is inside.

use alfiere_chess::board::Board;
use alfiere_chess::types::{Color, Move};

use crate::eval::Evaluator;
use crate::search::node::NodeType;
use crate::search::request::{Info, RootMove, SearchResult, StrengthLimit, TimeFactors};
use crate::search::score::{Depth, MAX_PLY, Score, ScoreKind, Window};
use crate::search::thread::{Role, Searched, Stopped, Worker};
use crate::search::tunables;

impl<E: Evaluator> Worker<'_, E> {
    /// Runs iterations until a limit is reached; afterwards the root moves are sorted, best first.
    pub(crate) fn deepen(&mut self, board: &Board) {
        let horizon = self.input.strength_limit.map_or(u32::MAX, StrengthLimit::horizon);
        let last = self.input.limits.depth.unwrap_or(u32::MAX).min(horizon).clamp(1, MAX_PLY as u32 - 1) as i32;
        // From the side to move to White and back.
        let for_white = |score: Score| if board.side_to_move() == Color::White { score } else { -score };
        let mut stability =
            Stability { last_score: self.data.last_score.take().map(for_white), ..Stability::default() };
        self.set_correction_keys(board, 0);
        self.data.history.start_search();
        for plies in 1..=last {
            self.iteration = Depth::plies(plies);
            self.root.start_iteration();
            self.iterate_once(board);
            if self.completed < self.iteration {
                break;
            }
            if self.role == Role::Main && self.should_stop(&mut stability) {
                break;
            }
        }
        self.data.last_score = self.root.moves.first().map(|best| for_white(best.known_score()));
        self.count_nodes();
        if self.role == Role::Main {
            self.input.control.halt();
        }
    }

    /// Runs one iteration over all MultiPV lines; sets `completed` unless the search was stopped.
    fn iterate_once(&mut self, board: &Board) {
        let lines = self.input.lines.clamp(1, self.root.len());
        for line in 0..lines {
            self.root.first = line;
            self.selective_depth = 0;
            self.expected.clone_from(&self.root.moves[line].variation);
            let found = self.aspiration(board, self.iteration, |worker, score, kind| {
                if lines == 1 && worker.reports_details() {
                    worker.report_line(0, Some((score, kind)));
                }
            });
            if let Err(Stopped) = found {
                self.root.sort_current();
                break;
            }
            self.root.sort_lines();
            if line + 1 == lines {
                self.completed = self.iteration;
            }
        }
        self.root.first = 0;
        self.count_nodes();
        if self.role == Role::Main {
            for line in 0..lines {
                self.report_line(line, None);
            }
        }
    }

    fn report_line(&mut self, line: usize, bound: Option<(Score, ScoreKind)>) {
        self.count_nodes();
        if !self.reporter.wants_lines() {
            return;
        }
        let root = &self.root.moves[line];
        let bound = bound.filter(|_| root.reports_search_score());
        let (score, kind) = bound.unwrap_or(root.reported_score());
        let depth = if root.score == Score::MIN { self.completed } else { self.iteration };
        self.reporter.info(&Info {
            depth: depth.get().max(1) as u32,
            selective_depth: root.selective_depth,
            line: line + 1,
            score,
            kind,
            nodes: self.input.control.nodes(),
            tablebase_hits: self.input.control.tablebase_hits(),
            time: self.time.elapsed(self.input.control.nodes()),
            table_permille: self.input.table.permille_full(),
            variation: &root.variation,
        });
    }

    /// Whether another iteration would be pointless or too late.
    fn should_stop(&mut self, stability: &mut Stability) -> bool {
        let Some(best) = self.root.moves.first() else { return true };
        let (score, share) = (best.score, best.nodes as f64 / self.nodes.max(1) as f64);
        stability.note(best);
        if let (Some(wanted), Some(found)) = (self.input.limits.mate, score.moves_to_mate())
            && found > 0
            && found.unsigned_abs() <= wanted
        {
            return true;
        }
        let factors = TimeFactors {
            stable_iterations: stability.iterations,
            score_drop: stability.score_drop,
            previous_drop: stability.previous_drop,
            best_move_share: share,
            choices: if self.input.lines <= 1 { self.root.choices() } else { self.root.len() },
        };
        self.has_enough = self.time.is_enough(self.input.control.nodes(), factors);
        self.is_over()
            || self.input.limits.soft_nodes.is_some_and(|limit| self.input.control.nodes() >= limit)
            || self.input.control.is_halted()
    }

    /// The outcome of the search, from the root move and depth of the selected thread.
    pub(crate) fn outcome(&self, winner: &RootMove, depth: Depth) -> SearchResult {
        SearchResult {
            best: Some(winner.mv),
            ponder: winner.variation.get(1).copied(),
            score: winner.reported_score().0,
            depth: depth.get() as u32,
            nodes: self.input.control.nodes(),
            time: self.time.elapsed(self.input.control.nodes()),
            variation: winner.variation.clone(),
        }
    }
}

/// How settled the search is on its best move.
#[derive(Default)]
struct Stability {
    best: Option<Move>,
    iterations: u32,
    mean: Option<Score>,
    score_drop: i32,
    /// The score of the last search for the side to move.
    last_score: Option<Score>,
    previous_drop: i32,
}

impl Stability {
    fn note(&mut self, best: &RootMove) {
        if self.best == Some(best.mv) {
            self.iterations += 1;
        } else {
            self.best = Some(best.mv);
            self.iterations = 0;
        }
        let drop =
            |earlier: Score| if best.score.is_decisive() || earlier.is_decisive() { 0 } else { earlier - best.score };
        self.previous_drop = self.last_score.map_or(0, drop);
        let mean = self.mean.unwrap_or(best.score);
        self.score_drop = drop(mean);
        self.mean = Some(mean.midpoint(best.score));
    }
}

/// Shallower scores jump too much for a narrow window.
const FIRST_DEPTH: Depth = Depth::plies(4);
/// Beyond this half width the window is thrown open.
const WIDEST: i32 = 600;

impl<E: Evaluator> Worker<'_, E> {
    /// Searches the current root line to `depth`, telling `bound_found` about scores outside the window.
    pub(crate) fn aspiration(
        &mut self,
        board: &Board,
        depth: Depth,
        mut bound_found: impl FnMut(&mut Self, Score, ScoreKind),
    ) -> Searched {
        let expected = self.root.leader().and_then(|leader| leader.mean_score);
        let distance = expected.unwrap_or_default().value().abs().min(3_000);
        let mut margin = tunables::aspiration_width() + distance * distance / tunables::aspiration_score_divisor();
        self.set_optimism(expected);
        let mut window = match expected {
            Some(score) if depth >= FIRST_DEPTH && !score.is_decisive() => Window::around(score, margin),
            _ => Window::FULL,
        };
        let mut failed_high = 0;
        loop {
            self.root_width = window.beta - window.alpha;
            let reduced = (depth - failed_high).max(Depth::plies(1));
            let score = self.alpha_beta(board, window, reduced, 0, NodeType::Pv)?;
            self.root.sort_current();
            if window.fails_low(score) {
                bound_found(self, score, ScoreKind::UpperBound);
                window.beta = window.alpha;
                window.alpha = score - margin;
                failed_high = 0;
            } else if window.fails_high(score) {
                bound_found(self, score, ScoreKind::LowerBound);
                window.alpha = window.alpha.max(window.beta - margin);
                window.beta = score + margin;
                failed_high = (failed_high + 1).min(3);
            } else {
                return Ok(score);
            }
            margin += 1 + margin / 3;
            if margin > WIDEST || score.is_decisive() {
                window = Window::FULL;
            }
        }
    }
}
