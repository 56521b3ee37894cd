//! The own book in UCI sessions with the real program.

use alfiere_chess::board::Board;

use crate::common::gui::Gui;

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
        gui.say("go movetime 100000000");
        let output = gui.until("bestmove");
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
        gui.say("go nodes 500");
        assert!(!is_from_book(&gui.until("bestmove")), "{on}");
        gui.say(off);
        gui.say("go nodes 500");
        assert!(is_from_book(&gui.until("bestmove")), "{off}");
    }
    gui.say("setoption name Book Depth value 1");
    gui.say("position startpos moves e2e4 e7e5");
    gui.say("go nodes 500");
    assert!(!is_from_book(&gui.until("bestmove")));
}

#[test]
fn book_files_are_used_and_damaged_ones_rejected() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("uci-book");
    std::fs::create_dir_all(&folder).expect("a folder");
    let path = |name: &str| folder.join(name).display().to_string();
    // Black castles kingside in this book, as king takes rook; the encoding as h1h8 would be illegal.
    let board = Board::from_fen("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1").expect("valid");
    let entry =
        |mv: u16, weight: u8| [&board.key().to_be_bytes()[..], &mv.to_be_bytes(), &[0, weight, 0, 0, 0, 0]].concat();
    let (castles, illegal) = (entry(0o7477, 1), entry(0o0777, 200));
    std::fs::write(path("good.bin"), [illegal, castles.clone()].concat()).expect("written");
    std::fs::write(path("odd.bin"), &castles[1..]).expect("written");
    std::fs::write(path("empty.bin"), b"").expect("written");
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
    gui.say("go movetime 100000000");
    assert_eq!(gui.best_move(), "e8g8");
    gui.say("setoption name UCI_Chess960 value true");
    gui.say("go movetime 100000000");
    assert_eq!(gui.best_move(), "e8h8");
    let output = gui.ask("setoption name Book File value <embedded>");
    assert!(output.len() == 1 && output[0].starts_with("info string book of "), "{output:?}");
}
