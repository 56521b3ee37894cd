//! Files that other programs wrote, and rows through every format and back.

use std::path::{Path, PathBuf};

use alfiere_chess::board::Board;
use alfiere_chess::movegen::legal_moves;
use alfiere_chess::random::Random;
use alfiere_chess::types::{Color, Piece};
use proptest::prelude::*;

use super::*;
use crate::game_record::{GameRecord, Ply};
use crate::sample::rows_of;
use crate::{
    BadRows, Conversion, DataFile, Label, LeftOut, LeftOutReason, ReadOptions, ReadReport, Row, RowResult, rank_of,
};

/// A file of `datasets/formats`.
fn dataset(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../datasets/formats").join(name)
}

fn read_bytes(bytes: &[u8], format: Format, options: &ReadOptions) -> Result<(Vec<Row>, ReadReport), String> {
    crate::sample::read_bytes(bytes, &ReadOptions { from: Some(format), ..options.clone() })
}

fn convert(inputs: &[&Path], output: &Path, limit: Option<usize>) -> crate::Converted {
    let inputs: Vec<DataFile> = inputs.iter().map(|path| DataFile::new(*path)).collect();
    let to = Format::of_name(output).expect("a format");
    let read = ReadOptions { limit, ..ReadOptions::default() };
    let job = Conversion { read, ..Conversion::new(&inputs, output, to) };
    crate::convert(&job, &mut ()).expect("made")
}

/// The row as bulletformat keeps it: White to move, without castling, en passant, clocks and best move.
fn seen_by_mover(row: &Row) -> Row {
    let us = row.side_to_move();
    let pieces = row.pieces().map(|(piece, square)| {
        let color = if piece.color() == us { Color::White } else { Color::Black };
        (Piece::new(color, piece.kind()), square.relative_to(us))
    });
    let seen = Row::of_board(&Board::from_pieces(pieces, Color::White).expect("legal"));
    let (label, result) = match (us, row.label(), row.result()) {
        (Color::White, label, result) => (label, result),
        (Color::Black, Label::Centipawns(value), result) => (Label::Centipawns(-value), turned(result)),
        (Color::Black, Label::Mate { winner, distance }, result) => {
            (Label::Mate { winner: !winner, distance }, turned(result))
        }
    };
    seen.with_label(label).with_result(result)
}

fn turned(result: RowResult) -> RowResult {
    match result {
        RowResult::WhiteWins => RowResult::BlackWins,
        RowResult::BlackWins => RowResult::WhiteWins,
        other => other,
    }
}

#[test]
fn bulletformat_is_what_its_own_crate_writes() {
    let rows = rows_of(&dataset("games.csv"));
    let seen: Vec<Row> = rows.iter().map(seen_by_mover).collect();
    assert_eq!(rows_of(&dataset("games.bullet")), seen);
    let folder = tempfile::tempdir().expect("a folder");
    let output = folder.path().join("a.bullet");
    let made = convert(&[&dataset("games.csv")], &output, None);
    assert_eq!((made.files[0].1, made.left_out.total(), made.lost_moves), (334, 0, true));
    assert!(std::fs::read(&output).expect("there") == std::fs::read(dataset("games.bullet")).expect("there"));
}

#[test]
fn viriformat_is_what_its_own_crate_writes() {
    let rows = rows_of(&dataset("games.csv"));
    assert_eq!(rows_of(&dataset("games.vf")), rows);
    // Its seventeen games are rows that follow from one another by their best moves; written again they are the same.
    let folder = tempfile::tempdir().expect("a folder");
    let (output, games) = (folder.path().join("a.vf"), std::fs::read(dataset("games.vf")).expect("there"));
    let made = convert(&[&dataset("games.vf")], &output, None);
    assert_eq!((made.files[0].1, made.left_out.total()), (334, 0));
    let written = std::fs::read(&output).expect("there");
    assert!(written.len() < games.len(), "{} of {} bytes", written.len(), games.len());
}

#[test]
fn binpack_is_what_another_program_writes() {
    assert_eq!(rows_of(&dataset("games.binpack")), rows_of(&dataset("games.csv")));
    let folder = tempfile::tempdir().expect("a folder");
    let output = folder.path().join("a.binpack");
    let made = convert(&[&dataset("games.binpack")], &output, None);
    assert_eq!((made.files[0].1, made.left_out.total()), (334, 0));
    let sizes = [output, dataset("games.binpack")].map(|path| std::fs::metadata(path).expect("there").len());
    assert!(sizes[0] < sizes[1], "{sizes:?}");
}

#[test]
fn positions_without_a_score_are_counted() {
    let text = ENTRY.replace("-208", "32002") + ENTRY;
    let (rows, report) = read_bytes(text.as_bytes(), Format::Plain, &ReadOptions::default()).expect("sound");
    assert_eq!((rows.len(), report.unscored, report.bad_rows), (1, 1, 0));
    let mut bytes = std::fs::read(dataset("games.binpack")).expect("there");
    // The first score: 2 times 32,002.
    bytes[8 + 26..8 + 28].copy_from_slice(&64_004u16.to_be_bytes());
    let (rows, report) = read_bytes(&bytes, Format::Binpack, &ReadOptions::default()).expect("sound");
    assert_eq!((rows.len(), report.unscored), (333, 1));
}

#[test]
fn lichess_files_are_read() {
    let rows = rows_of(&dataset("lichess_eval.jsonl"));
    assert_eq!(rows[0].label(), Label::Centipawns(69));
    assert_eq!(rows[1].label(), Label::Mate { winner: Color::White, distance: 15 });
    assert!(rows.len() == 2 && rows.iter().all(|row| row.best_move_rank().is_some()));
    let rows = rows_of(&dataset("lichess_game.pgn"));
    assert_eq!(rows.len(), 26);
    assert_eq!(rows[0].to_fen(), "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
    assert_eq!((rows[0].label(), rows[25].label()), (Label::Centipawns(17), Label::Centipawns(-273)));
    assert!(rows.iter().all(|row| row.result() == RowResult::BlackWins));
    // The last position has no move after it.
    assert_eq!(rows.iter().filter(|row| row.best_move_rank().is_none()).count(), 1);
}

/// Rows of the real sample with a result each.
fn sample(count: usize) -> Vec<Row> {
    let result = |row: &Row| match row.label().as_centipawns() {
        100.. => RowResult::WhiteWins,
        ..-100 => RowResult::BlackWins,
        _ => RowResult::Draw,
    };
    let mut rows = crate::sample::real(count);
    for game in crate::find_games(&rows) {
        let game = game.start as usize..game.end as usize;
        let result = result(&rows[game.end - 1]);
        rows[game].iter_mut().for_each(|row| *row = row.with_result(result));
    }
    rows
}

#[test]
fn the_real_sample_survives_every_format() {
    let folder = tempfile::tempdir().expect("a folder");
    let rows = sample(20_000);
    let (input, whole) = (folder.path().join("rows.packed"), rows.len() as u64);
    crate::write_packed(&input, &rows).expect("written");
    for name in ["a.bullet", "a.bullet.zst"] {
        let made = convert(&[&input], &folder.path().join(name), None);
        assert_eq!(made.files[0].1, whole);
        let seen: Vec<Row> = rows.iter().map(seen_by_mover).collect();
        assert!(rows_of(&folder.path().join(name)) == seen, "{name}");
    }
    for name in ["a.plain", "a.vf", "a.binpack", "a.plain.gz", "a.vf.zst"] {
        let made = convert(&[&input], &folder.path().join(name), None);
        let left_out = made.left_out.of(LeftOutReason::NoMove);
        assert_eq!((made.files[0].1, made.left_out.total()), (whole - left_out, left_out));
        let back = rows_of(&folder.path().join(name));
        assert_eq!(back.len() as u64, whole - left_out, "{name}");
        // The move that leads to the next row is known afterwards.
        let mut expected = rows.iter();
        for row in &back {
            let same = expected.find(|other| other.is_same_position(row)).expect("a row of the sample");
            assert_eq!((row.label(), row.result()), (same.label(), same.result()), "{name} {}", row.to_fen());
            assert!(row.best_move_rank().is_some());
        }
        assert!(left_out < whole / 20, "{name}: {left_out}");
    }
}

#[test]
fn what_is_no_record_is_named_with_its_place() {
    let strict = ReadOptions { bad_rows: BadRows::Stop, ..ReadOptions::default() };
    let bytes = |name: &str| std::fs::read(dataset(name)).expect("there");
    let refuse = |bytes: &[u8], format| read_bytes(bytes, format, &strict).expect_err("refused");
    let with = |name: &str, at: usize, byte: u8| {
        let mut bytes = bytes(name);
        bytes[at] = byte;
        bytes
    };
    for (at, byte, sentence) in [
        (64 + 26, 3, "FILE, byte 64: result 3; expected 0, 1 or 2 (found `"),
        (64 + 27, 63, "FILE, byte 64: king squares [63, "),
        (96 + 8, 0x6F, "FILE, byte 96: piece 15; expected 0 to 5 or 8 to 13 (found `"),
        (96 + 8, 0x55, "FILE, byte 96: illegal position: FEN pieces: White has 3 kings, expected 1"),
    ] {
        let found = refuse(&with("games.bullet", at, byte), Format::Bullet);
        assert!(found.starts_with(sentence), "{found}");
    }
    let found = refuse(&bytes("games.vf"), Format::Bullet);
    assert!(found.starts_with("FILE, byte 0: "), "{found}");
    let cut = &bytes("games.bullet")[..1_000];
    let sentence = "FILE, byte 992: the file ends in the middle of a record of 32 bytes; copy or download it again";
    assert_eq!(refuse(cut, Format::Bullet), sentence);
    assert!(refuse(b"", Format::Bullet).starts_with("FILE, byte 0: no row in this file; expected 32-byte record"));

    let found = refuse(&with("games.vf", 32, 0), Format::Viri);
    assert!(found.starts_with("FILE, byte 0: move 1 (bits 0x"), "{found}");
    assert!(found.contains("is not legal"), "{found}");
    let found = refuse(&with("games.vf", 30, 7), Format::Viri);
    assert!(found.starts_with("FILE, byte 0: result 7; expected 0, 1 or 2"), "{found}");
    for length in [7, 31, 33, 100] {
        let found = refuse(&bytes("games.vf")[..length], Format::Viri);
        assert!(found.starts_with("FILE, byte 0: the file ends in the middle of a game"), "{length}: {found}");
    }
    let found = refuse(&bytes("games.vf"), Format::Binpack);
    assert!(found.starts_with("FILE, byte 0: no chunk begins here; expected chunks of .binpack"), "{found}");
    let found = refuse(&with("games.binpack", 8 + 24, 0xFF), Format::Binpack);
    assert!(found.starts_with("FILE, byte 8: position 1 of a chain, `"), "{found}");
    let found = refuse(&with("games.binpack", 8 + 8, 0xAA), Format::Binpack);
    assert!(found.starts_with("FILE, byte 8: illegal position `"), "{found}");
    let cut = &bytes("games.binpack")[..700];
    assert!(refuse(cut, Format::Binpack).starts_with("FILE, byte 0: the file ends in the middle of a chunk"));
    let endless = vec![1; 100_000];
    assert!(refuse(&endless, Format::Viri).starts_with("FILE, byte 0: a game of more than 16384 moves"));
}

#[test]
fn extensions_of_viriformat_are_passed_over() {
    let games = std::fs::read(dataset("games.vf")).expect("there");
    let mut bytes = vec![0; 8];
    bytes.extend([7, 0, 3, 0, 1, 2, 3, 0, 0, 0, 0]);
    bytes.extend(&games);
    let plain = read_bytes(&games, Format::Viri, &ReadOptions::default()).expect("sound");
    assert_eq!(read_bytes(&bytes, Format::Viri, &ReadOptions::default()).expect("sound"), plain);
}

const ENTRY: &str = "fen r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 3 1\nmove e8c8\nscore -208\nply 21\nresult 1\ne\n";

#[test]
fn plain_entries_are_read() {
    let (rows, report) = read_bytes(ENTRY.as_bytes(), Format::Plain, &ReadOptions::default()).expect("sound");
    assert_eq!(rows[0].to_fen(), "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 3 11");
    assert_eq!((rows[0].label(), rows[0].result(), report.rows), (Label::Centipawns(208), RowResult::BlackWins, 1));
    let (extreme, _) =
        read_bytes(ENTRY.replace("-208", "-2147483648").as_bytes(), Format::Plain, &ReadOptions::default())
            .expect("sound");
    assert_eq!(extreme[0].label(), Label::centipawns(i64::MAX));
    let mut text = Vec::new();
    let board = rows[0].to_board().expect("legal");
    let ply = Ply { label: rows[0].label(), played: rows[0].best_move_rank(), best: None };
    let game = GameRecord { start: Row::of_board(&board), result: RowResult::BlackWins, plies: vec![ply] };
    write_plain(&mut text, &game, &mut LeftOut::default()).expect("written");
    assert_eq!(String::from_utf8(text).expect("text"), ENTRY.replace("3 1\n", "3 11\n"));
}

#[test]
fn plain_entries_that_are_none() {
    let strict = ReadOptions { bad_rows: BadRows::Stop, ..ReadOptions::default() };
    for (from, to, sentence) in [
        ("move e8c8\n", "", "FILE:7: expected a line `move ...` in the entry (found `r3k2r/"),
        ("move e8c8", "move e8a1", "FILE:7: move 'e8a1' is not legal in "),
        ("score -208", "score x", "FILE:7: score `x`: expected a whole number"),
        ("result 1", "result 2", "FILE:7: result 2: expected 1, 0 or -1"),
        ("result 1", "outcome 1", "FILE:7: line `outcome 1`: expected fen, move, score, ply, result or e"),
        ("result 1\ne\n", "resu", "FILE:7: the file ends in the middle of an entry"),
    ] {
        let text = format!("{ENTRY}{}", ENTRY.replace(from, to));
        let found = read_bytes(text.as_bytes(), Format::Plain, &strict).expect_err("refused");
        assert!(found.starts_with(sentence), "{found}");
    }
    let marked = read_bytes(format!("\u{feff}{ENTRY}").as_bytes(), Format::Plain, &strict);
    assert_eq!(marked, read_bytes(ENTRY.as_bytes(), Format::Plain, &strict));
    let found = read_bytes(b"FEN,Evaluation\n", Format::Plain, &strict).expect_err("refused");
    assert!(found.starts_with("FILE:1: line `FEN,Evaluation`"), "{found}");
}

/// A position reached by random moves, with a random label and result, and its game of one move.
fn random_game(seed: u64, plies: u64) -> Option<(Row, GameRecord)> {
    let mut random = Random::for_part(seed, 5);
    let starts = alfiere_chess::positions::POSITIONS;
    let mut board = Board::from_fen(starts[random.below(starts.len() as u64) as usize]).expect("legal");
    for _ in 0..plies {
        let moves = legal_moves(&board);
        let mv = *moves.get(random.below(moves.len().max(1) as u64) as usize)?;
        board.play(mv);
    }
    let moves = legal_moves(&board);
    let mv = *moves.get(random.below(moves.len().max(1) as u64) as usize)?;
    let result = [RowResult::WhiteWins, RowResult::Draw, RowResult::BlackWins][random.below(3) as usize];
    let label = match random.below(10) {
        0 => Label::Mate { winner: board.side_to_move(), distance: 1 + random.below(100) as u16 },
        _ => Label::centipawns(random.below(60_001) as i64 - 30_000),
    };
    let rank = rank_of(&board, mv);
    let row = Row::of_board(&board).with_label(label).with_result(result).with_best_move(rank, mv.is_noisy());
    let plies = vec![Ply { label, played: Some(rank), best: None }];
    Some((row, GameRecord { start: Row::of_board(&board), result, plies }))
}

proptest! {
    #[test]
    fn random_positions_survive(seed in any::<u64>(), plies in 0u64..120) {
        let Some((row, game)) = random_game(seed, plies) else { return Ok(()) };
        let mut left_out = LeftOut::default();
        let (mut bullet, mut viri, mut plain, mut chains) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let mut writer = BinpackWriter::default();
        writer.push(&mut chains, &game, &mut left_out).and_then(|()| writer.flush(&mut chains)).expect("written");
        write_bullet(&mut bullet, &[row], &mut left_out).expect("written");
        write_viri(&mut viri, &game, &mut left_out).expect("written");
        write_plain(&mut plain, &game, &mut left_out).expect("written");
        prop_assert_eq!(left_out.total(), 0);
        let back = |bytes: &[u8], format| read_bytes(bytes, format, &ReadOptions::default()).map(|(rows, _)| rows);
        prop_assert_eq!(back(&bullet, Format::Bullet), Ok(vec![seen_by_mover(&row)]));
        prop_assert_eq!(back(&viri, Format::Viri), Ok(vec![row]));
        prop_assert_eq!(back(&plain, Format::Plain), Ok(vec![row]));
        prop_assert_eq!(back(&chains, Format::Binpack), Ok(vec![row]));
    }

    #[test]
    fn damaged_files_are_read_or_refused(file in 0usize..4, cuts in any::<(u16, u16)>(), byte in any::<u8>()) {
        let (name, format) = [
            ("games.bullet", Format::Bullet),
            ("games.vf", Format::Viri),
            ("games.binpack", Format::Binpack),
            ("lichess_game.pgn", Format::Pgn),
        ][file];
        let mut bytes = std::fs::read(dataset(name)).expect("there");
        let at = usize::from(cuts.0) % bytes.len();
        bytes[at] = byte;
        bytes.truncate(usize::from(cuts.1) % (2 * bytes.len()));
        if let Err(sentence) = read_bytes(&bytes, format, &ReadOptions::default()) {
            prop_assert!(sentence.starts_with("FILE"), "{}", sentence);
        }
    }
}
