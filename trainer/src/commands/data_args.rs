//! Arguments for data files, shared by the commands, and loading what they name.

use std::path::{Path, PathBuf};

use alfiere_data::{
    BadRows, CacheLocation, ColumnNames, DataFile, Dataset, Filter, FilterCounts, FilterReason, Format, HeldOutUnit,
    LabelMeaning, LabelUnit, LabelView, LoadOptions, ReadOptions, Row, RowPlace, data_warnings,
};
use alfiere_terminal::remark;
use clap::{Args, ValueEnum};

use super::input_files::LoadDisplay;
use super::output::grouped;
use super::{Failure, input_files, output};

/// Which rows of files are read, and how invalid rows are handled.
#[derive(Args, Clone)]
#[command(next_help_heading = "Data")]
pub(crate) struct RowArgs {
    /// Read at most this many rows, from the start of the files
    #[arg(long = "rows", value_name = "N", value_parser = parse_row_count)]
    pub(crate) limit: Option<usize>,
    /// Read all files as this format: csv, txt, packed, games, bullet, plain, lichess, pgn, viri or binpack
    #[arg(long, value_name = "FORMAT")]
    from: Option<Format>,
    /// Names of columns in a CSV's header: fen, evaluation, mate, move, result, game. Rows of a game, which may be anywhere in
    /// the file, are validated together
    #[arg(long, value_name = "NAME=COLUMN,...", default_value_t)]
    pub(crate) columns: ColumnNames,
    /// Stop at the first invalid row
    #[arg(long, conflicts_with = "bad_rows")]
    strict: bool,
    /// Skip up to this number of invalid rows, or this percentage of all rows but at least ten
    #[arg(long, value_name = "N|P%", default_value = "1%", value_parser = parse_bad_rows)]
    bad_rows: BadRows,
    /// Skip all invalid rows, and list them with their lines and what is wrong in this file
    #[arg(long, value_name = "FILE", conflicts_with_all = ["strict", "bad_rows"])]
    bad_rows_to: Option<PathBuf>,
}

/// What the labels of files mean.
#[derive(Args, Clone)]
#[command(next_help_heading = "Data")]
pub(crate) struct LabelArgs {
    /// Whose advantage a positive label is
    #[arg(long, value_enum, default_value_t = LabelView::White)]
    labels: LabelView,
    /// The unit of the labels of CSV files
    #[arg(long, value_enum, default_value_t = LabelUnit::Centipawns)]
    unit: LabelUnit,
}

impl LabelArgs {
    /// A file with labels of this meaning, unless the options have their defaults; a pipe is read into a file.
    pub(crate) fn apply(&self, file: &DataFile) -> Result<DataFile, Failure> {
        let view = if self.labels == LabelView::SideToMove { LabelView::SideToMove } else { file.labels.view };
        let unit = if self.unit == LabelUnit::Pawns { LabelUnit::Pawns } else { file.labels.unit };
        Ok(DataFile { path: input_files::as_file(&file.path)?, labels: LabelMeaning { view, unit }, ..file.clone() })
    }
}

/// How files are read.
#[derive(Args, Clone)]
#[command(next_help_heading = "Data")]
pub(crate) struct ReadArgs {
    #[command(flatten)]
    pub(crate) rows: RowArgs,
    #[command(flatten)]
    labels: LabelArgs,
    /// Keep caches in this folder instead of next to the files
    #[arg(long, value_name = "FOLDER", conflicts_with = "no_cache")]
    cache_dir: Option<PathBuf>,
    /// Do not read or write caches
    #[arg(long)]
    no_cache: bool,
}

/// Data files, how they are read and which rows are excluded.
#[derive(Args, Clone)]
#[command(next_help_heading = "Data")]
pub(crate) struct DataArgs {
    /// CSV files (plain, gzip, zstd) or any other format that `convert` reads; `FILE:scale=1.3` multiplies a file's centipawns
    #[arg(long, required = true, num_args = 1.., value_name = "FILE")]
    pub(crate) data: Vec<DataFile>,
    #[command(flatten)]
    pub(crate) read: ReadArgs,
    #[command(flatten)]
    pub(crate) filter: Filter,
}

/// Paths of the files.
pub(crate) fn paths(files: &[DataFile]) -> impl Iterator<Item = &Path> {
    files.iter().map(|file| file.path.as_path())
}

impl DataArgs {
    /// Loads the files.
    pub(crate) fn load(&self) -> Result<Dataset, Failure> {
        self.read.load(&self.data, self.filter.clone())
    }

    /// Loads the files into a temporary file in the folder of the caches.
    pub(crate) fn load_to_file(&self) -> Result<Dataset, Failure> {
        let files = self.read.apply(&self.data)?;
        let beside = || files.first().and_then(|file| file.path.parent());
        let folder = self.read.cache_dir.as_deref().or_else(beside).filter(|folder| !folder.as_os_str().is_empty());
        let folder = folder.unwrap_or(Path::new("."));
        if self.read.cache_dir.is_some() {
            output::create_folder(folder)?;
        }
        self.read.load_into(RowPlace::Folder(folder.to_path_buf()), &files, self.filter.clone())
    }
}

impl RowArgs {
    /// Options for reading one file.
    pub(crate) fn options(&self) -> ReadOptions {
        let (bad_rows, quoted) = match (&self.bad_rows_to, self.strict) {
            (Some(_), _) => (BadRows::SkipShare(1.0), usize::MAX),
            (None, true) => (BadRows::Stop, ReadOptions::default().quoted),
            (None, false) => (self.bad_rows, ReadOptions::default().quoted),
        };
        ReadOptions {
            bad_rows,
            quoted,
            limit: self.limit,
            columns: self.columns.clone(),
            from: self.from,
            ..ReadOptions::default()
        }
    }

    /// The display of reading, which keeps the invalid rows if they are to be listed.
    pub(crate) fn display(&self) -> Result<LoadDisplay, Failure> {
        if let Some(path) = self.bad_rows_to.as_deref().filter(|path| path.exists()) {
            return Err(Failure::at(path, "the file already exists; choose another name for --bad-rows-to"));
        }
        Ok(LoadDisplay::listing(self.bad_rows_to.clone()))
    }
}

impl ReadArgs {
    /// The same arguments with a different row limit.
    pub(crate) fn limited(&self, limit: Option<usize>) -> Self {
        Self { rows: RowArgs { limit, ..self.rows.clone() }, ..self.clone() }
    }

    /// The files with labels of the meaning that the options give.
    fn apply(&self, files: &[DataFile]) -> Result<Vec<DataFile>, Failure> {
        files.iter().map(|file| self.labels.apply(file)).collect()
    }

    /// Loads files, showing progress and messages.
    pub(crate) fn load(&self, files: &[DataFile], filter: Filter) -> Result<Dataset, Failure> {
        self.load_into(RowPlace::Memory, &self.apply(files)?, filter)
    }

    fn load_into(&self, place: RowPlace, files: &[DataFile], filter: Filter) -> Result<Dataset, Failure> {
        let options = LoadOptions {
            read: ReadOptions { limit: None, ..self.rows.options() },
            cache: match (&self.cache_dir, self.no_cache) {
                // A cache does not say which format and columns were read, and names few bad rows.
                _ if self.rows.from.is_some() || !self.rows.columns.is_empty() || self.rows.bad_rows_to.is_some() => {
                    CacheLocation::Off
                }
                (_, true) => CacheLocation::Off,
                (Some(folder), false) => CacheLocation::Folder(folder.clone()),
                (None, false) => CacheLocation::Beside,
            },
            filter,
            rows: self.rows.limit,
            place,
        };
        let mut display = self.rows.display()?;
        let set = Dataset::load(files, &options, &mut display)?;
        display.list()?;
        remark_filtered(&set.filtered);
        Ok(set)
    }
}

/// Prints warnings about the data of a run that validates, and returns them: suspicious labels, and held-out rows that are
/// not independent of the training rows.
pub(crate) fn warn(rows: &[Row], unit: HeldOutUnit) -> Vec<String> {
    let warnings: Vec<String> = data_warnings(rows).into_iter().chain(unit.warning().map(str::to_owned)).collect();
    for warning in &warnings {
        remark(format_args!("warning: {warning}"));
    }
    warnings
}

/// Prints the numbers of rows removed by filters.
pub(crate) fn remark_filtered(filtered: &FilterCounts) {
    for reason in FilterReason::ALL {
        let count = filtered.of(reason);
        if count > 0 {
            remark(format_args!("left out {} rows: {}", grouped(count), reason.text()));
        }
    }
}

fn parse_row_count(text: &str) -> Result<usize, String> {
    text.parse().ok().filter(|&count| count > 0).ok_or_else(|| "expected a number of at least 1".to_owned())
}

fn parse_bad_rows(text: &str) -> Result<BadRows, String> {
    let wrong = || "expected a count such as 100 or a percentage such as 1%".to_owned();
    match text.strip_suffix('%') {
        Some(percent) => match percent.trim().parse::<f64>() {
            Ok(percent) if (0.0..=100.0).contains(&percent) => Ok(BadRows::SkipShare(percent / 100.0)),
            _ => Err(wrong()),
        },
        None => text.parse().map(BadRows::SkipCount).map_err(|_| wrong()),
    }
}

/// Which epoch's weights `train` exports.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum TrainSelect {
    /// The epoch with the lowest loss on the validation rows, whose metrics are therefore slightly optimistic
    Validation,
    /// The epoch with the lowest loss on a tenth of the training side (whole games) that is not trained on: the validation
    /// rows select nothing
    Inner,
}

/// Whether rows are in memory, and how they are read if not.
#[derive(Args, Clone)]
#[command(next_help_heading = "Data")]
pub(crate) struct StreamArgs {
    /// Keep the rows in a temporary file instead of memory, and read them in windows
    ///
    /// The file is in the folder of the caches: 32 bytes per row, and 32 for each one that resolving captures changes. Memory
    /// use: about 75 bytes per row of a window (315 MB by default), 6 per row, 24 per game, plus the network; the system
    /// keeps as much of the file in memory as is free.
    #[arg(long)]
    pub(crate) stream: bool,
    /// Rows per window: they are shuffled together while the next window is read
    #[arg(long = "window-rows", value_name = "N", default_value_t = 1 << 22, requires = "stream",
        value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) window: u64,
}
