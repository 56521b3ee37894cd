//! A ponder hit in the middle of an iteration.

use std::sync::atomic::{AtomicU64, Ordering};

use super::*;
use crate::eval::Evaluator;

/// Sends a ponder hit in the middle of an iteration: at the evaluation before which this number are left.
struct PonderHit<'a> {
    control: &'a Control,
    left: u32,
    nodes_before: &'a AtomicU64,
    inner: Classical,
}

impl Evaluator for PonderHit<'_> {
    fn reset(&mut self, board: &Board) {
        self.inner.reset(board);
    }

    fn play(&mut self, board: &mut Board, mv: Move) {
        self.inner.play(board, mv);
    }

    fn undo(&mut self) {
        self.inner.undo();
    }

    fn evaluate(&mut self, board: &Board) -> i32 {
        if self.left == 0 && self.control.is_pondering() {
            self.nodes_before.store(self.control.nodes(), Ordering::Relaxed);
            self.control.ponder_hit();
        }
        self.left = self.left.saturating_sub(1);
        self.inner.evaluate(board)
    }
}

#[test]
fn a_ponder_hit_ends_a_search_that_had_its_time() {
    // One legal move: no time is worth spending on it.
    let position = board("r5k1/ppp2ppp/2n5/8/8/2P5/PP1q1nPP/R4RNK w - - 0 1");
    let time = TimeLimit::Clock { remaining: Duration::from_hours(1), increment: Duration::ZERO, moves_to_go: None };
    let limits = Limits { time, mode: SearchMode::Ponder, ..Limits::default() };
    let (control, nodes_before) = (Control::new(limits.mode), AtomicU64::new(0));
    let evaluator = PonderHit { control: &control, left: 20_000, nodes_before: &nodes_before, inner: Classical::new() };
    let bench = Bench::new(1);
    let input = SearchInput {
        board: &position,
        keys: &KeyHistory::new(),
        limits: &limits,
        lines: 1,
        contempt: 0,
        tablebases: &bench.tablebases,
        probe_rules: bench.probe_rules,
        move_overhead: Duration::from_millis(10),
        table: &bench.table,
        strength_limit: None,
        control: &control,
    };
    let found = std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK_BYTES);
        let run = thread.spawn_scoped(scope, || search(&mut [ThreadData::new(evaluator)], &input, &mut Silent));
        run.expect("a thread").join().expect("no panic")
    });
    let after = found.nodes - nodes_before.load(Ordering::Relaxed);
    assert!(found.depth > 5 && after < 2_000, "depth {}, {after} nodes", found.depth);
}
