//! Reads game files record by record, or as rows decoded on all cores.

use std::fs::File;
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};

use rayon::prelude::*;

use super::{FRAME_BYTES, GameFileRecord, MAGIC, MAX_PART, VERSION};
use crate::error::DataError;
use crate::rows::row::Row;
use crate::text::reader::{OnRows, ReadObserver, ReadProgress};

/// Size of a file header without its settings.
const HEADER_FRAME: usize = 20;
/// Number of records decoded per batch.
const BATCH: usize = 2_048;

/// True if the file starts with the magic bytes of game files.
pub fn is_game_file(path: &Path) -> bool {
    let mut head = [0; 8];
    File::open(path).and_then(|mut file| file.read_exact(&mut head)).is_ok() && head == MAGIC
}

/// An incomplete record at the end of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TornTail {
    /// Offset of its first byte.
    pub at: u64,
    /// Its length in bytes.
    pub bytes: u64,
}

/// Reads the bodies of records and verifies their checksums.
pub struct RawReader {
    path: PathBuf,
    file: BufReader<File>,
    settings: String,
    size: u64,
    at: u64,
    torn: Option<TornTail>,
}

impl RawReader {
    /// Opens a file and reads its header.
    ///
    /// # Errors
    /// If the file cannot be read, or is not a game file of this version.
    pub fn open(path: &Path) -> Result<Self, DataError> {
        let fail = |source| DataError::io(path, "read it", source);
        let file = File::open(path).map_err(|source| DataError::io(path, "open it", source))?;
        let size = file.metadata().map_err(fail)?.len();
        let mut file = BufReader::with_capacity(1 << 20, file);
        let wrong = |problem: String| DataError::games(path, problem);
        let mut head = [0; 16];
        if size < HEADER_FRAME as u64 {
            return Err(wrong(format!("{size} bytes are too few for a header")));
        }
        file.read_exact(&mut head).map_err(fail)?;
        let (version, length) = (number(&head[8..12]), number(&head[12..16]) as usize);
        if head[..8] != MAGIC {
            return Err(wrong("it does not start with `ALFGAMES`".to_owned()));
        }
        if version != VERSION {
            return Err(wrong(format!("it has format version {version}")));
        }
        if length > MAX_PART || (HEADER_FRAME + length) as u64 > size {
            return Err(wrong("its header is incomplete".to_owned()));
        }
        let mut rest = vec![0; length + 4];
        file.read_exact(&mut rest).map_err(fail)?;
        let (settings, sum) = rest.split_at(length);
        let mut hash = crc32fast::Hasher::new();
        hash.update(&head);
        hash.update(settings);
        let text = String::from_utf8(settings.to_vec());
        match text {
            Ok(settings) if hash.finalize() == number(sum) => {
                let at = (HEADER_FRAME + length) as u64;
                Ok(Self { path: path.to_path_buf(), file, settings, size, at, torn: None })
            }
            _ => Err(wrong("its header is damaged".to_owned())),
        }
    }

    pub fn settings(&self) -> &str {
        &self.settings
    }

    /// Offset of the next record.
    pub const fn position(&self) -> u64 {
        self.at
    }

    /// Size of the file when it was opened.
    pub const fn size(&self) -> u64 {
        self.size
    }

    /// The next body; `None` after the last complete record.
    ///
    /// # Errors
    /// The file cannot be read, or is damaged.
    fn next_body(&mut self) -> Result<Option<Vec<u8>>, DataError> {
        let left = self.size - self.at;
        if left == 0 || self.torn.is_some() {
            return Ok(None);
        }
        if left < FRAME_BYTES as u64 {
            return Ok(self.end_torn());
        }
        let mut frame = [0; FRAME_BYTES];
        self.fill(&mut frame)?;
        let (length, sum) = (number(&frame[..4]) as usize, number(&frame[4..]));
        let end = (FRAME_BYTES + length) as u64;
        if length == 0 && self.rest_is_zero()? {
            return Ok(self.end_torn());
        }
        if length == 0 || length > MAX_PART {
            return Err(self.damage(&format!("has a length of {length} bytes")));
        }
        if left < end {
            return Ok(self.end_torn());
        }
        let mut body = vec![0; length];
        self.fill(&mut body)?;
        if crc32fast::hash(&body) != sum {
            return if left == end { Ok(self.end_torn()) } else { Err(self.damage("fails its checksum")) };
        }
        self.at += end;
        Ok(Some(body))
    }

    /// The next record; `None` after the last complete one.
    ///
    /// # Errors
    /// As for [`RawReader::next_body`], or if the body is malformed.
    pub fn next_record(&mut self) -> Result<Option<GameFileRecord>, DataError> {
        let at = self.at;
        let Some(body) = self.next_body()? else { return Ok(None) };
        GameFileRecord::decode(&body).map(Some).map_err(|problem| unsound(&self.path, at, &problem))
    }

    /// The incomplete record at the end, after all others are read.
    pub const fn torn(&self) -> Option<TornTail> {
        self.torn
    }

    /// True if only zeros follow: a power failure can leave them at the end of a file.
    fn rest_is_zero(&mut self) -> Result<bool, DataError> {
        let mut buffer = [0; 4096];
        loop {
            match self.file.read(&mut buffer).map_err(|source| DataError::io(&self.path, "read it", source))? {
                0 => return Ok(true),
                count if buffer[..count].iter().any(|&byte| byte != 0) => return Ok(false),
                _ => {}
            }
        }
    }

    fn fill(&mut self, bytes: &mut [u8]) -> Result<(), DataError> {
        self.file.read_exact(bytes).map_err(|source| DataError::io(&self.path, "read it", source))
    }

    fn end_torn<T>(&mut self) -> Option<T> {
        self.torn = Some(TornTail { at: self.at, bytes: self.size - self.at });
        None
    }

    fn damage(&self, what: &str) -> DataError {
        DataError::games(&self.path, format!("the record at byte {} {what}", self.at))
    }
}

fn unsound(path: &Path, at: u64, problem: &str) -> DataError {
    DataError::games(path, format!("the record at byte {at} is malformed ({problem})"))
}

/// Passes the rows of a game file, at most `limit`, to `on_rows` in batches; returns the incomplete record at the end, if
/// all of the file was read.
///
/// # Errors
/// If the file cannot be read or is damaged, the observer stops the reading, or `on_rows` fails.
pub fn read_game_rows(
    path: &Path,
    limit: Option<usize>,
    observer: &mut ReadObserver<'_>,
    on_rows: &mut OnRows<'_>,
) -> Result<Option<TornTail>, DataError> {
    let mut reader = RawReader::open(path)?;
    let mut left = limit.unwrap_or(usize::MAX);
    let mut done = 0;
    while left > 0 {
        let mut bodies = Vec::with_capacity(BATCH);
        while bodies.len() < BATCH {
            let at = reader.position();
            let Some(body) = reader.next_body()? else { break };
            bodies.push((at, body));
        }
        if bodies.is_empty() {
            return Ok(reader.torn());
        }
        let decode = |(at, body): &(u64, Vec<u8>)| {
            let rows = GameFileRecord::decode(body).and_then(|record| record.rows());
            rows.map_err(|problem| unsound(path, *at, &problem))
        };
        let games: Vec<Vec<Row>> = bodies.par_iter().map(decode).collect::<Result<_, _>>()?;
        let mut rows = games.concat();
        rows.truncate(left);
        left -= rows.len();
        done += rows.len() as u64;
        on_rows(&rows)?;
        let now = ReadProgress { bytes: reader.position(), total_bytes: reader.size(), rows: done };
        if observer(now).is_break() {
            return Err(DataError::Stopped { path: path.to_path_buf() });
        }
    }
    Ok(None)
}

fn number(bytes: &[u8]) -> u32 {
    bytes.iter().rev().fold(0, |number, &byte| number << 8 | u32::from(byte))
}
