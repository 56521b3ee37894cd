//! A short fuzz run of the real program; `cargo run --release --example uci_fuzz` runs longer.

use crate::common::fuzz::{Plan, run};
use crate::common::gui::own_program;

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
