//! Writes game files: a header, then records. A killed run may leave a file that ends at any byte.

use std::collections::HashSet;
use std::fs::{File, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use alfiere_chess::board::Board;
use alfiere_chess::files::try_lock;

use super::{GameFileRecord, MAGIC, MAX_POSITIONS, Ply, RawReader, TornTail, VERSION};
use crate::atomic;
use crate::error::DataError;
use crate::rows::board_row::ranked_moves;
use crate::rows::row::Row;

/// The contents of a file that is continued.
#[derive(Clone, Debug, Default)]
pub struct Resumed {
    /// Records.
    pub games: u64,
    pub positions: u64,
    pub last_number: Option<u64>,
    /// Board keys of the first positions of all records.
    pub starts: HashSet<u64>,
    /// The incomplete record that was cut off.
    pub torn: Option<TornTail>,
}

/// A game file open for appending, locked against other writers.
pub struct GameWriter {
    path: PathBuf,
    file: File,
    bytes: u64,
    buffer: Vec<u8>,
}

impl GameWriter {
    /// Creates a file, or continues one with the same settings (JSON); an incomplete record at the end is cut off.
    ///
    /// # Errors
    /// If the file cannot be written, is not a game file, is damaged, has different settings, or is locked.
    pub fn open(path: &Path, settings: &str) -> Result<(Self, Resumed), DataError> {
        let fail = |source| DataError::io(path, "write it", source);
        if !path.exists() {
            // Created atomically with its header, so that every existing file can be continued.
            atomic::write(path, |file| file.write_all(&header_bytes(settings)))?;
        }
        let mut file = OpenOptions::new().read(true).append(true).open(path).map_err(fail)?;
        if !try_lock(&file).map_err(fail)? {
            return Err(DataError::games_busy(path));
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

    /// Appends a record in one write.
    ///
    /// # Errors
    /// The file cannot be written, or was removed.
    pub fn push(&mut self, record: &GameFileRecord) -> Result<(), DataError> {
        self.buffer.clear();
        record.encode(&mut self.buffer);
        self.bytes += self.buffer.len() as u64;
        let written = self.file.write_all(&self.buffer).and_then(|()| check_named(&self.path));
        written.map_err(|source| DataError::io(&self.path, "write it", source))
    }

    pub const fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Flushes to disk, so that a power failure loses nothing.
    ///
    /// # Errors
    /// The system cannot do so.
    pub fn sync(&self) -> Result<(), DataError> {
        self.file.sync_data().map_err(|source| DataError::io(&self.path, "write it", source))
    }
}

/// Fails if the file was removed: a removed file can still be written to, but not be opened again.
fn check_named(path: &Path) -> io::Result<()> {
    if path.try_exists()? { Ok(()) } else { Err(io::Error::new(io::ErrorKind::NotFound, "the file was removed")) }
}

pub(crate) fn header_bytes(settings: &str) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    bytes.extend(VERSION.to_le_bytes());
    bytes.extend((settings.len() as u32).to_le_bytes());
    bytes.extend(settings.as_bytes());
    let sum = crc32fast::hash(&bytes);
    bytes.extend(sum.to_le_bytes());
    bytes
}

/// The first setting that differs, as `NAME is OLD, not NEW`.
fn difference(there: &str, here: &str) -> String {
    let parse =
        |text: &str| serde_json::from_str::<serde_json::Map<String, serde_json::Value>>(text).unwrap_or_default();
    let (there, here) = (parse(there), parse(here));
    let shown = |value: Option<&serde_json::Value>| value.map_or_else(|| "not set".to_owned(), ToString::to_string);
    let mut names = here.keys().chain(there.keys());
    match names.find(|name| here.get(*name) != there.get(*name)) {
        Some(name) => format!("{name} is {}, not {}", shown(there.get(name)), shown(here.get(name))),
        None => "the settings have a different format".to_owned(),
    }
}

/// Receives rows in order and returns complete records.
#[derive(Default)]
pub(crate) struct RecordBuilder {
    open: Option<Open>,
    /// Number of games so far; a game ends where the full-move number decreases.
    games: u64,
    move_number: u16,
    refused: u64,
}

/// The incomplete record and its last position.
struct Open {
    record: GameFileRecord,
    board: Board,
}

impl RecordBuilder {
    /// Adds a row; returns the previous record if the row starts a new one.
    pub(crate) fn push(&mut self, row: &Row) -> Option<GameFileRecord> {
        let begins_game = row.fullmove_number() < self.move_number || self.games == 0;
        self.move_number = row.fullmove_number();
        self.games += u64::from(begins_game);
        let ply = Ply { label: row.label(), played: None, best: row.best_move_rank() };
        if !begins_game && self.open.as_mut().is_some_and(|open| open.continues_with(row, ply)) {
            return None;
        }
        let ended = self.finish();
        match row.to_board() {
            Ok(board) => {
                let record = GameFileRecord {
                    number: self.games - 1,
                    start: *row,
                    result: row.result(),
                    random_moves: false,
                    plies: vec![ply],
                };
                self.open = Some(Open { record, board });
            }
            Err(_) => self.refused += 1,
        }
        ended
    }

    /// Returns the last record.
    pub(crate) fn finish(&mut self) -> Option<GameFileRecord> {
        self.open.take().map(|open| open.record)
    }

    /// Number of rows left out because their positions are illegal.
    pub(crate) const fn refused(&self) -> u64 {
        self.refused
    }
}

impl Open {
    /// Adds the row if a legal move leads to it; returns whether it did.
    fn continues_with(&mut self, row: &Row, ply: Ply) -> bool {
        if row.result() != self.record.result || self.record.plies.len() >= MAX_POSITIONS {
            return false;
        }
        for (rank, &mv) in ranked_moves(&self.board).iter().enumerate() {
            // Comparing two squares rejects most moves early.
            if row.occupied().contains(mv.source()) && !mv.is_castle() {
                continue;
            }
            let mut next = self.board.clone();
            next.play(mv);
            if next.occupied() == row.occupied() && Row::of_board(&next).is_same_position(row) {
                if let Some(last) = self.record.plies.last_mut() {
                    last.played = Some(rank as u8);
                }
                self.record.plies.push(ply);
                self.board = next;
                return true;
            }
        }
        false
    }
}
