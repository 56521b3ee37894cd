//! Text of rows: CSV, `FEN | cp | result`, and the JSON lines of the Lichess evaluations, plain or compressed.
#![no_main]

use alfiere_data::{Format, RequiredFields};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    alfiere_fuzz::rows::read(bytes, Format::Csv);
    alfiere_fuzz::rows::read_file(alfiere_fuzz::file("positions", bytes), Format::Csv, RequiredFields::Positions);
});
