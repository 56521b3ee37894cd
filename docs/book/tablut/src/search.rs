//! Iterative deepening with alpha-beta.

use std::{
    cmp::Reverse,
    time::{Duration, Instant},
};

use crate::{
    board::{Board, Move, Side},
    evaluate::evaluate,
    geometry::SQUARES,
    history::History,
    moves::{king_escape, legal_moves},
    table::{Bound, Entry, Lookup, Table},
};

/// The score of a win on the board; a win in n plies is `WIN - n`.
pub const WIN: i32 = 30_000;
/// The largest depth in plies.
pub const MAX_DEPTH: u8 = 64;
const NEARLY_WON: i32 = WIN - 1_000;

/// When a search ends: at the first limit reached.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Depth in plies.
    pub depth: u8,
    /// Positions visited.
    pub nodes: u64,
    /// Time.
    pub time: Duration,
}

impl Default for Limits {
    /// No limit but [`MAX_DEPTH`].
    fn default() -> Self {
        Self { depth: MAX_DEPTH, nodes: u64::MAX, time: Duration::MAX }
    }
}

/// The result of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Answer {
    /// The best move.
    pub best: Move,
    /// Its score for the side to move.
    pub score: i32,
    /// The depth of the last finished iteration; 0 if the limits did not allow one.
    pub depth: u8,
    /// Positions visited.
    pub nodes: u64,
    /// Time used.
    pub time: Duration,
}

/// The limits are reached: the unfinished iteration does not count.
struct Stopped;

/// A search and what it keeps from move to move of a game.
pub struct Searcher {
    table: Table,
    /// By side, origin and destination: how often the move refuted another.
    refutations: Vec<i32>,
    nodes: u64,
    limits: Limits,
    start: Instant,
}

impl Searcher {
    /// A search with an empty table of 2^`bits` rows.
    pub fn new(bits: u32, lookup: Lookup) -> Self {
        Self {
            table: Table::new(bits, lookup),
            refutations: vec![0; 2 * SQUARES * SQUARES],
            nodes: 0,
            limits: Limits::default(),
            start: Instant::now(),
        }
    }

    /// Searches a position that is not decided. `None` if it has no legal move.
    pub fn search(&mut self, board: &Board, history: &mut History, limits: Limits) -> Option<Answer> {
        self.nodes = 0;
        self.limits = limits;
        self.start = Instant::now();
        self.refutations.iter_mut().for_each(|count| *count /= 8);
        let mut board = board.clone();
        let first = *legal_moves(&board).first()?;
        let mut answer = Answer { best: first, score: 0, depth: 0, nodes: 0, time: Duration::ZERO };
        for depth in 1..=limits.depth.min(MAX_DEPTH) {
            let Ok((score, best)) = self.root(&mut board, history, depth) else { break };
            answer = Answer { best, score, depth, ..answer };
            if score.abs() > NEARLY_WON {
                break;
            }
        }
        Some(Answer { nodes: self.nodes, time: self.start.elapsed(), ..answer })
    }

    fn root(&mut self, board: &mut Board, history: &mut History, depth: u8) -> Result<(i32, Move), Stopped> {
        let moves = self.ordered(board);
        let mut alpha = -WIN;
        let mut best = moves[0];
        for played in moves {
            let score = self.after(board, history, played, Node { depth: depth - 1, ply: 1, alpha, beta: WIN })?;
            if score > alpha {
                (alpha, best) = (score, played);
            }
        }
        let score = to_table(alpha, 0);
        self.table.store(board, Entry { best, score, depth, bound: Bound::Exact });
        Ok((alpha, best))
    }

    /// The score of a move for the side that plays it. `node` is the window before and the depth after the move.
    fn after(&mut self, board: &mut Board, history: &mut History, played: Move, node: Node) -> Result<i32, Stopped> {
        let undo = board.make(played);
        let repeated = history.enter(board.keys().own(), undo.is_capture());
        let child = Node { alpha: -node.beta, beta: -node.alpha, ..node };
        // The same pieces can be a won position now and none before: a capture needs the move.
        let drawn = repeated && board.winner().is_none();
        let score = if drawn { Ok(0) } else { self.alpha_beta(board, history, child) };
        history.leave();
        board.unmake(played, undo);
        Ok(-score?)
    }

    fn alpha_beta(&mut self, board: &mut Board, history: &mut History, node: Node) -> Result<i32, Stopped> {
        let Node { depth, ply, mut alpha, beta } = node;
        self.count()?;
        if board.winner().is_some() {
            return Ok(-(WIN - ply));
        }
        if board.side() == Side::White && king_escape(board) != 0 {
            return Ok(WIN - ply - 1);
        }
        if depth == 0 {
            return Ok(evaluate(board));
        }
        if let Some(entry) = self.table.probe(board).filter(|entry| entry.depth >= depth) {
            let score = from_table(entry.score, ply);
            match entry.bound {
                Bound::Exact => return Ok(score),
                Bound::Lower if score >= beta => return Ok(score),
                Bound::Upper if score <= alpha => return Ok(score),
                _ => {}
            }
        }
        let moves = self.ordered(board);
        let Some(&(mut best)) = moves.first() else { return Ok(-(WIN - ply)) };
        let mut highest = -WIN;
        let mut bound = Bound::Upper;
        for played in moves {
            let score = self.after(board, history, played, Node { depth: depth - 1, ply: ply + 1, alpha, beta })?;
            if score > highest {
                (highest, best) = (score, played);
            }
            if score > alpha {
                (alpha, bound) = (score, Bound::Exact);
            }
            if score >= beta {
                let count = &mut self.refutations[index(board.side(), played)];
                *count = count.saturating_add(i32::from(depth) * i32::from(depth));
                bound = Bound::Lower;
                break;
            }
        }
        self.table.store(board, Entry { best, score: to_table(highest, ply), depth, bound });
        Ok(highest)
    }

    /// The legal moves: the table's first, then captures, then those that refuted most.
    fn ordered(&self, board: &Board) -> Vec<Move> {
        let mut moves = legal_moves(board);
        let remembered = self.table.probe(board).map(|entry| entry.best);
        moves.sort_by_cached_key(|&played| {
            let refutations = self.refutations[index(board.side(), played)];
            Reverse((remembered == Some(played), board.captures(played), refutations))
        });
        moves
    }

    fn count(&mut self) -> Result<(), Stopped> {
        self.nodes += 1;
        let late = self.nodes.is_multiple_of(256) && self.start.elapsed() >= self.limits.time;
        if late || self.nodes >= self.limits.nodes { Err(Stopped) } else { Ok(()) }
    }
}

#[derive(Clone, Copy)]
struct Node {
    /// Plies left.
    depth: u8,
    /// Plies from the root.
    ply: i32,
    alpha: i32,
    beta: i32,
}

fn index(side: Side, played: Move) -> usize {
    (side as usize * SQUARES + played.from.index()) * SQUARES + played.to.index()
}

/// A win is counted from the root in the search, from the position in the table.
fn to_table(score: i32, ply: i32) -> i16 {
    (score + ply * won(score)) as i16
}

fn from_table(score: i16, ply: i32) -> i32 {
    let score = i32::from(score);
    score - ply * won(score)
}

/// 1 for a win, -1 for a loss, else 0.
fn won(score: i32) -> i32 {
    i32::from(score > NEARLY_WON) - i32::from(score < -NEARLY_WON)
}

/// The move that leads to the best evaluation after one ply, or wins. The last of equals in the order given.
pub fn greedy(board: &Board, moves: &[Move]) -> Option<Move> {
    moves.iter().copied().max_by_key(|&played| {
        let mut after = board.clone();
        let _ = after.make(played);
        if after.winner().is_some() { WIN } else { -evaluate(&after) }
    })
}
