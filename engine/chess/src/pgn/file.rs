//! Reads the games of a PGN file, plain or compressed, one at a time.

use std::io::BufReader;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use thiserror::Error;

use super::reader::{PgnError, PgnFault, PgnGame, read_each};
use crate::files::{SourceError, open_counted};

/// Why the games of a file cannot be read.
#[derive(Debug, Error)]
pub enum PgnFileError {
    /// The file cannot be opened.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// The file cannot be read to its end.
    #[error(transparent)]
    Pgn(#[from] PgnError),
}

/// Calls `each` with every game of a file in order, invalid ones as faults, until it returns `Break`. `compressed_bytes` is
/// increased by the number of bytes read from the file, before decompression.
///
/// # Errors
/// If the file cannot be opened or read to its end.
pub fn read_file(
    path: &Path,
    compressed_bytes: &Arc<AtomicU64>,
    each: impl FnMut(Result<PgnGame, PgnFault>) -> ControlFlow<()>,
) -> Result<(), PgnFileError> {
    let input = BufReader::new(open_counted(path, compressed_bytes)?);
    Ok(read_each(input, each).map_err(PgnError::in_file(path))?)
}
