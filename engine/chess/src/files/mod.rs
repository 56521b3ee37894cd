//! Files: reading plain or gzip-compressed text (here), atomic writes, locks, and checks that outputs do not overwrite inputs.

mod atomic;
mod outputs;

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use flate2::read::MultiGzDecoder;
use thiserror::Error;

pub use atomic::{FinishedFile, TempFile, check_writable, try_lock, write_atomic, write_atomic_with};
pub use outputs::{OutputError, check_new, check_outputs};

/// The error of opening or reading a file.
#[derive(Debug, Error)]
#[error("{}: {source}", path.display())]
pub struct SourceError {
    /// The file.
    pub path: PathBuf,
    /// The I/O error.
    pub source: io::Error,
}

/// Opens a file for reading and decompresses it if its name ends in `.gz`.
///
/// # Errors
/// If it cannot be opened.
pub fn open(path: &Path) -> Result<Box<dyn Read>, SourceError> {
    open_counted(path, &Arc::default())
}

/// Opens a file as [`open`] does; `count` is increased by the number of bytes read, before decompression.
///
/// # Errors
/// If it cannot be opened.
pub fn open_counted(path: &Path, count: &Arc<AtomicU64>) -> Result<Box<dyn Read>, SourceError> {
    let file = File::open(path).map_err(|source| SourceError { path: path.to_owned(), source })?;
    let file = Counted { file, count: Arc::clone(count) };
    let is_packed = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("gz"));
    Ok(if is_packed { Box::new(MultiGzDecoder::new(BufReader::new(file))) } else { Box::new(file) })
}

struct Counted {
    file: File,
    count: Arc<AtomicU64>,
}

impl Read for Counted {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.file.read(buffer)?;
        self.count.fetch_add(length as u64, Ordering::Relaxed);
        Ok(length)
    }
}

/// A line of text: UTF-8, else Latin-1, the encoding of the PGN standard and of old files.
pub fn decode_line(line: &[u8]) -> Cow<'_, str> {
    match str::from_utf8(line) {
        Ok(text) => text.into(),
        Err(_) => line.iter().copied().map(char::from).collect::<String>().into(),
    }
}

/// Reads a whole text file, each line as [`decode_line`] does.
///
/// # Errors
/// If the file cannot be opened, read or decompressed.
pub fn read_text(path: &Path) -> Result<String, SourceError> {
    let mut bytes = Vec::new();
    open(path)?.read_to_end(&mut bytes).map_err(|source| SourceError { path: path.to_owned(), source })?;
    Ok(bytes.split_inclusive(|&byte| byte == b'\n').map(decode_line).collect())
}
