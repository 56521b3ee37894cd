//! The search from the root: lazy SMP, the same search on several threads, which share only the transposition table.

mod iterative;

use std::sync::mpsc::channel;
use std::time::Duration;

use alfiere_chess::board::Board;
use alfiere_chess::types::Move;

use crate::eval::Evaluator;
use crate::platform::{Instant, STACK_BYTES};
use crate::search::request::{
    Control, Info, Reporter, RootMove, RootMoves, SearchInput, SearchResult, Silent, TablebaseContext, TimeManager,
};
use crate::search::score::{Depth, Score};
use crate::search::thread::{Role, ThreadData, Worker};

/// Maximum wait for the results of the helper threads. They poll every few hundred nodes, but on a busy machine they
/// may not be scheduled while the clock runs.
const HELPER_TIMEOUT: Duration = Duration::from_millis(3);

/// Searches with one thread for each element of `thread_data` (at least one is needed for anything to be found) and reports the outcome
/// when the limits allow an answer. The calling thread is one of them and needs [`STACK_BYTES`] of stack.
pub fn search<E: Evaluator>(
    thread_data: &mut [ThreadData<E>],
    input: &SearchInput<'_>,
    reporter: &mut dyn Reporter,
) -> SearchResult {
    let time = input.time();
    let mut moves = input.moves();
    if let Some(limit) = input.strength_limit {
        moves = limit.considered(input.board, moves, input.lines);
    }
    let mut endgames = TablebaseContext::new(input.tablebases, input.probe_rules);
    let root = endgames.rank_root(input.board, input.keys, &moves, input.control);
    match thread_data.split_first_mut() {
        Some((first, helpers)) if root.len() > 0 => {
            input.table.start_search();
            search_together(first, helpers, input, (&endgames, &time), &root, reporter)
        }
        _ => {
            let outcome = nothing_to_search(input.board, time, reporter);
            answer(input, &outcome, reporter);
            outcome
        }
    }
}

/// Reports the outcome once the limits allow an answer.
pub(crate) fn answer(input: &SearchInput<'_>, outcome: &SearchResult, reporter: &mut dyn Reporter) {
    input.control.wait_until_answer_allowed(input.limits.mode);
    reporter.finished(outcome);
}

fn search_together<E: Evaluator>(
    first: &mut ThreadData<E>,
    helpers: &mut [ThreadData<E>],
    input: &SearchInput<'_>,
    setup: (&TablebaseContext<'_>, &TimeManager),
    root: &RootMoves,
    reporter: &mut dyn Reporter,
) -> SearchResult {
    std::thread::scope(|scope| {
        let (sender, receiver) = channel();
        let mut has_helpers = false;
        for data in helpers {
            let sender = sender.clone();
            let thread = std::thread::Builder::new().stack_size(STACK_BYTES);
            let spawned = thread.spawn_scoped(scope, move || {
                let mut silent = Silent;
                let mut worker = Worker::new(data, input, setup, Role::Helper, root.clone(), &mut silent);
                worker.deepen(input.board);
                // A result that comes too late is not counted.
                let _ = sender.send((worker.root.moves.swap_remove(0), worker.completed));
            });
            // A system that is out of threads gives fewer helpers.
            if spawned.is_err() {
                break;
            }
            has_helpers = true;
        }
        drop(sender);
        // If this thread panics, the helpers must still stop.
        let _stop = StopOnDrop(input.control);
        let mut main = Worker::new(first, input, setup, Role::Main, root.clone(), reporter);
        main.deepen(input.board);
        let mut results = vec![(main.root.moves[0].clone(), main.completed)];
        if has_helpers {
            let deadline = Instant::now() + HELPER_TIMEOUT;
            while let Ok(result) = receiver.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                results.push(result);
            }
        }
        let chosen = if input.lines <= 1 && input.limits.depth.is_none() { vote(&results) } else { 0 };
        let (winner, depth) = &results[chosen];
        if chosen != 0 {
            let (score, kind) = winner.reported_score();
            main.reporter.info(&Info {
                selective_depth: winner.selective_depth,
                kind,
                nodes: input.control.nodes(),
                tablebase_hits: input.control.tablebase_hits(),
                time: main.time.elapsed(input.control.nodes()),
                table_permille: input.table.permille_full(),
                ..Info::new(depth.get() as u32, score, &winner.variation)
            });
        }
        let outcome = main.outcome(winner, *depth);
        answer(input, &outcome, main.reporter);
        outcome
    })
}

/// Ends the search of all threads when it goes out of scope.
struct StopOnDrop<'a>(&'a Control);

impl Drop for StopOnDrop<'_> {
    fn drop(&mut self) {
        self.0.halt();
    }
}

/// The index of the selected result: threads vote for their moves, weighted by depth and by score above the worst; a
/// mate decides at once.
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

/// The outcome without a root move: mate, stalemate, or no legal move among `searchmoves`.
pub(crate) fn nothing_to_search(board: &Board, time: TimeManager, reporter: &mut dyn Reporter) -> SearchResult {
    let score = if board.in_check() { Score::mated_at(0) } else { Score::DRAW };
    report_unsearched(None, score, time, reporter)
}

/// Reports and returns an outcome without a search: `best` at depth 1, or no move at depth 0.
pub(crate) fn report_unsearched(
    best: Option<Move>,
    score: Score,
    time: TimeManager,
    reporter: &mut dyn Reporter,
) -> SearchResult {
    let variation = Vec::from_iter(best);
    let (depth, time) = (variation.len() as u32, time.elapsed(0));
    reporter.info(&Info { time, ..Info::new(depth, score, &variation) });
    SearchResult { best, ponder: None, score, depth, nodes: 0, time, variation }
}
