//! Parses one line of CSV into a row: column detection, and the reason if a line is invalid.
//!
//! Lines without quotes are split at commas (or semicolons or tabs) directly; a line with a quote is parsed by the `csv` crate, which is the
//! reference for both (a test compares them). A field never contains a line end.

use std::io::BufRead;

use alfiere_chess::board::Board;
use alfiere_chess::movegen::{MoveError, parse_san};
use xxhash_rust::xxh3::xxh3_64;

use crate::rows::bad_row::{RowProblem, excerpt};
use crate::rows::label::{Label, LabelUnit, is_missing, trim};
use crate::rows::result::RowResult;
use crate::rows::row::Row;
use crate::text::column_names::{COLUMNS, ColumnNames};

/// Number of fields that are read without allocating memory.
const MAX_FIELDS: usize = 32;

/// The field index of each column.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Columns {
    pub fen: usize,
    pub evaluation: usize,
    /// The moves to mate, read where the evaluation is missing.
    pub mate: Option<usize>,
    /// The best move in UCI notation or SAN.
    pub best_move: Option<usize>,
    pub result: Option<usize>,
    /// Any text that all rows of a game have in common.
    pub game: Option<usize>,
    pub separator: u8,
}

impl Columns {
    fn last(&self) -> usize {
        let known = [Some(self.fen), Some(self.evaluation), self.mate, self.best_move, self.result, self.game];
        known.into_iter().flatten().max().unwrap_or(0)
    }

    /// The columns of a table with this first row: R's `write.table` writes row names, but no header for them.
    pub(crate) fn of_first_row(self, row: &[u8]) -> Self {
        let fields = split(row, self.separator).unwrap_or_default();
        let is_fen = |index: usize| fields.get(index).is_some_and(|field| Row::from_fen(trim(field)).is_ok());
        if is_fen(self.fen) || !is_fen(self.fen + 1) {
            return self;
        }
        let next = |index: Option<usize>| index.map(|index| index + 1);
        let [mate, best_move, result, game] = [self.mate, self.best_move, self.result, self.game].map(next);
        Self { fen: self.fen + 1, evaluation: self.evaluation + 1, mate, best_move, result, game, ..self }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum FirstLine {
    Header(Columns),
    /// A row, without a header.
    Row(Columns),
    /// A header or row that lacks this column.
    Lacks(&'static str),
    Neither,
}

/// Classifies the first line of a file. Column names may be in any case and order; without names the order is FEN,
/// evaluation, then a move or a result, depending on the field.
pub(crate) fn read_first_line(line: &[u8], stated: &ColumnNames) -> FirstLine {
    let found = [b';', b'\t'].map(|separator| read_fields(line, separator, stated));
    let found = found.into_iter().find(|found| matches!(found, FirstLine::Header(_) | FirstLine::Row(_)));
    found.unwrap_or_else(|| read_fields(line, b',', stated))
}

fn read_fields(line: &[u8], separator: u8, stated: &ColumnNames) -> FirstLine {
    let Some(fields) = split(line, separator) else { return FirstLine::Neither };
    let names: Vec<String> =
        fields.iter().map(|field| String::from_utf8_lossy(trim(field)).to_ascii_lowercase()).collect();
    let find = |column: usize| match stated.of(column) {
        Some(stated) => names.iter().position(|name| *name == stated.to_ascii_lowercase()),
        None => names.iter().position(|name| COLUMNS[column].1.contains(&name.as_str())),
    };
    let [fen, evaluation, mate, best_move, result, game] = std::array::from_fn(find);
    if let Some(missing) = (0..COLUMNS.len()).find(|&column| stated.of(column).is_some() && find(column).is_none()) {
        return FirstLine::Lacks(COLUMNS[missing].0);
    }
    match (fen, evaluation) {
        (Some(fen), Some(evaluation)) => {
            return FirstLine::Header(Columns { fen, evaluation, mate, best_move, result, game, separator });
        }
        (Some(_), None) => return FirstLine::Lacks("Evaluation"),
        (None, Some(_)) => return FirstLine::Lacks("FEN"),
        (None, None) => {}
    }
    let first = fields.get(0).map_or(&[][..], trim);
    if first.split(|&byte| byte == b'/').count() != 8 || separator != b',' && Row::from_fen(first).is_err() {
        return FirstLine::Neither;
    }
    if fields.len() < 2 {
        return FirstLine::Lacks("Evaluation");
    }
    let find = |test: fn(&[u8]) -> bool| (2..fields.len()).find(|&index| test(trim(&fields[index])));
    FirstLine::Row(Columns {
        fen: 0,
        evaluation: 1,
        mate: None,
        best_move: find(looks_like_move),
        result: find(looks_like_result),
        game: None,
        separator,
    })
}

fn looks_like_move(field: &[u8]) -> bool {
    let read = std::str::from_utf8(field).map(|text| parse_san(&Board::startpos(), text));
    read.is_ok_and(|read| !matches!(read, Err(MoveError::Syntax { .. })))
}

/// Not a missing value, and not a number that may count something else.
fn looks_like_result(field: &[u8]) -> bool {
    !is_missing(field) && !field.iter().all(u8::is_ascii_digit) && RowResult::parse(field).is_some()
}

/// Reads a line, without its line end: the row, and a hash of the name of its game, 0 without one; `None` if there is no column
/// of games.
pub(crate) fn parse_line(line: &[u8], columns: &Columns, unit: LabelUnit) -> Result<(Row, Option<u64>), RowProblem> {
    if line.contains(&b'"') || columns.last() >= MAX_FIELDS {
        return parse_quoted(line, columns, unit);
    }
    let mut fields: [&[u8]; MAX_FIELDS] = [b""; MAX_FIELDS];
    let mut count = 0;
    for (slot, field) in fields.iter_mut().zip(split_at_byte(line, columns.separator)) {
        *slot = field;
        count += 1;
    }
    parse_fields(&fields[..count], columns, unit)
}

/// The parts of a text between separators, as [`slice::split`] gives them; searches many bytes at a time.
pub(crate) fn split_at_byte(text: &[u8], separator: u8) -> impl Iterator<Item = &[u8]> {
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let text = rest?;
        let mut behind = text;
        // Reading from memory cannot fail.
        let length = behind.skip_until(separator).unwrap_or_default();
        let part = text[..length].strip_suffix(&[separator]);
        rest = part.map(|_| behind);
        Some(part.unwrap_or(text))
    })
}

/// Parses a line with the `csv` crate.
fn parse_quoted(line: &[u8], columns: &Columns, unit: LabelUnit) -> Result<(Row, Option<u64>), RowProblem> {
    let fields = split(line, columns.separator).ok_or(RowProblem::Quotes)?;
    parse_fields(&fields.iter().collect::<Vec<_>>(), columns, unit)
}

fn split(line: &[u8], separator: u8) -> Option<csv::ByteRecord> {
    // A byte-order mark before an opening quote would hide the quote. A tab may be a separator.
    let line = line.trim_ascii_end();
    let line = line.strip_prefix("\u{feff}".as_bytes()).unwrap_or(line);
    if line.split(|&byte| byte == b'"').count() % 2 == 0 {
        return None;
    }
    let mut builder = csv::ReaderBuilder::new();
    builder.delimiter(separator).has_headers(false).flexible(true).buffer_capacity(512);
    let mut reader = builder.from_reader(line);
    let mut record = csv::ByteRecord::new();
    match reader.read_byte_record(&mut record) {
        Ok(true) => Some(record),
        Ok(false) => Some(csv::ByteRecord::from(vec![""])),
        Err(_) => None,
    }
}

fn parse_fields(fields: &[&[u8]], columns: &Columns, unit: LabelUnit) -> Result<(Row, Option<u64>), RowProblem> {
    let field = |index: usize, column| {
        let missing = RowProblem::MissingField { column, field: index + 1, fields: fields.len() };
        fields.get(index).copied().ok_or(missing)
    };
    let mut row = Row::from_fen(trim(field(columns.fen, "FEN")?))?;
    let optional = |index: Option<usize>| index.and_then(|index| fields.get(index)).copied();
    let (text, side) = (field(columns.evaluation, "Evaluation")?, row.side_to_move());
    let mate = optional(columns.mate).filter(|mate| is_missing(text) && !is_missing(mate));
    let label = match mate {
        Some(mate) => Label::parse_mate(mate, side),
        None => Label::parse_in(text, side, unit),
    };
    row.label = label.ok_or_else(|| RowProblem::label(mate.unwrap_or(text)))?.to_bits();
    if let Some(text) = optional(columns.result) {
        let result = RowResult::parse(text).ok_or_else(|| RowProblem::Result(excerpt(text)))?;
        row.state |= result.to_bits() << 5;
    }
    let text = optional(columns.best_move).map(trim);
    if let Some(text) = text.filter(|text| !is_missing(text) && !NO_MOVES.contains(text)) {
        row = row.with_move_text(&String::from_utf8_lossy(text))?;
    }
    let name = optional(columns.game).filter(|name| !is_missing(name));
    Ok((row, columns.game.map(|_| name.map_or(0, |name| xxh3_64(trim(name))))))
}

/// What is written where there is no move, such as after a mate.
const NO_MOVES: [&[u8]; 5] = [b"-", b"--", b"0000", b"(none)", b"*"];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::BestMove;

    const PLAIN: Columns =
        Columns { fen: 0, evaluation: 1, mate: None, best_move: None, result: None, game: None, separator: b',' };
    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    fn read_first_line(line: &[u8]) -> FirstLine {
        super::read_first_line(line, &ColumnNames::default())
    }

    fn parse_line(line: &str, columns: &Columns) -> Result<Row, RowProblem> {
        super::parse_line(line.as_bytes(), columns, LabelUnit::Centipawns).map(|(row, _)| row)
    }

    #[test]
    fn headers_are_found_by_name() {
        let columns = Columns { fen: 2, best_move: Some(3), result: Some(0), ..PLAIN };
        assert_eq!(read_first_line(b"Result,EVALUATION,fen,Move\r"), FirstLine::Header(columns));
        assert_eq!(read_first_line("\u{feff}\"FEN\",\"Evaluation\"".as_bytes()), FirstLine::Header(PLAIN));
        assert_eq!(read_first_line(b"FEN,Move"), FirstLine::Lacks("Evaluation"));
        assert_eq!(read_first_line(b"Evaluation"), FirstLine::Lacks("FEN"));
        assert_eq!(read_first_line(b"a,b"), FirstLine::Neither);
    }

    #[test]
    fn columns_of_other_names_are_stated() {
        let line = b"Board,SF_cp,url,fen";
        let found = |text: &str| super::read_first_line(line, &text.parse().expect(text));
        let columns = Columns { game: Some(2), ..PLAIN };
        assert_eq!(found("fen=board,evaluation=sf_cp,game=URL"), FirstLine::Header(columns));
        assert_eq!(found("evaluation=sf_cp"), FirstLine::Header(Columns { fen: 3, ..PLAIN }));
        assert_eq!(found("evaluation=sf_cp,game=site"), FirstLine::Lacks("Game"));
        let names: ColumnNames = "game=a,fen=b".parse().expect("names");
        assert_eq!((names.to_string(), names.is_empty()), ("fen=b,game=a".to_owned(), false));
        let refused = "fen=a,cp=b".parse::<ColumnNames>().expect_err("no such name");
        assert_eq!(
            refused,
            "`cp=b`; expected NAME=COLUMN with one of the names fen, evaluation, mate, move, result, game"
        );
    }

    #[test]
    fn without_a_header_fields_are_told_by_their_look() {
        let first = |rest: &str| read_first_line(format!("{START}{rest}").as_bytes());
        let columns = Columns { best_move: Some(2), result: Some(3), ..PLAIN };
        assert_eq!(first(",+3,e2e4,1-0"), FirstLine::Row(columns));
        assert_eq!(first(",+3,exd5"), FirstLine::Row(Columns { best_move: Some(2), ..PLAIN }));
        assert_eq!(first(",+3,0-1"), FirstLine::Row(Columns { result: Some(2), ..PLAIN }));
        assert_eq!(first(""), FirstLine::Lacks("Evaluation"));
    }

    #[test]
    fn marks_quotes_and_line_ends_do_not_matter() {
        let plain = parse_line(&format!("{START},+23"), &PLAIN).expect("a row");
        assert_eq!(plain.label(), Label::Centipawns(23));
        for line in [
            format!("{START},\"\u{feff}+23\""),
            format!("\"{START}\",\"+23\"\r"),
            format!("\u{feff}\"{START}\",23"),
            format!("{START}, 23 \r"),
            format!("\u{feff}{START},\u{feff}+23,,,,"),
        ] {
            assert_eq!(parse_line(&line, &PLAIN), Ok(plain), "{line}");
        }
    }

    #[test]
    fn faults_are_told() {
        let fault = |line: &str| parse_line(line, &PLAIN).expect_err(line).to_string();
        assert_eq!(fault(START), "expected Evaluation in field 2, found 1 field(s)");
        let pawns = fault(&format!("{START},0.3"));
        assert!(
            pawns.starts_with("evaluation `0.3`: expected centipawns") && pawns.contains("`--unit pawns`"),
            "{pawns}"
        );
        assert_eq!(
            fault(&format!("{START},x")),
            "evaluation `x`: expected centipawns such as +56 or a mate such as #-2"
        );
        assert!(fault("k7/8/8/8/8/8/8/8 w - - 0 1,3").starts_with("illegal FEN pieces: White has 0 kings, expected 1"));
        assert_eq!(fault(&format!("\"{START},3")), "expected closed quotes");
    }

    #[test]
    fn columns_may_be_anywhere() {
        let columns = Columns { fen: 100, evaluation: 40, ..PLAIN };
        let row = parse_line(&format!("{}5{}{START}", ",".repeat(40), ",".repeat(60)), &columns).expect("a row");
        assert_eq!(row.label(), Label::Centipawns(5));
        let short = parse_line(&",".repeat(40), &columns).expect_err("too short").to_string();
        assert_eq!(short, "expected FEN in field 101, found 41 field(s)");
    }

    #[test]
    fn the_fast_cut_equals_the_csv_crate() {
        for line in [
            format!("{START},+23"),
            format!("{START},+23,extra"),
            format!("{START},"),
            format!("{START},#-3,,"),
            ",,".to_owned(),
            String::new(),
            format!("{START};5"),
            "a,b,c".to_owned(),
        ] {
            let quoted = parse_quoted(line.as_bytes(), &PLAIN, LabelUnit::Centipawns);
            assert_eq!(parse_line(&line, &PLAIN), quoted.map(|(row, _)| row), "{line}");
        }
    }

    /// The labels and results of the rows of a table.
    fn read(text: &str) -> Vec<Result<(String, RowResult), String>> {
        let text = text.replace("START", START);
        let mut lines = text.lines();
        let columns = match read_first_line(lines.clone().next().expect("a line").as_bytes()) {
            FirstLine::Header(columns) => {
                lines.next();
                columns.of_first_row(lines.clone().next().expect("a row").as_bytes())
            }
            FirstLine::Row(columns) => columns,
            other => panic!("{text}: {other:?}"),
        };
        let row = |line| parse_line(line, &columns).map_err(|problem| problem.to_string());
        lines.map(|line| row(line).map(|row| (row.label().to_string(), row.result()))).collect()
    }

    #[test]
    fn tables_of_other_programs_are_read() {
        use RowResult::{Draw, Unknown, WhiteWins};
        for (text, rows) in [
            ("FEN,Evaluation\nSTART,-68.0", &[("-68", Unknown)][..]),
            ("\"\",\"FEN\",\"Evaluation\",\"Result\"\n\"1\",\"START\",56,0.5", &[("+56", Draw)]),
            (",FEN,Evaluation,Result\n0,START,36.0,1.0\n1,START,1.0,", &[("+36", WhiteWins), ("+1", Unknown)]),
            ("FEN;Evaluation;Result\nSTART;-68,0;0,5", &[("-68", Draw)]),
            (
                "\"FEN\"\t\"cp\"\t\"mate\"\n\"1\"\t\"START\"\t36\tNA\n\"2\"\t\"START\"\tNA\t-2",
                &[("+36", Unknown), ("#-2", Unknown)],
            ),
            ("\u{feff}\tFEN\tEvaluation\n0\t\"START\"\t-3", &[("-3", Unknown)]),
            ("START;-68,0", &[("-68", Unknown)]),
            (
                "fen,cp,mate\nSTART,,-3\nSTART,,2.0\nSTART,NaN,0\nSTART,5,",
                &[("#-3", Unknown), ("#+2", Unknown), ("#-0", Unknown), ("+5", Unknown)],
            ),
        ] {
            let expected: Vec<_> = rows.iter().map(|&(label, result)| Ok((label.to_owned(), result))).collect();
            assert_eq!(read(text), expected, "{text}");
        }
        let missing = read("fen,cp,mate\nSTART,,\n");
        assert!(missing[0].as_ref().is_err_and(|problem| problem.starts_with("evaluation ``")), "{missing:?}");
    }

    #[test]
    fn moves_are_uci_or_san_and_legal_and_results_are_kept() {
        let columns = Columns { best_move: Some(2), result: Some(3), ..PLAIN };
        let row = |fen: &str, mv: &str, result: &str| parse_line(&format!("{fen},5,{mv},{result}"), &columns);
        let en_passant = "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3";
        let castling = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
        for (fen, mv, best, result) in [
            (START, "e2e4", BestMove::Quiet, "1-0"),
            (START, "Nf3!", BestMove::Quiet, "*"),
            (START, "", BestMove::Unknown, "*"),
            (START, "(none)", BestMove::Unknown, "*"),
            (en_passant, "e5f6", BestMove::Noisy, "1/2-1/2"),
            (en_passant, "e5e6", BestMove::Quiet, "0-1"),
            ("rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2", "exd5", BestMove::Noisy, "*"),
            ("8/4P2k/8/8/8/8/8/K7 w - - 0 1", "e7e8q", BestMove::Noisy, "*"),
            (castling, "e1h1", BestMove::Quiet, "*"),
            (castling, "h1h8", BestMove::Noisy, "*"),
        ] {
            let row = row(fen, mv, result).expect(mv);
            assert_eq!((row.best_move(), row.result().text()), (best, result), "{fen} {mv}");
        }
        for (mv, problem) in [("e2e5", "move 'e2e5' is not legal"), ("x", "move 'x' is not a move")] {
            let found = row(START, mv, "*").expect_err(mv).to_string();
            assert!(found.starts_with(problem), "{found}");
        }
    }
}
