//! Chapter 16: Monte Carlo tree search with the network, the other way to search.

use std::ops::Range;

use alfiere_chess::board::{Board, KeyHistory};
use alfiere_chess::movegen::legal_moves;
use alfiere_chess::types::Move;

use crate::search::{INFINITY, Search, Stopped};
use crate::time::Limits;

/// How much curiosity counts against what is known.
const EXPLORATION: f64 = 1.5;
/// The difference in units of the network that makes a move e times as probable.
const TEMPERATURE: f64 = 100.0;
/// The share of the probability that all moves divide equally, sacrifices too.
const EQUAL_SHARE: f64 = 0.1;
/// An unvisited move is expected to be this much worse than its position.
const FIRST_PLAY: f64 = 0.2;
/// Units of the network at which the expected score is 73 %.
const SCALE: f64 = 220.0;
/// The most nodes: 128 MB.
const MOST_NODES: usize = 2_000_000;

// ANCHOR: node
/// A move in the tree, and the position after it.
struct Node {
    mv: Move,
    /// The probability with which the network alone would play the move.
    prior: f64,
    visits: u32,
    /// The sum of the visits' results for the side that plays the move, 0 to 1 each.
    total: f64,
    /// The moves of the position in the tree; empty before the first visit.
    children: Range<usize>,
    /// The result for the side that plays the move, if it ends the game or is proven.
    exact: Option<f64>,
}
// ANCHOR_END: node

/// What the search found out.
pub struct Answer {
    /// The move with the most visits; `None` if there is no legal move.
    pub best: Option<Move>,
    /// Its expected score for the side to move, 0 to 1.
    pub expected: f64,
    /// Visits of the root: one for each position added to the tree, or found to end the game.
    pub visits: u64,
}

/// A tree, built from scratch for each move.
pub struct Tree<'a> {
    nodes: Vec<Node>,
    /// Plays the moves and evaluates.
    search: &'a mut Search,
}

impl<'a> Tree<'a> {
    /// Searches until a limit is reached, where nodes are visits, or the search is stopped.
    pub fn grow(search: &'a mut Search, board: &Board, played: &KeyHistory, limits: Limits) -> Answer {
        let first = legal_moves(board).first().copied();
        let hard = limits.soft.or(limits.hard);
        search.begin(board, played, Limits { hard, ..Limits::NONE });
        let mut tree = Self { nodes: vec![Node::new(Move::NULL, 1.0)], search };
        let mut visits = 0;
        while first.is_some() && visits < limits.nodes && tree.nodes.len() < MOST_NODES && tree.nodes[0].exact.is_none()
        {
            if tree.visit(0, board, true).is_err() {
                break;
            }
            visits += 1;
        }
        let moves = &tree.nodes[tree.nodes[0].children.clone()];
        let best = moves.iter().max_by(|a, b| a.rank().total_cmp(&b.rank()));
        Answer { best: best.map(|node| node.mv).or(first), expected: best.map_or(0.0, Node::mean), visits }
    }

    // ANCHOR: visit
    /// Goes down the tree to a position that is new, evaluates it, and adds the result to all nodes on the way back.
    /// Returns the result for the side that moved to this position.
    fn visit(&mut self, index: usize, board: &Board, root: bool) -> Result<f64, Stopped> {
        let result = if let Some(exact) = self.nodes[index].exact {
            exact
        } else if !root && self.search.is_draw(board) {
            0.5
        } else if self.nodes[index].children.is_empty() {
            1.0 - self.expand(index, board)?
        } else {
            let chosen = self.select(index);
            let child = self.search.play(board, self.nodes[chosen].mv);
            let result = 1.0 - self.visit(chosen, &child, false)?;
            self.search.undo();
            self.prove(index);
            result
        };
        let node = &mut self.nodes[index];
        node.visits += 1;
        node.total += result;
        Ok(result)
    }
    // ANCHOR_END: visit

    // ANCHOR: select
    /// The move that promises most: its mean so far, and a bonus for being probable and little tried.
    fn select(&self, index: usize) -> usize {
        let parent = &self.nodes[index];
        let curiosity = EXPLORATION * f64::from(parent.visits).sqrt();
        let promise = |&child: &usize| {
            let node = &self.nodes[child];
            let mean = if node.visits > 0 { node.mean() } else { 1.0 - parent.mean() - FIRST_PLAY };
            mean + curiosity * node.prior / f64::from(1 + node.visits)
        };
        parent.children.clone().max_by(|a, b| promise(a).total_cmp(&promise(b))).unwrap_or(index)
    }
    // ANCHOR_END: select

    // ANCHOR: expand
    /// Adds all moves of a position, each with what the network says one ply on. The expected score for the side to move.
    fn expand(&mut self, index: usize, board: &Board) -> Result<f64, Stopped> {
        let first = self.nodes.len();
        for mv in legal_moves(board) {
            let child = self.search.play(board, mv);
            let exact = legal_moves(&child).is_empty().then(|| if child.in_check() { 1.0 } else { 0.5 });
            let value = match exact {
                None => -self.search.quiescence(&child, 0, -INFINITY, INFINITY)?,
                Some(result) => (f64::from(INFINITY) * (result - 0.5)) as i32,
            };
            self.search.undo();
            self.nodes.push(Node { exact, ..Node::new(mv, value.into()) });
        }
        self.nodes[index].children = first..self.nodes.len();
        self.prove(index);
        // Softmax: from values to probabilities.
        let added = &mut self.nodes[first..];
        let highest = added.iter().map(|node| node.prior).fold(f64::MIN, f64::max);
        for node in added.iter_mut() {
            node.prior = ((node.prior - highest) / TEMPERATURE).exp();
        }
        let sum: f64 = added.iter().map(|node| node.prior).sum();
        let equal = EQUAL_SHARE / added.len() as f64;
        for node in added {
            node.prior = equal + (1.0 - EQUAL_SHARE) * node.prior / sum;
        }
        Ok(1.0 / (1.0 + (-highest / SCALE).exp()))
    }
    // ANCHOR_END: expand

    /// A position is lost for the side that moved to it if one answer wins, and won if all answers lose.
    fn prove(&mut self, index: usize) {
        let children = &self.nodes[self.nodes[index].children.clone()];
        if children.iter().any(|child| child.exact == Some(1.0)) {
            self.nodes[index].exact = Some(0.0);
        } else if children.iter().all(|child| child.exact == Some(0.0)) {
            self.nodes[index].exact = Some(1.0);
        }
    }
}

impl Node {
    fn new(mv: Move, prior: f64) -> Self {
        Self { mv, prior, visits: 0, total: 0.0, children: 0..0, exact: None }
    }

    fn mean(&self) -> f64 {
        self.exact.unwrap_or_else(|| self.total / f64::from(self.visits.max(1)))
    }

    /// Proven wins first, proven losses last, the others by visits.
    fn rank(&self) -> f64 {
        match self.exact {
            Some(1.0) => f64::INFINITY,
            Some(0.0) => -1.0,
            _ => f64::from(self.visits),
        }
    }
}
