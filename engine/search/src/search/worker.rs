//! One thread of a search: what it owns, how it plays moves and takes them back, when it must stop.

use alfiere_chess::board::{Board, KeyHistory};
use alfiere_chess::movegen::has_legal_move;
use alfiere_chess::types::{Bitboard, Move, PieceKind};

use super::control::Control;
use super::correction::{CorrectionHistory, Place};
use super::depth::Depth;
use super::frame::Frames;
use super::handicap::Handicap;
use super::history::{History, PieceTo};
use super::limits::Limits;
use super::reductions::Reductions;
use super::reporter::Reporter;
use super::root::RootMoves;
use super::score::Score;
use super::table::Table;
use super::tablebase::Endgames;
use super::threads::Job;
use super::time::TimeManager;
use super::tunables::Tunables;
use super::variation::Variations;
use super::window::Window;
use crate::eval::{Evaluator, lone_king};

/// The search was told to stop: scores of the nodes it was in are not known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Stopped;

/// The score of a node, unless the search was stopped before it was known.
pub(super) type Searched = Result<Score, Stopped>;

/// How often a thread looks at the clock, in nodes.
const POLL_INTERVAL: u64 = 512;

/// What a thread keeps from one search to the next.
pub struct Mind<E> {
    pub(super) evaluator: E,
    pub(super) history: History,
    pub(super) corrections: CorrectionHistory,
    reductions: Option<Reductions>,
    frames: Option<Frames>,
    variations: Option<Variations>,
}

impl<E> Mind<E> {
    /// A mind without experience.
    pub fn new(evaluator: E) -> Self {
        Self {
            evaluator,
            history: History::new(),
            corrections: CorrectionHistory::new(),
            reductions: None,
            frames: None,
            variations: None,
        }
    }

    /// What judges positions.
    pub fn evaluator_mut(&mut self) -> &mut E {
        &mut self.evaluator
    }

    /// Forgets everything about earlier games.
    pub fn clear(&mut self) {
        self.history.clear();
        self.corrections.clear();
    }
}

/// What all threads of one search share.
pub(super) struct Shared<'a> {
    pub(super) table: &'a Table,
    pub(super) control: &'a Control,
    pub(super) limits: &'a Limits,
    pub(super) endgames: Endgames<'a>,
    pub(super) tunables: &'a Tunables,
    pub(super) time: TimeManager,
    pub(super) lines: usize,
    /// By how much the side to move at the root likes a draw less than an even position, in the network's centipawns.
    pub(super) contempt: i32,
    /// What keeps a weaker player from seeing everything.
    pub(super) handicap: Option<&'a Handicap>,
}

/// What a thread is there for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Role {
    /// Watches the limits and reports.
    Main,
    /// Fills the table.
    Helper,
}

/// One thread at work.
pub(super) struct Worker<'a, E> {
    pub(super) shared: &'a Shared<'a>,
    pub(super) role: Role,
    pub(super) reporter: &'a mut dyn Reporter,
    pub(super) evaluator: &'a mut E,
    pub(super) history: &'a mut History,
    pub(super) corrections: &'a mut CorrectionHistory,
    pub(super) frames: &'a mut Frames,
    pub(super) variations: &'a mut Variations,
    pub(super) reductions: &'a Reductions,
    pub(super) keys: KeyHistory,
    pub(super) root: RootMoves,
    /// The running iteration.
    pub(super) iteration: Depth,
    /// The last iteration that came to its end.
    pub(super) completed: Depth,
    pub(super) selective_depth: usize,
    pub(super) nodes: u64,
    /// Positions that endgame tables knew, since the last time they were counted.
    pub(super) tablebase_hits: u64,
    /// What is added to evaluations of the side to move at the root, and taken from the other's.
    pub(super) optimism: i32,
    /// No null moves before this ply: one is being verified.
    pub(super) null_allowed_from: usize,
    counted: u64,
    next_poll: u64,
}

impl<'a, E: Evaluator> Worker<'a, E> {
    pub(super) fn new(
        mind: &'a mut Mind<E>,
        shared: &'a Shared<'a>,
        role: Role,
        job: &Job<'_>,
        root: RootMoves,
        reporter: &'a mut dyn Reporter,
    ) -> Self {
        mind.evaluator.reset(job.board);
        let frames = mind.frames.get_or_insert_with(Frames::new);
        frames.clear();
        let mut keys = job.keys.clone();
        keys.mark_root();
        let reductions = Reductions::of(shared.tunables, mind.reductions.take());
        Self {
            shared,
            role,
            reporter,
            evaluator: &mut mind.evaluator,
            history: &mut mind.history,
            corrections: &mut mind.corrections,
            frames,
            variations: mind.variations.get_or_insert_with(Variations::new),
            reductions: mind.reductions.insert(reductions),
            keys,
            root,
            iteration: Depth::ZERO,
            completed: Depth::ZERO,
            selective_depth: 0,
            nodes: 0,
            tablebase_hits: 0,
            optimism: 0,
            null_allowed_from: 0,
            counted: 0,
            next_poll: 0,
        }
    }

    /// The position after a move; [`Worker::undo`] takes it back.
    pub(super) fn play(&mut self, board: &Board, mv: Move, ply: usize) -> Board {
        // As early as possible: what the table knows is asked first, and comes from far away.
        self.shared.table.prefetch(board.key_after(mv));
        self.leave(board, Some(mv), PieceTo::of(board, mv), ply);
        let mut child = board.clone();
        self.evaluator.play(&mut child, mv);
        self.arrive(&child, ply + 1);
        child
    }

    /// The position after passing; [`Worker::undo_null`] takes it back.
    pub(super) fn play_null(&mut self, board: &Board, ply: usize) -> Board {
        self.leave(board, None, PieceTo::NONE, ply);
        let mut child = board.clone();
        child.play_null();
        self.shared.table.prefetch(child.key());
        self.arrive(&child, ply + 1);
        child
    }

    /// Notes by which move, if any, the line goes on from a position.
    fn leave(&mut self, board: &Board, mv: Option<Move>, moved: PieceTo, ply: usize) {
        let frame = self.frames.at_mut(ply);
        frame.current = mv;
        frame.moved = moved;
        self.nodes += 1;
        self.keys.push(board);
    }

    /// Notes where the corrections of a position stand and starts loading them.
    pub(super) fn arrive(&mut self, board: &Board, ply: usize) {
        let place = Place::of(board, self.frames.last_two(ply));
        self.corrections.prefetch(place);
        self.frames.at_mut(ply).place = place;
    }

    pub(super) fn undo(&mut self) {
        self.keys.pop();
        self.evaluator.undo();
    }

    pub(super) fn undo_null(&mut self) {
        self.keys.pop();
    }

    /// The static evaluation as the table keeps it.
    pub(super) fn evaluate(&mut self, board: &Board) -> Score {
        Score::centipawns(lone_king(board).unwrap_or_else(|| self.evaluator.evaluate(board) + self.misjudgement(board)))
    }

    /// The static evaluation as the search uses it: with hope where it stands well, nearer to a draw as the
    /// fifty-move rule comes near, and corrected by what searches of similar positions have found.
    pub(super) fn corrected(&self, board: &Board, raw: Score, ply: usize) -> Score {
        let hopeful = raw.value() + if ply.is_multiple_of(2) { self.optimism } else { -self.optimism };
        let scaled = hopeful * (200 - i32::from(board.halfmove_clock().min(100))) / 200;
        Score::centipawns(scaled + self.corrections.correction(self.frames.at(ply).place, self.shared.tunables))
    }

    /// Expects more of the side that stands better, so that it keeps the tension and the other seeks relief.
    pub(super) fn set_optimism(&mut self, expected: Option<Score>) {
        let score = expected.filter(|score| !score.is_decisive()).unwrap_or_default().value();
        self.optimism = self.shared.tunables.optimism() * score / (score.abs() + 100);
    }

    /// The squares that the opponent attacks.
    pub(super) fn threats(&self, board: &Board) -> Bitboard {
        if self.shared.tunables.order_threats() > 0 {
            board.attacked_by(!board.side_to_move())
        } else {
            Bitboard::EMPTY
        }
    }

    /// Whether the position is drawn by repetition, by the fifty-move rule or for want of material.
    pub(super) fn is_draw(&self, board: &Board) -> bool {
        is_draw(board, &self.keys)
    }

    /// A draw as the side to move at this ply sees it: the side that searches likes it less by its contempt.
    pub(super) fn draw(&self, ply: usize) -> Score {
        let contempt = self.shared.contempt;
        Score::centipawns(if ply.is_multiple_of(2) { -contempt } else { contempt })
    }

    /// What the side to move is assured of by a move back to an earlier position: a draw, if that is news, or nothing.
    pub(super) fn assured(&self, board: &Board, window: Window, ply: usize) -> Score {
        let draw = self.draw(ply);
        if window.alpha < draw
            && self.shared.tunables.upcoming_repetition() > 0
            && self.keys.has_upcoming_repetition(board)
        {
            draw
        } else {
            Score::MIN
        }
    }

    /// Lets the search end when it must; to be called at every node.
    #[inline]
    pub(super) fn poll(&mut self) -> Result<(), Stopped> {
        if self.nodes < self.next_poll { Ok(()) } else { self.poll_now() }
    }

    #[cold]
    fn poll_now(&mut self) -> Result<(), Stopped> {
        self.count_nodes();
        let limit = self.shared.limits.nodes.unwrap_or(u64::MAX);
        self.next_poll = self.nodes + POLL_INTERVAL.min(limit.saturating_sub(self.shared.control.nodes()).max(1));
        if self.role == Role::Helper {
            return if self.shared.control.is_halted() { Err(Stopped) } else { Ok(()) };
        }
        // Whatever the limits, there must be a move and a score.
        if self.completed == Depth::ZERO {
            return Ok(());
        }
        if self.is_over() {
            self.shared.control.halt();
        }
        if self.shared.control.is_halted() { Err(Stopped) } else { Ok(()) }
    }

    /// Whether nodes or time have run out.
    pub(super) fn is_over(&self) -> bool {
        self.shared.limits.nodes.is_some_and(|limit| self.shared.control.nodes() >= limit)
            || self.shared.time.is_over() && !self.shared.control.is_pondering()
    }

    /// Adds the nodes and the tables' answers since the last time to the common counts.
    pub(super) fn count_nodes(&mut self) {
        self.shared.control.add_nodes(self.nodes - self.counted);
        self.counted = self.nodes;
        self.shared.control.add_tablebase_hits(std::mem::take(&mut self.tablebase_hits));
    }
}

/// Whether the position is drawn by repetition, by the fifty-move rule or for want of material.
pub(super) fn is_draw(board: &Board, keys: &KeyHistory) -> bool {
    board.has_insufficient_material()
        || keys.is_repetition(board)
        // Mate on the hundredth ply takes precedence.
        || board.halfmove_clock() >= 100 && (!board.in_check() || has_legal_move(board))
}

/// Whether the side to move has more than king and pawns: otherwise passing is often the best move there is.
pub(super) fn has_pieces(board: &Board) -> bool {
    let side = board.side_to_move();
    let simple = board.colored(side, PieceKind::Pawn) | board.colored(side, PieceKind::King);
    board.color(side) != simple
}
