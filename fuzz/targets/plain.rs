//! Stockfish's `.plain`.
#![no_main]

use alfiere_data::Format;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| alfiere_fuzz::rows::read(bytes, Format::Plain));
