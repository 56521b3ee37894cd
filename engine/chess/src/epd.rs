//! Extended Position Description (EPD): one position and its operations per line, as in test suites and opening books.
//!
//! Many published suites are malformed: a missing or extra dash after the side to move, clocks as in FEN, no final
//! semicolon. Unambiguous deviations are accepted; anything else is rejected with its line number.

use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::board::{Board, FenError};
use crate::files::{self, SourceError};
use crate::movegen::MoveError;

/// Why a line is not valid EPD, or its operations do not fit its position.
#[derive(Debug, Error)]
pub enum EpdProblem {
    #[error("expected a position (pieces and side to move), found \"{0}\"")]
    NoPosition(String),
    #[error("{0}")]
    Position(#[from] FenError),
    #[error("operation {opcode}: {reason}")]
    Move { opcode: String, reason: MoveError },
    #[error("operation {opcode}: expected a mate such as #3 or #-2, found \"{found}\"")]
    Mate { opcode: String, found: String },
    #[error("no best move (bm) and no move to avoid (am)")]
    NoTask,
    #[error("the side to move has no legal move")]
    NoLegalMove,
}

/// Why an EPD file cannot be used.
#[derive(Debug, Error)]
pub enum EpdError {
    #[error(transparent)]
    Source(#[from] SourceError),
    #[error("{}, line {line}: {problem}", path.display())]
    Line { path: PathBuf, line: usize, problem: EpdProblem },
    #[error("{}: no position in the file", .0.display())]
    Empty(PathBuf),
}

/// One EPD line: a position and its operations.
#[derive(Clone, Debug)]
pub struct EpdRecord {
    pub board: Board,
    /// Opcodes and operands as written, in order.
    pub operations: Vec<(String, String)>,
}

impl EpdRecord {
    /// Parses one line.
    ///
    /// # Errors
    /// If the line does not start with a legal position.
    pub fn parse(line: &str) -> Result<Self, EpdProblem> {
        let (mut fen, rest) = split_line(line)?;
        let operations = split_operations(rest);
        // EPD proper has no clocks in the position; operations may give them.
        if fen.split_whitespace().count() == 4 {
            for (opcode, default) in [("hmvc", "0"), ("fmvn", "1")] {
                let given = operations.iter().find(|(name, _)| name == opcode).map(|(_, operand)| operand.as_str());
                let number = given.filter(|operand| operand.parse::<u16>().is_ok()).unwrap_or(default);
                fen.extend([" ", number]);
            }
        }
        Ok(Self { board: Board::from_fen(&fen)?, operations })
    }

    /// The operand of the first operation with this opcode, without quotes.
    pub fn operand(&self, opcode: &str) -> Option<&str> {
        self.operations.iter().find(|(name, _)| name == opcode).map(|(_, operand)| operand.trim_matches('"'))
    }
}

/// Reads every line of a file except empty lines and comments (`#`), and converts it with a function.
///
/// # Errors
/// If the file cannot be read, contains no position, or has an invalid line.
pub fn read_epd<T>(
    path: &Path,
    convert: impl FnMut(EpdRecord, usize) -> Result<T, EpdProblem>,
) -> Result<Vec<T>, EpdError> {
    read_lines(path, convert)?.into_iter().collect()
}

/// As [`read_epd`], but returns a result for each line, so that invalid lines can be skipped.
///
/// # Errors
/// If the file cannot be read or contains no position.
pub fn read_lines<T>(
    path: &Path,
    mut convert: impl FnMut(EpdRecord, usize) -> Result<T, EpdProblem>,
) -> Result<Vec<Result<T, EpdError>>, EpdError> {
    let text = files::read_text(path)?;
    let mut items = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let line = line.trim().trim_start_matches('\u{feff}');
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let item = EpdRecord::parse(line).and_then(|record| convert(record, index + 1));
        items.push(item.map_err(|problem| EpdError::Line { path: path.to_owned(), line: index + 1, problem }));
    }
    if items.is_empty() { Err(EpdError::Empty(path.to_owned())) } else { Ok(items) }
}

/// Returns the FEN in canonical order, and the rest of the line.
///
/// After the side to move, words are taken for what they look like: castling rights, a square of the third or sixth
/// rank, numbers, and dashes, which only hold a place. The first word that looks like none of them is an opcode.
fn split_line(line: &str) -> Result<(String, &str), EpdProblem> {
    let mut rest = line;
    let pieces = next_word(&mut rest).unwrap_or_default();
    let side = next_word(&mut rest).filter(|&side| side == "w" || side == "b");
    let Some(side) = side else { return Err(EpdProblem::NoPosition(line.chars().take(60).collect())) };
    let (mut castling, mut passed, mut clocks) = (None, None, Vec::new());
    loop {
        let mut after = rest;
        let Some(word) = next_word(&mut after) else { break };
        let word = word.trim_end_matches(';');
        if word == "-" {
        } else if castling.is_none() && passed.is_none() && is_castling(word) {
            castling = Some(word);
        } else if passed.is_none() && is_passed_square(word) && !after.trim_start().starts_with('"') {
            passed = Some(word);
        } else if clocks.len() < 2 && !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit()) {
            clocks.push(word);
        } else {
            break;
        }
        rest = after;
    }
    let mut fen = format!("{pieces} {side} {} {}", castling.unwrap_or("-"), passed.unwrap_or("-"));
    for clock in clocks {
        fen.push(' ');
        fen.push_str(clock);
    }
    Ok((fen, rest))
}

fn next_word<'a>(rest: &mut &'a str) -> Option<&'a str> {
    let trimmed = rest.trim_start();
    if trimmed.is_empty() {
        return None;
    }
    let end = trimmed.find(char::is_whitespace).unwrap_or(trimmed.len());
    let (word, after) = trimmed.split_at(end);
    *rest = after;
    Some(word)
}

/// `KQkq`, a part of it, or Shredder-FEN files; not the two opcodes spelt with the same letters.
fn is_castling(word: &str) -> bool {
    (1..=4).contains(&word.len())
        && !matches!(word, "acd" | "ce")
        && word.chars().all(|letter| matches!(letter.to_ascii_lowercase(), 'k' | 'q' | 'a'..='h'))
}

fn is_passed_square(word: &str) -> bool {
    matches!(word.as_bytes(), [b'a'..=b'h', b'3' | b'6'])
}

/// Splits at semicolons outside quotes, then splits each part into opcode and operand.
fn split_operations(text: &str) -> Vec<(String, String)> {
    let mut is_quoted = false;
    text.split(|letter| {
        is_quoted ^= letter == '"';
        letter == ';' && !is_quoted
    })
    .filter_map(|operation| {
        let operation = operation.trim().trim_start_matches("- ");
        let (opcode, operand) = operation.split_once(char::is_whitespace).unwrap_or((operation, ""));
        (!opcode.is_empty() && opcode != "-").then(|| (opcode.to_owned(), operand.trim().to_owned()))
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const FEN: &str = "r3k2r/8/8/8/8/8/8/R3K2R";

    #[test]
    fn missing_and_extra_dashes_are_accepted() {
        for (fields, expected) in [
            ("w KQkq - bm O-O;", "w KQkq - 0 1"),
            ("w KQkq bm O-O;", "w KQkq - 0 1"),
            ("w KQkq - - bm O-O;", "w KQkq - 0 1"),
            ("w - KQ bm O-O;", "w KQ - 0 1"),
            ("b - bm Kd8;", "b - - 0 1"),
            ("b bm Kd8", "b - - 0 1"),
            ("w KQkq - 4 17 bm O-O;", "w KQkq - 4 17"),
            ("w Q - - bm O-O-O", "w Q - 0 1"),
            ("w - - - bm Kd1;", "w - - 0 1"),
            ("w ce 12;", "w - - 0 1"),
            ("w KQ c3 \"a comment\";", "w KQ - 0 1"),
        ] {
            let record = EpdRecord::parse(&format!("{FEN} {fields}")).expect(fields);
            assert_eq!(record.board.to_fen(), format!("{FEN} {expected}"), "{fields}");
            assert_eq!(record.operations.len(), 1, "{fields}");
        }
    }

    #[test]
    fn operations_may_give_the_clocks() {
        for (fields, expected) in [
            ("w KQkq - hmvc 12; fmvn 31; bm O-O;", "12 31"),
            ("w KQkq - fmvn 31;", "0 31"),
            ("w KQkq - hmvc x;", "0 1"),
            ("w KQkq - 4 17 hmvc 12;", "4 17"),
        ] {
            let record = EpdRecord::parse(&format!("{FEN} {fields}")).expect(fields);
            assert_eq!(record.board.to_fen(), format!("{FEN} w KQkq - {expected}"), "{fields}");
        }
    }

    #[test]
    fn operations_keep_quoted_semicolons() {
        let record =
            EpdRecord::parse(&format!("{FEN} w KQ - bm O-O; id \"a; b - c\"; c0 \"\" ;; ce 5")).expect("valid");
        assert_eq!(record.operand("bm"), Some("O-O"));
        assert_eq!(record.operand("id"), Some("a; b - c"));
        assert_eq!(record.operand("ce"), Some("5"));
        assert_eq!(record.operations.len(), 4);
        let stray = EpdRecord::parse(&format!("{FEN} w KQ - - ; - bm O-O;")).expect("valid");
        assert_eq!(stray.operand("bm"), Some("O-O"));
    }

    #[test]
    fn lines_without_a_position_are_rejected() {
        for (line, part) in [
            ("hello", "expected a position"),
            ("8/8/8/8/8/8/8/8 x - -", "expected a position"),
            ("8/8/8/8/8/8/8/8 w - - bm a1;", ""),
        ] {
            let error = EpdRecord::parse(line).expect_err(line).to_string();
            assert!(error.contains(part) && !error.is_empty(), "{error}");
        }
        let missing = read_epd(Path::new("/nowhere/x.epd"), |record, _| Ok(record)).expect_err("no file");
        assert!(missing.to_string().contains("/nowhere/x.epd"));
    }
}
