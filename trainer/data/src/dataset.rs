//! A set of rows from several files: parsed or read from caches, scaled, filtered, and divided into games.

use std::ops::ControlFlow;
use std::path::Path;

use super::any_file::format_of;
use super::cache::{self, CacheLocation, FileRows, Fingerprint, Lookup};
use super::captures::{Captures, changed_rows};
use super::data_file::{DataFile, Origin};
use super::error::DataError;
use super::filter::{Filter, FilterCounts};
use super::format::Format;
use super::formats::read_format;
use super::packed;
use crate::rows::row::Row;
use crate::splits::games::{Game, GameOrder, anchored_games};
use crate::text::read_options::{ReadOptions, ReadReport};
use crate::text::reader::{ReadObserver, ReadProgress, read_csv_bytes};

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
}

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
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Dataset {
    /// The rows as given, file after file. Splits go by these.
    pub rows: Vec<Row>,
    /// The same rows with captures resolved.
    pub resolved: Vec<Row>,
    /// The games. Filtered rows belong to none, but their positions count for the anchor.
    pub games: Vec<Game>,
    pub files: Vec<LoadedFile>,
    /// Rows removed by filters.
    pub filtered: FilterCounts,
}

/// Observes loading; `Break` stops it.
pub trait LoadObserver {
    /// Called before a file is read.
    fn file(&mut self, path: &Path);
    /// Called regularly while a file is read.
    fn progress(&mut self, progress: ReadProgress) -> ControlFlow<()>;
    /// Called when a file has been read.
    fn loaded(&mut self, file: &LoadedFile);
    /// Called when the second pass over a file of a streamed set, which compares it with the held-out rows, is done.
    fn compared(&mut self, path: &Path) {
        let _ = path;
    }
    /// Called before a step of a conversion that is not the reading of one file; `what` names what is read.
    fn step(&mut self, what: &'static str) {
        let _ = what;
    }
}

/// Ignores all reports and never stops.
impl LoadObserver for () {
    fn file(&mut self, _path: &Path) {}
    fn progress(&mut self, _progress: ReadProgress) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
    fn loaded(&mut self, _file: &LoadedFile) {}
}

impl Dataset {
    /// Loads files, each from its cache if that is valid.
    ///
    /// # Errors
    /// If a file cannot be read, has too many bad rows, or no row is left after the filters.
    pub fn load(files: &[DataFile], options: &LoadOptions, observer: &mut dyn LoadObserver) -> Result<Self, DataError> {
        let mut set = Self::default();
        let mut wanted = options.rows;
        for file in files {
            if wanted == Some(0) {
                break;
            }
            observer.file(&file.path);
            let (rows, loaded) = load_file(file, options, wanted, &mut |progress| observer.progress(progress))?;
            let known = rows.rows.iter().filter(|row| row.has_best_move()).count();
            options.filter.check_best_moves(&file.path, rows.rows.len() as u64, known as u64)?;
            observer.loaded(&loaded);
            wanted = wanted.map(|wanted| wanted.saturating_sub(rows.rows.len()));
            set.append(&rows, loaded, &options.filter);
        }
        if set.rows.is_empty() {
            return Err(DataError::nothing_left(files, set.files.iter().map(|file| file.report.rows).sum()));
        }
        Ok(set)
    }

    /// Reads the content of a CSV file, plain or gzip, as [`Self::load`] reads the file of this name, without a cache.
    ///
    /// # Errors
    /// If the content is no CSV, has too many bad rows, or no row is left after the filters.
    pub fn from_csv(file: DataFile, bytes: &[u8], options: &LoadOptions) -> Result<Self, DataError> {
        let mut set = Self::default();
        let read = ReadOptions { limit: options.rows, unit: file.labels.unit, ..options.read };
        let (rows, report) = read_csv_bytes(&file.path, bytes, &read)?;
        let known = rows.iter().filter(|row| row.has_best_move()).count();
        options.filter.check_best_moves(&file.path, rows.len() as u64, known as u64)?;
        let warnings = report.warning(&file.path).into_iter().collect();
        let loaded = LoadedFile::new(file, Fingerprint::of_bytes(bytes), Origin::Parsed, report, &rows, warnings);
        set.append(&FileRows::of(rows), loaded, &options.filter);
        if set.rows.is_empty() {
            return Err(DataError::NothingLeft { read: set.files.iter().map(|file| file.report.rows).sum() });
        }
        Ok(set)
    }

    /// Creates a set from rows in memory: a game ends where the full-move number decreases.
    #[cfg(any(test, feature = "test-support"))]
    pub fn from_rows(rows: Vec<Row>) -> Self {
        let games = anchored_games(&rows);
        Self { resolved: rows.clone(), rows, games, ..Self::default() }
    }

    /// The rows in the form that a network is trained on with this setting, and in the other form.
    pub fn samples(&self, captures: Captures) -> [&[Row]; 2] {
        captures.trained_first([&self.rows, &self.resolved])
    }

    fn append(&mut self, FileRows { rows, changed }: &FileRows, loaded: LoadedFile, filter: &Filter) {
        self.rows.reserve(rows.len());
        self.resolved.reserve(rows.len());
        let mut changed = changed.iter().peekable();
        for Game { rows: numbers, anchor } in anchored_games(rows) {
            let start = self.rows.len() as u32;
            for (number, row) in numbers.clone().zip(&rows[numbers.start as usize..numbers.end as usize]) {
                let row = loaded.file.scaled(row);
                let end = changed.next_if(|(index, _)| *index == number).map(|(_, end)| end.with_label(row.label()));
                if let Some(reason) = filter.reason(&row) {
                    self.filtered.add(reason);
                } else {
                    self.rows.push(row);
                    self.resolved.push(end.unwrap_or(row));
                }
            }
            let end = self.rows.len() as u32;
            if end > start {
                self.games.push(Game { rows: start..end, anchor });
            }
        }
        self.files.push(loaded);
    }
}

impl FileRows {
    /// Resolves the captures of rows.
    fn of(rows: Vec<Row>) -> Self {
        let changed = changed_rows(&rows);
        Self { rows, changed }
    }
}

fn load_file(
    file: &DataFile,
    options: &LoadOptions,
    wanted: Option<usize>,
    observer: &mut ReadObserver<'_>,
) -> Result<(FileRows, LoadedFile), DataError> {
    let path = &file.path;
    let fingerprint = Fingerprint::of(path)?;
    let mut warnings = Vec::new();
    let done = |mut rows: FileRows, origin, report: ReadReport, warnings: Vec<String>| {
        if let Some(wanted) = wanted {
            rows.rows.truncate(wanted);
            rows.changed.retain(|&(index, _)| (index as usize) < wanted);
        }
        let loaded = LoadedFile::new(file.clone(), fingerprint, origin, report, &rows.rows, warnings);
        (rows, loaded)
    };
    let format = format_of(file, options.read.from)?.unwrap_or(Format::Csv);
    let has_rows = format == Format::Packed;
    // Resolving the first rows of a large file is faster than reading all that are cached.
    let is_cached = !has_rows || wanted.is_none();
    let cache_path = options.cache.path_for(path, file.labels.unit).filter(|_| is_cached);
    let mut changed = None;
    match cache_path.as_deref().map_or(Lookup::Missing, |cache_path| cache::read(cache_path, fingerprint)) {
        Lookup::Hit(cached, _) if has_rows => changed = Some(cached.changed),
        // The report is of the whole file: bad rows behind the last one that is wanted do not count.
        Lookup::Hit(rows, report) if report.bad_rows > 0 && wanted.is_some_and(|wanted| wanted < rows.rows.len()) => {}
        Lookup::Hit(rows, report) => {
            // The cache may be from a run that allowed more bad rows.
            options.read.bad_rows.check(path, &report)?;
            warnings.extend(report.warning(path));
            return Ok(done(rows, Origin::Cache, report, warnings));
        }
        Lookup::Missing => {}
        Lookup::Refused(reason) => {
            let cache_path = cache_path.as_deref().unwrap_or(path);
            warnings.push(format!("{}: cache rebuilt, {reason}", cache_path.display()));
        }
    }
    let mut rows = Vec::new();
    let mut take = |more: &[Row]| {
        rows.extend_from_slice(more);
        Ok(())
    };
    let (origin, report) = match format {
        Format::Packed => {
            rows = packed::read_packed(path, wanted)?;
            (Origin::Packed, ReadReport::default())
        }
        format => {
            let read = ReadOptions { limit: wanted, unit: file.labels.unit, ..options.read };
            (Origin::Parsed, read_format(path, format, &read, observer, &mut take)?)
        }
    };
    warnings.extend(report.warning(path));
    // A file read up to a limit is incomplete; the next run may need more rows.
    let is_whole = wanted.is_none_or(|wanted| rows.len() < wanted);
    let cache_path = cache_path.filter(|_| is_whole && changed.is_none());
    let rows = FileRows { changed: changed.unwrap_or_else(|| changed_rows(&rows)), rows };
    let cached = if has_rows { &[][..] } else { &rows.rows };
    if let Some(cache_path) = cache_path
        && let Err(error) = cache::write(&cache_path, fingerprint, cached, &rows.changed, &report)
    {
        warnings.push(format!("no cache written: {error}"));
    }
    Ok(done(rows, origin, report, warnings))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BadRows, Label, sample};

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 ";

    fn folder_with(name: &str, text: &str) -> (tempfile::TempDir, DataFile) {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join(name);
        std::fs::write(&path, text).expect("written");
        (folder, DataFile::new(path))
    }

    fn text() -> String {
        let rows: Vec<String> = (0..100).map(|i| format!("{START}{},{}\n", i % 10 + 1, i * 10)).collect();
        format!("FEN,Evaluation\n{}bad,row\n", rows.concat())
    }

    #[test]
    fn bytes_are_read_like_their_file() {
        let (_folder, file) = folder_with("a.csv", &text());
        let options = LoadOptions { cache: CacheLocation::Off, ..LoadOptions::default() };
        let expected = Dataset::load(std::slice::from_ref(&file), &options, &mut ()).expect("rows");
        let bytes = std::fs::read(&file.path).expect("bytes");
        assert_eq!(Dataset::from_csv(file, &bytes, &options).expect("rows"), expected);
    }

    #[test]
    fn the_second_loading_comes_from_the_cache() {
        let (_folder, file) = folder_with("a.csv", &text());
        let options = LoadOptions::default();
        let load = |options: &LoadOptions| Dataset::load(std::slice::from_ref(&file), options, &mut ());
        let first = load(&options).expect("rows");
        assert_eq!((first.rows.len(), first.games.len(), first.files[0].origin), (100, 10, Origin::Parsed));
        let second = load(&options).expect("rows");
        assert_eq!(second.files[0].origin, Origin::Cache);
        assert_eq!((&second.rows, &second.games, second.files[0].report.bad_rows), (&first.rows, &first.games, 1));
        let strict = LoadOptions {
            read: ReadOptions { bad_rows: BadRows::Stop, ..ReadOptions::default() },
            ..LoadOptions::default()
        };
        assert!(matches!(load(&strict), Err(DataError::BadRow { .. })));
        let few = load(&LoadOptions { rows: Some(25), ..LoadOptions::default() }).expect("rows");
        assert_eq!(few.rows, first.rows[..25]);
        // The bad row follows all those that are wanted.
        let few = load(&LoadOptions { rows: Some(25), ..strict }).expect("25 rows");
        assert_eq!((few.rows.len(), few.files[0].report.bad_rows), (25, 0));
        std::fs::write(&file.path, text().replace(",10\n", ",11\n")).expect("written");
        let changed = load(&options).expect("rows");
        assert_eq!(changed.files[0].origin, Origin::Parsed);
        assert_eq!(changed.rows[1].label(), Label::Centipawns(11));
        assert_eq!(changed.files[0].warnings.len(), 1);
    }

    /// The changed rows in a cache differ from those that resolving finds, so loading shows which were taken.
    #[test]
    fn resolved_positions_of_packed_files_come_from_the_cache() {
        let rows = sample::real(3_000);
        let (_folder, file) = folder_with("a.packed", "");
        crate::write_packed(&file.path, &rows).expect("written");
        let load = || Dataset::load(std::slice::from_ref(&file), &LoadOptions::default(), &mut ()).expect("rows");
        let first = load();
        assert!(first.rows == rows && first.resolved == crate::resolve_rows(&rows) && first.resolved != rows);
        let cache_path = CacheLocation::Beside.path_for(&file.path, crate::LabelUnit::Centipawns).expect("a path");
        let print = first.files[0].fingerprint;
        cache::write(&cache_path, print, &[], &[(7, rows[8])], &ReadReport::default()).expect("written");
        let set = load();
        assert!(set.rows == rows && set.files[0].warnings.is_empty());
        let changed = set.rows.iter().zip(&set.resolved).filter(|(row, end)| !row.is_same_position(end)).count();
        assert!(changed == 1 && set.resolved[7].is_same_position(&rows[8]), "{changed}");
        crate::write_packed(&file.path, &rows[10..]).expect("written");
        assert_eq!(load().resolved, first.resolved[10..]);
    }

    #[test]
    fn a_cache_fits_a_file_that_only_has_another_time() {
        let (_folder, file) = folder_with("a.csv", &text());
        let load = || Dataset::load(std::slice::from_ref(&file), &LoadOptions::default(), &mut ()).expect("rows");
        load();
        let opened = std::fs::File::options().append(true).open(&file.path).expect("a file");
        opened.set_modified(std::time::UNIX_EPOCH).expect("a time");
        let again = load();
        assert_eq!((again.files[0].origin, again.files[0].warnings.len()), (Origin::Cache, 0));
    }

    #[test]
    fn a_cache_that_cannot_be_written_is_a_warning() {
        let (folder, file) = folder_with("a.csv", &text());
        let blocked = folder.path().join("blocked");
        std::fs::write(&blocked, "a file, not a folder").expect("written");
        let options = LoadOptions { cache: CacheLocation::Folder(blocked), ..LoadOptions::default() };
        let set = Dataset::load(&[file], &options, &mut ()).expect("rows");
        assert!(set.files[0].warnings[0].starts_with("no cache written"), "{:?}", set.files[0].warnings);
    }

    #[test]
    fn scales_and_filters_apply_file_by_file() {
        let (_one, plain) = folder_with("a.csv", &text());
        let (_two, mut scaled) = folder_with("b.csv", &text());
        scaled.scale = 1.3;
        let options =
            LoadOptions { filter: Filter { max_centipawns: Some(900), ..Filter::default() }, ..LoadOptions::default() };
        let set = Dataset::load(&[plain, scaled], &options, &mut ()).expect("rows");
        // Plain labels 0..=900 stay (91 rows); scaled by 1.3 those up to 690 stay (70 rows).
        assert_eq!(set.rows.len(), 91 + 70);
        assert_eq!(set.filtered.total(), 200 - 161);
        assert_eq!(set.rows[92].label(), Label::Centipawns(13));
        assert_eq!(set.games.iter().map(|game| game.rows.len()).sum::<usize>(), 161);
        assert_eq!(set.games.len(), 10 + 7);
    }
}
