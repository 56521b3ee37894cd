//! One thread of a search: its state, moves made and unmade, results of root moves, and when it must stop.

use std::time::Duration;

use alfiere_chess::board::{Board, KeyHistory};
use alfiere_chess::types::{Move, PieceKind};

use super::ThreadData;
use crate::eval::Evaluator;
use crate::search::ordering::{ContinuationRow, CorrectionKeys, PieceTo};
use crate::search::request::{Reporter, RootMoves, SearchInput, TablebaseContext, TimeManager};
use crate::search::score::{Depth, Score, Window};
use crate::search::table::Entry;

/// The search was stopped before the score of the node was known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Stopped;

/// The score of a node, unless the search was stopped before it was known.
pub(crate) type Searched = Result<Score, Stopped>;

/// Bounds and current moves are reported only after this time: earlier they would flood the output.
const QUIET_TIME: Duration = Duration::from_secs(3);
/// Nodes between two checks of the limits.
const POLL_INTERVAL: u64 = 512;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Role {
    /// Watches the limits and reports.
    Main,
    /// Fills the table.
    Helper,
}

/// One thread at work.
pub(crate) struct Worker<'a, E> {
    pub(crate) input: &'a SearchInput<'a>,
    pub(crate) endgames: &'a TablebaseContext<'a>,
    pub(crate) time: &'a TimeManager,
    pub(crate) role: Role,
    pub(crate) reporter: &'a mut dyn Reporter,
    pub(crate) data: &'a mut ThreadData<E>,
    pub(crate) keys: KeyHistory,
    pub(crate) root: RootMoves,
    pub(crate) iteration: Depth,
    /// The last iteration that came to its end.
    pub(crate) completed: Depth,
    pub(crate) selective_depth: usize,
    pub(crate) nodes: u64,
    /// Tablebase hits since the last call of [`Self::count_nodes`].
    pub(crate) tablebase_hits: u64,
    /// Whether the time for this search was enough after the last iteration: only pondering goes on then.
    pub(crate) has_enough: bool,
    /// The principal variation of the last iteration.
    pub(crate) expected: Vec<Move>,
    pub(crate) root_width: i32,
    /// Optimism: added to evaluations for the side to move at the root, subtracted for the other side.
    pub(crate) optimism: i32,
    /// No null moves before this ply, while one is being verified; 0 otherwise.
    pub(crate) null_allowed_from: usize,
    counted: u64,
    next_poll: u64,
}

impl<'a, E: Evaluator> Worker<'a, E> {
    pub(crate) fn new(
        data: &'a mut ThreadData<E>,
        input: &'a SearchInput<'a>,
        (endgames, time): (&'a TablebaseContext<'a>, &'a TimeManager),
        role: Role,
        root: RootMoves,
        reporter: &'a mut dyn Reporter,
    ) -> Self {
        data.evaluator.reset(input.board);
        data.frames.clear();
        data.reductions.update();
        let mut keys = input.keys.clone();
        keys.mark_root();
        Self {
            input,
            endgames,
            time,
            role,
            reporter,
            data,
            keys,
            root,
            iteration: Depth::ZERO,
            completed: Depth::ZERO,
            selective_depth: 0,
            nodes: 0,
            tablebase_hits: 0,
            has_enough: false,
            expected: Vec::new(),
            root_width: 1,
            optimism: 0,
            null_allowed_from: 0,
            counted: 0,
            next_poll: 0,
        }
    }

    /// The position after a move; [`Worker::undo`] takes it back.
    ///
    /// Its table entry is the first thing that the child reads: callers prefetch that by `key_after` as soon as they can.
    pub(crate) fn play(&mut self, board: &Board, mv: Move, ply: usize) -> Board {
        self.record_move(board, Some(mv), ply);
        let mut child = board.clone();
        self.data.evaluator.play(&mut child, mv);
        self.set_correction_keys(&child, ply + 1);
        child
    }

    /// The position after passing; [`Worker::undo_null`] takes it back.
    pub(crate) fn play_null(&mut self, board: &Board, ply: usize) -> Board {
        self.record_move(board, None, ply);
        let mut child = board.clone();
        child.play_null();
        self.input.table.prefetch(child.key());
        self.set_correction_keys(&child, ply + 1);
        child
    }

    /// Records the move, if any, by which the line leaves a position.
    fn record_move(&mut self, board: &Board, mv: Option<Move>, ply: usize) {
        let frame = self.data.frames.at_mut(ply);
        frame.current = mv;
        frame.moved = mv.map_or(PieceTo::NONE, |mv| PieceTo::of(board, mv));
        frame.captured = mv.and_then(|mv| board.captured(mv));
        frame.continuation = mv.map_or(ContinuationRow::NONE, |mv| ContinuationRow::of(board, mv));
        self.nodes += 1;
        self.keys.push(board);
    }

    /// Computes the correction keys of a position and prefetches their rows.
    pub(crate) fn set_correction_keys(&mut self, board: &Board, ply: usize) {
        let correction_keys = CorrectionKeys::of(board, self.data.frames.moves_to_correct(ply));
        self.data.corrections.prefetch(correction_keys);
        self.data.frames.at_mut(ply).correction_keys = correction_keys;
    }

    /// Whether a player of limited strength does not see a move, `ply` plies from the root.
    #[inline]
    pub(crate) fn overlooks(&self, board: &Board, mv: Move, ply: usize) -> bool {
        let before = || self.data.frames.before(ply, 1).current.map(Move::target);
        self.input.strength_limit.is_some_and(|limit| !board.in_check() && limit.overlooks(board, mv, ply, before()))
    }

    pub(crate) fn undo(&mut self) {
        self.keys.pop();
        self.data.evaluator.undo();
    }

    pub(crate) fn undo_null(&mut self) {
        self.keys.pop();
    }

    /// Looks the position up in the table.
    #[inline]
    pub(crate) fn probe(&self, board: &Board) -> Option<Entry> {
        let stored = self.input.table.probe(board.key());
        stored.map(|entry| entry.within_fifty_moves(board.halfmove_clock()))
    }

    /// Returns [`Stopped`] if the search must end; call it at every node.
    #[inline]
    pub(crate) fn poll(&mut self) -> Result<(), Stopped> {
        if self.nodes < self.next_poll { Ok(()) } else { self.poll_now() }
    }

    #[cold]
    fn poll_now(&mut self) -> Result<(), Stopped> {
        self.count_nodes();
        let limit = self.input.limits.nodes.unwrap_or(u64::MAX);
        self.next_poll = self.nodes + POLL_INTERVAL.min(limit.saturating_sub(self.input.control.nodes()).max(1));
        if self.role == Role::Helper {
            return if self.input.control.is_halted() { Err(Stopped) } else { Ok(()) };
        }
        self.input.control.poll_host();
        // The first iteration is always completed: there must be a move and a score.
        if self.completed == Depth::ZERO {
            return Ok(());
        }
        if self.is_over() {
            self.input.control.halt();
        }
        if self.input.control.is_halted() { Err(Stopped) } else { Ok(()) }
    }

    /// Whether nodes or time have run out, or time management wants no further iteration. While pondering, time does not count.
    pub(crate) fn is_over(&self) -> bool {
        self.input.limits.nodes.is_some_and(|limit| self.input.control.nodes() >= limit)
            || (self.time.is_over(self.input.control.nodes()) || self.has_enough) && !self.input.control.is_pondering()
    }

    /// Reports the root move about to be searched; `number` counts from 1 within its line.
    pub(crate) fn report_current_move(&mut self, mv: Move, number: usize) {
        if self.reports_details() {
            let (depth, before) = (self.iteration.get() as u32, self.root.first);
            self.reporter.current_move(depth, mv, before + number);
        }
    }

    /// Whether bounds and current moves are reported.
    pub(crate) fn reports_details(&self) -> bool {
        self.role == Role::Main && self.time.elapsed(self.input.control.nodes()) >= QUIET_TIME
    }

    pub(crate) fn record_root_move(
        &mut self,
        mv: Move,
        number: usize,
        score: Score,
        window: Window,
        nodes_before: u64,
    ) {
        let nodes = self.nodes - nodes_before;
        let selective_depth = self.selective_depth as u32;
        let Some(root) = self.root.get_mut(mv) else { return };
        root.nodes += nodes;
        if number == 1 || score > window.alpha {
            root.set_score(score, window);
            root.selective_depth = selective_depth;
            root.variation.clear();
            root.variation.push(mv);
            root.variation.extend(self.data.variations.line(1));
            root.mean_score = Some(match root.mean_score {
                Some(mean) if !score.is_decisive() && !mean.is_decisive() => mean.midpoint(score),
                _ => score,
            });
        } else {
            root.score = Score::MIN;
        }
    }

    /// Adds the nodes and tablebase hits since the last call to the shared counts.
    pub(crate) fn count_nodes(&mut self) {
        self.input.control.add_nodes(self.nodes - self.counted);
        self.counted = self.nodes;
        self.input.control.add_tablebase_hits(std::mem::take(&mut self.tablebase_hits));
    }
}

/// Whether the side to move has non-pawn material; without it zugzwang is likely.
pub(crate) fn has_non_pawn_material(board: &Board) -> bool {
    let side = board.side_to_move();
    let simple = board.colored(side, PieceKind::Pawn) | board.colored(side, PieceKind::King);
    board.color(side) != simple
}
