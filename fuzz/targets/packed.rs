//! Packed rows, with the number of rows and the checksum that belong to the bytes.
#![no_main]

use alfiere_data::Format;
use libfuzzer_sys::fuzz_target;
use xxhash_rust::xxh3::xxh3_64;

fuzz_target!(|bytes: &[u8]| {
    alfiere_fuzz::rows::read(bytes, Format::Packed);
    if bytes.len() >= 32 {
        let mut bytes = bytes.to_vec();
        let rows = (bytes.len() as u64 - 32) / 32;
        bytes.truncate(32 + rows as usize * 32);
        let sum = xxh3_64(&bytes[32..]);
        bytes[16..24].copy_from_slice(&rows.to_le_bytes());
        bytes[24..32].copy_from_slice(&sum.to_le_bytes());
        alfiere_fuzz::rows::read(&bytes, Format::Packed);
    }
});
