//! EPD lines: test suites and openings.
#![no_main]

use alfiere::suite::read_problems;
use alfiere_chess::openings::read_openings;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let path = alfiere_fuzz::file("suite.epd", bytes);
    if let Ok(read) = read_problems(&path) {
        for problem in &read.problems {
            assert!(!problem.solution().is_empty());
            problem.points_of(None);
        }
        for error in &read.refused {
            assert!(error.to_string().contains("suite.epd"));
        }
    }
    if let Ok(openings) = read_openings(&path) {
        assert!(!openings.is_empty());
    }
});
