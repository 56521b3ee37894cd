//! Files of self-play games: the input as a file, and as the body of a record, which a checksum protects in a file.
#![no_main]

use alfiere_data::Format;
use alfiere_data::game_file::GameFileRecord;
use libfuzzer_sys::fuzz_target;

/// Bytes of a record's length and checksum.
const FRAME: usize = 8;

fuzz_target!(|bytes: &[u8]| {
    alfiere_fuzz::rows::read(bytes, Format::Games);
    if let Ok(record) = GameFileRecord::decode(bytes) {
        let encode = |record: &GameFileRecord| {
            let mut bytes = Vec::new();
            record.encode(&mut bytes);
            bytes
        };
        let encoded = encode(&record);
        assert_eq!(GameFileRecord::decode(&encoded[FRAME..]).map(|again| encode(&again)).as_ref(), Ok(&encoded));
        let _ = record.rows();
    }
});
