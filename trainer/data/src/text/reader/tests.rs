//! Files read whole, in pieces, bad and torn.

use std::io::Write;

use super::*;
use crate::BadRows;
use crate::sample::read_bytes as read;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

fn refuse(content: &[u8]) -> String {
    read(content, &ReadOptions::default()).expect_err("refused")
}

#[test]
fn plain_gzip_and_zstd_are_told_by_content() {
    let lines: Vec<String> = (0..5_000).map(|i| format!("{START},{i}\r\n")).collect();
    let text = format!("FEN,Evaluation\r\n{}", lines.concat());
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(text.as_bytes()).expect("compressed");
    let gzip = gzip.finish().expect("compressed");
    let zstd = zstd::encode_all(text.as_bytes(), 1).expect("compressed");
    let (rows, report) = read(text.as_bytes(), &ReadOptions::default()).expect("rows");
    assert_eq!((rows.len(), report.bad_rows), (5_000, 0));
    assert!(rows.iter().enumerate().all(|(i, row)| i32::from(row.label) == i as i32));
    for packed in [&gzip, &zstd] {
        assert_eq!(read(packed, &ReadOptions::default()).expect("rows").0, rows);
        let torn = refuse(&packed[..packed.len() - 9]);
        assert!(torn.starts_with("FILE: the compressed data breaks off"), "{torn}");
    }
    let few = read(text.as_bytes(), &ReadOptions { limit: Some(7), ..ReadOptions::default() }).expect("rows").0;
    assert_eq!(few, rows[..7]);
}

/// Rows of shuffled games are together again, whatever the fields look like, and one without a game is alone.
#[test]
fn a_column_that_names_the_game_puts_its_rows_together() {
    let games = ["b", "\"a,1\"", "", "b", "", "\"a,1\"", "c", "b"];
    let lines: Vec<String> = games.iter().enumerate().map(|(row, game)| format!("{game},{START},{row}\n")).collect();
    let text = format!("game_id,FEN,Evaluation\n{}", lines.concat());
    let (rows, report) = read(text.as_bytes(), &ReadOptions::default()).expect("rows");
    let found: Vec<(i16, u8)> = rows.iter().map(|row| (row.label, row.game_mark())).collect();
    assert_eq!(found, [(0, 1), (3, 1), (7, 1), (1, 2), (5, 2), (2, 3), (4, 1), (6, 2)]);
    assert_eq!((report.rows, report.bad_rows), (8, 0));
    let few = read(text.as_bytes(), &ReadOptions { limit: Some(4), ..ReadOptions::default() }).expect("rows").0;
    assert_eq!(few.iter().map(|row| row.label).collect::<Vec<_>>(), [0, 3, 1, 2]);
}

#[test]
fn bad_rows_are_counted_with_their_lines() {
    let row = |i| if i == 40 { format!("{START},x\n") } else { format!("{START},1\n\n") };
    let text = format!("FEN,Evaluation\n{}", (0..100).map(row).collect::<Vec<_>>().concat());
    let (rows, report) = read(text.as_bytes(), &ReadOptions::default()).expect("rows");
    assert_eq!((rows.len(), report.rows, report.bad_rows), (99, 99, 1));
    assert_eq!(report.quoted[0].location, Location::Line(82));
    let strict = ReadOptions { bad_rows: BadRows::Stop, ..ReadOptions::default() };
    let stopped = read(text.as_bytes(), &strict).expect_err("strict");
    assert!(stopped.starts_with("FILE:82: evaluation `x`: expected centipawns"), "{stopped}");
    let none = ReadOptions { bad_rows: BadRows::SkipCount(0), ..ReadOptions::default() };
    assert!(read(text.as_bytes(), &none).expect_err("too many").starts_with("FILE: 1 of 100 rows are bad"));
}

#[test]
fn what_follows_the_last_row_wanted_is_not_judged() {
    let text = format!("FEN,Evaluation\n{START},1\n{START},2\n{START},3\nx,y\n{START},+1");
    let options = ReadOptions { bad_rows: BadRows::Stop, limit: Some(3), ..ReadOptions::default() };
    let (rows, report) = read(&text.as_bytes()[..text.len() - 3], &options).expect("three rows");
    assert_eq!((rows.len(), report.rows, report.bad_rows, report.last_line_open), (3, 3, 0, false));
    let refused = read(text.as_bytes(), &ReadOptions { limit: Some(4), ..options }).expect_err("the fourth is bad");
    assert!(refused.starts_with("FILE:5: "), "{refused}");
    let none = ReadOptions { bad_rows: BadRows::SkipShare(0.0), ..ReadOptions::default() };
    let refused = read(text.as_bytes(), &none).expect_err("no bad row is allowed");
    assert!(refused.starts_with("FILE: 1 of 5 rows are bad, more than the 0 allowed"), "{refused}");
}

#[test]
fn what_is_no_csv_is_refused_in_one_sentence() {
    assert!(refuse(b"").starts_with("FILE: the file is empty"));
    assert!(refuse(b"\n\r\n").starts_with("FILE: the file is empty"));
    assert!(refuse(b"FEN,Evaluation\n").starts_with("FILE: no row with a position"));
    assert!(refuse(b"\x7fELF\x02\x01\x01\x00\x00\x00").contains("not a text file (it contains zero bytes)"));
    assert!(refuse(b"\xFF\xFEF\0E\0N\0").contains("UTF-16"));
    assert!(refuse(b"FEN,Move\nx,y\n").starts_with("FILE:1: no Evaluation column in `FEN,Move`"));
    assert!(refuse(b"url,board,sf\nx,y,z\n").contains("`--columns` states other names"));
    assert!(refuse(format!("{START}\n{START}\n").as_bytes()).contains("no Evaluation column"));
    assert!(refuse(b"what,ever\n1,2\n").starts_with("FILE:1: found `what,ever`; expected a header"));
    assert!(refuse(b"FEN,Evaluation\nabc,3\n").starts_with("FILE: 1 of 1 rows are bad"));
}

#[test]
fn a_torn_last_line_is_refused_and_a_whole_one_taken() {
    let whole = format!("FEN,Evaluation\n{START},1\n{START},+12");
    let (rows, report) = read(whole.as_bytes(), &ReadOptions::default()).expect("rows");
    assert_eq!(rows.len(), 2);
    assert!(report.last_line_open);
    for cut in 4..60 {
        let torn = refuse(&whole.as_bytes()[..whole.len() - cut]);
        assert!(torn.starts_with("FILE:3: the file ends in the middle of a line"), "{torn}");
    }
}

#[test]
fn marks_and_old_line_ends_do_not_matter() {
    let csv = format!("FEN,Evaluation\n{START},1\n{START},-2\n");
    let json = format!(r#"{{"fen":"{START}","evals":[{{"pvs":[{{"cp":1}}],"depth":3}}]}}"#) + "\n";
    let lines = format!("{START}|1|[1.0]\n");
    for text in [&csv, &csv.replace('\n', "\r"), &csv.replace('\n', "\r\n"), &json, &lines] {
        let rows = read(text.as_bytes(), &ReadOptions::default()).expect("rows").0;
        assert_eq!(read(format!("\u{feff}{text}").as_bytes(), &ReadOptions::default()).expect("rows").0, rows);
        assert_eq!(rows[0].label().to_string(), "+1", "{text}");
    }
}
