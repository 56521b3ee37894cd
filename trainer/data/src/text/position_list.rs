//! Lists of positions without evaluations: one FEN or EPD per line.

use alfiere_chess::epd::EpdRecord;

use crate::rows::bad_row::RowProblem;
use crate::rows::label::trim;
use crate::rows::row::Row;

pub(crate) fn is_comment(line: &[u8]) -> bool {
    trim(line).starts_with(b"#")
}

/// True for a header line with the single column FEN.
pub(crate) fn is_list_header(line: &[u8]) -> bool {
    trim(line).eq_ignore_ascii_case(b"fen")
}

/// Reads a line, without its line end, into a row labelled 0.
pub(crate) fn parse_position(line: &[u8]) -> Result<Row, RowProblem> {
    let line = trim(line);
    let problem = match Row::from_fen(line) {
        Ok(row) => return Ok(row),
        Err(problem) => problem,
    };
    let Ok(text) = std::str::from_utf8(line) else { return Err(problem.into()) };
    let record = EpdRecord::parse(text).map_err(|problem| RowProblem::Position(problem.to_string()))?;
    // Otherwise a CSV row would be read as a position with unusual operations.
    let is_opcode = |name: &str| {
        name.starts_with(|letter: char| letter.is_ascii_alphabetic())
            && name.chars().all(|letter| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-'))
    };
    if let Some((name, _)) = record.operations.iter().find(|(name, _)| !is_opcode(name)) {
        return Err(RowProblem::Position(format!("found `{name}`, expected the name of an operation")));
    }
    Ok(Row::of_board(&record.board))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fen_and_epd_are_told_from_rows() {
        let placement = "r3k2r/8/8/8/8/8/8/R3K2R";
        for (rest, fen) in [
            ("w KQkq - 3 7", "w KQkq - 3 7"),
            ("b KQkq - bm O-O; id \"a, b\";", "b KQkq - 0 1"),
            ("w KQ - 0 1 ;D1 25 ;D2 567", "w KQ - 0 1"),
            ("w - -", "w - - 0 1"),
        ] {
            let row = parse_position(format!("{placement} {rest}\r").as_bytes()).expect(rest);
            assert_eq!(row.to_fen(), format!("{placement} {fen}"), "{rest}");
        }
        for rest in ["w KQkq - 3 7,+5", "w KQkq -,+5", "w KQ e3,5", "w KQkq - 3 7,5,e1g1,1-0", "x", "w KQ - 0 1; 0.3"] {
            assert!(parse_position(format!("{placement} {rest}").as_bytes()).is_err(), "{rest}");
        }
        assert!(is_comment(b" # note") && is_list_header(b"\xEF\xBB\xBFFEN\r") && !is_list_header(b"FEN,Move"));
    }
}
