//! A set of rows from several files: parsed or read from caches, scaled, filtered, and divided into games.

use std::ops::ControlFlow;
use std::path::Path;

use super::any_file::{format_of, read_file};
use super::cache::{self, CacheLocation, Fingerprint, Lookup};
use super::captures::{Captures, changed_rows};
use super::data_file::{DataFile, Origin};
use super::error::DataError;
use super::filter::{Filter, FilterCounts};
use super::format::Format;
use crate::row_batcher::{ReadObserver, ReadProgress};
use crate::rows::row::{ROW_BYTES, Row};
use crate::rows::row_store::{RowPlace, RowStore};
use crate::rows::samples::{ChangedRows, Samples};
use crate::splits::games::{Game, GameOrder, anchored_games};
use crate::text::read_options::{ReadOptions, ReadReport};
use crate::text::reader::read_csv_bytes;

/// How to load a set.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct LoadOptions {
    /// What to do with bad rows.
    pub read: ReadOptions,
    /// Where caches are stored.
    pub cache: CacheLocation,
    /// Which rows are removed.
    pub filter: Filter,
    /// At most this many rows in all, taken from the front of the files in order before filtering.
    pub rows: Option<usize>,
    pub place: RowPlace,
}

/// Rows of a file that an epoch of a run in windows reads together.
pub const BLOCK_ROWS: u32 = 16_384;
/// Rows whose captures are resolved together.
const PART: usize = 1 << 16;

#[derive(Clone, PartialEq, Debug)]
pub struct LoadedFile {
    pub file: DataFile,
    pub fingerprint: Fingerprint,
    pub origin: Origin,
    pub report: ReadReport,
    /// How its games are told apart.
    pub order: GameOrder,
    pub warnings: Vec<String>,
}

impl LoadedFile {
    /// With the number of rows, their order, and a warning if games cannot be told apart.
    fn new(
        file: DataFile,
        fingerprint: Fingerprint,
        origin: Origin,
        report: ReadReport,
        rows: &[Row],
        mut warnings: Vec<String>,
    ) -> Self {
        let order = GameOrder::of(rows);
        warnings.extend(order.remark(&file.path));
        Self { file, fingerprint, origin, report: ReadReport { rows: rows.len() as u64, ..report }, order, warnings }
    }
}

/// The content hash, scale and meaning of labels of each file, which identify a set independent of the location of its files.
pub fn fingerprints(files: &[LoadedFile]) -> String {
    let prints: Vec<String> =
        files.iter().map(|file| format!("{}*{}{}", file.fingerprint, file.file.scale, file.file.labels)).collect();
    prints.join(" ")
}

/// Rows of several files, after filters.
#[derive(PartialEq, Debug, Default)]
pub struct Dataset {
    /// The rows as given, file after file. Splits go by these.
    pub rows: RowStore,
    /// Those that resolving captures changes.
    pub changed: ChangedRows,
    /// The games. Filtered rows belong to none, but their positions count for the anchor.
    pub games: Vec<Game>,
    /// The first row of each block: [`BLOCK_ROWS`] neighbours of one file, without the filtered ones.
    pub blocks: Vec<u32>,
    pub files: Vec<LoadedFile>,
    /// Rows removed by filters.
    pub filtered: FilterCounts,
}

/// Observes loading; `Break` stops it.
pub trait LoadObserver {
    /// Called before a file is read.
    fn file(&mut self, _path: &Path) {}
    /// Called regularly while a file is read.
    fn progress(&mut self, _progress: ReadProgress) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
    /// Called when a file has been read.
    fn loaded(&mut self, _file: &LoadedFile) {}
    /// Called before a step of a conversion that is not the reading of one file; `_what` names what is read.
    fn step(&mut self, _what: &'static str) {}
}

/// Ignores all reports and never stops.
impl LoadObserver for () {}

impl Dataset {
    /// Loads files, each from its cache if that is valid.
    ///
    /// # Errors
    /// If a file cannot be read, has too many bad rows, or no row is left after the filters.
    pub fn load(files: &[DataFile], options: &LoadOptions, observer: &mut dyn LoadObserver) -> Result<Self, DataError> {
        let mut set = Self {
            rows: RowStore::new(&options.place)?,
            changed: ChangedRows::new(&options.place)?,
            ..Self::default()
        };
        // At least the rows of packed files and caches. What is not used is not touched, and takes no memory.
        let caches = files.iter().filter_map(|file| options.cache.path_for(&file.path, file.labels.unit));
        let paths = files.iter().map(|file| file.path.clone()).chain(caches);
        let bytes: u64 = paths.filter_map(|path| Some(path.metadata().ok()?.len())).sum();
        let rows = (bytes as usize / ROW_BYTES).min(options.rows.unwrap_or(usize::MAX));
        set.rows.reserve(rows);
        set.changed.reserve(rows / 2);
        let mut wanted = options.rows;
        for file in files {
            if wanted == Some(0) {
                break;
            }
            observer.file(&file.path);
            let start = set.rows.len();
            let (changed, loaded) =
                load_file(file, options, wanted, &mut set.rows, &mut |progress| observer.progress(progress))?;
            wanted = wanted.map(|wanted| wanted.saturating_sub(set.rows.len() - start));
            set.take(start, &changed, loaded, options, observer)?;
        }
        set.with_any_rows(files)
    }

    /// Reads the content of a CSV file, plain or gzip, as [`Self::load`] reads the file of this name, without a cache.
    ///
    /// # Errors
    /// If the content is no CSV, has too many bad rows, or no row is left after the filters.
    pub fn from_csv(file: DataFile, bytes: &[u8], options: &LoadOptions) -> Result<Self, DataError> {
        let files = [file.clone()];
        let read = ReadOptions { limit: options.rows, unit: file.labels.unit, ..options.read.clone() };
        let (rows, report) = read_csv_bytes(&file.path, bytes, &read)?;
        let warnings = report.warning(&file.path).into_iter().collect();
        let loaded = LoadedFile::new(file, Fingerprint::of_bytes(bytes), Origin::Parsed, report, &rows, warnings);
        let mut set = Self { rows: rows.into(), ..Self::default() };
        let changed = resolved(&set.rows, &options.place)?;
        set.take(0, &changed, loaded, options, &mut ())?;
        set.with_any_rows(&files)
    }

    /// Creates a set from rows in memory: a game ends where the full-move number decreases.
    #[cfg(any(test, feature = "test-support"))]
    pub fn from_rows(rows: Vec<Row>) -> Self {
        let games = anchored_games(&rows);
        Self { rows: rows.into(), games, ..Self::default() }
    }

    /// The rows in the form that a network is trained on with this setting, and in the other form.
    pub fn samples(&self, captures: Captures) -> [Samples<'_>; 2] {
        captures.trained_first([Samples::from(&self.rows), Samples::resolved(&self.rows, &self.changed)])
    }

    /// Appends the rows of another set, whose games are not known.
    ///
    /// # Errors
    /// As for [`Self::load`].
    pub fn append(&mut self, other: &Self) -> Result<(), DataError> {
        let start = self.rows.len() as u32;
        self.rows.extend(&other.rows)?;
        let changed: Vec<(u32, Row)> = other.changed.iter().map(|(index, row)| (start + index, *row)).collect();
        self.changed.extend(&changed)
    }

    /// Takes the last rows, from `start` on, as those of a file: scales them, and removes those that are filtered.
    fn take(
        &mut self,
        start: usize,
        changed: &ChangedRows,
        loaded: LoadedFile,
        options: &LoadOptions,
        observer: &mut dyn LoadObserver,
    ) -> Result<(), DataError> {
        let rows = &self.rows[start..];
        let known = rows.iter().filter(|row| row.has_best_move()).count();
        options.filter.check_best_moves(&loaded.file.path, rows.len() as u64, known as u64)?;
        observer.loaded(&loaded);
        self.changed.reserve(changed.len());
        let mut ends = Vec::new();
        let mut count = start as u32;
        for Game { rows: numbers, anchor } in anchored_games(rows) {
            let first = count;
            for number in numbers {
                if number.is_multiple_of(BLOCK_ROWS) {
                    self.blocks.push(count);
                }
                let row = loaded.file.scaled(&self.rows[start + number as usize]);
                if let Some(reason) = options.filter.reason(&row) {
                    self.filtered.add(reason);
                    continue;
                }
                ends.extend(changed.get(number).map(|end| (count, end.with_label(row.label()))));
                if ends.len() >= PART {
                    self.changed.extend(&std::mem::take(&mut ends))?;
                }
                if self.rows[count as usize] != row {
                    self.rows[count as usize] = row;
                }
                count += 1;
            }
            if count > first {
                self.games.push(Game { rows: first..count, anchor });
            }
        }
        self.changed.extend(&ends)?;
        self.rows.truncate(count as usize)?;
        self.files.push(loaded);
        Ok(())
    }

    fn with_any_rows(self, files: &[DataFile]) -> Result<Self, DataError> {
        if self.rows.is_empty() {
            return Err(DataError::nothing_left(files, self.files.iter().map(|file| file.report.rows).sum()));
        }
        Ok(self)
    }
}

/// The rows that resolving captures changes.
fn resolved(rows: &[Row], place: &RowPlace) -> Result<ChangedRows, DataError> {
    let mut changed = ChangedRows::new(place)?;
    for (rows, first) in rows.chunks(PART).zip((0..).step_by(PART)) {
        changed.extend(&changed_rows(rows, first))?;
    }
    Ok(changed)
}

/// Appends the rows of a file to `rows`, and returns those that resolving captures changes, with their numbers in the file.
fn load_file(
    file: &DataFile,
    options: &LoadOptions,
    wanted: Option<usize>,
    rows: &mut RowStore,
    observer: &mut ReadObserver<'_>,
) -> Result<(ChangedRows, LoadedFile), DataError> {
    let path = &file.path;
    let start = rows.len();
    let fingerprint = Fingerprint::of(path)?;
    let mut warnings = Vec::new();
    let done = |rows: &mut RowStore, origin, report: ReadReport, warnings: Vec<String>| {
        if let Some(wanted) = wanted {
            rows.truncate(start.saturating_add(wanted))?;
        }
        Ok(LoadedFile::new(file.clone(), fingerprint, origin, report, &rows[start..], warnings))
    };
    let format = format_of(file, options.read.from)?;
    let has_rows = format == Some(Format::Packed);
    // Resolving the first rows of a large file is faster than reading all that are cached.
    let is_cached = !has_rows || wanted.is_none();
    let cache_path = options.cache.path_for(path, file.labels.unit).filter(|_| is_cached);
    let mut changed = ChangedRows::new(&options.place)?;
    let mut is_resolved = false;
    let lookup = match &cache_path {
        Some(cache_path) => cache::read(cache_path, fingerprint, rows, &mut changed)?,
        None => Lookup::Missing,
    };
    match lookup {
        Lookup::Hit(_) if has_rows => is_resolved = true,
        // The report is of the whole file: bad rows behind the last one that is wanted do not count.
        Lookup::Hit(report) if report.bad_rows > 0 && wanted.is_some_and(|wanted| wanted < rows.len() - start) => {}
        Lookup::Hit(report) => {
            // The cache may be from a run that allowed more bad rows.
            options.read.bad_rows.check(path, &report)?;
            warnings.extend(report.warning(path));
            return Ok((changed, done(rows, Origin::Cache, report, warnings)?));
        }
        Lookup::Missing => {}
        Lookup::Refused(reason) => {
            let cache_path = cache_path.as_deref().unwrap_or(path);
            warnings.push(format!("{}: cache rebuilt, {reason}", cache_path.display()));
        }
    }
    rows.truncate(start)?;
    let read = ReadOptions { limit: wanted, unit: file.labels.unit, ..options.read.clone() };
    let (origin, report) = read_file(path, format, &read, observer, &mut |more| rows.extend(more))?;
    warnings.extend(report.warning(path));
    // A file read up to a limit is incomplete; the next run may need more rows.
    let is_whole = wanted.is_none_or(|wanted| rows.len() - start < wanted);
    let read = &rows[start..];
    if !is_resolved {
        changed = resolved(read, &options.place)?;
    }
    let cached = if has_rows { &[][..] } else { read };
    if let Some(cache_path) = cache_path.filter(|_| is_whole && !is_resolved)
        && let Err(error) = cache::write(&cache_path, fingerprint, cached, &changed, &report)
    {
        warnings.push(format!("no cache written: {error}"));
    }
    Ok((changed, done(rows, origin, report, warnings)?))
}

#[cfg(test)]
mod tests;
