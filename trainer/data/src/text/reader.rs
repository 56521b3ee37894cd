//! Reads CSV files: blocks of lines are parsed on all cores, and bad rows are counted and reported.
//!
//! Owns the line numbers. Prints nothing: progress goes to the caller's closure.

mod lines;

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use super::bullet_text::is_bullet_text;
use super::csv::{FirstLine, read_first_line};
use super::lichess::is_lichess;
use super::position_list::{is_comment, is_list_header, parse_position};
use super::read_options::{ReadOptions, ReadReport, RequiredFields};
use crate::error::DataError;
use crate::rows::bad_row::{Location, excerpt};
use crate::rows::label::{LabelUnit, trim};
use crate::rows::row::{ROW_BYTES, Row};
use crate::source::{Block, StreamProblem, blocks_of, stream_blocks};
use lines::{LineForm, Parsed, parse_lines, split_at_lines};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ReadProgress {
    /// Bytes read from the file so far, before decompression.
    pub bytes: u64,
    pub total_bytes: u64,
    /// Valid rows so far.
    pub rows: u64,
}

impl ReadProgress {
    /// Of rows in their own layout.
    pub(crate) fn of_rows(rows: u64, total: u64) -> Self {
        Self { bytes: rows * ROW_BYTES as u64, total_bytes: total * ROW_BYTES as u64, rows }
    }
}

/// Called after each block; `Break` stops reading.
pub type ReadObserver<'a> = dyn FnMut(ReadProgress) -> ControlFlow<()> + 'a;

/// Rows per call of [`OnRows`], where nothing else decides.
pub(crate) const BATCH_ROWS: usize = 16_384;

/// Receives rows as they are read; an error stops the reading.
pub type OnRows<'a> = dyn FnMut(&[Row]) -> Result<(), DataError> + 'a;

/// Reads a file of CSV lines or of lines `FEN | cp | result`, plain, gzip or zstd, and passes its rows to `on_rows` block by
/// block. A percentage of bad rows is checked only at the end.
///
/// # Errors
/// If the file cannot be read, is not a CSV of positions, is truncated, or has more bad rows than allowed, or `on_rows` fails.
pub(crate) fn stream_csv(
    path: &Path,
    options: &ReadOptions,
    observer: &mut ReadObserver<'_>,
    on_rows: &mut OnRows<'_>,
) -> Result<ReadReport, DataError> {
    let total_bytes = std::fs::metadata(path).map_err(|source| DataError::io(path, "open it", source))?.len();
    let bytes = AtomicU64::new(0);
    std::thread::scope(|scope| {
        let blocks = stream_blocks(scope, path, &bytes)?;
        read_blocks(path, blocks.into_iter(), options, on_rows, &mut |rows| {
            observer(ReadProgress { bytes: bytes.load(Ordering::Relaxed), total_bytes, rows })
        })
    })
}

/// All rows of the content of a CSV file, read as [`stream_csv`] does, in this thread; `path` is its name in errors.
///
/// # Errors
/// As for [`stream_csv`].
pub(crate) fn read_csv_bytes(
    path: &Path,
    bytes: &[u8],
    options: &ReadOptions,
) -> Result<(Vec<Row>, ReadReport), DataError> {
    let blocks = blocks_of(bytes).map_err(|source| DataError::io(path, "read it", source))?;
    let mut all = Vec::new();
    let mut on_rows = |rows: &[Row]| {
        all.extend_from_slice(rows);
        Ok(())
    };
    let report = read_blocks(path, blocks, options, &mut on_rows, &mut |_| ControlFlow::Continue(()))?;
    Ok((all, report))
}

/// Parses blocks of text; calls `observer` with the number of rows after each one.
fn read_blocks(
    path: &Path,
    blocks: impl Iterator<Item = Result<Block, StreamProblem>>,
    options: &ReadOptions,
    on_rows: &mut OnRows<'_>,
    observer: &mut dyn FnMut(u64) -> ControlFlow<()>,
) -> Result<ReadReport, DataError> {
    let mut reading = Reading::new(path, options);
    for block in blocks {
        let is_last = match block {
            Ok(block) => reading.parse(&block)? || block.is_last,
            Err(StreamProblem::LongLine) => return Err(reading.binary("a line longer than 64 KiB")),
            Err(StreamProblem::Read(source)) => return Err(DataError::unreadable(path, reading.row_count(), source)),
        };
        reading.flush(is_last, on_rows)?;
        if observer(reading.row_count()).is_break() {
            return Err(DataError::Stopped { path: path.to_path_buf() });
        }
        if is_last {
            break;
        }
    }
    reading.finish()
}

/// The state between blocks.
struct Reading<'a> {
    path: &'a Path,
    options: &'a ReadOptions,
    form: Option<LineForm>,
    lines: u64,
    /// Number of rows passed to `on_rows`.
    flushed: u64,
    /// Rows not yet passed to `on_rows`: all, where the file names their games.
    rows: Vec<Row>,
    /// The games of the rows, see [`LineForm::parse`].
    games: Vec<u64>,
    report: ReadReport,
}

impl<'a> Reading<'a> {
    fn new(path: &'a Path, options: &'a ReadOptions) -> Self {
        let report = ReadReport::default();
        Self { path, options, form: None, lines: 0, flushed: 0, rows: Vec::new(), games: Vec::new(), report }
    }

    /// Good rows so far.
    fn row_count(&self) -> u64 {
        self.flushed + self.rows.len() as u64
    }

    /// Passes on the rows that are read, once their games are together.
    fn flush(&mut self, is_last: bool, on_rows: &mut OnRows<'_>) -> Result<(), DataError> {
        if !self.games.is_empty() {
            if !is_last {
                return Ok(());
            }
            self.rows = by_games(&self.rows, &self.games);
        }
        on_rows(&self.rows)?;
        self.flushed += self.rows.len() as u64;
        self.rows.clear();
        Ok(())
    }

    /// Parses a block; true if the limit is reached.
    fn parse(&mut self, block: &Block) -> Result<bool, DataError> {
        let mut text = &block.text[..];
        let form = match self.form {
            Some(form) => form,
            None => match self.take_first_line(&mut text)? {
                Some(form) => form,
                None => return Ok(false),
            },
        };
        let last_line = take_open_line(block, &mut text);
        let texts = split_at_lines(text);
        let quoted = self.options.quoted;
        let parts: Vec<Parsed> = texts.par_iter().map(|part| parse_lines(part, form, usize::MAX, quoted)).collect();
        for (text, part) in texts.into_iter().zip(parts) {
            let wanted = self.options.limit.map_or(usize::MAX, |limit| limit - self.row_count() as usize);
            if part.rows.len() >= wanted {
                // What follows the last row that is wanted may be as bad as it likes.
                self.append(parse_lines(text, form, wanted, quoted))?;
                return Ok(true);
            }
            self.append(part)?;
        }
        if let Some(line) = last_line {
            self.report.last_line_open = true;
            self.append_open_line(line, form)?;
        }
        Ok(self.options.limit.is_some_and(|limit| self.row_count() >= limit as u64))
    }

    /// Detects the format of the lines and skips a header. `None` if there were only blank lines and comments so far.
    fn take_first_line(&mut self, text: &mut &[u8]) -> Result<Option<LineForm>, DataError> {
        check_text(text).map_err(|found| self.binary(found))?;
        while self.form.is_none() && !text.is_empty() {
            let line = text.split(|&byte| byte == b'\n').next().unwrap_or_default();
            let rest = text.get(line.len() + 1..).unwrap_or_default();
            let may_be_list = self.options.required == RequiredFields::Positions && !is_bullet_text(line);
            let is_skipped = trim(line).is_empty() || may_be_list && is_comment(line);
            if !is_skipped {
                let (form, is_row) = self.form_of(line, rest, may_be_list)?;
                self.form = Some(form);
                if is_row {
                    break;
                }
            }
            *text = rest;
            self.lines += 1;
        }
        Ok(self.form)
    }

    /// The format of the lines that begin with this one, and whether it is a row. `rest` is what follows it.
    fn form_of(&self, line: &[u8], rest: &[u8], may_be_list: bool) -> Result<(LineForm, bool), DataError> {
        if may_be_list && is_list_header(line) {
            return Ok((LineForm::Position, false));
        }
        if may_be_list && parse_position(line).is_ok() {
            return Ok((LineForm::Position, true));
        }
        let (path, unit) = (self.path.to_path_buf(), self.options.unit);
        let found = excerpt(trim(line));
        match read_first_line(line, &self.options.columns) {
            _ if is_lichess(line) || is_bullet_text(line) => match unit {
                LabelUnit::Pawns => Err(DataError::Unit { path }),
                LabelUnit::Centipawns if is_lichess(line) => Ok((LineForm::Lichess, true)),
                LabelUnit::Centipawns => Ok((LineForm::BulletText, true)),
            },
            FirstLine::Header(columns) => {
                let next = rest.split(|&byte| byte == b'\n').next().unwrap_or_default();
                Ok((LineForm::Csv(columns.of_first_row(next), unit), false))
            }
            FirstLine::Row(columns) => Ok((LineForm::Csv(columns, unit), true)),
            FirstLine::Lacks(column) => Err(DataError::MissingColumn { path, column, found }),
            FirstLine::Neither if std::str::from_utf8(line).is_err() => Err(self.binary("not UTF-8")),
            FirstLine::Neither => Err(DataError::FirstLine { path, found }),
        }
    }

    fn append(&mut self, part: Parsed) -> Result<(), DataError> {
        self.rows.extend_from_slice(&part.rows);
        self.games.extend_from_slice(&part.games);
        self.report.bad_rows += part.bad_rows;
        for mut bad in part.quoted {
            if let Location::Line(line) = &mut bad.location {
                *line += self.lines;
            }
            if self.report.quoted.len() < self.options.quoted {
                self.report.quoted.push(bad);
            }
        }
        self.lines += part.lines;
        self.report.rows = self.row_count();
        self.options.bad_rows.check_so_far(self.path, &self.report)
    }

    /// Appends a last line without line end; if it is invalid, the file is truncated.
    fn append_open_line(&mut self, line: &[u8], form: LineForm) -> Result<(), DataError> {
        self.lines += 1;
        if form.skips(line) {
            return Ok(());
        }
        let (row, game) = form.parse(line).map_err(|problem| DataError::Torn {
            path: self.path.to_path_buf(),
            line: self.lines,
            found: excerpt(line),
            problem,
        })?;
        self.rows.push(row);
        self.games.extend(game);
        Ok(())
    }

    fn finish(mut self) -> Result<ReadReport, DataError> {
        self.report.rows = self.row_count();
        if self.form.is_none() {
            return Err(DataError::Empty { path: self.path.to_path_buf() });
        }
        self.options.bad_rows.check(self.path, &self.report)?;
        if self.row_count() == 0 {
            return Err(DataError::NoRows { path: self.path.to_path_buf() });
        }
        Ok(self.report)
    }

    fn binary(&self, found: &'static str) -> DataError {
        DataError::Binary { path: self.path.to_path_buf(), found }
    }
}

/// The rows with those of each game together, in the order of the games' first rows, and marked by their games. A row whose
/// game is not named is a game of its own.
fn by_games(rows: &[Row], names: &[u64]) -> Vec<Row> {
    let mut first = HashMap::new();
    let mut order: Vec<(usize, usize)> = Vec::with_capacity(rows.len());
    for (index, &name) in names.iter().enumerate() {
        let game = if name == 0 { index } else { *first.entry(name).or_insert(index) };
        order.push((game, index));
    }
    order.sort_unstable();
    let games = order.chunk_by(|one, next| one.0 == next.0).enumerate();
    games.flat_map(|(game, own)| own.iter().map(move |&(_, index)| rows[index].with_game(Some(game as u64)))).collect()
}

/// Fails if the first bytes are binary data.
fn check_text(text: &[u8]) -> Result<(), &'static str> {
    let head = &text[..text.len().min(64 << 10)];
    if head.contains(&0) {
        return Err("it contains zero bytes");
    }
    let control = head.iter().filter(|byte| byte.is_ascii_control() && !matches!(byte, b'\n' | b'\r' | b'\t')).count();
    if control * 20 > head.len() { Err("it is full of control characters") } else { Ok(()) }
}

/// Removes a last line without line end from the text of a file's last block.
fn take_open_line<'b>(block: &Block, text: &mut &'b [u8]) -> Option<&'b [u8]> {
    if !block.is_last || text.is_empty() || text.ends_with(b"\n") {
        return None;
    }
    let start = text.iter().rposition(|&byte| byte == b'\n').map_or(0, |index| index + 1);
    let line = &text[start..];
    *text = &text[..start];
    Some(line)
}

#[cfg(test)]
mod tests;
