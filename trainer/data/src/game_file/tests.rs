//! Games to bytes and back, on the real sample and on played games; torn and damaged files.

use std::fs;
use std::io::Write;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use alfiere_chess::board::Board;
use alfiere_chess::random::Random;

use super::*;
use crate::rows::board_row::ranked_moves;
use crate::{Conversion, DataFile, Format, Label, ReadOptions, ReadProgress, Row, RowResult, read_csv, write_csv};

fn go(_: ReadProgress) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

fn rows_of(path: &Path) -> (Vec<Row>, Option<TornTail>) {
    let mut rows = Vec::new();
    let torn = read_game_rows(path, None, &mut go, &mut |more| {
        rows.extend_from_slice(more);
        Ok(())
    });
    (rows, torn.expect("sound"))
}

/// A game of random moves, with best moves here and there others than those played.
fn game(number: u64) -> GameFileRecord {
    let mut random = Random::for_part(9, number);
    let mut board = Board::startpos();
    let start = Row::of_board(&board);
    let mut plies = Vec::new();
    while plies.len() < 120 {
        let moves = ranked_moves(&board);
        if moves.is_empty() {
            break;
        }
        let mut any = || random.below(moves.len() as u64) as u8;
        let (played, other) = (any(), any());
        let best = if plies.len() % 7 == 3 { other } else { played };
        let label = Label::from_bits(random.next_number() as i16 >> random.below(16));
        plies.push(Ply { label, played: Some(played), best: Some(best) });
        board.play(moves[usize::from(played)]);
    }
    let result = [RowResult::WhiteWins, RowResult::Draw, RowResult::BlackWins][number as usize % 3];
    GameFileRecord { number, start, result, random_moves: number % 2 == 1, plies }
}

fn written(folder: &Path, games: u64) -> PathBuf {
    let path = folder.join("a.games");
    let (mut writer, resumed) = GameWriter::open(&path, "{\"seed\":1}").expect("new");
    assert_eq!((resumed.games, resumed.torn), (0, None));
    (0..games).for_each(|number| writer.push(&game(number)).expect("written"));
    assert_eq!(writer.bytes(), fs::metadata(&path).expect("there").len());
    path
}

#[test]
fn records_come_back_as_they_were() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = written(folder.path(), 30);
    let mut reader = RawReader::open(&path).expect("sound");
    assert_eq!(reader.settings(), "{\"seed\":1}");
    let mut rows = Vec::new();
    for number in 0..30 {
        let (record, expected) = (reader.next_record().expect("sound").expect("a game"), game(number));
        assert_eq!((&record.plies, record.result, record.number), (&expected.plies, expected.result, number));
        assert!(record.start.is_same_position(&expected.start) && record.random_moves == expected.random_moves);
        rows.extend(record.rows().expect("legal"));
    }
    assert_eq!(reader.next_record().expect("sound"), None);
    assert_eq!(rows_of(&path), (rows, None));
}

#[test]
fn rows_know_best_moves_and_results_that_count() {
    let record = game(1);
    let rows = record.rows().expect("legal");
    let last_random = record.plies.iter().rposition(|ply| ply.played != ply.best).expect("some");
    let mut board = Board::startpos();
    for (index, (row, ply)) in rows.iter().zip(&record.plies).enumerate() {
        let result = if index <= last_random { RowResult::Unknown } else { RowResult::Draw };
        assert_eq!((row.result(), row.label(), row.best_move_rank()), (result, ply.label, ply.best), "{index}");
        assert_eq!((row.to_fen(), row.ply()), (board.to_fen(), index as u32));
        let moves = ranked_moves(&board);
        let best = moves[usize::from(ply.best.expect("known"))];
        assert_eq!(row.best_move() == crate::BestMove::Noisy, best.is_noisy());
        board.play(moves[usize::from(ply.played.expect("known"))]);
    }
    assert!(GameFileRecord { random_moves: false, ..record }.rows().expect("legal")[0].result() == RowResult::Draw);
}

fn sample(limit: usize) -> (PathBuf, Vec<Row>) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../datasets/kaggle/sample.csv.gz");
    let options = ReadOptions { limit: Some(limit), ..ReadOptions::default() };
    let rows = read_csv(&path, &options, &mut go).expect("the sample").0;
    (path, rows)
}

fn convert(input: &Path, output: &Path, limit: Option<usize>) {
    let inputs = [DataFile::new(input)];
    let to = Format::of_name(output).expect("a format");
    let read = ReadOptions { limit, ..Default::default() };
    let job = Conversion { read, ..Conversion::new(&inputs, output, to) };
    let made = crate::convert(&job, &mut ());
    assert_eq!(made.expect("made").left_out.total(), 0);
}

#[test]
fn the_real_sample_survives_in_few_bytes() {
    let folder = tempfile::tempdir().expect("a folder");
    let (csv, rows) = sample(30_000);
    let path = folder.path().join("sample.games");
    convert(&csv, &path, Some(rows.len()));
    let (back, torn) = rows_of(&path);
    assert!(back == rows && torn.is_none());
    let (mut reader, mut records, mut games) = (RawReader::open(&path).expect("sound"), 0, 0);
    while let Some(record) = reader.next_record().expect("sound") {
        (records, games) = (records + 1, record.number + 1);
    }
    assert_eq!(games as usize, crate::find_games(&rows).len());
    assert!(records < games * 3 / 2, "{records} records of {games} games");
    let bytes = reader.size() as f64 / rows.len() as f64;
    assert!(bytes < 3.5, "{bytes} bytes a position");
}

#[test]
fn moves_and_results_survive_csv_and_games() {
    let folder = tempfile::tempdir().expect("a folder");
    let place = |name: &str| folder.path().join(name);
    // Plain games give every row its result, games with random moves not.
    let rows: Vec<Row> = (0..20).flat_map(|number| game(number).rows().expect("legal")).collect();
    write_csv(&place("a.csv"), &rows).expect("written");
    let head = fs::read_to_string(place("a.csv")).expect("text");
    assert!(head.starts_with("FEN,Evaluation,Move,Result\n"), "{}", &head[..200]);
    convert(&place("a.csv"), &place("b.games"), None);
    assert!(rows_of(&place("b.games")).0 == rows);
    convert(&place("b.games"), &place("c.csv.gz"), None);
    assert!(read_csv(&place("c.csv.gz"), &ReadOptions::default(), &mut go).expect("sound").0 == rows);
}

#[test]
fn a_torn_end_is_left_out_and_cut_off() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = written(folder.path(), 3);
    let whole = fs::read(&path).expect("bytes");
    let two = {
        let mut reader = RawReader::open(&path).expect("sound");
        (0..2).for_each(|_| drop(reader.next_record().expect("sound")));
        reader.position() as usize
    };
    let (rows, _) = rows_of(&path);
    let kept = rows.len() - game(2).plies.len();
    let mut damaged = whole.clone();
    damaged[whole.len() - 5] ^= 1;
    let zeros = [&whole[..two], &[0; 77]].concat();
    let cuts = [two + 1, two + 7, two + 8, two + 60, whole.len() - 1].map(|length| whole[..length].to_vec());
    for bytes in cuts.iter().chain([&damaged, &zeros]) {
        fs::write(&path, bytes).expect("written");
        let (read, torn) = rows_of(&path);
        assert!(read == rows[..kept]);
        let expected = TornTail { at: two as u64, bytes: (bytes.len() - two) as u64 };
        assert_eq!(torn, Some(expected));
        let (mut writer, resumed) = GameWriter::open(&path, "{\"seed\":1}").expect("the same settings");
        assert_eq!((resumed.games, resumed.last_number, resumed.torn), (2, Some(1), Some(expected)));
        assert_eq!(resumed.positions as usize, kept);
        writer.push(&game(2)).expect("written");
        assert!(fs::read(&path).expect("bytes") == whole);
    }
}

#[test]
fn damage_other_settings_and_other_writers_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = written(folder.path(), 3);
    let refusal = |settings: &str| GameWriter::open(&path, settings).map(|_| ()).expect_err("refused").to_string();
    let sentence = refusal("{\"seed\":2}");
    assert!(sentence.ends_with("other settings (seed is 1, not 2); use the same ones, or another file"), "{sentence}");
    let open = GameWriter::open(&path, "{\"seed\":1}").expect("the same settings");
    assert!(refusal("{\"seed\":1}").contains("another run is writing"));
    drop(open);
    let whole = fs::read(&path).expect("bytes");
    for (at, part) in [(3, "does not start"), (9, "version"), (18, "header is damaged"), (60, "checksum")] {
        let mut bytes = whole.clone();
        bytes[at] ^= 1;
        fs::write(&path, bytes).expect("written");
        let error = read_game_rows(&path, None, &mut go, &mut |_| Ok(())).expect_err(part).to_string();
        assert!(error.contains(part) && error.contains("a.games"), "{error}");
    }
    for length in [0, 7, 19, 25] {
        fs::write(&path, &whole[..length]).expect("written");
        assert!(RawReader::open(&path).is_err(), "{length} bytes");
    }
}

#[test]
fn bytes_that_are_no_body_are_told() {
    let mut bytes = Vec::new();
    game(4).encode(&mut bytes);
    let body = &bytes[FRAME_BYTES..];
    assert!(GameFileRecord::decode(body).is_ok());
    for length in 0..body.len() {
        assert!(GameFileRecord::decode(&body[..length]).is_err(), "{length} bytes");
    }
    let mut random = Random::new(1);
    for _ in 0..20_000 {
        let mut altered = body.to_vec();
        let at = random.below(body.len() as u64) as usize;
        altered[at] ^= 1 << random.below(8);
        // Whatever it says, it must not panic.
        if let Ok(record) = GameFileRecord::decode(&altered) {
            let _ = record.rows();
        }
    }
    let mut file = tempfile::NamedTempFile::new().expect("a file");
    file.write_all(&header_bytes("{}")).expect("written");
    assert_eq!(rows_of(file.path()), (Vec::new(), None));
}
