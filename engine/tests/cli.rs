//! The real program with invalid input: one clear sentence on standard error, a non-zero exit code, and no other
//! output.
// In tests a failed unwrap is the error report.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

fn alfiere(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_alfiere")).args(arguments).output().unwrap()
}

/// Creates a file in this test run's folder.
fn file(name: &str, content: &[u8]) -> String {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("cli");
    fs::create_dir_all(&folder).unwrap();
    let path = folder.join(name);
    fs::write(&path, content).unwrap();
    path.to_str().unwrap().to_owned()
}

fn data(name: &str) -> String {
    format!("{}/../{name}", env!("CARGO_MANIFEST_DIR"))
}

fn refused(arguments: &[&str], parts: &[&str]) {
    let output = alfiere(arguments);
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.status.success(), "{arguments:?} succeeded");
    assert!(text.starts_with("error: "), "{arguments:?}: {text}");
    assert!(!text.contains("panicked") && !text.contains("RUST_BACKTRACE"), "{arguments:?}: {text}");
    for part in parts {
        assert!(text.contains(part), "{arguments:?}: expected \"{part}\" in: {text}");
    }
}

#[test]
fn the_options_page_is_up_to_date() {
    let output = alfiere(&["options"]);
    let table = String::from_utf8(output.stdout).unwrap();
    let page = fs::read_to_string(data("docs/guide/uci-options.md")).unwrap();
    assert!(table.lines().count() > 20, "{table}");
    assert!(
        cfg!(feature = "tune") || page.contains(&table),
        "docs/guide/uci-options.md: run `alfiere options` and replace its table with:\n{table}"
    );
}

#[test]
fn every_help_text_has_an_example() {
    let commands = [
        "analyse",
        "bench",
        "book",
        "eval",
        "genfens",
        "match",
        "metrics",
        "options",
        "perft",
        "positions",
        "ratings",
        "suite",
        "wdl",
    ];
    for command in commands.into_iter().chain(cfg!(feature = "play").then_some("play")) {
        let output = alfiere(&[command, "--help"]);
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(output.status.success() && text.contains(&format!("alfiere {command}")), "{command}: {text}");
    }
}

#[test]
fn the_manual_has_a_page_for_each_command_and_completions() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("manual");
    assert!(alfiere(&["manual", path.to_str().unwrap()]).status.success());
    let text = |name: &str| fs::read_to_string(path.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
    assert!(text("alfiere.1").contains("alfiere\\-match(1)") && text("alfiere-match.1").contains("\\-\\-sprt"));
    for completion in ["alfiere.bash", "_alfiere", "alfiere.fish", "_alfiere.ps1", "alfiere.elv"] {
        assert!(text(completion).contains("gauntlet"), "{completion}");
    }
}

#[test]
fn unknown_commands_options_and_values_are_rejected() {
    refused(&["dance"], &["dance"]);
    refused(&["perft", "3", "--fast"], &["--fast"]);
    refused(&["perft", "many"], &["many"]);
    refused(&["perft"], &["DEPTH"]);
    refused(&["suite", &data("datasets/suites/eret.epd")], &["--depth"]);
    refused(&["suite", &data("datasets/suites/eret.epd"), "--depth", "0"], &["0"]);
    refused(&["suite", "x.epd", "--depth", "1", "--nodes", "1"], &["cannot be used with"]);
    refused(&["eval", "--quiescence"], &["--csv"]);
}

#[test]
fn invalid_positions_are_reported_with_the_field() {
    refused(&["perft", "1", "--fen", "8/8/8/8/8/8/8/8 w - - 0 1"], &["king"]);
    refused(&["eval", "--fen", "not a fen"], &["FEN"]);
    refused(&["eval", "--fen", "4k3/8/8/8/8/8/8/4K2R w Q - 0 1"], &["castling"]);
}

#[test]
fn missing_empty_and_invalid_files_are_reported() {
    refused(&["suite", "/no/such.epd", "--depth", "1"], &["/no/such.epd"]);
    refused(&["perft", "--suite", "/no/such.epd"], &["/no/such.epd"]);
    refused(&["eval", "--csv", "/no/such.csv"], &["/no/such.csv"]);
    let empty = file("empty", b"");
    refused(&["suite", &empty, "--depth", "1"], &["no position"]);
    refused(&["eval", "--csv", &empty], &["no usable row"]);
    let bad_move = file("bad.epd", b"4k3/8/8/8/8/8/8/4K2R w K - bm O-O;\n4k3/8/8/8/8/8/8/4K2R w K - bm Qh5;\n");
    refused(&["suite", &bad_move, "--depth", "1", "--strict"], &["bad.epd, line 2", "Qh5"]);
    let only_bad = file("only_bad.epd", b"4k3/8/8/8/8/8/8/4K2R w K - bm Qh5;\n");
    refused(&["suite", &only_bad, "--depth", "1"], &["only_bad.epd, line 1", "Qh5"]);
    let binary = file("binary.epd", &[0, 159, 146, 150, 10, 7]);
    refused(&["suite", &binary, "--depth", "1"], &["line 1", "expected a position"]);
    let torn = file("torn.epd.gz", &[0x1f, 0x8b, 8, 0, 0]);
    refused(&["suite", &torn, "--depth", "1"], &["torn.epd.gz"]);
    let wrong = file("wrong.epd", b"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D1 20 ;D2 401\n");
    refused(&["perft", "--suite", &wrong], &["1 of 2 counts differ"]);
    let columns = file("columns.csv", b"FEN,Score\nx,1\n");
    refused(&["eval", "--csv", &columns], &["Evaluation", "FEN,Score"]);
}

#[test]
fn damaged_networks_are_rejected() {
    let whole = fs::read(data("nets/default.nnue")).unwrap();
    let torn = file("torn.nnue", &whole[..whole.len() / 2]);
    let mut altered = whole.clone();
    altered[whole.len() / 2] ^= 1;
    let altered = file("altered.nnue", &altered);
    let other = file("other.nnue", b"this is no network at all, only a sentence that goes on for a while");
    for net in [torn, altered, other, "/no/such.nnue".to_owned()] {
        refused(&["eval", "--net", &net], &[&net]);
        refused(&["suite", &data("datasets/suites/bk.epd"), "--depth", "1", "--net", &net], &[&net]);
    }
}

#[test]
fn invalid_match_arguments_are_rejected() {
    let limit = ["--nodes", "10", "--games", "2"];
    let play = |arguments: &[&str], parts: &[&str]| {
        refused(&[&["match"], arguments, &limit].concat(), parts);
    };
    play(&["--engine", "alfiere"], &["at least two engines"]);
    play(&["--engine", "alfiere", "--engine", "/no/such/engine"], &["/no/such/engine", "did not start"]);
    play(&["--engine", "alfiere", "--engine", "alfiere hue=3"], &["hue"]);
    play(&["--engine", "alfiere", "--engine", "alfiere option.Nonsense=3"], &["Nonsense"]);
    play(&["--engine", "alfiere", "--engine", "alfiere", "--sprt", "5", "0"], &["E0 smaller than E1"]);
    play(&["--engine", "alfiere", "--engine", "alfiere", "--openings", "/no/book.pgn"], &["/no/book.pgn"]);
    play(&["--engine", "alfiere", "--engine", "alfiere", "--anchor", "alfiere=1"], &["--anchor", "alfiere ratings"]);
    let three = ["--engine", "alfiere", "--engine", "alfiere", "--engine", "alfiere"];
    play(&[&three[..], &["--anchor", "alfiere-4=1"]].concat(), &["alfiere-4", "the players are alfiere, alfiere-2"]);
    play(&[&three[..], &["--anchor", "alfiere"]].concat(), &["\"alfiere\": expected NAME=ELO"]);
    play(&["--engine", "alfiere", "--engine", "alfiere", "--syzygy", "/no/tables"], &["/no/tables"]);
    let book = file("bad.pgn", b"[Event \"x\"]\n\n1. e4 e5 2. Ke3 *\n");
    play(&["--engine", "alfiere", "--engine", "alfiere", "--openings", &book], &["bad.pgn, line 3", "Ke3"]);
}

#[test]
fn games_without_usable_scores_are_rejected() {
    refused(&["wdl"], &["GAMES.pgn"]);
    refused(&["wdl", "/no/games.pgn"], &["/no/games.pgn"]);
    let empty = file("none.pgn", b"");
    refused(&["wdl", &empty], &["none.pgn", "found 0 finished games"]);
    let silent = file("silent.pgn", b"[Event \"x\"]\n\n1. e4 {book} e5 1-0\n");
    refused(&["wdl", &silent], &["silent.pgn", "expected", "{+0.31/12 0.105s}", "found 1 finished games"]);
    let illegal = file("illegal.pgn", b"[Event \"x\"]\n\n1. e4 {+0.31/12 0.1s} e5\n2. Ke3 {+0.3/1 0.1s} 1-0\n");
    refused(&["wdl", &illegal], &["illegal.pgn, line 4", "Ke3"]);
    let open = file("open.pgn", b"[Event \"x\"]\n\n1. e4 {+0.31/12 0.1s e5 1-0\n");
    refused(&["wdl", &open], &["open.pgn, line 3", "not closed"]);
    let torn = file("torn.pgn.gz", &[0x1f, 0x8b, 8, 0, 0]);
    refused(&["wdl", &torn], &["torn.pgn.gz"]);
    let game =
        |result: &str| format!("[FEN \"4k3/4p3/8/8/8/8/4P3/4K3 w - - 0 30\"]\n\n30. e4 {{+0.31/9 0.1s}} {result}\n\n");
    let won = file("won.pgn", game("1-0").as_bytes());
    refused(&["wdl", &won], &["found none drawn"]);
    let few = file("few.pgn", (game("1-0") + &game("1/2-1/2") + &game("0-1")).as_bytes());
    refused(&["wdl", &few], &["3 positions do not settle"]);
}

#[test]
fn a_suite_is_scored_and_written_as_json() {
    let out = file("bk.json", b"");
    let output = alfiere(&["suite", &data("datasets/suites/bk.epd"), "--depth", "1", "--json", &out]);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let last = text.lines().last().unwrap();
    assert!(last.starts_with("solved ") && last.ends_with("/24"), "{last}");
    let json: serde_json::Value = serde_json::from_str(&fs::read_to_string(out).unwrap()).unwrap();
    assert_eq!(json["attempts"].as_array().unwrap().len(), 24);
    assert_eq!(json["score"]["all"]["total"], 24);
}

#[test]
fn invalid_lines_of_a_suite_are_skipped_and_counted() {
    let suite = file(
        "partly.epd",
        b"4k3/8/8/8/8/8/8/4K2R w K - bm O-O;\n4k3/8/8/8/8/8/8/4K2R w K - bm Qh5;\n4k3/8/8/8/8/8/8/4K2R w K - am Ke2;\n",
    );
    let out = file("partly.json", b"");
    let output = alfiere(&["suite", &suite, "--depth", "1", "--json", &out]);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(text.contains("partly.epd, line 2: ") && text.contains("skipped 1 lines"), "{text}");
    assert!(text.lines().last().unwrap().ends_with("/2"), "{text}");
    let json: serde_json::Value = serde_json::from_str(&fs::read_to_string(out).unwrap()).unwrap();
    assert_eq!(json["skipped"].as_array().unwrap().len(), 1);
}

#[test]
fn eval_on_a_csv_ends_with_its_results() {
    let rows = "FEN,Evaluation\n\
                rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1,+30\n\
                rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1,+900\n\
                rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR b KQkq - 0 1,#-9\n\
                torn,row\n";
    for extra in [&[][..], &["--quiescence"]] {
        let path = file("fit.csv", rows.as_bytes());
        let output = alfiere(&[&["eval", "--csv", &path][..], extra].concat());
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(text.contains("1 rows skipped, the first at line 5"), "{text}");
        let last = text.lines().last().unwrap();
        assert!(last.starts_with("R2 ") && last.ends_with(" rows 3"), "{last}");
    }
}

#[test]
fn genfens_follows_the_openbench_format() {
    let book = data("datasets/openings/noob_3moves_1000.epd");
    let ask = |book: &str| {
        let output = alfiere(&[&format!("genfens 12 seed 42 book {book} nodes=300"), "quit"]);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    for book in ["None", &book] {
        let text = ask(book);
        assert_eq!(text, ask(book));
        let fens: Vec<&str> = text.lines().map(|line| line.strip_prefix("info string genfens ").unwrap()).collect();
        assert_eq!(fens.len(), 12);
        for fen in fens {
            alfiere_chess::board::Board::from_fen(fen).unwrap();
            assert_eq!(fen.split(' ').count(), 6);
        }
    }
    assert_ne!(ask("None"), ask(&book));
    refused(&["genfens many seed 1 book None"], &["many", "expected genfens N seed S"]);
    refused(&["genfens 3 seed 1 book /no/such.epd", "quit"], &["/no/such.epd"]);
}

#[test]
fn a_book_is_built_from_real_games_and_shown() {
    let games = data("datasets/openings/8moves_v3_200.pgn");
    let out = file("made.bin", b"");
    let output = alfiere(&["book", "make", &games, &out, "--plies", "10", "--min-games", "2"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.starts_with("200 games, "), "{text}");
    let bytes = fs::read(&out).unwrap();
    assert!(bytes.len() > 16 * 50 && bytes.len().is_multiple_of(16), "{}", bytes.len());
    let shown = |arguments: &[&str]| {
        let output = alfiere(&[&["book", "show"], arguments].concat());
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    // All these games are drawn, so the weights are the numbers of games.
    let first = fs::read_to_string(&games).unwrap().lines().filter(|line| line.starts_with("1. e4 ")).count();
    let text = shown(&[&out]);
    let words: Vec<&str> = text.lines().find(|line| line.starts_with("e4 ")).unwrap().split_whitespace().collect();
    assert_eq!(words[1], first.to_string(), "{text}");
    let text = shown(&["embedded", "--fen", "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"]);
    assert!(text.lines().nth(1).unwrap().starts_with("Nf3 "), "{text}");
    assert!(shown(&[&out, "--fen", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"]).ends_with("no move for this position\n"));
}

#[test]
fn positions_are_sampled_from_real_games() {
    let games = data("datasets/openings/8moves_v3_200.pgn");
    let out = file("sampled.fen", b"");
    let sample = |words: &[&str]| {
        let output = alfiere(&[&["positions", &games, "--from-ply", "8", "--out", &out, "--force"], words].concat());
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        (String::from_utf8(output.stdout).unwrap(), fs::read_to_string(&out).unwrap())
    };
    let (output_text, first) = sample(&["--per-game", "2"]);
    assert_eq!(output_text, format!("200 games, {} positions\n", first.lines().count()));
    assert!((350..=400).contains(&first.lines().count()), "{output_text}");
    assert_eq!(sample(&["--per-game", "2", "--seed", "1"]).1, first);
    assert_ne!(sample(&["--per-game", "2", "--seed", "2"]).1, first);
    refused(&["positions", &games, "--from-ply", "16", "--out", &out, "--force"], &["no position in 200 games"]);
    refused(&["positions", "/no/such.pgn", "--out", &out, "--force"], &["/no/such.pgn"]);
    refused(&["positions", &games], &["--out"]);
}

#[test]
fn invalid_books_and_games_are_rejected() {
    let short = file("short.bin", &[0; 17]);
    refused(&["book", "show", &short], &["short.bin", "found 17 bytes", "expected"]);
    refused(&["book", "show", "/no/such.bin"], &["/no/such.bin"]);
    let game = b"[Event \"1\"]\n\n1. e4 e5 *\n[Event \"2\"]\n\n1. e5 *\n\n[Event \"3\"]\n\n1. e4 c5 *\n";
    let games = file("mixed.pgn", game);
    let out = file("mixed.bin", b"kept");
    refused(&["book", "make", &games, &games], &["mixed.pgn", "expected a name"]);
    refused(&["book", "make", &games], &["2 values"]);
    refused(&["book", "make", &games, &out], &["mixed.bin: the file already exists", "--force"]);
    refused(&["book", "make", "/no/such.pgn", &out, "--force"], &["/no/such.pgn"]);
    refused(&["book", "make", &games, &out, "--force", "--min-games", "3"], &["3 games", "nothing written"]);
    refused(&["book", "make", &games, &out, "--min-share", "101"], &["101"]);
    let illegal = file("onlybad.pgn", b"[Event \"1\"]\n\n1. e5 *\n");
    refused(&["book", "make", &illegal, &out, "--force"], &["no game", "onlybad.pgn, line 3", "e5"]);
    assert_eq!(fs::read(&out).unwrap(), b"kept");
    let output = alfiere(&["book", "make", &games, &out, "--force"]);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        output.status.success() && text.contains("1 games left out") && text.contains("mixed.pgn, line 6"),
        "{text}"
    );
    assert!(fs::read(&out).unwrap().len() == 16);
}

#[test]
fn games_are_annotated_with_charts_and_json() {
    let (out, figure, json) = (file("annotated.pgn", b""), file("curve.svg", b""), file("reports.json", b""));
    let games = data("datasets/games/miniatures.pgn");
    let arguments = ["analyse", &games, "--nodes", "5000", "--hash", "4"];
    let output = alfiere(&[&arguments[..], &["--out", &out, "--figure", &figure, "--json", &json]].concat());
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(text.contains("4. h3??") && text.contains("Amedee Gibaud"), "{text}");
    let annotated = fs::read_to_string(&out).unwrap().split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(annotated.contains("4. h3 $4 {[%eval -") && annotated.contains("17. Rd8# 1-0"), "{annotated}");
    for number in 1..=2 {
        let svg = fs::read_to_string(figure.replace(".svg", &format!("-{number}.svg"))).unwrap();
        assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"));
    }
    let value: serde_json::Value = serde_json::from_str(&fs::read_to_string(json).unwrap()).unwrap();
    assert_eq!(value["games"][0]["moves"].as_array().unwrap().len(), 33);
    assert_eq!(value["games"][1]["sides"][0]["judged"]["blunders"], 1);
    // The output is read back and gives the same evaluations.
    let again = file("again.pgn", b"");
    assert!(alfiere(&["analyse", &out, "--nodes", "5000", "--hash", "4", "--out", &again]).status.success());
    assert_eq!(fs::read_to_string(again).unwrap().matches("[%eval").count(), annotated.matches("[%eval").count());
}

#[test]
fn outputs_never_overwrite_inputs() {
    let epd: &[u8] = b"8/8/8/8/8/8/1k6/K1R5 w - - bm Rb1+;\n";
    let pgn: &[u8] = b"1. e4 e5 2. Nf3 *\n";
    let (suite, games) = (file("kept.epd", epd), file("kept.pgn", pgn));
    let rows = file("kept.csv", b"FEN,Evaluation\n8/8/8/8/8/8/1k6/K1R5 w - - 0 1,+500\n");
    let again = format!("{}/../cli/kept.epd", PathBuf::from(&suite).parent().unwrap().display());
    for arguments in [
        &["suite", &suite, "--depth", "1", "--json", &again][..],
        &["match", "--engine", "alfiere", "--engine", "alfiere", "--nodes", "1", "--games", "2", "--openings", &suite]
            .into_iter()
            .chain(["--pgn", &suite])
            .collect::<Vec<_>>(),
        &["positions", &games, "--out", &games],
        &["wdl", &games, "--json", &games],
        &["ratings", &games, "--json", &games],
        &["book", "make", &suite, &games, &again],
        &["eval", "--csv", &rows, "--json", &rows],
    ] {
        refused(arguments, &["kept.", "this is the input", "expected another file"]);
    }
    assert_eq!(fs::read(&suite).unwrap(), epd);
    assert_eq!(fs::read(&games).unwrap(), pgn);
    let one = file("one.out", b"");
    refused(
        &["analyse", &games, "--nodes", "10", "--out", &one, "--json", &one],
        &["one.out", "another result", "expected a file for each"],
    );
}

#[test]
fn invalid_games_for_analysis_are_reported() {
    let nodes = ["--nodes", "10"];
    let analyse = |arguments: &[&str], parts: &[&str]| refused(&[&["analyse"], arguments, &nodes].concat(), parts);
    analyse(&["/no/such.pgn"], &["/no/such.pgn"]);
    analyse(&[&file("nothing.pgn", b"")], &["nothing.pgn", "found no game"]);
    analyse(&[&file("onlyillegal.pgn", b"1. e5 *\n")], &["found no game", "onlyillegal.pgn, line 1", "e5"]);
    let mixed = file("mixedgames.pgn", b"[Event \"1\"]\n\n1. e4 e5 2. Ke3 *\n\n[Event \"2\"]\n\n1. d4 *\n");
    analyse(&[&mixed, "--out", &mixed], &["mixedgames.pgn", "expected another file"]);
    analyse(&[&mixed, "--out", "/no/folder/x.pgn"], &["/no/folder/x.pgn"]);
    analyse(&[&mixed, "--depth", "3"], &["cannot be used with"]);
    let out = file("rest.pgn", b"");
    analyse(&[&mixed, "--out", &out], &["1 of 2 games", "game 1", "mixedgames.pgn, line 3", "Ke3"]);
    let rest = fs::read_to_string(out).unwrap();
    assert!(
        rest.contains("[Event \"2\"]") && rest.contains("1. d4 {[%eval") && !rest.contains("[Event \"1\"]"),
        "{rest}"
    );
}

#[test]
fn multipv_lines_become_variations() {
    let (out, json) = (file("lines.pgn", b""), file("lines.json", b""));
    let games = data("datasets/games/miniatures.pgn");
    let arguments =
        ["analyse", &games, "--nodes", "20000", "--hash", "4", "--multipv", "3", "--out", &out, "--json", &json];
    let output = alfiere(&arguments);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let value: serde_json::Value = serde_json::from_str(&fs::read_to_string(json).unwrap()).unwrap();
    let firsts_of = |judged: &serde_json::Value| -> Vec<String> {
        let lines = judged["lines"].as_array().unwrap();
        lines.iter().map(|line| line["moves"][0].as_str().unwrap().to_owned()).collect()
    };
    // A stopped search reports each move in one line only.
    for judged in value["games"].as_array().unwrap().iter().flat_map(|game| game["moves"].as_array().unwrap()) {
        let mut firsts = firsts_of(judged);
        let count = firsts.len();
        firsts.sort_unstable();
        firsts.dedup();
        assert_eq!(firsts.len(), count, "{judged}");
    }
    let h3 = &value["games"][1]["moves"][6];
    let (lines, firsts) = (h3["lines"].as_array().unwrap(), firsts_of(h3));
    assert!(lines.len() == 3 && lines[0]["value"] == h3["before"] && h3["better"] == firsts[0].as_str(), "{h3}");
    let value_of = |line: &serde_json::Value| line["value"].as_str().unwrap().parse::<f64>().unwrap();
    // The first line can be one ply deeper than the others and its score lower.
    assert!(value_of(&lines[1]) >= value_of(&lines[2]), "White moves: {lines:?}");
    let annotated = fs::read_to_string(&out).unwrap().split_whitespace().collect::<Vec<_>>().join(" ");
    for name in firsts.iter().filter(|name| *name != "h3") {
        assert!(annotated.contains(&format!("(4. {name} {{[%eval ")), "{name}: {annotated}");
    }
    refused(&["analyse", &games, "--multipv", "0"], &["0"]);
}

#[test]
fn endgame_tables_improve_the_analysis() {
    let text = "[FEN \"8/8/8/8/4k3/8/4P3/4K3 w - - 0 1\"]\n[SetUp \"1\"]\n\n1. Kd2 Kd4 2. e3+ *\n";
    let (games, json) = (file("pawn.pgn", text.as_bytes()), file("pawn.json", b""));
    let tables = data("datasets/syzygy");
    let analyse = |more: &[&str]| {
        let output = alfiere(&[&["analyse", &games, "--nodes", "50", "--json", &json, "--force"], more].concat());
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let value: serde_json::Value = serde_json::from_str(&fs::read_to_string(&json).unwrap()).unwrap();
        let value_of = |number: usize| value["games"][0]["moves"][number]["expected_before"].as_f64().unwrap();
        ([0, 1, 2].map(value_of), String::from_utf8_lossy(&output.stdout).into_owned())
    };
    let (known, output_text) = analyse(&["--syzygy", &tables]);
    assert!(output_text.contains("endgame tables: "), "{output_text}");
    assert!(output_text.contains("tables of up to 4 pieces"), "{output_text}");
    assert!(known.iter().all(|&points| (points - 0.5).abs() < 1e-9 || points > 0.999), "{known:?}");
    let (guessed, _) = analyse(&[]);
    assert!(known.iter().zip(guessed).any(|(known, guessed)| (known - guessed).abs() > 1e-6), "{guessed:?}");
    refused(&["analyse", &games, "--syzygy", "/no/such/tables"], &["/no/such/tables"]);
    refused(&["analyse", &games, "--syzygy", &data("datasets/games")], &["datasets/games"]);
}

#[test]
fn games_that_go_on_after_a_draw_are_annotated() {
    let circle = "Nf3 Nf6 Ng1 Ng8 ";
    let (game, out) =
        (file("repeated.pgn", format!("{}e4 *\n", circle.repeat(5)).as_bytes()), file("repeated.out", b""));
    let analyse = |game: &str| {
        let output = alfiere(&["analyse", game, "--nodes", "10", "--out", &out, "--force"]);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        (String::from_utf8(output.stdout).unwrap(), fs::read_to_string(&out).unwrap())
    };
    let (text, annotated) = analyse(&game);
    assert!(
        text.contains("drawn by fivefold repetition after 16 plies; the 5 plies after it are also analysed"),
        "{text}"
    );
    assert_eq!(annotated.matches("[%eval").count(), 21, "{annotated}");
    // A threefold repetition needs a claim: without one the game goes on.
    let (text, _) = analyse(&file("threefold.pgn", format!("{}e4 *\n", circle.repeat(3)).as_bytes()));
    assert!(!text.contains("drawn by"), "{text}");
    let moves = "[FEN \"4k3/8/8/8/8/8/8/4K2R w - - 149 90\"]\n\n90. Rh2 Kd8 91. Rh3 *\n";
    let (text, _) = analyse(&file("long_endgame.pgn", moves.as_bytes()));
    assert!(text.contains("drawn by 75 moves without a capture or a pawn move after 1 plies; the 2 plies"), "{text}");
}

#[test]
fn names_of_any_length_are_shown_cut_off() {
    let text = format!("[White \"{}\"]\n\n1. e4 e5 1-0\n", "A".repeat(70_000));
    let (games, figure) = (file("long.pgn", text.as_bytes()), file("long.svg", b""));
    let output = alfiere(&["analyse", &games, "--nodes", "10", "--figure", &figure]);
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(text.contains("AAA… – Black, 1-0") && text.len() < 2_000, "{} letters", text.len());
}

#[cfg(unix)]
#[test]
fn a_killed_analysis_leaves_valid_json() {
    let json = file("killed.json", b"");
    let mut child = Command::new(env!("CARGO_BIN_EXE_alfiere"))
        .args(["analyse", &data("datasets/openings/8moves_v3_200.pgn"), "--movetime", "30", "--json", &json])
        .stdout(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let finished = || {
        let value: serde_json::Value = serde_json::from_str(&fs::read_to_string(&json).unwrap()).ok()?;
        Some(value["games"].as_array().unwrap().len())
    };
    let deadline = std::time::Instant::now() + std::time::Duration::from_mins(1);
    while finished().unwrap_or(0) < 2 {
        assert!(std::time::Instant::now() < deadline && child.try_wait().unwrap().is_none(), "no game is finished");
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(finished().is_some_and(|games| (2..200).contains(&games)));
}

#[cfg(unix)]
#[test]
fn an_interrupted_analysis_keeps_finished_games() {
    let out = file("interrupted.pgn", b"");
    let mut child = Command::new(env!("CARGO_BIN_EXE_alfiere"))
        .args(["analyse", &data("datasets/openings/8moves_v3_200.pgn"), "--movetime", "30", "--out", &out])
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let deadline = std::time::Instant::now() + std::time::Duration::from_mins(1);
    while fs::read_to_string(&out).unwrap().matches("[Event").count() < 2 {
        assert!(std::time::Instant::now() < deadline && child.try_wait().unwrap().is_none(), "no game is finished");
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success() && text.contains("stopped after "), "{text}");
    let finished = fs::read_to_string(&out).unwrap().matches("\n\n[Event").count() + 1;
    assert!(text.contains(&format!("stopped after {finished} of 200 games")), "{finished}: {text}");
}
