//! Parses the lines of one task, whose numbers are relative to its first line.

use crate::rows::bad_row::{BadRow, Location, RowProblem, excerpt};
use crate::rows::label::{LabelUnit, trim};
use crate::rows::row::Row;
use crate::text::bullet_text::parse_bullet_text;
use crate::text::csv::{Columns, parse_line, split_at_byte};
use crate::text::lichess::parse_lichess;
use crate::text::position_list::{is_comment, parse_position};

/// Bytes of text per parsing task.
const TASK_BYTES: usize = 128 << 10;

/// The format of the lines, detected from the first one.
#[derive(Clone, Copy)]
pub(super) enum LineForm {
    Csv(Columns, LabelUnit),
    /// `FEN | cp | result`
    BulletText,
    /// JSON with `fen` and `evals`, as in the Lichess evaluation database.
    Lichess,
    /// FEN or EPD, without evaluations.
    Position,
}

impl LineForm {
    /// The row of a line, and a hash of the name of its game, 0 without one; `None` if the file names no games.
    pub(super) fn parse(self, line: &[u8]) -> Result<(Row, Option<u64>), RowProblem> {
        let row = match self {
            Self::Csv(columns, unit) => return parse_line(line, &columns, unit),
            Self::BulletText => parse_bullet_text(line),
            Self::Lichess => parse_lichess(line),
            Self::Position => parse_position(line),
        };
        row.map(|row| (row, None))
    }

    pub(super) fn skips(self, line: &[u8]) -> bool {
        trim(line).is_empty() || matches!(self, Self::Position) && is_comment(line)
    }
}

/// The result of one parsing task; line numbers are relative to its first line.
#[derive(Default)]
pub(super) struct Parsed {
    pub(super) rows: Vec<Row>,
    /// The games of the rows, see [`LineForm::parse`].
    pub(super) games: Vec<u64>,
    pub(super) lines: u64,
    pub(super) bad_rows: u64,
    pub(super) quoted: Vec<BadRow>,
}

/// Splits text into parts of about [`TASK_BYTES`] at line ends.
pub(super) fn split_at_lines(mut text: &[u8]) -> Vec<&[u8]> {
    let mut parts = Vec::with_capacity(text.len() / TASK_BYTES + 1);
    while text.len() > TASK_BYTES {
        let end =
            text[TASK_BYTES..].iter().position(|&byte| byte == b'\n').map_or(text.len(), |at| TASK_BYTES + at + 1);
        let (part, rest) = text.split_at(end);
        parts.push(part);
        text = rest;
    }
    if !text.is_empty() {
        parts.push(text);
    }
    parts
}

/// Parses lines until there are `wanted` rows.
pub(super) fn parse_lines(text: &[u8], form: LineForm, wanted: usize, quoted: usize) -> Parsed {
    let mut parsed = Parsed { rows: Vec::with_capacity(text.len() / 60), ..Parsed::default() };
    let text = text.strip_suffix(b"\n").unwrap_or(text);
    for line in split_at_byte(text, b'\n') {
        if parsed.rows.len() >= wanted {
            break;
        }
        parsed.lines += 1;
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        match form.parse(line) {
            Ok((row, game)) => {
                parsed.rows.push(row);
                parsed.games.extend(game);
            }
            Err(_) if form.skips(line) => {}
            Err(problem) => {
                parsed.bad_rows += 1;
                if parsed.quoted.len() < quoted {
                    let (location, found) = (Location::Line(parsed.lines), excerpt(line));
                    parsed.quoted.push(BadRow { location, found, problem: problem.to_string() });
                }
            }
        }
    }
    parsed
}
