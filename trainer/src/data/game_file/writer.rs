//! Game files written: a header, then records behind one another, in a file that a killed run may leave at any byte.

use std::collections::HashSet;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::{GameRecord, MAGIC, RawReader, TornTail, VERSION};
use crate::data::atomic;
use crate::data::error::DataError;

/// What a file that is taken up again holds already.
#[derive(Clone, Debug, Default)]
pub struct Resumed {
    /// Records.
    pub games: u64,
    /// Positions.
    pub positions: u64,
    /// The number of the last game.
    pub last_number: Option<u64>,
    /// The boards' keys of the positions that the records begin with.
    pub starts: HashSet<u64>,
    /// What was cut off its end.
    pub torn: Option<TornTail>,
}

/// A game file that grows; nobody else writes to it meanwhile.
pub struct GameWriter {
    path: PathBuf,
    file: File,
    bytes: u64,
    buffer: Vec<u8>,
}

impl GameWriter {
    /// Begins a file, or takes up one that was made with the same settings (JSON): a torn end is cut off.
    ///
    /// # Errors
    /// The file cannot be written, is no game file, is damaged, was made with other settings, or is being written.
    pub fn open(path: &Path, settings: &str) -> Result<(Self, Resumed), DataError> {
        let fail = |source| DataError::io(path, "write it", source);
        if !path.exists() {
            // Appears with its whole header, so that there is always one to go on from.
            atomic::write(path, |file| file.write_all(&header_bytes(settings)))?;
        }
        let mut file = OpenOptions::new().read(true).append(true).open(path).map_err(fail)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(DataError::games_busy(path)),
            Err(TryLockError::Error(source)) => return Err(fail(source)),
        }
        let mut reader = RawReader::open(path)?;
        if reader.settings() != settings {
            return Err(DataError::GameSettings {
                path: path.to_path_buf(),
                difference: difference(reader.settings(), settings),
            });
        }
        let mut resumed = Resumed::default();
        while let Some(record) = reader.next_record()? {
            resumed.games += 1;
            resumed.positions += record.plies.len() as u64;
            resumed.last_number = Some(record.number);
            resumed.starts.extend(record.start.to_board().map(|board| board.key()));
        }
        resumed.torn = reader.torn();
        let bytes = reader.position();
        file.set_len(bytes).map_err(fail)?;
        file.seek(SeekFrom::End(0)).map_err(fail)?;
        Ok((Self { path: path.to_path_buf(), file, bytes, buffer: Vec::new() }, resumed))
    }

    /// Writes a record behind those before, in one piece.
    ///
    /// # Errors
    /// The file cannot be written, or was removed.
    pub fn push(&mut self, record: &GameRecord) -> Result<(), DataError> {
        self.buffer.clear();
        record.encode(&mut self.buffer);
        self.bytes += self.buffer.len() as u64;
        let written = self.file.write_all(&self.buffer).and_then(|()| check_named(&self.path));
        written.map_err(|source| DataError::io(&self.path, "write it", source))
    }

    /// Bytes of the file.
    pub const fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Flushes to disk, so that not even a power cut takes what was written.
    ///
    /// # Errors
    /// The system cannot do so.
    pub fn sync(&self) -> Result<(), DataError> {
        self.file.sync_data().map_err(|source| DataError::io(&self.path, "write it", source))
    }
}

/// Fails if there is no file of this name: the system lets a program write to a removed file, but nobody can read it.
fn check_named(path: &Path) -> io::Result<()> {
    if path.try_exists()? { Ok(()) } else { Err(io::Error::new(io::ErrorKind::NotFound, "the file was removed")) }
}

/// The header of a file with these settings.
pub(in crate::data) fn header_bytes(settings: &str) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    bytes.extend(VERSION.to_le_bytes());
    bytes.extend((settings.len() as u32).to_le_bytes());
    bytes.extend(settings.as_bytes());
    let sum = crc32fast::hash(&bytes);
    bytes.extend(sum.to_le_bytes());
    bytes
}

/// The first setting that differs, as `NAME is THERE, not HERE`.
fn difference(there: &str, here: &str) -> String {
    let parse =
        |text: &str| serde_json::from_str::<serde_json::Map<String, serde_json::Value>>(text).unwrap_or_default();
    let (there, here) = (parse(there), parse(here));
    let shown = |value: Option<&serde_json::Value>| value.map_or_else(|| "not set".to_owned(), ToString::to_string);
    let mut names = here.keys().chain(there.keys());
    match names.find(|name| here.get(*name) != there.get(*name)) {
        Some(name) => format!("{name} is {}, not {}", shown(there.get(name)), shown(here.get(name))),
        None => "its settings are written otherwise".to_owned(),
    }
}
