//! Chapters 2 to 4: the search; chapter 15: the tables in it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering as Memory};
use std::time::{Duration, Instant};

use alfiere_chess::board::{Board, KeyHistory};
use alfiere_chess::movegen::{add_noisy_moves, legal_moves};
use alfiere_chess::types::{Move, MoveList, PieceKind};
use alfiere_syzygy::Tablebases;

use crate::Stage;
use crate::endgame;
use crate::evaluation::{Evaluator, Material, Placement};
use crate::network::Neural;
use crate::ordering::{History, sort};
use crate::table::{Bound, Entry, Table};
use crate::time::Limits;

/// Above every score.
pub const INFINITY: i32 = 32_000;
/// The score of giving mate at once; a mate in `n` plies scores `n` less.
pub const MATE: i32 = 31_000;
/// The longest line in plies.
const MAX_PLY: i32 = 128;
/// Scores beyond this are mates.
pub const MATE_BOUND: i32 = MATE - MAX_PLY;

/// The first half of the window at the root, in centipawns.
const ASPIRATION: i32 = 50;

/// The search was stopped, and its score means nothing.
pub struct Stopped;

/// A finished iteration.
pub struct Iteration {
    /// Its depth in plies.
    pub depth: i32,
    /// Its score for the side to move.
    pub score: i32,
    /// The best move; `None` if there is no legal move.
    pub best: Option<Move>,
    /// The positions visited since the search started.
    pub nodes: u64,
    /// The time since then.
    pub time: Duration,
}

/// A search with what it keeps between moves.
pub struct Search {
    stage: Stage,
    /// Endgame tables, which every stage probes.
    pub tables: Tablebases,
    evaluator: Box<dyn Evaluator>,
    table: Table,
    history: History,
    keys: KeyHistory,
    limits: Limits,
    start: Instant,
    stop: Arc<AtomicBool>,
    nodes: u64,
    best: Option<Move>,
}

impl Search {
    /// A search of this stage, which ends early when `stop` becomes true.
    pub fn new(stage: Stage, stop: Arc<AtomicBool>) -> Self {
        let evaluator: Box<dyn Evaluator> = match stage {
            Stage::Network => Box::new(Neural::new()),
            Stage::Evaluation => Box::new(Placement),
            _ => Box::new(Material),
        };
        Self {
            stage,
            tables: Tablebases::none(),
            evaluator,
            table: Table::new(18),
            history: History::new(),
            keys: KeyHistory::new(),
            limits: Limits::NONE,
            start: Instant::now(),
            stop,
            nodes: 0,
            best: None,
        }
    }

    /// Searches deeper and deeper until a limit is reached; the best move of the last complete iteration.
    ///
    /// `played` holds the earlier positions of the game, and `report` receives each iteration.
    pub fn run(
        &mut self,
        board: &Board,
        played: &KeyHistory,
        limits: Limits,
        mut report: impl FnMut(&Iteration),
    ) -> Option<Move> {
        self.begin(board, played, limits);
        // ANCHOR: deepening
        let (mut best, mut last) = (legal_moves(board).first().copied(), 0);
        for depth in 1..=limits.depth {
            let Ok(score) = self.aspire(board, depth, last) else { break };
            (best, last) = (self.best, score);
            let time = self.start.elapsed();
            report(&Iteration { depth, score, best, nodes: self.nodes, time });
            if best.is_none() || limits.soft.is_some_and(|soft| time >= soft) {
                break;
            }
        }
        best
        // ANCHOR_END: deepening
    }

    /// Forgets the last search, which may have been stopped in the middle of a line.
    pub(crate) fn begin(&mut self, board: &Board, played: &KeyHistory, limits: Limits) {
        (self.start, self.limits, self.nodes) = (Instant::now(), limits, 0);
        self.keys = played.clone();
        self.keys.mark_root();
        self.evaluator.reset(board);
        self.history = History::new();
    }

    // ANCHOR: aspire
    /// Searches the root in a narrow window around the last score, widened fourfold until the score is inside.
    fn aspire(&mut self, board: &Board, depth: i32, last: i32) -> Result<i32, Stopped> {
        let narrow = self.stage >= Stage::Ordering && depth >= 4;
        let (mut below, mut above) = if narrow { (ASPIRATION, ASPIRATION) } else { (2 * INFINITY, 2 * INFINITY) };
        loop {
            let (alpha, beta) = ((last - below).max(-INFINITY), (last + above).min(INFINITY));
            match self.alpha_beta(board, depth, 0, alpha, beta)? {
                score if score <= alpha => below *= 4,
                score if score >= beta => above *= 4,
                score => return Ok(score),
            }
        }
    }
    // ANCHOR_END: aspire

    /// The score of a position for the side to move, searched `depth` plies deep, exact between alpha and beta.
    fn alpha_beta(
        &mut self,
        board: &Board,
        mut depth: i32,
        ply: i32,
        mut alpha: i32,
        beta: i32,
    ) -> Result<i32, Stopped> {
        self.enter()?;
        let root = ply == 0;
        if !root && self.is_draw(board) {
            return Ok(0);
        }
        if ply >= MAX_PLY {
            return Ok(self.evaluator.evaluate(board));
        }
        if !root && let Some(score) = endgame::score(&self.tables, board) {
            return Ok(score);
        }
        let in_check = board.in_check();
        if in_check && self.stage >= Stage::Quiescence {
            depth += 1;
        }
        if depth <= 0 {
            return if self.stage >= Stage::Quiescence {
                self.quiescence(board, ply, alpha, beta)
            } else {
                Ok(self.evaluator.evaluate(board))
            };
        }

        let entry = self.table.probe(board.key()).filter(|_| self.stage >= Stage::Ordering);
        if let Some(entry) = entry
            && !root
            && entry.answers(depth, alpha, beta)
        {
            return Ok(entry.score);
        }
        if self.stage >= Stage::Pruning
            && !root
            && !in_check
            && let Some(score) = self.prune(board, depth, ply, beta)?
        {
            return Ok(score);
        }

        let mut moves = legal_moves(board);
        if self.stage >= Stage::Ordering {
            sort(board, &mut moves, entry.and_then(|entry| entry.best), &self.history);
        }
        let original_alpha = alpha;
        let (mut best_score, mut best) = (-INFINITY, None);
        // ANCHOR: alpha_beta
        for (number, &mv) in moves.iter().enumerate() {
            let child = self.play(board, mv);
            let reduce = self.stage >= Stage::Pruning && depth >= 3 && number >= 4 && !in_check && !mv.is_noisy();
            let mut score = alpha + 1;
            if reduce {
                // A late quiet move is rarely the best: a shallower search asks whether it beats alpha at all.
                score = -self.alpha_beta(&child, depth - 2, ply + 1, -alpha - 1, -alpha)?;
            }
            if score > alpha {
                score = -self.alpha_beta(&child, depth - 1, ply + 1, -beta, -alpha)?;
            }
            self.undo();
            if score > best_score {
                (best_score, best) = (score, Some(mv));
                if root {
                    self.best = best;
                }
            }
            alpha = alpha.max(score);
            if alpha >= beta {
                // The opponent has something better before this position, and will avoid it.
                if !mv.is_noisy() {
                    self.history.reward(mv, depth);
                }
                break;
            }
        }
        // ANCHOR_END: alpha_beta
        if moves.is_empty() {
            if root {
                self.best = None;
            }
            return Ok(if in_check { ply - MATE } else { 0 });
        }
        // The distance of a mate depends on the path, so its score is not stored.
        if self.stage >= Stage::Ordering && best_score.abs() < MATE_BOUND {
            let bound = if best_score >= beta {
                Bound::Lower
            } else if best_score > original_alpha {
                Bound::Exact
            } else {
                Bound::Upper
            };
            self.table.store(Entry { key: board.key(), best, score: best_score, depth, bound });
        }
        Ok(best_score)
    }

    // ANCHOR: prune
    /// A score for a position that is good enough without searching its moves.
    fn prune(&mut self, board: &Board, depth: i32, ply: i32, beta: i32) -> Result<Option<i32>, Stopped> {
        let score = self.evaluator.evaluate(board);
        if score < beta || beta.abs() >= MATE_BOUND {
            return Ok(None);
        }
        // Reverse futility pruning: so far above beta that the opponent will hardly catch up in a few plies.
        if depth <= 5 && score - 120 * depth >= beta {
            return Ok(Some(score));
        }
        // Null move: if even passing the turn keeps the score above beta, some move will too. Not with pawns alone,
        // where having to move can be the problem (zugzwang).
        let pawns_and_kings = board.pieces(PieceKind::Pawn) | board.pieces(PieceKind::King);
        if depth >= 3 && (board.color(board.side_to_move()) & !pawns_and_kings).is_some() {
            self.keys.push(board);
            let child = self.evaluator.pass(board);
            let score = -self.alpha_beta(&child, depth - 3, ply + 1, -beta, -beta + 1)?;
            self.undo();
            if score >= beta {
                return Ok(Some(beta));
            }
        }
        Ok(None)
    }
    // ANCHOR_END: prune

    // ANCHOR: quiescence
    /// The score of a position after the captures and promotions that are worth making.
    pub(crate) fn quiescence(&mut self, board: &Board, ply: i32, mut alpha: i32, beta: i32) -> Result<i32, Stopped> {
        self.enter()?;
        // Nobody has to capture: standing pat is always possible.
        let mut best_score = self.evaluator.evaluate(board);
        alpha = alpha.max(best_score);
        if alpha >= beta || ply >= MAX_PLY {
            return Ok(best_score);
        }
        let mut moves = MoveList::new();
        add_noisy_moves(board, &mut moves);
        if self.stage >= Stage::Ordering {
            sort(board, &mut moves, None, &self.history);
        }
        for mv in moves {
            let child = self.play(board, mv);
            let score = -self.quiescence(&child, ply + 1, -beta, -alpha)?;
            self.undo();
            best_score = best_score.max(score);
            alpha = alpha.max(score);
            if alpha >= beta {
                break;
            }
        }
        Ok(best_score)
    }
    // ANCHOR_END: quiescence

    pub(crate) fn is_draw(&self, board: &Board) -> bool {
        board.halfmove_clock() >= 100 || board.has_insufficient_material() || self.keys.is_repetition(board)
    }

    pub(crate) fn play(&mut self, board: &Board, mv: Move) -> Board {
        self.keys.push(board);
        self.evaluator.play(board, mv)
    }

    pub(crate) fn undo(&mut self) {
        self.keys.pop();
        self.evaluator.undo();
    }

    /// Counts a position, and asks now and then whether to stop.
    fn enter(&mut self) -> Result<(), Stopped> {
        self.nodes += 1;
        let asked = self.nodes.is_multiple_of(1024);
        let over = |hard| self.start.elapsed() >= hard;
        let stopped = asked && (self.stop.load(Memory::Relaxed) || self.limits.hard.is_some_and(over));
        if stopped || self.nodes > self.limits.nodes { Err(Stopped) } else { Ok(()) }
    }
}
