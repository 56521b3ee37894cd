//! Beam search: minimax over the few best moves of each node, as the evaluator orders them, to a fixed depth.
//!
//! The search of the report that this project continues: at every node all moves are played and the resulting positions
//! evaluated, the best few for the side to move are kept, and at the last ply the evaluation counts. There is no window,
//! table, quiescence search, endgame table or contempt, and limited strength only limits its nodes. It deepens ply by ply
//! only so that an answer is available at any time.

use alfiere_chess::board::{Board, KeyHistory};
use alfiere_chess::movegen::{has_legal_move, legal_moves};
use alfiere_chess::types::Move;

use crate::eval::{Evaluator, lone_king};
use crate::search::node::is_draw;
use crate::search::request::{
    Control, Info, Limits, Reporter, RootMove, RootMoves, SearchInput, SearchResult, TimeFactors, TimeManager,
};
use crate::search::root::{answer, nothing_to_search};
use crate::search::score::{MAX_PLY, Score};
use crate::search::thread::{Searched, Stopped, ThreadData};

/// How far a beam reaches and how wide it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BeamShape {
    /// Plies, unless the limits name a depth.
    pub depth: u32,
    /// Moves kept at each node.
    pub width: usize,
}

impl BeamShape {
    /// The deepest.
    pub const MAX_DEPTH: u32 = 64;
    /// The widest: more moves than a position has.
    pub const MAX_WIDTH: usize = 256;
}

impl Default for BeamShape {
    fn default() -> Self {
        Self { depth: 4, width: 3 }
    }
}

/// How often limits are looked at, in nodes: a node is an evaluation, which may take ten microseconds.
const POLL_INTERVAL: u64 = 64;

/// Searches with the first thread's evaluator (more do not help) and reports the outcome when the limits allow an answer.
pub fn beam<E: Evaluator>(
    thread_data: &mut [ThreadData<E>],
    shape: BeamShape,
    input: &SearchInput<'_>,
    reporter: &mut dyn Reporter,
) -> SearchResult {
    let (time, moves) = (input.time(), input.moves());
    let outcome = match thread_data.first_mut() {
        Some(data) if !moves.is_empty() => {
            data.evaluator.reset(input.board);
            let mut keys = input.keys.clone();
            keys.mark_root();
            let beam = Beam {
                evaluator: &mut data.evaluator,
                keys,
                limits: input.limits,
                control: input.control,
                time,
                width: shape.width.max(1),
                nodes: 0,
                counted: 0,
                completed: 0,
            };
            let depth = input.limits.depth.unwrap_or(shape.depth).clamp(1, MAX_PLY as u32 - 2);
            beam.deepen(input, depth, RootMoves::new(moves), reporter)
        }
        _ => nothing_to_search(input.board, time, reporter),
    };
    answer(input, &outcome, reporter);
    outcome
}

/// A move of a node with what is known about the position that it leads to.
#[derive(Clone, Copy, Debug)]
struct BeamMove {
    mv: Move,
    /// From the side that plays the move.
    score: Score,
    /// The game ends with it: the score is no estimate.
    is_final: bool,
}

struct Beam<'a, E> {
    evaluator: &'a mut E,
    keys: KeyHistory,
    limits: &'a Limits,
    control: &'a Control,
    time: TimeManager,
    width: usize,
    nodes: u64,
    counted: u64,
    /// The last depth that was searched to its end.
    completed: u32,
}

impl<E: Evaluator> Beam<'_, E> {
    /// Ply by ply to this depth.
    fn deepen(
        mut self,
        input: &SearchInput<'_>,
        depth: u32,
        mut root: RootMoves,
        reporter: &mut dyn Reporter,
    ) -> SearchResult {
        let allowed: Vec<Move> = root.moves.iter().map(|root| root.mv).collect();
        let choices = allowed.len();
        let lines = input.lines.max(1);
        // Nothing stops the first ply: there must be a move and a score.
        let kept = self.candidates(input.board, &allowed, self.width.max(lines), 0).unwrap_or_default();
        root.moves.retain(|root| kept.iter().any(|candidate| candidate.mv == root.mv));
        for plies in 1..=depth {
            root.start_iteration();
            let found = self.iterate(input.board, &kept, plies, &mut root);
            root.moves.sort_by_key(|root| std::cmp::Reverse((root.score, root.previous_score)));
            self.count_nodes();
            if found.is_ok() {
                self.completed = plies;
            }
            for (line, root) in root.moves.iter().take(lines).enumerate() {
                self.report(reporter, line, plies, root);
            }
            if found.is_err() || self.should_stop(&root, choices) {
                break;
            }
        }
        self.outcome(&root)
    }

    /// All kept root moves, the best of the last iteration first.
    fn iterate(&mut self, board: &Board, kept: &[BeamMove], plies: u32, root: &mut RootMoves) -> Result<(), Stopped> {
        for root in &mut root.moves {
            let Some(&candidate) = kept.iter().find(|candidate| candidate.mv == root.mv) else { continue };
            let mut line = Vec::new();
            root.score = self.value_of(board, candidate, plies - 1, 0, &mut line)?;
            root.selective_depth = 1 + line.len() as u32;
            root.variation = vec![root.mv];
            root.variation.append(&mut line);
        }
        Ok(())
    }

    /// The score of a candidate for the side that plays it, with `depth` plies left after it; the expected replies go to `line`.
    fn value_of(
        &mut self,
        board: &Board,
        candidate: BeamMove,
        depth: u32,
        ply: usize,
        line: &mut Vec<Move>,
    ) -> Searched {
        line.clear();
        if depth == 0 || candidate.is_final {
            return Ok(candidate.score);
        }
        let child = self.play(board, candidate.mv);
        let kept = self.candidates(&child, &legal_moves(&child), self.width, ply + 1)?;
        let mut best = Score::MIN;
        let mut answers = Vec::new();
        for answer in kept {
            let score = self.value_of(&child, answer, depth - 1, ply + 1, &mut answers)?;
            if score > best {
                best = score;
                line.clear();
                line.push(answer.mv);
                line.append(&mut answers);
            }
        }
        self.undo();
        Ok(-best)
    }

    /// The best moves of a node by the evaluator, at most `width`, best first; equals in the order given.
    fn candidates(
        &mut self,
        board: &Board,
        moves: &[Move],
        width: usize,
        ply: usize,
    ) -> Result<Vec<BeamMove>, Stopped> {
        let mut candidates = Vec::with_capacity(moves.len());
        for &mv in moves {
            self.poll()?;
            let child = self.play(board, mv);
            let end = self.end_of_game(&child, ply + 1);
            let score = -end.unwrap_or_else(|| self.evaluate(&child));
            self.undo();
            candidates.push(BeamMove { mv, score, is_final: end.is_some() });
        }
        candidates.sort_by_key(|candidate| std::cmp::Reverse(candidate.score));
        candidates.truncate(width);
        Ok(candidates)
    }

    /// The score for the side to move where the game is over.
    fn end_of_game(&self, board: &Board, ply: usize) -> Option<Score> {
        if is_draw(board, &self.keys) {
            Some(Score::DRAW)
        } else if has_legal_move(board) {
            None
        } else if board.in_check() {
            Some(Score::mated_at(ply))
        } else {
            Some(Score::DRAW)
        }
    }

    fn evaluate(&mut self, board: &Board) -> Score {
        Score::evaluation(lone_king(board).unwrap_or_else(|| self.evaluator.evaluate(board)))
    }

    fn play(&mut self, board: &Board, mv: Move) -> Board {
        self.nodes += 1;
        self.keys.push(board);
        let mut child = board.clone();
        self.evaluator.play(&mut child, mv);
        child
    }

    fn undo(&mut self) {
        self.keys.pop();
        self.evaluator.undo();
    }

    fn poll(&mut self) -> Result<(), Stopped> {
        let near_limit = self.limits.nodes.is_some_and(|limit| self.nodes >= limit);
        if self.completed == 0 || !near_limit && self.nodes < self.counted + POLL_INTERVAL {
            return Ok(());
        }
        self.count_nodes();
        self.control.poll_host();
        if near_limit || self.control.is_halted() || self.is_late() { Err(Stopped) } else { Ok(()) }
    }

    fn is_late(&self) -> bool {
        self.time.is_over(self.control.nodes()) && !self.control.is_pondering()
    }

    /// Whether to leave it at the depth just reached.
    fn should_stop(&self, root: &RootMoves, choices: usize) -> bool {
        let best = root.moves[0].score;
        let mate_found = best
            .moves_to_mate()
            .is_some_and(|found| found > 0 && self.limits.mate.is_some_and(|wanted| found.unsigned_abs() <= wanted));
        let progress =
            TimeFactors { stable_iterations: 0, score_drop: 0, previous_drop: 0, best_move_share: 0.5, choices };
        mate_found
            || self.control.is_halted()
            || self.is_late()
            || [self.limits.nodes, self.limits.soft_nodes].into_iter().flatten().any(|limit| self.nodes >= limit)
            || self.time.is_enough(self.nodes, progress) && !self.control.is_pondering()
    }

    fn report(&self, reporter: &mut dyn Reporter, line: usize, depth: u32, root: &RootMove) {
        let depth = if root.score == Score::MIN { self.completed.max(1) } else { depth };
        reporter.info(&Info {
            selective_depth: root.selective_depth,
            line: line + 1,
            nodes: self.control.nodes(),
            time: self.time.elapsed(self.control.nodes()),
            ..Info::new(depth, root.known_score(), &root.variation)
        });
    }

    fn outcome(&self, root: &RootMoves) -> SearchResult {
        let winner = &root.moves[0];
        SearchResult {
            best: Some(winner.mv),
            ponder: winner.variation.get(1).copied(),
            score: winner.known_score(),
            depth: self.completed,
            nodes: self.control.nodes(),
            time: self.time.elapsed(self.control.nodes()),
            variation: winner.variation.clone(),
        }
    }

    /// Adds the nodes since the last time to the count that others see.
    fn count_nodes(&mut self) {
        self.control.add_nodes(self.nodes - self.counted);
        self.counted = self.nodes;
    }
}

#[cfg(test)]
mod tests {
    //! The beam against a slow twin that thinks from White's side, with a maximum and a minimum of its own.

    use std::time::{Duration, Instant};

    use alfiere_chess::types::Color;

    use super::*;
    use crate::eval::Classical;
    use crate::search::request::Silent;
    use crate::search::tests::{Bench, POSITIONS, board};

    fn play(board: &Board, keys: &KeyHistory, shape: BeamShape, limits: &Limits) -> SearchResult {
        Bench::new(1).run(board, keys, limits, &mut Silent, |thread_data, input, reporter| {
            beam(thread_data, shape, input, reporter)
        })
    }

    /// White's score after the best play that the beam allows, and the move that begins it.
    fn reference(board: &Board, keys: &mut KeyHistory, depth: u32, width: usize, ply: usize) -> (i32, Option<Move>) {
        let white = board.side_to_move() == Color::White;
        let sign = |board: &Board| if board.side_to_move() == Color::White { 1 } else { -1 };
        let mut children = Vec::new();
        keys.push(board);
        for mv in legal_moves(board) {
            let mut child = board.clone();
            child.play(mv);
            let (value, over) = if is_draw(&child, keys) {
                (0, true)
            } else if legal_moves(&child).is_empty() {
                (if child.in_check() { sign(&child) * Score::mated_at(ply + 1).value() } else { 0 }, true)
            } else {
                let own = lone_king(&child).unwrap_or_else(|| Classical::new().evaluate(&child));
                (sign(&child) * own, false)
            };
            children.push((value, over, mv, child));
        }
        children.sort_by_key(|child| if white { -child.0 } else { child.0 });
        children.truncate(width);
        let mut best: Option<(i32, Move)> = None;
        for (value, over, mv, child) in children {
            let value = if over || depth == 1 { value } else { reference(&child, keys, depth - 1, width, ply + 1).0 };
            if best.is_none_or(|(so_far, _)| if white { value > so_far } else { value < so_far }) {
                best = Some((value, mv));
            }
        }
        keys.pop();
        best.map_or((0, None), |(value, mv)| (value, Some(mv)))
    }

    #[test]
    fn both_sides_play_for_themselves() {
        let mut compared = 0;
        for fen in alfiere_chess::positions::POSITIONS.into_iter().step_by(4).chain(POSITIONS) {
            let board = board(fen);
            if legal_moves(&board).is_empty() {
                continue;
            }
            for (depth, width) in [(1, 3), (2, 3), (3, 2), (4, 1)] {
                let (value, _) = reference(&board, &mut KeyHistory::new(), depth, width, 0);
                let outcome = play(&board, &KeyHistory::new(), BeamShape { depth, width }, &Limits::default());
                let white = if board.side_to_move() == Color::White { 1 } else { -1 };
                assert_eq!(white * outcome.score.value(), value, "depth {depth} width {width} {fen}");
                assert_eq!(outcome.depth, depth);
                compared += 1;
            }
        }
        assert!(compared > 60, "{compared}");
    }

    #[test]
    fn a_beam_of_all_moves_finds_mates() {
        let wide = BeamShape { depth: 3, width: 256 };
        let outcome = play(
            &board("2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - 0 1"),
            &KeyHistory::new(),
            wide,
            &Limits::default(),
        );
        assert_eq!((outcome.score, outcome.variation.len()), (Score::mate_at(3), 3));
        let mated = play(&board("8/8/8/8/8/2k5/1q6/K7 w - - 0 1"), &KeyHistory::new(), wide, &Limits::default());
        assert_eq!(mated.best, None);
    }

    #[test]
    fn limits_end_it_with_a_move() {
        let board = board(alfiere_chess::positions::POSITIONS[1]);
        let endless = BeamShape { depth: 40, width: 8 };
        let start = Instant::now();
        let outcome = play(&board, &KeyHistory::new(), endless, &Limits::move_time(Duration::from_millis(60)));
        assert!(outcome.best.is_some() && outcome.depth >= 1);
        assert!(start.elapsed() < Duration::from_millis(1500), "{:?}", start.elapsed());
        for nodes in [1, 100, 2_000] {
            let outcome = play(&board, &KeyHistory::new(), endless, &Limits::nodes(nodes));
            let first_ply = legal_moves(&board).len() as u64;
            assert!(outcome.best.is_some() && outcome.nodes <= nodes.max(first_ply), "{nodes}: {}", outcome.nodes);
        }
        let limited = play(&board, &KeyHistory::new(), endless, &Limits::depth(2));
        assert_eq!(limited.depth, 2, "the depth that was asked for");
    }
}
