//! A short round of random talk to the real program; `cargo run --release --example uci_fuzz` is the long one.

mod common;

use common::fuzz::{Plan, run};
use common::gui::own_program;

#[test]
fn random_talk_is_survived_and_answered_correctly() {
    let plan = Plan { program: own_program().to_owned(), seed: 20_240_229, lines: 20_000, memory_kibibytes: 1_500_000 };
    let tally = run(&plan, |_| {}).unwrap_or_else(|failure| {
        let talk = failure.talk.join("\n");
        panic!(
            "{}\nafter\n{}",
            failure.problem,
            talk.split_at(talk.floor_char_boundary(talk.len().saturating_sub(4000))).1
        )
    });
    assert!(tally.lines >= plan.lines && tally.searches == tally.answers, "{tally:?}");
    assert!(tally.searches > 500 && tally.heard > tally.searches, "{tally:?}");
}
