//! Fills a buffer from a reader that may return fewer bytes than requested.

use std::io::{ErrorKind, Read, Result};

/// Reads until the buffer is full or the input ends; returns the number of bytes read.
pub(super) fn fill(input: &mut (impl Read + ?Sized), buffer: &mut [u8]) -> Result<usize> {
    let mut filled = 0;
    while filled < buffer.len() {
        match input.read(&mut buffer[filled..]) {
            Ok(0) => break,
            Ok(count) => filled += count,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}
