//! Streaming conversion between file formats: no file needs to fit into memory.

mod buckets;
mod inputs;
mod interleave;
mod job;
mod sink;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};

use crate::captures::Captures;
use crate::data_file::DataFile;
use crate::dataset::LoadedFile;
use crate::filter::{Filter, FilterCounts, LeftOut};
use crate::format::Format;
use crate::text::read_options::ReadOptions;

pub use job::{convert, relabel};
pub use sink::NewLabels;

/// The order in which rows are written.
#[derive(Clone, PartialEq, Debug, Default)]
pub enum Order {
    #[default]
    AsRead,
    Shuffled {
        seed: u64,
    },
    /// Games, or rows where games are unknown, of all files mixed; those of a file stay in its order.
    Interleaved {
        seed: u64,
    },
}

/// The inputs, output and options of a conversion.
#[derive(Clone, Debug)]
pub struct Conversion<'a> {
    /// The files, in their order; [`ReadOptions::limit`] counts the rows of all of them.
    pub inputs: &'a [DataFile],
    /// How they are read.
    pub read: ReadOptions,
    /// Which rows are left out.
    pub filter: Filter,
    /// What becomes of rows in the middle of captures.
    pub captures: Captures,
    /// Whether only the first of the filtered rows with the same pieces, side to move, castling rights and en passant is written.
    pub unique: bool,
    /// The output file, compressed if its name ends in `.gz` or `.zst`.
    pub output: &'a Path,
    /// The output format, which must be writable.
    pub to: Format,
    /// Cut a packed output into shards of about this many rows.
    pub shard_rows: Option<u64>,
    pub order: Order,
}

impl<'a> Conversion<'a> {
    /// A conversion of all rows in input order.
    pub fn new(inputs: &'a [DataFile], output: &'a Path, to: Format) -> Self {
        let (read, filter, captures) = (ReadOptions::default(), Filter::default(), Captures::Keep);
        Self { inputs, read, filter, captures, unique: false, output, to, shard_rows: None, order: Order::AsRead }
    }

    /// The output's folder, where temporary files are written.
    fn folder(&self) -> &Path {
        self.output.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
    }
}

/// The result of a conversion.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Converted {
    /// The files written, and the rows of each.
    pub files: Vec<(PathBuf, u64)>,
    /// A file with the name of the next shard, left by an earlier conversion with more shards.
    pub stale: Option<PathBuf>,
    /// The files read, with their reports.
    pub inputs: Vec<LoadedFile>,
    /// Rows removed by filters.
    pub filtered: FilterCounts,
    /// Rows whose position is that of an earlier row.
    pub repeated: u64,
    /// Rows that the format cannot hold, or that have no new label.
    pub left_out: LeftOut,
    /// True if best moves are known but missing in the written files.
    pub lost_moves: bool,
}
