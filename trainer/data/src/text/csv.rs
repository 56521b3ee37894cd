//! Parses one line of CSV into a row: column detection, and the reason if a line is invalid.
//!
//! Lines without quotes are split at commas directly; a line with a quote is parsed by the `csv` crate, which is the
//! reference for both (a test compares them). A field never contains a line end.

use alfiere_chess::movegen::parse_uci_move;
use alfiere_chess::types::{File, PieceKind, Rank, Square};

use crate::error::excerpt;
use crate::rows::bad_row::RowProblem;
use crate::rows::board_row::rank_of;
use crate::rows::fen;
use crate::rows::label::{Label, LabelUnit, RowResult, trim};
use crate::rows::row::Row;

/// Number of fields that are read without allocating memory.
const MAX_FIELDS: usize = 32;

/// The field index of each column.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Columns {
    pub fen: usize,
    pub evaluation: usize,
    /// The best move in UCI notation, if the file has it.
    pub best_move: Option<usize>,
    pub result: Option<usize>,
}

impl Columns {
    fn last(&self) -> usize {
        let known = [Some(self.fen), Some(self.evaluation), self.best_move, self.result];
        known.into_iter().flatten().max().unwrap_or(0)
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
pub(crate) fn read_first_line(line: &[u8]) -> FirstLine {
    let Some(fields) = split_to_vec(line) else { return FirstLine::Neither };
    let names: Vec<String> =
        fields.iter().map(|field| String::from_utf8_lossy(trim(field)).to_ascii_lowercase()).collect();
    let find = |wanted: &[&str]| names.iter().position(|name| wanted.contains(&name.as_str()));
    let fen = find(&["fen", "position"]);
    let evaluation = find(&["evaluation", "eval", "score", "cp", "centipawns"]);
    match (fen, evaluation) {
        (Some(fen), Some(evaluation)) => {
            let best_move = find(&["move", "best_move", "bestmove", "best move"]);
            return FirstLine::Header(Columns { fen, evaluation, best_move, result: find(&["result", "outcome"]) });
        }
        (Some(_), None) => return FirstLine::Lacks("Evaluation"),
        (None, Some(_)) => return FirstLine::Lacks("FEN"),
        (None, None) => {}
    }
    let first = fields.first().map_or(&[][..], |field| trim(field));
    if first.split(|&byte| byte == b'/').count() != 8 {
        return FirstLine::Neither;
    }
    if fields.len() < 2 {
        return FirstLine::Lacks("Evaluation");
    }
    let find = |test: fn(&[u8]) -> bool| (2..fields.len()).find(|&index| test(trim(&fields[index])));
    FirstLine::Row(Columns {
        fen: 0,
        evaluation: 1,
        best_move: find(|field| parse_squares(field).is_some()),
        result: find(|field| !field.is_empty() && RowResult::parse(field).is_some()),
    })
}

/// Reads a line, without its line end, into a row.
pub(crate) fn parse_line(line: &[u8], columns: &Columns, unit: LabelUnit) -> Result<Row, RowProblem> {
    if line.contains(&b'"') || columns.last() >= MAX_FIELDS {
        return parse_quoted(line, columns, unit);
    }
    let mut fields: [&[u8]; MAX_FIELDS] = [b""; MAX_FIELDS];
    let mut count = 0;
    for (slot, field) in fields.iter_mut().zip(line.split(|&byte| byte == b',')) {
        *slot = field;
        count += 1;
    }
    parse_fields(&fields[..count], columns, unit)
}

/// Parses a line with the `csv` crate.
fn parse_quoted(line: &[u8], columns: &Columns, unit: LabelUnit) -> Result<Row, RowProblem> {
    let fields = split_to_vec(line).ok_or(RowProblem::Quotes)?;
    let fields: Vec<&[u8]> = fields.iter().map(Vec::as_slice).collect();
    parse_fields(&fields, columns, unit)
}

fn split_to_vec(line: &[u8]) -> Option<Vec<Vec<u8>>> {
    // A byte-order mark before an opening quote would hide the quote.
    let line = trim(line);
    if line.split(|&byte| byte == b'"').count() % 2 == 0 {
        return None;
    }
    let mut reader = csv::ReaderBuilder::new().has_headers(false).flexible(true).buffer_capacity(512).from_reader(line);
    let mut record = csv::ByteRecord::new();
    match reader.read_byte_record(&mut record) {
        Ok(true) => Some(record.iter().map(<[u8]>::to_vec).collect()),
        Ok(false) => Some(vec![Vec::new()]),
        Err(_) => None,
    }
}

fn parse_fields(fields: &[&[u8]], columns: &Columns, unit: LabelUnit) -> Result<Row, RowProblem> {
    let field = |index: usize, column| {
        let missing = RowProblem::MissingField { column, field: index + 1, fields: fields.len() };
        fields.get(index).copied().ok_or(missing)
    };
    let mut row = fen::parse(trim(field(columns.fen, "FEN")?))?;
    let label = field(columns.evaluation, "Evaluation")?;
    let side = row.side_to_move();
    row.label = Label::parse_in(label, side, unit).ok_or_else(|| RowProblem::Label(excerpt(label)))?.to_bits();
    if let Some(&text) = columns.result.and_then(|index| fields.get(index)) {
        let result = RowResult::parse(text).ok_or_else(|| RowProblem::Result(excerpt(text)))?;
        row.state |= result.to_bits() << 5;
    }
    if let Some(&text) = columns.best_move.and_then(|index| fields.get(index)) {
        let text = trim(text);
        row.extra |= best_move_bits(&row, text);
        row.best = best_move_rank(&row, text).map_or(0, |rank| rank + 1);
    }
    Ok(row)
}

/// Bits 4 and 5 of a row's `extra` byte; a move that is not in UCI notation counts as unknown.
fn best_move_bits(row: &Row, text: &[u8]) -> u8 {
    let Some((source, target, promotes)) = parse_squares(text) else { return 0 };
    let captures = if let Some(piece) = row.piece_on(target) {
        // In Chess960 notation, castling is the king capturing its own rook.
        piece.color() != row.side_to_move()
    } else {
        let pawn = row.piece_on(source).is_some_and(|piece| piece.kind() == PieceKind::Pawn);
        pawn && source.file() != target.file()
    };
    if captures || promotes { 0x30 } else { 0x10 }
}

/// The rank of a move in UCI notation; `None` if it is illegal.
fn best_move_rank(row: &Row, text: &[u8]) -> Option<u8> {
    let text = std::str::from_utf8(text).ok().filter(|text| !text.is_empty())?;
    let board = row.to_board().ok()?;
    parse_uci_move(&board, text).ok().map(|mv| rank_of(&board, mv))
}

/// Parses `e2e4` or `e7e8q`: source, target, and whether it promotes.
fn parse_squares(text: &[u8]) -> Option<(Square, Square, bool)> {
    let square = |file: u8, rank: u8| {
        Some(Square::new(File::from_letter(char::from(file))?, Rank::from_digit(char::from(rank))?))
    };
    match *text {
        [a, b, c, d] => Some((square(a, b)?, square(c, d)?, false)),
        [a, b, c, d, b'q' | b'r' | b'b' | b'n'] => Some((square(a, b)?, square(c, d)?, true)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::BestMove;

    const PLAIN: Columns = Columns { fen: 0, evaluation: 1, best_move: None, result: None };
    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    #[test]
    fn headers_are_found_by_name() {
        let columns = Columns { fen: 2, evaluation: 1, best_move: Some(3), result: Some(0) };
        assert_eq!(read_first_line(b"Result,EVALUATION,fen,Move\r"), FirstLine::Header(columns));
        assert_eq!(read_first_line("\u{feff}\"FEN\",\"Evaluation\"".as_bytes()), FirstLine::Header(PLAIN));
        assert_eq!(read_first_line(b"FEN,Move"), FirstLine::Lacks("Evaluation"));
        assert_eq!(read_first_line(b"Evaluation"), FirstLine::Lacks("FEN"));
        assert_eq!(read_first_line(b"a,b"), FirstLine::Neither);
    }

    #[test]
    fn without_a_header_fields_are_told_by_their_look() {
        let columns = Columns { fen: 0, evaluation: 1, best_move: Some(2), result: Some(3) };
        assert_eq!(read_first_line(format!("{START},+3,e2e4,1-0").as_bytes()), FirstLine::Row(columns));
        let columns = Columns { fen: 0, evaluation: 1, best_move: None, result: Some(2) };
        assert_eq!(read_first_line(format!("{START},+3,0-1").as_bytes()), FirstLine::Row(columns));
        assert_eq!(read_first_line(START.as_bytes()), FirstLine::Lacks("Evaluation"));
    }

    #[test]
    fn marks_quotes_and_line_ends_do_not_matter() {
        let plain = parse_line(format!("{START},+23").as_bytes(), &PLAIN, LabelUnit::Centipawns).expect("a row");
        assert_eq!(plain.label(), Label::Centipawns(23));
        for line in [
            format!("{START},\"\u{feff}+23\""),
            format!("\"{START}\",\"+23\"\r"),
            format!("\u{feff}\"{START}\",23"),
            format!("{START}, 23 \r"),
            format!("\u{feff}{START},\u{feff}+23,,,,"),
        ] {
            assert_eq!(parse_line(line.as_bytes(), &PLAIN, LabelUnit::Centipawns), Ok(plain), "{line}");
        }
    }

    #[test]
    fn faults_are_told() {
        let fault =
            |line: &str| parse_line(line.as_bytes(), &PLAIN, LabelUnit::Centipawns).expect_err(line).to_string();
        assert_eq!(fault(START), "expected Evaluation in field 2, found 1 field(s)");
        let pawns = fault(&format!("{START},0.3"));
        assert!(
            pawns.starts_with("evaluation `0.3`: expected centipawns such as +56 or a mate such as #-2"),
            "{pawns}"
        );
        assert!(pawns.contains("`--unit pawns`"), "{pawns}");
        assert!(fault("k7/8/8/8/8/8/8/8 w - - 0 1,3").starts_with("illegal FEN: expected one king a side"));
        assert_eq!(fault(&format!("\"{START},3")), "expected closed quotes");
    }

    #[test]
    fn columns_may_be_anywhere() {
        let columns = Columns { fen: 100, evaluation: 40, best_move: None, result: None };
        let parse = |line: &str| parse_line(line.as_bytes(), &columns, LabelUnit::Centipawns);
        let row = parse(&format!("{}5{}{START}", ",".repeat(40), ",".repeat(60))).expect("a row");
        assert_eq!(row.label(), Label::Centipawns(5));
        let short = parse(&",".repeat(40)).expect_err("too short").to_string();
        assert_eq!(short, "expected FEN in field 101, found 41 field(s)");
    }

    #[test]
    fn best_moves_and_results_are_kept() {
        let columns = Columns { fen: 0, evaluation: 1, best_move: Some(2), result: Some(3) };
        let row = |fen: &str, mv: &str, result: &str| {
            parse_line(format!("{fen},5,{mv},{result}").as_bytes(), &columns, LabelUnit::Centipawns).expect("a row")
        };
        assert_eq!(row(START, "e2e4", "1-0").best_move(), BestMove::Quiet);
        assert_eq!(row(START, "e2e4", "1-0").result(), RowResult::WhiteWins);
        assert_eq!(row(START, "", "").best_move(), BestMove::Unknown);
        let en_passant = "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3";
        assert_eq!(row(en_passant, "e5f6", "1/2-1/2").best_move(), BestMove::Noisy);
        assert_eq!(row(en_passant, "e5e6", "0-1").best_move(), BestMove::Quiet);
        assert_eq!(row("8/4P2k/8/8/8/8/8/K7 w - - 0 1", "e7e8q", "*").best_move(), BestMove::Noisy);
        assert_eq!(row("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1h1", "*").best_move(), BestMove::Quiet);
        assert_eq!(row("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "h1h8", "*").best_move(), BestMove::Noisy);
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
            let line = line.as_bytes();
            assert_eq!(
                parse_line(line, &PLAIN, LabelUnit::Centipawns),
                parse_quoted(line, &PLAIN, LabelUnit::Centipawns),
                "{}",
                excerpt(line)
            );
        }
    }
}
