//! Stockfish's text form of training data, `.plain`: lines `fen`, `move`, `score`, `ply`, `result`, and `e` at the end
//! of each entry.
//!
//! The score is in Stockfish's internal units, for the side to move; a mate in `d` plies is `32000 - d`, and 32002
//! means no score. The result is for the side to move: 1 won, 0 drawn, -1 lost. Castling is a king move of two files.
//! Units are not converted; use a scale factor.

use std::io::{self, BufRead, Read, Write};

use alfiere_chess::movegen::{CastlingNotation, format_uci_move};

use crate::error::DataError;
use crate::filter::{LeftOut, LeftOutReason};
use crate::formats::binpack::{points_of, result_of};
use crate::game_record::GameRecord;
use crate::row_batcher::RowBatcher;
use crate::rows::bad_row::{Location, RowProblem, excerpt};
use crate::rows::board_row::move_of_rank;
use crate::rows::mate_number::{from_plies, in_plies};
use crate::rows::row::Row;

/// Maximum length of a line in bytes.
const MAX_LINE: u64 = 4_096;
/// The score of positions without one.
const NO_SCORE: u32 = 32_002;

/// An incomplete entry.
#[derive(Default)]
struct Entry {
    fen: Option<String>,
    mv: Option<String>,
    score: Option<String>,
    ply: Option<String>,
    result: Option<String>,
}

impl Entry {
    /// Adds a line; true if it ends the entry.
    fn take(&mut self, line: &str) -> Result<bool, RowProblem> {
        let (key, value) = line.split_once(' ').unwrap_or((line, ""));
        let slot = match key {
            "fen" => &mut self.fen,
            "move" => &mut self.mv,
            "score" => &mut self.score,
            "ply" => &mut self.ply,
            "result" => &mut self.result,
            "e" => return Ok(true),
            _ => return Err(RowProblem::PlainKey(excerpt(line.as_bytes()))),
        };
        *slot = Some(value.trim().to_owned());
        Ok(false)
    }

    /// The row; `None` if the entry has no score.
    fn row(&self) -> Result<Option<Row>, RowProblem> {
        let missing = |key| RowProblem::PlainMissing(key);
        let number = |text: &Option<String>, key| {
            let text = text.as_ref().ok_or_else(|| missing(key))?;
            text.parse::<i32>().map_err(|_| RowProblem::PlainNumber(key, excerpt(text.as_bytes())))
        };
        let mut row = Row::from_fen(self.fen.as_ref().ok_or_else(|| missing("fen"))?.as_bytes())?;
        let us = row.side_to_move();
        let score = number(&self.score, "score")?;
        if score.unsigned_abs() == NO_SCORE {
            return Ok(None);
        }
        row = row.with_label(from_plies(score, us));
        row.full_moves = (number(&self.ply, "ply")?.clamp(0, 131_068) / 2 + 1) as u16;
        row = row.with_result(match number(&self.result, "result")? {
            points @ -1..=1 => result_of(points as i16, us),
            other => return Err(RowProblem::PlainResult(other)),
        });
        let mv = self.mv.as_ref().ok_or_else(|| missing("move"))?;
        row.with_move_text(mv).map(Some)
    }
}

/// Reads the entries to the end of the input.
pub(super) fn read_plain(input: &mut dyn BufRead, batcher: &mut RowBatcher<'_, '_>) -> Result<(), DataError> {
    let (mut entry, mut line, mut number) = (Entry::default(), Vec::new(), 0);
    // First line of the current entry, and its first problem.
    let (mut begins, mut problem) = (None, None);
    loop {
        line.clear();
        let count = (&mut *input).take(MAX_LINE).read_until(b'\n', &mut line);
        if count.map_err(|source| batcher.unreadable(source))? == 0 {
            return begins.map_or(Ok(()), |first| Err(batcher.cut_short(Location::Line(first), "an entry")));
        }
        number += 1;
        if line.len() as u64 == MAX_LINE || line.contains(&0) {
            let problem = "a line of more than 4,096 bytes or with zero bytes".to_owned();
            return Err(batcher.damage(Location::Line(number), problem, "lines such as `score 33`"));
        }
        let text = String::from_utf8_lossy(&line);
        let text = text.trim();
        if text.is_empty() {
            continue;
        }
        begins.get_or_insert(number);
        match entry.take(text) {
            Ok(false) => {}
            Ok(true) => {
                let first = begins.take().unwrap_or(number);
                let read = problem.take().map_or_else(|| entry.row(), Err);
                match read {
                    Ok(None) => batcher.unscored(),
                    Ok(Some(row)) if batcher.row(row)?.is_break() => return Ok(()),
                    Ok(Some(_)) => {}
                    Err(problem) => {
                        let found = entry.fen.take().unwrap_or_else(|| text.to_owned());
                        batcher.bad(Location::Line(first), excerpt(found.as_bytes()), problem.to_string())?;
                    }
                }
                entry = Entry::default();
            }
            Err(found) if number == 1 => {
                return Err(batcher.damage(Location::Line(1), found.to_string(), "a first line `fen ...`"));
            }
            Err(found) => drop(problem.get_or_insert(found)),
        }
    }
}

/// Writes the positions of a game, each with its best move, or the move played if that is unknown. Positions without
/// either, and games without a result, are left out.
pub(crate) fn write_plain(out: &mut dyn Write, game: &GameRecord, left_out: &mut LeftOut) -> io::Result<()> {
    let Some(mut board) = game.start_with_result(left_out) else { return Ok(()) };
    for ply in &game.plies {
        if let Some(mv) = ply.best.or(ply.played).and_then(|rank| move_of_rank(&board, rank)) {
            let (row, us) = (Row::of_board(&board), board.side_to_move());
            let (score, result) = (in_plies(ply.label, us), points_of(game.result, us));
            let mv = format_uci_move(mv, CastlingNotation::Standard);
            let (fen, ply) = (row.to_fen(), row.ply());
            write!(out, "fen {fen}\nmove {mv}\nscore {score}\nply {ply}\nresult {result}\ne\n")?;
        } else {
            left_out.add(LeftOutReason::NoMove, 1);
        }
        let Some(played) = ply.played.and_then(|rank| move_of_rank(&board, rank)) else { break };
        board.play(played);
    }
    Ok(())
}
