//! Lazy SMP: the same search on several threads at once, which help one another only through the table.

use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

use alfiere_chess::board::{Board, KeyHistory};
use alfiere_chess::movegen::legal_moves;
use alfiere_chess::types::{Move, MoveList};
use alfiere_syzygy::Tablebases;

use super::control::Control;
use super::depth::Depth;
use super::handicap::Handicap;
use super::limits::Limits;
use super::reporter::{Info, Outcome, Reporter, ScoreKind, Silent};
use super::root::{RootMove, RootMoves};
use super::score::Score;
use super::table::Table;
use super::tablebase::{Endgames, ProbeRules};
use super::time::TimeManager;
use super::tunables::Tunables;
use super::worker::{Mind, Role, Shared, Worker};
use crate::eval::Evaluator;

/// The stack that a thread needs to search: frames of the main search take a few KiB each, and lines are long.
pub const STACK_BYTES: usize = 16 * 1024 * 1024;

/// How long the answer waits for what the helpers think: they look up every few hundred nodes, but on a machine with more
/// programs than cores they may have to wait for their turn, while the clock runs.
const HELPERS_PATIENCE: Duration = Duration::from_millis(3);

/// Everything that a search is about.
#[derive(Clone, Copy)]
pub struct Job<'a> {
    /// The position.
    pub board: &'a Board,
    /// The positions that were played before it.
    pub keys: &'a KeyHistory,
    /// When to end.
    pub limits: &'a Limits,
    /// How many of the best lines to find.
    pub lines: usize,
    /// By how much the side to move likes a draw less than an even position, in the network's centipawns.
    pub contempt: i32,
    /// What the way to the GUI and back may take from the clock.
    pub move_overhead: Duration,
    /// The numbers of the search.
    pub tunables: &'a Tunables,
    /// Endgame tables; there need not be any.
    pub tablebases: &'a Tablebases,
    /// When they are asked.
    pub probe_rules: ProbeRules,
    /// What earlier searches found.
    pub table: &'a Table,
    /// The faults of a weaker player; none at full strength.
    pub handicap: Option<&'a Handicap>,
    /// How the search is stopped.
    pub control: &'a Control,
}

impl Job<'_> {
    /// When time is over.
    pub(super) fn time(&self) -> TimeManager {
        TimeManager::new(self.limits.time, self.limits.start, self.move_overhead)
    }

    /// The moves that may be played: all legal ones, or those asked for.
    pub(super) fn moves(&self) -> MoveList {
        let wanted = &self.limits.search_moves;
        legal_moves(self.board).into_iter().filter(|mv| wanted.is_empty() || wanted.contains(mv)).collect()
    }
}

/// Searches with one thread for each mind (at least one is needed for anything to be found) and reports the outcome
/// when the limits allow an answer. The calling thread is one of them and needs [`STACK_BYTES`] of stack.
pub fn search<E: Evaluator>(minds: &mut [Mind<E>], job: &Job<'_>, reporter: &mut dyn Reporter) -> Outcome {
    let time = job.time();
    let mut moves = job.moves();
    if let Some(handicap) = job.handicap {
        moves = handicap.thought_of(job.board, moves, job.lines);
    }
    let (endgames, root) = Endgames::at_root(job, &moves, job.control);
    match minds.split_first_mut() {
        Some((first, helpers)) if root.len() > 0 => {
            job.table.start_search();
            let shared = Shared {
                table: job.table,
                control: job.control,
                limits: job.limits,
                endgames,
                tunables: job.tunables,
                time,
                lines: job.lines.max(1),
                contempt: job.contempt,
                handicap: job.handicap,
            };
            search_together(first, helpers, &shared, job, &root, reporter)
        }
        _ => {
            let outcome = nothing_to_search(job.board, time, reporter);
            answer(job, &outcome, reporter);
            outcome
        }
    }
}

/// Tells the outcome when it is time for it.
pub(super) fn answer(job: &Job<'_>, outcome: &Outcome, reporter: &mut dyn Reporter) {
    job.control.wait_for_leave(job.limits.answer);
    reporter.finished(outcome);
}

fn search_together<E: Evaluator>(
    first: &mut Mind<E>,
    helpers: &mut [Mind<E>],
    shared: &Shared<'_>,
    job: &Job<'_>,
    root: &RootMoves,
    reporter: &mut dyn Reporter,
) -> Outcome {
    std::thread::scope(|scope| {
        let (sender, opinions) = channel();
        for mind in helpers {
            let sender = sender.clone();
            let thread = std::thread::Builder::new().stack_size(STACK_BYTES);
            let spawned = thread.spawn_scoped(scope, move || {
                let mut silent = Silent;
                let mut worker = Worker::new(mind, shared, Role::Helper, job, root.clone(), &mut silent);
                worker.deepen(job.board);
                // Whoever comes too late is not heard any more.
                let _ = sender.send((worker.root.moves.swap_remove(0), worker.completed));
            });
            // A system that is out of threads gives fewer helpers.
            if spawned.is_err() {
                break;
            }
        }
        drop(sender);
        // Should this thread panic, the others must not go on for ever.
        let _halt = HaltAtEnd(shared.control);
        let mut main = Worker::new(first, shared, Role::Main, job, root.clone(), reporter);
        main.deepen(job.board);
        let mut results = vec![(main.root.moves[0].clone(), main.completed)];
        let deadline = Instant::now() + HELPERS_PATIENCE;
        while let Ok(opinion) = opinions.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
            results.push(opinion);
        }
        let chosen = if shared.lines == 1 && job.limits.depth.is_none() { vote(&results) } else { 0 };
        let (winner, depth) = &results[chosen];
        if chosen != 0 {
            let (score, kind) = winner.told();
            main.reporter.info(&Info {
                depth: depth.get() as u32,
                selective_depth: winner.selective_depth,
                line: 1,
                score,
                kind,
                nodes: shared.control.nodes(),
                tablebase_hits: shared.control.tablebase_hits(),
                time: shared.time.elapsed(),
                table_permille: shared.table.permille_full(),
                variation: &winner.variation,
            });
        }
        let outcome = main.outcome(winner, *depth);
        answer(job, &outcome, main.reporter);
        outcome
    })
}

/// Ends the search of all threads when it goes out of scope.
struct HaltAtEnd<'a>(&'a Control);

impl Drop for HaltAtEnd<'_> {
    fn drop(&mut self) {
        self.0.halt();
    }
}

/// The thread to believe: each votes for its move with its depth and its score above the worst; a mate decides at once.
fn vote(results: &[(RootMove, Depth)]) -> usize {
    let finished = |result: &&(RootMove, Depth)| result.1 > Depth::ZERO;
    let worst = results.iter().filter(finished).map(|(root, _)| root.known_score()).min().unwrap_or(Score::DRAW);
    let weight =
        |(root, depth): &(RootMove, Depth)| i64::from(root.known_score() - worst + 14) * i64::from(depth.get());
    let votes_for = |candidate: &RootMove| -> i64 {
        results.iter().filter(finished).filter(|(root, _)| root.mv == candidate.mv).map(weight).sum()
    };
    let mut chosen = 0;
    for (index, candidate) in results.iter().enumerate().skip(1) {
        let (current, rival) = (&results[chosen].0, &candidate.0);
        if candidate.1 == Depth::ZERO {
            continue;
        }
        let better = if current.known_score().is_decisive() || rival.known_score().is_win() {
            rival.known_score() > current.known_score()
        } else {
            votes_for(rival) > votes_for(current)
        };
        if better {
            chosen = index;
        }
    }
    chosen
}

/// Mate, stalemate, or no move among those asked for.
pub(super) fn nothing_to_search(board: &Board, time: TimeManager, reporter: &mut dyn Reporter) -> Outcome {
    let score = if board.in_check() { Score::mated_at(0) } else { Score::DRAW };
    unsearched(None, score, time, reporter)
}

/// Tells what is known without a search: a move and a depth of 1, or that there is none.
pub(super) fn unsearched(best: Option<Move>, score: Score, time: TimeManager, reporter: &mut dyn Reporter) -> Outcome {
    let variation = Vec::from_iter(best);
    let (depth, time) = (variation.len() as u32, time.elapsed());
    reporter.info(&Info {
        depth,
        selective_depth: depth,
        line: 1,
        score,
        kind: ScoreKind::Exact,
        nodes: 0,
        tablebase_hits: 0,
        time,
        table_permille: 0,
        variation: &variation,
    });
    Outcome { best, ponder: None, score, depth, nodes: 0, time, variation }
}
