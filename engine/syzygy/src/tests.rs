//! Tests on real tables, against the results of another program on the same files.

use std::fs;
use std::path::{Path, PathBuf};

use alfiere_chess::board::{Board, KeyHistory};
use alfiere_chess::movegen::{format_uci_move, legal_moves, parse_uci_move};
use alfiere_chess::types::Move;

use super::*;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../datasets/syzygy")
}

fn tables() -> Tablebases {
    Tablebases::open(folder().to_str().expect("a readable path")).expect("tables")
}

fn board(fen: &str) -> Board {
    Board::from_fen(fen).expect("a legal position")
}

/// FEN, WDL and DTZ.
fn expected() -> Vec<(Board, i32, i32)> {
    let text = fs::read_to_string(folder().join("expected.tsv")).expect("the file is there");
    let row = |line: &str| {
        let cells: Vec<&str> = line.split('\t').collect();
        (board(cells[0]), cells[1].parse().expect("an outcome"), cells[2].parse().expect("a distance"))
    };
    text.lines().filter(|line| !line.starts_with('#')).map(row).collect()
}

fn check_all(tables: &Tablebases) {
    for (board, wdl, dtz) in expected() {
        assert_eq!(tables.probe_wdl(&board).map(Wdl::value), Some(wdl), "WDL of {board}");
        assert_eq!(tables.probe_dtz(&board), Some(dtz), "DTZ of {board}");
    }
}

#[test]
fn wdl_and_dtz_match_another_program() {
    let positions = expected();
    assert!(positions.len() > 400, "{}", positions.len());
    assert!(positions.iter().filter(|(board, ..)| board.en_passant().is_some()).count() > 20);
    check_all(&tables());
}

#[test]
fn probing_is_thread_safe() {
    let tables = tables();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| check_all(&tables));
        }
    });
}

#[test]
fn positions_outside_the_tables_have_no_value() {
    let tables = tables();
    assert_eq!((tables.largest(), tables.to_string().as_str()), (4, "14 tables of up to 4 pieces, 10 with distances"));
    for fen in [
        "4k3/8/8/8/8/8/8/4K2R w K - 0 1",
        "1n6/8/4k3/8/8/8/3K4/7Q w - - 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    ] {
        assert_eq!((tables.probe_wdl(&board(fen)), tables.probe_dtz(&board(fen))), (None, None), "{fen}");
    }
    let bare = board("8/8/4k3/8/8/8/3K4/8 w - - 0 1");
    assert_eq!((tables.probe_wdl(&bare), tables.probe_dtz(&bare)), (Some(Wdl::Draw), Some(0)));
    assert_eq!(Tablebases::none().probe_wdl(&board("8/8/4k3/8/8/8/3K4/7Q w - - 0 1")), None);
}

fn rank(fen: &str, played: &str, rule: FiftyMoveRule) -> (Basis, Vec<(Move, RankedMove)>) {
    let (mut board, mut keys) = (board(fen), KeyHistory::new());
    for text in played.split_whitespace() {
        let mv = parse_uci_move(&board, text).expect("legal");
        keys.push(&board);
        board.play(mv);
    }
    let (basis, mut ranked) = tables().rank(&board, &keys, &legal_moves(&board), rule).expect("all in the tables");
    ranked.sort_by_key(|ranked| std::cmp::Reverse(ranked.rank));
    (basis, ranked.into_iter().map(|ranked| (ranked.mv, ranked)).collect())
}

fn name(mv: Move) -> String {
    format_uci_move(mv, alfiere_chess::movegen::CastlingNotation::Standard).to_string()
}

#[test]
fn wins_rank_equal_and_losing_the_queen_draws() {
    let (basis, ranked) = rank("8/8/8/8/8/2k5/7Q/K7 w - - 0 1", "", FiftyMoveRule::Counts);
    assert_eq!(basis, Basis::Distances);
    assert_eq!(ranked[0].1.wdl, Wdl::Win);
    let wins: Vec<i32> = ranked.iter().filter(|(_, ranked)| ranked.wdl == Wdl::Win).map(|(_, win)| win.rank).collect();
    assert!(wins.len() > 15 && wins.iter().all(|&rank| rank == wins[0]), "{wins:?}");
    let blunder = ranked.iter().find(|(mv, _)| name(*mv) == "h2c2").expect("legal");
    assert_eq!((blunder.1.wdl, blunder.1.rank), (Wdl::Draw, 0));
}

#[test]
fn the_least_distance_ranks_first_after_a_repetition_or_when_the_clock_asks() {
    let best = |fen: &str, played| {
        let (_, ranked) = rank(fen, played, FiftyMoveRule::Counts);
        let leaders = ranked.iter().filter(|(_, move_)| move_.rank == ranked[0].1.rank);
        (leaders.count(), ranked[0].1.wdl, ranked[0].1.plies)
    };
    let start = "8/8/8/8/8/2k5/7Q/K7 w - - 0 1";
    assert_eq!(best(start, "h2g2 c3d3 g2h2 d3c3"), (3, Wdl::Win, 11));
    // The stored distance may be a ply too small.
    let rook = |clock: u32| format!("8/8/8/8/8/2k5/7R/K7 w - - {clock} 1");
    let distance = tables().probe_dtz(&board(&rook(0))).expect("in the tables") as u32;
    assert_eq!(best(&rook(99 - distance), "").1, Wdl::Win);
    assert_eq!(best(&rook(100 - distance), "").1, Wdl::CursedWin);
    // A mate on the last ply.
    assert_eq!(best("7k/8/6K1/8/8/8/8/1Q6 w - - 99 1", "").1, Wdl::Win);
}

#[test]
fn a_late_win_is_a_draw_by_the_fifty_move_rule() {
    // A rook mate that takes longer than the remaining fifty-move clock.
    let fen = |clock: u32| format!("8/8/8/3k4/8/8/8/R6K w - - {clock} 1");
    for (clock, rule, expected) in [
        (0, FiftyMoveRule::Counts, Wdl::Win),
        (90, FiftyMoveRule::Counts, Wdl::CursedWin),
        (90, FiftyMoveRule::Ignored, Wdl::Win),
        (99, FiftyMoveRule::Ignored, Wdl::Win),
    ] {
        let (_, ranked) = rank(&fen(clock), "", rule);
        assert_eq!(ranked[0].1.wdl, expected, "{clock} {rule:?}");
        assert!(ranked[0].1.rank > 0);
    }
    let (_, lost) = rank("8/8/8/3k4/8/8/8/R6K b - - 90 1", "", FiftyMoveRule::Counts);
    assert_eq!(lost[0].1.wdl, Wdl::BlessedLoss);
}

#[test]
fn a_threefold_repetition_is_a_draw() {
    let shuffle = "h2g2 c3d3 g2h2 d3c3 h2g2 c3d3 g2h2 d3c3";
    let start = "8/8/8/8/8/2k5/7Q/K7 w - - 0 1";
    let find = |played| {
        let (_, ranked) = rank(start, played, FiftyMoveRule::Counts);
        ranked.iter().find(|(mv, _)| name(*mv) == "h2g2").expect("legal").1.wdl
    };
    assert_eq!((find(""), find(shuffle)), (Wdl::Win, Wdl::Draw));
}

/// A temporary folder with copies of some of the files.
fn copy_of(files: &[&str]) -> tempfile::TempDir {
    let copy = tempfile::tempdir().expect("a folder");
    for file in files {
        fs::copy(folder().join(file), copy.path().join(file)).expect("copied");
    }
    copy
}

fn open(copy: &Path) -> Result<Tablebases, TablebaseError> {
    Tablebases::open(copy.to_str().expect("a readable path"))
}

#[test]
fn wdl_ranks_moves_without_dtz() {
    let copy = copy_of(&["KQvK.rtbw"]);
    let tables = open(copy.path()).expect("one table");
    let board = board("8/8/8/8/8/2k5/7Q/K7 w - - 0 1");
    let (basis, ranked) =
        tables.rank(&board, &KeyHistory::new(), &legal_moves(&board), FiftyMoveRule::Counts).expect("known");
    assert_eq!(basis, Basis::Outcomes);
    assert!(ranked.iter().any(|ranked| ranked.wdl == Wdl::Draw) && ranked.iter().any(|ranked| ranked.wdl == Wdl::Win));
}

#[test]
fn several_folders_form_one_set() {
    let (queen, rook) = (copy_of(&["KQvK.rtbw", "KQvK.rtbz"]), copy_of(&["KRvK.rtbw", "KQvK.rtbw"]));
    let path = format!("{}{SEPARATOR}{}", queen.path().display(), rook.path().display());
    let tables = Tablebases::open(&path).expect("both");
    assert_eq!(tables.to_string(), "2 tables of up to 3 pieces, 1 with distances");
}

#[test]
fn folder_errors_are_reported() {
    let nowhere = Tablebases::open("/nowhere/at/all").expect_err("no folder").to_string();
    assert!(nowhere.starts_with("cannot read the folder /nowhere/at/all: "), "{nowhere}");
    let empty = copy_of(&[]);
    assert!(open(empty.path()).expect_err("no tables").to_string().contains("no tables in "));
}

/// A truncated or modified file gives an error or some result, never a panic.
#[test]
fn damaged_files_never_panic() {
    let copy = copy_of(&["KQvK.rtbw", "KPvK.rtbw", "KPvK.rtbz"]);
    let whole = fs::read(folder().join("KPvK.rtbz")).expect("there");
    let wdl = fs::read(folder().join("KPvK.rtbw")).expect("there");
    let (victim, outcomes) = (copy.path().join("KPvK.rtbz"), copy.path().join("KPvK.rtbw"));
    for length in [0, 3, 4, 100, whole.len() - 64, whole.len() - 1, 16, 80] {
        fs::write(&victim, &whole[..length]).expect("written");
        let tables = open(copy.path()).expect("the others");
        assert_eq!(tables.damaged().len(), 1, "{length} bytes");
        let message = tables.damaged()[0].to_string();
        assert!(message.contains("KPvK.rtbz is damaged or incomplete: "), "{message}");
    }
    let positions: Vec<Board> =
        ["8/4k3/8/8/8/3K4/2P5/8 w - - 0 1", "8/4k3/8/8/2p5/4K3/8/8 b - - 0 1", "8/P7/8/1k6/8/3K4/8/8 b - - 0 1"]
            .map(board)
            .into();
    let mut seed = 0x2545_F491_4F6C_DD1D_u64;
    for round in 0..200 {
        let (mut first, mut second) = (wdl.clone(), whole.clone());
        for bytes in [&mut first, &mut second] {
            // Mostly the header, on which everything else depends.
            for _ in 0..=round % 4 {
                seed ^= seed << 13;
                seed ^= seed >> 7;
                seed ^= seed << 17;
                let reach = if round % 3 == 0 { bytes.len() } else { 600 };
                bytes[(seed >> 20) as usize % reach] = seed as u8;
            }
        }
        fs::write(&outcomes, first).expect("written");
        fs::write(&victim, second).expect("written");
        let tables = open(copy.path()).expect("one is whole");
        for board in &positions {
            let _ = (tables.probe_wdl(board), tables.probe_dtz(board));
        }
    }
}

#[test]
fn a_removed_file_gives_no_value() {
    let copy = copy_of(&["KQvK.rtbw"]);
    let tables = open(copy.path()).expect("one table");
    fs::remove_file(copy.path().join("KQvK.rtbw")).expect("removed");
    assert_eq!(tables.probe_wdl(&board("8/8/4k3/8/8/8/3K4/7Q w - - 0 1")), None);
}
