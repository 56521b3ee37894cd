//! Reads a file, in a separate thread, or bytes as a stream of text blocks: decompressed and split at line ends.
//!
//! Independent of the content of lines.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread::Scope;

use alfiere_chess::files::without_mark;

use super::error::DataError;

/// Size of a block in bytes.
const BLOCK_BYTES: usize = 8 << 20;
/// Maximum length of a line.
const MAX_LINE_BYTES: usize = 64 << 10;

/// How a file is compressed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Compression {
    None,
    Gzip,
    Zstd,
}

impl Compression {
    /// Detects the compression from the first bytes of a file.
    pub(super) fn of(head: &[u8]) -> Self {
        match head {
            [0x1F, 0x8B, ..] => Self::Gzip,
            [0x28, 0xB5, 0x2F, 0xFD, ..] => Self::Zstd,
            _ => Self::None,
        }
    }

    pub(super) fn of_name(path: &Path) -> Self {
        match path.extension().and_then(|ending| ending.to_str()) {
            Some("gz") => Self::Gzip,
            Some("zst") => Self::Zstd,
            _ => Self::None,
        }
    }
}

/// Text that ends at a line end, except the file's last block.
pub(super) struct Block {
    pub(super) text: Vec<u8>,
    pub(super) is_last: bool,
}

/// Why the stream ended early.
pub(super) enum StreamProblem {
    Read(io::Error),
    LongLine,
}

/// Counts the bytes read from the file, before decompression.
struct Counted<'a> {
    file: File,
    bytes: &'a AtomicU64,
}

impl Read for Counted<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.file.read(buffer)?;
        self.bytes.fetch_add(count as u64, Ordering::Relaxed);
        Ok(count)
    }
}

/// How a file's compression is detected.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Detection {
    /// Its first bytes: it is text.
    ByContent,
    /// Its name, because binary content may look compressed.
    ByName,
}

/// Opens and decompresses a file; `read` counts the bytes read from the file.
pub(super) fn open<'a>(
    path: &Path,
    detection: Detection,
    read: &'a AtomicU64,
) -> io::Result<Box<dyn Read + Send + 'a>> {
    let compression = match detection {
        Detection::ByContent => Compression::of(&first_bytes(path)?),
        Detection::ByName => Compression::of_name(path),
    };
    let file = File::open(path)?;
    let input = decompressed(BufReader::with_capacity(256 << 10, Counted { file, bytes: read }), compression)?;
    Ok(match detection {
        Detection::ByContent => Box::new(without_mark(input)?),
        Detection::ByName => input,
    })
}

fn decompressed<'a>(
    input: impl BufRead + Send + 'a,
    compression: Compression,
) -> io::Result<Box<dyn Read + Send + 'a>> {
    Ok(match compression {
        Compression::None => Box::new(input),
        Compression::Gzip => Box::new(flate2::bufread::MultiGzDecoder::new(input)),
        #[cfg(not(target_family = "wasm"))]
        Compression::Zstd => Box::new(zstd::Decoder::with_buffer(input)?),
        #[cfg(target_family = "wasm")]
        Compression::Zstd => return Err(no_zstd()),
    })
}

/// There is no zstd in WebAssembly: it is C code.
#[cfg(target_family = "wasm")]
pub(super) fn no_zstd() -> io::Error {
    io::Error::new(io::ErrorKind::Unsupported, "zstd cannot be read or written here; expected gzip or plain text")
}

/// The first four bytes, or as many as there are.
fn first_bytes(path: &Path) -> io::Result<Vec<u8>> {
    let mut head = Vec::new();
    File::open(path)?.take(4).read_to_end(&mut head)?;
    Ok(head)
}

/// Starts a thread that reads the file and sends it in blocks; dropping the receiver ends it.
pub(super) fn stream_blocks<'scope, 'env>(
    scope: &'scope Scope<'scope, 'env>,
    path: &'env Path,
    read: &'env AtomicU64,
) -> Result<Receiver<Result<Block, StreamProblem>>, DataError> {
    let reader = open(path, Detection::ByContent, read).map_err(|source| DataError::io(path, "open it", source))?;
    let (sender, receiver) = sync_channel(2);
    scope.spawn(move || {
        for block in Blocks::new(reader) {
            // The receiver is closed if a limit was reached or the reading was stopped.
            if sender.send(block).is_err() {
                return;
            }
        }
    });
    Ok(receiver)
}

/// The blocks of a file's bytes, read by this thread.
pub(super) fn blocks_of(bytes: &[u8]) -> io::Result<impl Iterator<Item = Result<Block, StreamProblem>>> {
    Ok(Blocks::new(without_mark(decompressed(bytes, Compression::of(bytes))?)?))
}

/// Divides text into blocks; the last one, or a problem, ends it.
struct Blocks<R> {
    reader: R,
    carried: Vec<u8>,
    problem: Option<StreamProblem>,
    is_over: bool,
    /// Whether lines end in carriage returns only; `None` before the first block.
    has_old_ends: Option<bool>,
}

impl<R: Read> Blocks<R> {
    fn new(reader: R) -> Self {
        Self { reader, carried: Vec::new(), problem: None, is_over: false, has_old_ends: None }
    }
}

impl<R: Read> Iterator for Blocks<R> {
    type Item = Result<Block, StreamProblem>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(problem) = self.problem.take() {
            return Some(Err(problem));
        }
        if self.is_over {
            return None;
        }
        let mut text = Vec::with_capacity(BLOCK_BYTES + self.carried.len());
        text.append(&mut self.carried);
        let wanted = text.len() + BLOCK_BYTES;
        // The lines before a problem are read.
        let read = (&mut self.reader).take(BLOCK_BYTES as u64).read_to_end(&mut text);
        self.problem = read.err().map(StreamProblem::Read);
        self.is_over = text.len() < wanted || self.problem.is_some();
        if *self.has_old_ends.get_or_insert_with(|| text.contains(&b'\r') && !text.contains(&b'\n')) {
            text.iter_mut().filter(|byte| **byte == b'\r').for_each(|byte| *byte = b'\n');
        }
        let is_last = self.is_over && self.problem.is_none();
        if !is_last {
            let end = text.iter().rposition(|&byte| byte == b'\n').map_or(0, |index| index + 1);
            if text.len() - end > MAX_LINE_BYTES {
                (self.problem, self.is_over) = (None, true);
                return Some(Err(StreamProblem::LongLine));
            }
            self.carried = text.split_off(end);
        }
        Some(Ok(Block { text, is_last }))
    }
}
