//! Options for reading a file, and the report of what was read.

use std::path::Path;

use crate::error::DataError;
use crate::format::Format;
use crate::rows::bad_row::BadRow;
use crate::rows::label::LabelUnit;
use crate::text::column_names::ColumnNames;

/// What to do with invalid rows.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum BadRows {
    Stop,
    SkipCount(u64),
    /// Skip up to this share of the rows, but at least ten.
    SkipShare(f64),
}

impl Default for BadRows {
    fn default() -> Self {
        Self::SkipShare(0.01)
    }
}

impl BadRows {
    /// Fails if the report has more bad rows than allowed.
    ///
    /// # Errors
    /// [`DataError::BadRow`] or [`DataError::TooManyBadRows`].
    pub fn check(self, path: &Path, report: &ReadReport) -> Result<(), DataError> {
        let (path, bad, rows) = (path.to_path_buf(), report.bad_rows, report.rows + report.bad_rows);
        let limit = self.limit(rows);
        match report.quoted.first().cloned() {
            Some(row) if self == Self::Stop => Err(DataError::BadRow { path, row }),
            Some(first) if bad > limit || report.rows == 0 => {
                Err(DataError::TooManyBadRows { path, bad, rows, limit, first })
            }
            _ => Ok(()),
        }
    }

    /// [`Self::check`] while rows are read: a share can be checked only at the end.
    pub(crate) fn check_so_far(self, path: &Path, report: &ReadReport) -> Result<(), DataError> {
        if matches!(self, Self::SkipShare(_)) { Ok(()) } else { self.check(path, report) }
    }

    fn limit(self, rows: u64) -> u64 {
        match self {
            Self::Stop | Self::SkipShare(0.0) => 0,
            Self::SkipCount(count) => count,
            // A short file may have some, too.
            Self::SkipShare(share) => ((rows as f64 * share) as u64).max(10),
        }
    }
}

#[derive(Clone, PartialEq, Debug)]
pub struct ReadOptions {
    /// What to do with bad rows.
    pub bad_rows: BadRows,
    /// Maximum number of bad rows in the report.
    pub quoted: usize,
    /// Stop after this number of valid rows.
    pub limit: Option<usize>,
    pub required: RequiredFields,
    /// The unit of a CSV's labels; other formats are in centipawns.
    pub unit: LabelUnit,
    /// Names in the header of a CSV.
    pub columns: ColumnNames,
    /// The file's format; `None` detects it from the first bytes or the name.
    pub from: Option<Format>,
}

impl Default for ReadOptions {
    fn default() -> Self {
        let (bad_rows, required, unit) = (BadRows::default(), RequiredFields::default(), LabelUnit::default());
        Self { bad_rows, quoted: 10, limit: None, required, unit, columns: ColumnNames::default(), from: None }
    }
}

/// What a row must hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum RequiredFields {
    /// A position and its evaluation.
    #[default]
    Labels,
    /// A position: lists of FEN or EPD are read as well, their rows labelled 0.
    Positions,
}

#[derive(Clone, PartialEq, Eq, Debug, Default, serde::Serialize, serde::Deserialize)]
pub struct ReadReport {
    pub rows: u64,
    pub bad_rows: u64,
    /// The first of them, as many as [`ReadOptions::quoted`].
    pub quoted: Vec<BadRow>,
    /// Positions marked as having no score, which are not counted as rows.
    pub unscored: u64,
    /// True if the last line has no line end: its evaluation may be truncated.
    pub last_line_open: bool,
}

impl ReadReport {
    /// A warning for the user, if there is one.
    pub fn warning(&self, path: &Path) -> Option<String> {
        let open = || format!("{}: the last line has no line end; its evaluation may be truncated", path.display());
        self.last_line_open.then(open)
    }
}
