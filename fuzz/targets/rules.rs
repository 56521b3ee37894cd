//! Questions of the page about lines and games: JSON in, JSON out.
#![no_main]

use alfiere_fuzz as _;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|question: &str| {
    let answer = alfiere_rules::answer(question);
    assert!(answer.starts_with('{') && answer.ends_with('}'), "{answer}");
});
