//! Opening books and endgame tables in the real program: options, notes, scores, and games.

use std::fs;
use std::path::{Path, PathBuf};

use alfiere_chess::board::Board;
use alfiere_chess::game::ReportedScore;
use alfiere_chess::movegen::has_legal_move;
use alfiere_search::engine::Position;
use alfiere_syzygy::{SEPARATOR, Tablebases};

use crate::common::gui::Gui;
use crate::common::referee::examine;

const QUEEN: &str = "8/8/8/8/8/2k5/7Q/K7 w - - 0 1";
const ROOK: &str = "8/8/8/3k4/8/8/8/R6K w - - 0 1";
const BISHOPS: &str = "8/8/8/3k4/8/8/8/BB5K w - - 0 1";
const PAWN: &str = "8/4k3/8/8/8/3K4/2P5/8 w - - 0 1";
/// Five pieces: every capture leads to a position in the tables.
const FIVE_PIECES: &str = "8/8/4k3/8/3r4/4P3/4K3/4R3 w - - 0 1";

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../datasets/syzygy")
}

/// Starts the program with the tables and returns its notes about them.
fn with_tables() -> (Gui, Vec<String>) {
    let mut gui = Gui::start();
    let output = gui.ask(&format!("setoption name SyzygyPath value {}", folder().display()));
    (gui, output)
}

/// The score and `tbhits` of the last line.
fn last_score(gui: &mut Gui, fen: &str, go: &str) -> (ReportedScore, u64) {
    let answer = examine(gui, fen, "", go);
    assert!(answer.infos.iter().all(|info| info.number("tbhits").is_some()), "{:?}", answer.infos);
    let last = answer.infos.last().expect("a score");
    (last.score.expect("a score"), last.number("tbhits").expect("hits"))
}

#[test]
fn options_are_declared_and_tables_are_reported() {
    let (mut gui, output) = with_tables();
    assert_eq!(output, ["info string SyzygyPath: 14 tables of up to 4 pieces, 10 with distances"]);
    gui.say("uci");
    let declared = gui.until("uciok");
    for option in [
        "SyzygyPath type string default <empty>",
        "SyzygyProbeDepth type spin default 1 min 1 max 100",
        "Syzygy50MoveRule type check default true",
        "SyzygyProbeLimit type spin default 7 min 0 max 7",
    ] {
        assert!(declared.contains(&format!("option name {option}")), "{option}");
    }
    assert_eq!(gui.ask("setoption name SyzygyPath value <empty>"), ["info string SyzygyPath: no tables"]);
    assert_eq!(last_score(&mut gui, QUEEN, "go depth 4").1, 0);
}

#[test]
fn an_invalid_path_changes_nothing() {
    let (mut gui, _) = with_tables();
    let empty = tempfile::tempdir().expect("a folder");
    let paths = [
        "/nowhere/at/all".to_owned(),
        empty.path().display().to_string(),
        format!("{}{SEPARATOR}/nowhere/at/all", folder().display()),
    ];
    for path in paths {
        let output = gui.ask(&format!("setoption name SyzygyPath value {path}"));
        let [note] = output.as_slice() else { panic!("{output:?}") };
        assert!(
            note.starts_with("info string option SyzygyPath: ") && note.ends_with("the tables stay as they were"),
            "{note}"
        );
    }
    assert!(last_score(&mut gui, QUEEN, "go depth 4").1 > 0);
}

#[test]
fn a_truncated_file_is_reported_and_the_others_are_used() {
    let copy = tempfile::tempdir().expect("a folder");
    for file in ["KQvK.rtbw", "KRvK.rtbw"] {
        fs::copy(folder().join(file), copy.path().join(file)).expect("copied");
    }
    let bytes = fs::read(folder().join("KQvK.rtbw")).expect("there");
    fs::write(copy.path().join("KQvK.rtbw"), &bytes[..bytes.len() - 64]).expect("written");
    let mut gui = Gui::start();
    let output = gui.ask(&format!("setoption name SyzygyPath value {}", copy.path().display()));
    let [damaged, found] = output.as_slice() else { panic!("{output:?}") };
    assert!(damaged.contains("KQvK.rtbw is damaged or incomplete: "), "{damaged}");
    assert_eq!(found, "info string SyzygyPath: 1 table of 3 pieces, 0 with distances");
    assert_eq!(last_score(&mut gui, QUEEN, "go depth 4").1, 0);
    assert!(last_score(&mut gui, ROOK, "go depth 4").1 > 0);
}

#[test]
fn tables_are_probed_in_the_tree_within_the_limits() {
    let (mut gui, _) = with_tables();
    for threads in [1, 4] {
        gui.say(&format!("setoption name Threads value {threads}"));
        let (_, hits) = last_score(&mut gui, FIVE_PIECES, "go nodes 60000");
        assert!(hits > 50, "{hits} with {threads}");
    }
    gui.say("setoption name Threads value 1");
    gui.say("setoption name SyzygyProbeLimit value 3");
    let (_, fewer) = last_score(&mut gui, FIVE_PIECES, "go depth 6");
    gui.say("setoption name SyzygyProbeLimit value 0");
    let (_, none) = last_score(&mut gui, FIVE_PIECES, "go depth 6");
    gui.say("setoption name SyzygyProbeLimit value 4");
    gui.say("setoption name SyzygyProbeDepth value 100");
    let (_, shallow) = last_score(&mut gui, FIVE_PIECES, "go depth 6");
    gui.say("setoption name SyzygyProbeDepth value 1");
    let (_, all) = last_score(&mut gui, FIVE_PIECES, "go depth 6");
    assert!(none == 0 && fewer < all && shallow < all, "{none} {fewer} {shallow} {all}");
}

#[test]
fn scores_are_tablebase_scores_until_a_mate_is_found() {
    let (mut gui, _) = with_tables();
    let (score, hits) = last_score(&mut gui, BISHOPS, "go depth 3");
    assert!(matches!(score, ReportedScore::Centipawns(19_900..=20_000)) && hits > 0, "{score:?} {hits}");
    let lost = BISHOPS.replace(" w ", " b ");
    assert!(matches!(last_score(&mut gui, &lost, "go depth 3").0, ReportedScore::Centipawns(-20_000..=-19_900)));
    let (mate, _) = last_score(&mut gui, "7k/8/6K1/8/8/8/8/1Q6 w - - 0 1", "go depth 4");
    assert_eq!(mate, ReportedScore::Mate(1));
    assert_eq!(last_score(&mut gui, "8/8/8/3k4/8/8/3r4/R6K w - - 0 1", "go depth 5").0, ReportedScore::Centipawns(0));
}

#[test]
fn the_fifty_move_rule_is_an_option() {
    let (mut gui, _) = with_tables();
    let late = ROOK.replace(" 0 1", " 90 80");
    let ReportedScore::Centipawns(cursed) = last_score(&mut gui, &late, "go depth 4").0 else { panic!("a mate") };
    assert!((0..=5).contains(&cursed), "{cursed}");
    gui.say("setoption name Syzygy50MoveRule value false");
    assert!(matches!(last_score(&mut gui, &late, "go depth 4").0, ReportedScore::Centipawns(19_900..=20_000)));
}

#[test]
fn multipv_follows_the_tablebase_ranks_and_searchmoves_is_obeyed() {
    let (mut gui, _) = with_tables();
    gui.say("setoption name MultiPV value 30");
    let answer = examine(&mut gui, QUEEN, "", "go depth 4");
    let lines = answer.infos.iter().filter(|info| info.number("depth") == Some(4));
    let scores: Vec<i32> = lines
        .map(|info| match info.score.expect("a score") {
            ReportedScore::Centipawns(value) => value,
            ReportedScore::Mate(moves) => 30_000 - moves,
        })
        .collect();
    assert!(scores.len() > 15 && scores.is_sorted_by(|a, b| a >= b), "{scores:?}");
    // Moves that lose the queen rank last.
    assert!(scores[0] > 19_900 && scores.last() == Some(&0), "{scores:?}");
    gui.say("setoption name MultiPV value 1");
    gui.say(&format!("position fen {QUEEN}"));
    let output = gui.search("go depth 4 searchmoves h2c2");
    assert!(output.iter().any(|line| line.contains(" score cp 0 ")), "{output:?}");
    assert!(output.last().is_some_and(|line| line.starts_with("bestmove h2c2")), "{output:?}");
}

/// Self-play; returns the final position and the number of plies.
fn play(gui: &mut Gui, fen: &str, go: &str, max_plies: usize) -> (Position, usize) {
    let mut position = Position::new(Board::from_fen(fen).expect("a legal position"));
    let mut moves = String::new();
    gui.say("ucinewgame");
    for ply in 0..max_plies {
        let board = position.board();
        let over = !has_legal_move(board) || board.has_insufficient_material() || board.halfmove_clock() >= 100;
        if over || position.keys().count(board) >= 2 {
            return (position, ply);
        }
        let best = examine(gui, fen, &moves, go).best.expect("a move");
        position.play_uci(&best).expect("a legal move");
        moves = format!("{moves} {best}");
    }
    (position, max_plies)
}

#[test]
fn short_mates_are_given_won_endgames_won_and_drawn_ones_held() {
    let (mut gui, _) = with_tables();
    let tables = Tablebases::open(folder().display().to_string()).expect("tables");
    // By distance to zeroing the pawn moves first.
    let (end, plies) = play(&mut gui, "k7/8/2K5/8/8/P7/8/7R w - - 0 1", "go nodes 20000", 20);
    assert!(end.board().in_check() && plies == 3, "{plies} plies to {}", end.board().to_fen());
    let go = "go nodes 400";
    for fen in [QUEEN, ROOK, BISHOPS, PAWN] {
        let (end, _) = play(&mut gui, fen, go, 200);
        assert!(end.board().in_check() && !has_legal_move(end.board()), "{fen} ended as {}", end.board().to_fen());
    }
    // A drawn endgame that Black must hold.
    let (end, _) = play(&mut gui, "8/8/8/8/8/2K1k3/4P3/8 b - - 0 1", go, 60);
    assert!(!end.board().in_check() || has_legal_move(end.board()));
    let (end, _) = play(&mut gui, "8/3k4/8/3K4/3P4/8/8/8 w - - 0 1", go, 60);
    assert_eq!(tables.probe_wdl(end.board()).map(alfiere_syzygy::Wdl::value), Some(0), "{}", end.board().to_fen());
}

#[test]
fn the_own_book_plays_at_once_and_only_in_games() {
    let mut gui = Gui::start();
    gui.say("setoption name OwnBook value true");
    // Rare lines may end after one or two moves; the main line does not.
    gui.say("setoption name Best Book Move value true");
    let is_from_book = |output: &[String]| output.iter().any(|line| line.starts_with("info string book"));
    let mut board = Board::startpos();
    let mut played = String::new();
    for _ in 0..6 {
        gui.say(&format!("position startpos moves{played}"));
        // A search would take this long.
        let output = gui.search("go movetime 100000000");
        assert!(is_from_book(&output) && output.len() == 3, "{output:?}");
        assert!(output[1].starts_with("info depth 1 ") && output[1].contains(" score cp 0 "), "{output:?}");
        let words: Vec<&str> = output[2].split_whitespace().collect();
        assert!(output[1].contains(&format!(" pv {}", words[1])), "{output:?}");
        let mv = alfiere_chess::movegen::parse_uci_move(&board, words[1]).expect("legal");
        board.play(mv);
        if let Some(&ponder) = words.get(3) {
            assert!(
                words[2] == "ponder" && alfiere_chess::movegen::parse_uci_move(&board, ponder).is_ok(),
                "{output:?}"
            );
        }
        played = format!("{played} {}", words[1]);
    }
    gui.say("setoption name Best Book Move value false");
    gui.say("position startpos");
    for analysis in
        ["go infinite", "go ponder wtime 1000 btime 1000", "go mate 2 nodes 500", "go nodes 500 searchmoves a2a3"]
    {
        gui.say(analysis);
        gui.say("stop");
        assert!(!is_from_book(&gui.until("bestmove")), "{analysis}");
    }
    for (on, off) in [
        ("setoption name MultiPV value 2", "setoption name MultiPV value 1"),
        ("setoption name UCI_AnalyseMode value true", "setoption name UCI_AnalyseMode value false"),
        ("setoption name OwnBook value false", "setoption name OwnBook value true"),
    ] {
        gui.say(on);
        assert!(!is_from_book(&gui.search("go nodes 500")), "{on}");
        gui.say(off);
        assert!(is_from_book(&gui.search("go nodes 500")), "{off}");
    }
    gui.say("position startpos moves g1f3 g8f6 f3g1 f6g8");
    assert!(!is_from_book(&gui.search("go nodes 500")));
    gui.say("setoption name Book Depth value 1");
    gui.say("position startpos moves e2e4 e7e5");
    assert!(!is_from_book(&gui.search("go nodes 500")));
}

#[test]
fn book_files_are_used_and_damaged_ones_rejected() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("uci-book");
    fs::create_dir_all(&folder).expect("a folder");
    let path = |name: &str| folder.join(name).display().to_string();
    // Black castles kingside in this book, as king takes rook; the encoding as h1h8 would be illegal.
    let board = Board::from_fen("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1").expect("valid");
    let entry =
        |mv: u16, weight: u8| [&board.key().to_be_bytes()[..], &mv.to_be_bytes(), &[0, weight, 0, 0, 0, 0]].concat();
    let (castles, illegal) = (entry(0o7477, 1), entry(0o0777, 200));
    let twice = [castles.clone(), entry(0o7473, 1), castles.clone()].concat();
    fs::write(path("good.bin"), [illegal, castles.clone()].concat()).expect("written");
    fs::write(path("twice.bin"), twice).expect("written");
    fs::write(path("odd.bin"), &castles[1..]).expect("written");
    fs::write(path("empty.bin"), b"").expect("written");
    let mut gui = Gui::start();
    gui.say("setoption name OwnBook value true");
    let output = gui.ask(&format!("setoption name Book File value {}", path("good.bin")));
    assert_eq!(output, ["info string book of 2 entries"]);
    for (name, found) in [("odd.bin", "found 15 bytes"), ("empty.bin", "empty"), ("missing.bin", "missing.bin: ")] {
        let output = gui.ask(&format!("setoption name Book File value {}", path(name)));
        let [note] = output.as_slice() else { panic!("{output:?}") };
        assert!(
            note.starts_with("info string option Book File: ") && note.contains(name) && note.contains(found),
            "{note}"
        );
    }
    gui.say(&format!("position fen {}", board.to_fen()));
    assert_eq!(gui.best_move("go movetime 100000000"), "e8g8");
    gui.say("setoption name UCI_Chess960 value true");
    assert_eq!(gui.best_move("go movetime 100000000"), "e8h8");
    gui.ask(&format!("setoption name Book File value {}", path("twice.bin")));
    gui.say("setoption name Best Book Move value true");
    let output = gui.search("go movetime 100000000");
    assert!(output.iter().any(|line| line.contains("book, 66.6 % of the weight")), "{output:?}");
    let output = gui.ask("setoption name Book File value <embedded>");
    assert!(output.len() == 1 && output[0].starts_with("info string book of "), "{output:?}");
}
