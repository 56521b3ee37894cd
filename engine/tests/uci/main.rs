//! UCI with the real program over pipes.
// In tests a failed unwrap is the error report.
#![allow(clippy::unwrap_used)]

mod books_and_tables;
#[path = "../common/mod.rs"]
mod common;
mod session;
mod strength;
mod tools;

use common::fuzz::{Plan, run};
use common::gui::own_program;

/// A short run; `cargo run --release --example uci_fuzz` is a longer one.
#[test]
fn random_commands_are_handled_correctly() {
    let plan = Plan { program: own_program().to_owned(), seed: 20_240_229, lines: 20_000, memory_kibibytes: 1_500_000 };
    let stats = run(&plan, |_| {}).unwrap_or_else(|failure| {
        let sent_lines = failure.sent_lines.join("\n");
        panic!(
            "{}\nafter\n{}",
            failure.problem,
            sent_lines.split_at(sent_lines.floor_char_boundary(sent_lines.len().saturating_sub(4000))).1
        )
    });
    assert!(stats.lines >= plan.lines && stats.searches == stats.answers, "{stats:?}");
    assert!(stats.searches > 500 && stats.received > stats.searches, "{stats:?}");
}
