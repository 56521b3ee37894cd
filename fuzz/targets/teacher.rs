//! Networks of Stockfish that label positions.
#![no_main]

use alfiere_teacher::Teacher;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    if let Err(error) = Teacher::load(&alfiere_fuzz::file("teacher.nnue", bytes)) {
        assert!(!error.to_string().is_empty());
    }
});
