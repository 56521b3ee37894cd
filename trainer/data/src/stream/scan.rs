//! The first pass over the shards: verifies and filters the rows, finds the games, and determines up to which rank they
//! are held out.

use std::fs::File;
use std::io::{ErrorKind, Read, Seek, SeekFrom};
use std::ops::Range;

use rayon::prelude::*;
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

use super::shard::{Block, Layout, Shard};
use crate::cache::Fingerprint;
use crate::data_file::{DataFile, Origin};
use crate::dataset::{LoadObserver, LoadedFile};
use crate::error::DataError;
use crate::filter::{Filter, FilterCounts};
use crate::format::Format;
use crate::packed::{CHECKSUM_PROBLEM, read_header};
use crate::rows::bits::Bits;
use crate::rows::label::RowResult;
use crate::rows::row::{ROW_BYTES, Row};
use crate::splits::games::{Anchor, GameOrder, sample_ranges};
use crate::splits::held_out::{HeldOut, Threshold, rank};
use crate::splits::unit::SplitError;
use crate::text::read_options::ReadReport;
use crate::text::reader::ReadProgress;

/// A game of which at least one row passed the filters.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Game {
    /// The rank of its anchor.
    pub(super) rank: u64,
    /// Its first row.
    pub(super) first: u32,
    /// Number of its rows, including filtered ones.
    pub(super) rows: u32,
}

/// The result of the first pass.
pub(super) struct Scan<'a> {
    pub(super) options: &'a StreamOptions,
    pub(super) shards: Vec<Shard>,
    pub(super) blocks: Vec<Block>,
    pub(super) files: Vec<LoadedFile>,
    /// The games of the shards that are in game order.
    pub(super) games: Vec<Game>,
    pub(super) threshold: Threshold,
    pub(super) filtered: FilterCounts,
    /// Rows that passed the filters.
    pub(super) kept: Bits,
    pub(super) kept_rows: u32,
    /// How many of them have a game result.
    pub(super) results: u32,
    rows: u32,
    /// How many rows of the current shard have a best move.
    best_moves: u64,
    game: OpenGame,
}

#[derive(Default)]
struct OpenGame {
    first: u32,
    kept: u32,
    /// Its last row so far.
    last: Option<Row>,
    anchor: Anchor,
}

impl<'a> Scan<'a> {
    /// Reads all files.
    pub(super) fn run(
        files: &[DataFile],
        options: &'a StreamOptions,
        observer: &mut dyn LoadObserver,
    ) -> Result<Self, DataError> {
        // A file of another format is refused before the others are read.
        let layouts = files.iter().map(|file| Layout::of(&file.path, options.from));
        let layouts = layouts.collect::<Result<Vec<Layout>, DataError>>()?;
        let mut scan = Self {
            options,
            shards: Vec::new(),
            blocks: Vec::new(),
            files: Vec::new(),
            games: Vec::new(),
            threshold: Threshold::new(options.held_out, options.seed),
            filtered: FilterCounts::default(),
            kept: Bits::default(),
            kept_rows: 0,
            results: 0,
            rows: 0,
            best_moves: 0,
            game: OpenGame::default(),
        };
        for (file, layout) in files.iter().zip(layouts) {
            if options.rows.is_some_and(|wanted| u64::from(scan.rows) >= wanted as u64) {
                break;
            }
            observer.file(&file.path);
            let loaded = scan.shard(file, layout, observer)?;
            observer.loaded(&loaded);
            scan.files.push(loaded);
        }
        if scan.kept_rows == 0 {
            return Err(DataError::nothing_left(files, u64::from(scan.rows)));
        }
        Ok(scan)
    }

    fn shard(
        &mut self,
        file: &DataFile,
        layout: Layout,
        observer: &mut dyn LoadObserver,
    ) -> Result<LoadedFile, DataError> {
        let path = &file.path;
        let mut opened = File::open(path).map_err(|source| DataError::io(path, "open it", source))?;
        let (mut rows_hash, mut file_hash) = (Xxh3::new(), Xxh3::new());
        let (rows, checksum) = match layout {
            Layout::Packed => {
                let header = read_header(path, &mut opened)?;
                file_hash.update(&header.to_bytes());
                (header.rows, Some(header.checksum))
            }
            Layout::Bullet => (records(file, &opened)?, None),
        };
        let first = self.rows;
        let wanted = self.begin(file, layout, rows, &mut opened)?;
        let mut bytes = Vec::new();
        let mut done = 0;
        while done < rows {
            let count = (rows - done).min(u64::from(self.options.block_rows));
            bytes.resize(count as usize * ROW_BYTES, 0);
            opened.read_exact(&mut bytes).map_err(|error| match error.kind() {
                ErrorKind::UnexpectedEof => DataError::Changed { path: path.clone() },
                _ => DataError::io(path, "read it", error),
            })?;
            rows_hash.update(&bytes);
            file_hash.update(&bytes);
            let used = count.min(wanted.saturating_sub(done)) as usize;
            self.block(file, &bytes[..used * ROW_BYTES], first)?;
            done += count;
            let size = |rows: u64| rows * ROW_BYTES as u64;
            let read = u64::from(self.rows - first);
            let progress = ReadProgress { bytes: size(done), total_bytes: size(rows), rows: read };
            if observer.progress(progress).is_break() {
                return Err(DataError::Stopped { path: path.clone() });
            }
        }
        if self.order().is_known() {
            self.end_game();
        }
        if checksum.is_some_and(|checksum| rows_hash.digest() != checksum) {
            return Err(DataError::packed(path, CHECKSUM_PROBLEM.to_owned()));
        }
        self.options.filter.check_best_moves(path, wanted, std::mem::take(&mut self.best_moves))?;
        let report = ReadReport { rows: wanted, ..ReadReport::default() };
        let fingerprint = Fingerprint::of_content(&opened, file_hash.digest());
        let order = self.order();
        let warnings = order.remark(path).into_iter().collect();
        let origin = if checksum.is_some() { Origin::Packed } else { Origin::Parsed };
        Ok(LoadedFile { file: file.clone(), fingerprint, origin, report, order, warnings })
    }

    /// Starts a shard whose file is at its first row, without moving it; returns the number of rows to read.
    fn begin(&mut self, file: &DataFile, layout: Layout, rows: u64, opened: &mut File) -> Result<u64, DataError> {
        let left = self.options.rows.map_or(u64::MAX, |wanted| wanted as u64 - u64::from(self.rows));
        let wanted = rows.min(left);
        let total = u64::from(self.rows) + wanted;
        let total = u32::try_from(total).map_err(|_| DataError::TooManyRows { rows: total })?;
        self.kept.grow(total);
        let order = GameOrder::of_samples(&read_samples(file, layout, opened, wanted)?);
        self.shards.push(Shard { file: file.clone(), layout, first: self.rows, order });
        self.game = OpenGame { first: self.rows, ..OpenGame::default() };
        Ok(wanted)
    }

    /// How the games of the current shard are told apart.
    fn order(&self) -> GameOrder {
        self.shards.last().map_or(GameOrder::Unknown, |shard| shard.order)
    }

    fn block(&mut self, file: &DataFile, bytes: &[u8], shard_first: u32) -> Result<(), DataError> {
        if bytes.is_empty() {
            return Ok(());
        }
        let first = self.rows;
        let layout = self.shards.last().map_or(Layout::Packed, |shard| shard.layout);
        let rows = bytes.as_chunks().0.par_iter();
        let rows: Vec<Option<(Row, u64)>> =
            rows.map(|bytes| layout.row(bytes).map(|row| (row, row.symmetric_key()))).collect();
        for row in rows {
            let (row, key) = row.ok_or_else(|| {
                let problem = format!("row {} is not a valid position", self.rows - shard_first + 1);
                DataError::Streamed { path: file.path.clone(), problem }
            })?;
            self.row(file, &row, key);
        }
        let shard = self.shards.len() as u32 - 1;
        self.blocks.push(Block { shard, rows: first..self.rows, hash: xxh3_64(bytes), training_rows: 0 });
        Ok(())
    }

    fn row(&mut self, file: &DataFile, row: &Row, key: u64) {
        let order = self.order();
        if order.is_known() && self.game.last.is_some_and(|last| order.begins_game(&last, row)) {
            self.end_game();
        }
        self.game.last = Some(*row);
        self.best_moves += u64::from(row.has_best_move());
        self.game.anchor.add(row, key);
        if let Some(reason) = self.options.filter.reason(&file.scaled(row)) {
            self.filtered.add(reason);
        } else {
            self.kept.set(self.rows);
            self.kept_rows += 1;
            self.results += u32::from(row.result() != RowResult::Unknown);
            self.game.kept += 1;
            if !order.is_known() {
                self.threshold.add_position(rank(key, self.options.seed));
            }
        }
        self.rows += 1;
    }

    /// Ends the current game and stores it if any of its rows is kept.
    fn end_game(&mut self) {
        let next = OpenGame { first: self.rows, ..OpenGame::default() };
        let game = std::mem::replace(&mut self.game, next);
        if let Some(anchor) = game.anchor.key().filter(|_| game.kept > 0) {
            let rank = rank(anchor, self.options.seed);
            self.threshold.add_game(rank, u64::from(game.kept));
            self.games.push(Game { rank, first: game.first, rows: self.rows - game.first });
        }
    }
}

/// The rows of a shard that determine whether it is in game order; the file position is restored. Invalid rows are skipped
/// here and reported by the pass.
fn read_samples(file: &DataFile, layout: Layout, opened: &mut File, wanted: u64) -> Result<Vec<Vec<Row>>, DataError> {
    let mut read = |range: Range<usize>| {
        let mut bytes = vec![0; range.len() * ROW_BYTES];
        opened.seek(SeekFrom::Start(layout.start() + (range.start * ROW_BYTES) as u64))?;
        opened.read_exact(&mut bytes)?;
        Ok(bytes.as_chunks().0.iter().filter_map(|bytes| layout.row(bytes)).collect())
    };
    let samples = sample_ranges(wanted as usize).map(&mut read).collect::<std::io::Result<Vec<Vec<Row>>>>();
    let restored = samples.and_then(|samples| opened.seek(SeekFrom::Start(layout.start())).map(|_| samples));
    restored.map_err(|source| DataError::io(&file.path, "read it", source))
}

/// The number of rows of a file that has only these.
fn records(file: &DataFile, opened: &File) -> Result<u64, DataError> {
    let size = opened.metadata().map_err(|source| DataError::io(&file.path, "read it", source))?.len();
    if size % ROW_BYTES as u64 == 0 {
        return Ok(size / ROW_BYTES as u64);
    }
    let problem = format!("{size} bytes are no multiple of {ROW_BYTES}");
    Err(DataError::Streamed { path: file.path.clone(), problem })
}

/// Default number of rows per block.
pub const BLOCK_ROWS: u32 = 16_384;

/// Options for opening a set.
#[derive(Clone, PartialEq, Debug)]
pub struct StreamOptions {
    /// Which rows are removed.
    pub filter: Filter,
    /// At most this many rows in all, taken from the front of the files in order before filtering.
    pub rows: Option<usize>,
    /// The files' format; `None` detects it.
    pub from: Option<Format>,
    /// How much is held out for validation, in whole games.
    pub held_out: HeldOut,
    /// Whether inner rows, which select the epoch, are held out of the training side.
    pub inner: bool,
    pub seed: u64,
    /// Number of rows per block.
    pub block_rows: u32,
}

impl Default for StreamOptions {
    fn default() -> Self {
        let (filter, rows, held_out, inner) = (Filter::default(), None, HeldOut::Share(HeldOut::DEFAULT_SHARE), false);
        Self { filter, rows, from: None, held_out, inner, seed: 1, block_rows: BLOCK_ROWS }
    }
}

/// Why a set cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum StreamError {
    #[error(transparent)]
    Data(#[from] DataError),
    #[error(transparent)]
    Split(#[from] SplitError),
}
