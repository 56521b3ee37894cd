//! Lines `FEN | cp | result`, the text format of bullet and other trainers.
//!
//! Centipawns and result are from White's point of view: `1.0` White won, `0.5` drawn, `0.0` Black won, also as `[1.0]` and
//! in the forms of a CSV. Mates are
//! numbers beyond all centipawns: `32000 - d` for a mate in `d` moves, negative for Black; they are read back as mates.
//! Unknown results cannot be represented.

use std::io::{self, Write};

use crate::filter::{LeftOut, LeftOutReason};
use crate::rows::bad_row::{RowProblem, excerpt};
use crate::rows::label::{Label, parse_whole, trim};
use crate::rows::mate_number::{from_moves, in_moves};
use crate::rows::result::RowResult;
use crate::rows::row::Row;

/// True if a line has this format.
pub(crate) fn is_bullet_text(line: &[u8]) -> bool {
    let position = line.split(|&byte| byte == b'|').next().filter(|position| position.len() < line.len());
    position.is_some_and(|text| text.split(|&byte| byte == b'/').count() == 8 && !text.contains(&b','))
}

/// Reads a line, without its line end, into a row.
pub(crate) fn parse_bullet_text(line: &[u8]) -> Result<Row, RowProblem> {
    let mut fields: [&[u8]; 3] = [b""; 3];
    let mut count = 0;
    for (slot, field) in fields.iter_mut().zip(line.split(|&byte| byte == b'|')) {
        *slot = trim(field);
        count += 1;
    }
    let missing = |column, field| Err(RowProblem::MissingField { column, field, fields: count });
    match count {
        0 | 1 => return missing("centipawns", 2),
        2 => return missing("a result", 3),
        _ => {}
    }
    let [position, value, result] = fields;
    let mut row = Row::from_fen(position)?;
    let label = Label::parse(value, row.side_to_move()).ok_or_else(|| RowProblem::label(value))?;
    let number = parse_whole(value).and_then(|number| number.try_into().ok());
    row.label = number.map_or(label, from_moves).to_bits();
    let result = RowResult::parse(result)
        .filter(|&result| result != RowResult::Unknown)
        .ok_or_else(|| RowProblem::Result(excerpt(result)))?;
    row.state |= result.to_bits() << 5;
    Ok(row)
}

/// Writes rows; those without a result are left out.
pub(crate) fn write_bullet_text(out: &mut dyn Write, rows: &[Row], left_out: &mut LeftOut) -> io::Result<()> {
    for row in rows {
        let value = in_moves(row.label());
        match row.result().points() {
            Some(points) => writeln!(out, "{} | {value} | {points:.1}", row.to_fen())?,
            None => left_out.add(LeftOutReason::NoResult, 1),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use alfiere_chess::types::Color;

    use super::*;

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    fn parse(rest: &str) -> Result<Row, String> {
        parse_bullet_text(format!("{START}{rest}").as_bytes()).map_err(|problem| problem.to_string())
    }

    #[test]
    fn lines_of_other_trainers_are_read() {
        for (rest, label, result) in [
            (" | 43 | 1.0", Label::Centipawns(43), RowResult::WhiteWins),
            (" | -7 | 0.5\r", Label::Centipawns(-7), RowResult::Draw),
            ("|+0|0", Label::Centipawns(0), RowResult::BlackWins),
            (" | 30000 | 1", Label::Centipawns(30_000), RowResult::WhiteWins),
            (" | 31997 | 1.0", Label::Mate { winner: Color::White, distance: 3 }, RowResult::WhiteWins),
            (" | -32000 | 0.0", Label::Mate { winner: Color::Black, distance: 0 }, RowResult::BlackWins),
            (" | 20.0 | [1.0]", Label::Centipawns(20), RowResult::WhiteWins),
            ("|20|[0.5]", Label::Centipawns(20), RowResult::Draw),
            ("| 20 |1/2", Label::Centipawns(20), RowResult::Draw),
            (" | #-2 | 0.0", Label::Mate { winner: Color::Black, distance: 2 }, RowResult::BlackWins),
        ] {
            let row = parse(rest).expect(rest);
            assert_eq!((row.label(), row.result(), row.to_fen().as_str()), (label, result, START), "{rest}");
        }
    }

    #[test]
    fn faults_are_told() {
        for (rest, part) in [
            ("", "expected centipawns in field 2, found 1 field(s)"),
            (" | 3", "expected a result in field 3, found 2 field(s)"),
            (" | 0.3 | 1.0", "evaluation `0.3`: expected centipawns"),
            (" | 3 | *", "result `*`: expected 1-0, 0-1, 1/2-1/2, White's points 1.0, 0.0 or 0.5"),
            (" | 3 | 2", "result `2`: expected 1-0"),
            (" 7 | 3 | 1.0", "illegal FEN fields: 7, expected 4 to 6"),
        ] {
            let problem = parse(rest).expect_err(rest);
            assert!(problem.starts_with(part), "{problem}");
        }
    }
}
