//! Reads files of one row a line: blocks of lines are parsed on all cores.
//!
//! Owns the line numbers.

mod lines;

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::AtomicU64;

use rayon::prelude::*;

use super::bullet_text::is_bullet_text;
use super::csv::{FirstLine, read_first_line};
use super::lichess::is_lichess;
use super::position_list::{is_comment, is_list_header, parse_position};
use super::read_options::{ReadOptions, ReadReport, RequiredFields};
use crate::error::DataError;
use crate::row_batcher::RowBatcher;
use crate::rows::bad_row::{BadRow, Location, excerpt};
use crate::rows::label::{LabelUnit, trim};
use crate::rows::row::Row;
use crate::source::{Block, StreamProblem, blocks_of, stream_blocks};
use lines::{LineForm, Parsed, parse_lines, split_at_lines};

/// Reads the rows of a file of lines, plain, gzip or zstd; `bytes` counts what is read of it.
///
/// # Errors
/// If the file cannot be read, is not text of rows, is truncated, or has more bad rows than allowed.
pub(crate) fn read_lines(bytes: &AtomicU64, batcher: &mut RowBatcher<'_, '_>) -> Result<(), DataError> {
    let path = batcher.path;
    std::thread::scope(|scope| read_blocks(stream_blocks(scope, path, bytes)?.into_iter(), batcher))
}

/// All rows of the content of a CSV file, read as [`read_lines`] does, in this thread; `path` is its name in errors.
///
/// # Errors
/// As for [`read_lines`].
pub(crate) fn read_csv_bytes(
    path: &Path,
    bytes: &[u8],
    options: &ReadOptions,
) -> Result<(Vec<Row>, ReadReport), DataError> {
    let blocks = blocks_of(bytes).map_err(|source| DataError::io(path, "read it", source))?;
    let (mut all, read) = (Vec::new(), AtomicU64::new(0));
    let mut on_rows = |rows: &[Row]| {
        all.extend_from_slice(rows);
        Ok(())
    };
    let mut observer = |_| ControlFlow::Continue(());
    let mut batcher = RowBatcher::new(path, options, (&read, bytes.len() as u64), &mut observer, &mut on_rows);
    read_blocks(blocks, &mut batcher)?;
    let report = batcher.finish(Some(DataError::NoRows { path: path.to_path_buf() }))?;
    Ok((all, report))
}

fn read_blocks(
    blocks: impl Iterator<Item = Result<Block, StreamProblem>>,
    batcher: &mut RowBatcher<'_, '_>,
) -> Result<(), DataError> {
    let mut reading = Reading { batcher, form: None, lines: 0, games: Vec::new() };
    for block in blocks {
        let is_last = match block {
            Ok(block) => reading.parse(&block)? || block.is_last,
            Err(StreamProblem::LongLine) => return Err(reading.binary("a line longer than 64 KiB")),
            Err(StreamProblem::Read(source)) => return Err(reading.batcher.unreadable(source)),
        };
        reading.pass_on(is_last)?;
        if is_last {
            break;
        }
    }
    match reading.form {
        Some(_) => Ok(()),
        None => Err(DataError::Empty { path: reading.batcher.path.to_path_buf() }),
    }
}

/// The state between blocks.
struct Reading<'r, 'a, 'b> {
    batcher: &'r mut RowBatcher<'a, 'b>,
    form: Option<LineForm>,
    lines: u64,
    /// The games of the rows that are not passed on, see [`LineForm::parse`].
    games: Vec<u64>,
}

impl Reading<'_, '_, '_> {
    /// Passes on the rows that are read; where the file names their games, once all are together.
    fn pass_on(&mut self, is_last: bool) -> Result<(), DataError> {
        if !self.games.is_empty() {
            if !is_last {
                return self.batcher.observe();
            }
            self.batcher.rows = by_games(&self.batcher.rows, &self.games);
        }
        self.batcher.flush()
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
        let quoted = self.batcher.options.quoted;
        let parts: Vec<Parsed> = texts.par_iter().map(|part| parse_lines(part, form, usize::MAX, quoted)).collect();
        for (text, part) in texts.into_iter().zip(parts) {
            let wanted = self.batcher.wanted();
            if part.rows.len() >= wanted {
                // What follows the last row that is wanted may be as bad as it likes.
                self.append(parse_lines(text, form, wanted, quoted))?;
                return Ok(true);
            }
            self.append(part)?;
        }
        if let Some(line) = last_line {
            self.batcher.last_line_open();
            self.append_open_line(line, form)?;
        }
        Ok(self.batcher.wanted() == 0)
    }

    /// Detects the format of the lines and skips a header. `None` if there were only blank lines and comments so far.
    fn take_first_line(&mut self, text: &mut &[u8]) -> Result<Option<LineForm>, DataError> {
        check_text(text).map_err(|found| self.binary(found))?;
        while self.form.is_none() && !text.is_empty() {
            let line = text.split(|&byte| byte == b'\n').next().unwrap_or_default();
            let rest = text.get(line.len() + 1..).unwrap_or_default();
            let may_be_list = self.batcher.options.required == RequiredFields::Positions && !is_bullet_text(line);
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
        let (path, unit) = (self.batcher.path.to_path_buf(), self.batcher.options.unit);
        let found = excerpt(trim(line));
        match read_first_line(line, &self.batcher.options.columns) {
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
        self.batcher.extend(&part.rows);
        self.games.extend_from_slice(&part.games);
        let lines_before = self.lines;
        self.lines += part.lines;
        let quoted = part.quoted.into_iter().map(|bad| match bad.location {
            Location::Line(line) => BadRow { location: Location::Line(lines_before + line), ..bad },
            Location::Byte(_) => bad,
        });
        self.batcher.bad_rows(part.bad_rows, quoted)
    }

    /// Appends a last line without line end; if it is invalid, the file is truncated.
    fn append_open_line(&mut self, line: &[u8], form: LineForm) -> Result<(), DataError> {
        self.lines += 1;
        if form.skips(line) {
            return Ok(());
        }
        let (row, game) = form.parse(line).map_err(|problem| DataError::Torn {
            path: self.batcher.path.to_path_buf(),
            line: self.lines,
            found: excerpt(line),
            problem,
        })?;
        self.batcher.extend(&[row]);
        self.games.extend(game);
        Ok(())
    }

    fn binary(&self, found: &'static str) -> DataError {
        DataError::Binary { path: self.batcher.path.to_path_buf(), found }
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
