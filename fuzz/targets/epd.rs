//! EPD lines: test suites and openings.
#![no_main]

use alfiere::suite::read_suite;
use alfiere_chess::openings::read_openings;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let path = alfiere_fuzz::file("suite.epd", bytes);
    if let Ok(suite) = read_suite(&path) {
        for position in &suite.positions {
            assert!(!position.solution().is_empty());
            position.points_of(None);
        }
        for error in &suite.refused {
            assert!(error.to_string().contains("suite.epd"));
        }
    }
    if let Ok(list) = read_openings(&path) {
        assert!(!list.openings.is_empty());
    }
});
