//! One file of a streamed set, read in blocks; the hash of each block is verified.

use std::fs::File;
use std::io::{ErrorKind, Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::Path;

use xxhash_rust::xxh3::xxh3_64;

use crate::data_file::DataFile;
use crate::error::DataError;
use crate::format::Format;
use crate::formats::row_of_record;
use crate::packed::{self, HEADER_BYTES};
use crate::rows::row::{ROW_BYTES, Row};
use crate::splits::games::GameOrder;

/// A format whose rows all have the same size.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Layout {
    Packed,
    Bullet,
}

impl Layout {
    /// That of a file, by `from`, its first bytes or its name.
    pub(super) fn of(path: &Path, from: Option<Format>) -> Result<Self, DataError> {
        File::open(path).map_err(|source| DataError::io(path, "open it", source))?;
        let is_bullet = path.extension().and_then(|ending| ending.to_str()?.parse().ok()) == Some(Format::Bullet);
        match from {
            None | Some(Format::Packed) if packed::is_packed(path) => Ok(Self::Packed),
            None if is_bullet => Ok(Self::Bullet),
            Some(Format::Bullet) => Ok(Self::Bullet),
            _ => Err(DataError::NotPacked { path: path.to_path_buf() }),
        }
    }

    /// Bytes before the first row.
    pub(super) const fn start(self) -> u64 {
        match self {
            Self::Packed => HEADER_BYTES as u64,
            Self::Bullet => 0,
        }
    }

    /// The row of these bytes; `None` if they are not valid.
    pub(super) fn row(self, bytes: &[u8; ROW_BYTES]) -> Option<Row> {
        match self {
            Self::Packed => Row::from_bytes(bytes),
            Self::Bullet => row_of_record(bytes),
        }
    }
}

/// A file and the indices of its rows in the set.
#[derive(Clone, Debug)]
pub(super) struct Shard {
    pub(super) file: DataFile,
    pub(super) layout: Layout,
    /// Index of its first row in the set.
    pub(super) first: u32,
    /// How its games are told apart.
    pub(super) order: GameOrder,
}

/// A range of consecutive rows of one shard.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Block {
    pub(super) shard: u32,
    /// Row indices in the set.
    pub(super) rows: Range<u32>,
    /// XXH3 of their bytes.
    pub(super) hash: u64,
    pub(super) training_rows: u32,
}

impl Shard {
    pub(super) fn path(&self) -> &Path {
        &self.file.path
    }

    /// Opens the file. Files are closed between windows, because there may be more shards than a process may open
    /// files.
    pub(super) fn open(&self) -> Result<OpenShard<'_>, DataError> {
        let file = File::open(self.path()).map_err(|source| DataError::io(self.path(), "open it", source))?;
        Ok(OpenShard { shard: self, file, bytes: Vec::new() })
    }
}

pub(super) struct OpenShard<'a> {
    pub(super) shard: &'a Shard,
    file: File,
    bytes: Vec<u8>,
}

impl OpenShard<'_> {
    /// The rows of a block; an error if they have changed since the set was opened.
    pub(super) fn block(&mut self, block: &Block) -> Result<&[[u8; ROW_BYTES]], DataError> {
        self.read(block.rows.clone())?;
        if xxh3_64(&self.bytes) != block.hash {
            return Err(self.changed());
        }
        Ok(self.bytes.as_chunks().0)
    }

    /// Rows of this shard by their indices in the set, without verification.
    pub(super) fn rows(&mut self, rows: Range<u32>) -> Result<&[[u8; ROW_BYTES]], DataError> {
        self.read(rows)?;
        Ok(self.bytes.as_chunks().0)
    }

    /// A row with its label scaled.
    pub(super) fn row(shard: &Shard, bytes: &[u8; ROW_BYTES]) -> Result<Row, DataError> {
        let changed = || DataError::Changed { path: shard.path().to_path_buf() };
        shard.layout.row(bytes).map(|row| shard.file.scaled(&row)).ok_or_else(changed)
    }

    fn read(&mut self, rows: Range<u32>) -> Result<(), DataError> {
        let start = self.shard.layout.start() + u64::from(rows.start - self.shard.first) * ROW_BYTES as u64;
        self.bytes.resize(rows.len() * ROW_BYTES, 0);
        let read = self.file.seek(SeekFrom::Start(start)).and_then(|_| self.file.read_exact(&mut self.bytes));
        read.map_err(|error| match error.kind() {
            ErrorKind::UnexpectedEof => self.changed(),
            _ => DataError::io(self.shard.path(), "read it", error),
        })
    }

    fn changed(&self) -> DataError {
        DataError::Changed { path: self.shard.path().to_path_buf() }
    }
}
