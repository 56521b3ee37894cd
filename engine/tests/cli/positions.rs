//! `suite`, `genfens`, `book` and `positions`.

use std::fs;

use serde_json::Value;

use crate::{data, file, output_of, read_json, refused};

#[test]
fn a_suite_is_scored_and_written_as_json() {
    let out = file("bk.json", b"");
    let text = output_of(&["suite", &data("datasets/suites/bk.epd"), "--depth", "1", "--json", &out]);
    let last = text.lines().last().unwrap();
    assert!(last.starts_with("solved ") && last.ends_with("/24"), "{last}");
    let json = read_json(out);
    assert_eq!(json["attempts"].as_array().unwrap().len(), 24);
    assert_eq!(json["score"]["all"]["total"], 24);
}

#[test]
fn a_suite_is_run_over_limits_and_its_nodes_grow_with_the_depth() {
    let (out, csv) = (file("over.json", b""), file("over.csv", b""));
    let suite = data("datasets/suites/eret.epd");
    let limits = ["--depth", "1,2,3,4,5,6", "--nodes", "500", "--quiet"];
    let text = output_of(&[&["suite", &suite, "--json", &out, "--csv", &csv], &limits[..]].concat());
    assert!(text.contains("| depth 6 |") && text.contains("| 500 nodes |"), "{text}");
    let table = fs::read_to_string(csv).unwrap();
    let nodes: Vec<u64> = table.lines().skip(1).map(|row| row.split(',').nth(6).unwrap().parse().unwrap()).collect();
    assert!(nodes.len() == 7 && nodes[..6].is_sorted_by(|one, next| one < next), "{table}");
    let runs = read_json(out);
    let answers = |run: &Value| run["attempts"].as_array().unwrap().len();
    assert!(runs.as_array().unwrap().iter().all(|run| answers(run) == 111), "one list of answers a run");
}

#[test]
fn invalid_lines_of_a_suite_are_skipped_and_counted() {
    let suite = file(
        "partly.epd",
        b"4k3/8/8/8/8/8/8/4K2R w K - bm O-O;\n4k3/8/8/8/8/8/8/4K2R w K - bm Qh5;\n4k3/8/8/8/8/8/8/4K2R w K - am Ke2;\n",
    );
    let out = file("partly.json", b"");
    let text = output_of(&["suite", &suite, "--depth", "1", "--json", &out]);
    assert!(text.contains("partly.epd, line 2: ") && text.contains("skipped 1 lines"), "{text}");
    assert!(text.lines().last().unwrap().ends_with("/2"), "{text}");
    assert_eq!(read_json(out)["skipped"].as_array().unwrap().len(), 1);
}

#[test]
fn genfens_follows_the_openbench_format() {
    let book = data("datasets/openings/noob_3moves_1000.epd");
    let ask = |book: &str| output_of(&[&format!("genfens 12 seed 42 book {book} nodes=300"), "quit"]);
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
    let text = output_of(&["book", "make", &games, &out, "--plies", "10", "--min-games", "2"]);
    assert!(text.starts_with("200 games, "), "{text}");
    let bytes = fs::read(&out).unwrap();
    assert!(bytes.len() > 16 * 50 && bytes.len().is_multiple_of(16), "{}", bytes.len());
    let shown = |arguments: &[&str]| output_of(&[&["book", "show"], arguments].concat());
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
        let output = output_of(&[&["positions", &games, "--from-ply", "8", "--out", &out, "--force"], words].concat());
        (output, fs::read_to_string(&out).unwrap())
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
    let text = output_of(&["book", "make", &games, &out, "--force"]);
    assert!(text.contains("1 games left out") && text.contains("mixed.pgn, line 6"), "{text}");
    assert!(fs::read(&out).unwrap().len() == 16);
}
