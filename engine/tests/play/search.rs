//! Searches: whole games, players and levels, analyses, the values of pieces, refused requests.

use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::thread::ScopedJoinHandle;
use std::time::{Duration, Instant};

use alfiere_chess::board::Board;
use alfiere_chess::movegen::{has_legal_move, legal_moves, parse_uci_move};
use alfiere_chess::types::Square;
use serde_json::{Value, json};

use super::http::{Server, exchange};

fn best_move(server: &Server, request: &Value) -> String {
    let answer = server.post("/api/search", request);
    let line = answer.body.lines().find_map(|line| line.strip_prefix("bestmove "));
    line.unwrap_or_else(|| panic!("{}", answer.body)).split(' ').next().unwrap().to_owned()
}

#[test]
fn full_strength_beats_the_weakest_level() {
    let server = Server::start(&[]);
    let (mut board, mut moves) = (Board::startpos(), Vec::new());
    while has_legal_move(&board) && moves.len() < 200 {
        let request = match moves.len() % 2 {
            0 => json!({"moves": moves, "go": "movetime 50"}),
            _ => json!({"moves": moves, "elo": 600, "seed": 7, "go": "wtime 60000 btime 60000 winc 0 binc 0"}),
        };
        let uci = best_move(&server, &request);
        board.play(parse_uci_move(&board, &uci).unwrap());
        moves.push(uci);
    }
    assert!(moves.len() % 2 == 1 && board.in_check() && !has_legal_move(&board), "{moves:?}");
}

#[test]
fn each_player_and_level_finds_a_move() {
    let server = Server::start(&[]);
    let info = server.get("/api/info").json();
    let players = info["players"].as_array().unwrap();
    assert_eq!((&players[0], players.len()), (&json!("nnue"), 6));
    for player in players {
        for elo in [json!(600), json!(2800), Value::Null] {
            let uci = best_move(&server, &json!({"player": player, "elo": elo, "go": "movetime 50"}));
            assert!(parse_uci_move(&Board::startpos(), &uci).is_ok(), "{player} {elo}: {uci}");
        }
    }
    // The same seed finds the same move, others find others.
    let random = |seed: u32| best_move(&server, &json!({"player": "random", "seed": seed, "go": "movetime 50"}));
    let found: Vec<String> = (1..9).map(random).collect();
    assert!(found[0] == random(1) && found.iter().any(|uci| *uci != found[0]), "{found:?}");
}

#[test]
fn analyses_report_lines_and_use_tables() {
    let server = Server::start(&[]);
    let request = json!({"moves": ["e2e4"], "analysis": true, "lines": 2, "threads": 1, "hash": 2, "go": "nodes 5000"});
    let found = server.post("/api/search", &request).body;
    assert!(found.contains("multipv 2") && found.contains(" wdl ") && found.contains("bestmove"), "{found}");
    // The tables know the win.
    let rook = json!({"fen": "8/8/8/8/8/4k3/8/4K2R w - - 0 1", "go": "nodes 100"});
    let tables = concat!(env!("CARGO_MANIFEST_DIR"), "/../datasets/syzygy");
    let found = Server::start(&["--syzygy", tables]).post("/api/search", &rook).body;
    let hits = |found: &str| found.lines().any(|line| line.contains("tbhits ") && !line.contains("tbhits 0 "));
    assert!(hits(&found) && !hits(&server.post("/api/search", &rook).body), "{found}");
}

#[test]
fn a_network_is_opened_and_searches() {
    let server = Server::start(&[]);
    let file = fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/../nets/perceptron.nnue")).unwrap();
    let open = |kind: &str, bytes: &[u8]| {
        let length = bytes.len();
        let head = format!(
            "POST /api/network HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nConnection: close\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\n\r\n",
            server.port,
        );
        exchange(server.port, &[head.as_bytes(), bytes].concat())
    };
    let binary = "application/octet-stream";
    let opened = open(binary, &file).json();
    assert_eq!(opened["architecture"], "white [] crelu x1");
    let evaluation = |request: Value| {
        let found = server.post("/api/search", &request).body;
        found.lines().find(|line| line.starts_with("Static evaluation")).map(str::to_owned)
    };
    let own = evaluation(json!({"moves": ["e2e4"], "network": opened["id"]}));
    assert!(own.is_some());
    assert_eq!(own, evaluation(json!({"moves": ["e2e4"], "player": "perceptron"})));
    assert_ne!(own, evaluation(json!({"moves": ["e2e4"]})));
    server.post("/api/search", &json!({"network": "0123"})).is_error(404, "no network 0123");
    open(binary, &file[..100]).is_error(422, "");
    open("text/plain", &file).is_error(415, "expected application/octet-stream");
}

#[test]
fn without_go_the_values_of_the_pieces_are_reported() {
    let server = Server::start(&[]);
    let found = server.post("/api/search", &json!({"fen": "7k/R7/8/8/8/8/1R6/K7 w - - 0 80"})).body;
    let values = found.lines().find(|line| line.starts_with("Piece values")).unwrap_or_else(|| panic!("{found}"));
    let squares: Vec<&str> =
        values.split(|letter: char| !letter.is_alphanumeric()).filter(|word| Square::parse(word).is_some()).collect();
    assert_eq!(squares, ["b2", "a7"], "{values}");
    assert!(found.contains("\nreadyok\n"), "{found}");
}

#[test]
fn invalid_searches_are_refused() {
    let server = Server::start(&[]);
    for (request, words) in [
        (json!({"lines": 6}), "6 lines"),
        (json!({"threads": 100_000}), "100000 threads, expected 1 to"),
        (json!({"hash": 0}), "0 MiB of hash, expected 1 to 1024"),
        (json!({"elo": 599}), "599 Elo, expected 600 to 2800"),
        (json!({"player": "deep blue"}), "expected one of nnue, classical"),
        (json!({"go": "perft 9"}), "go perft, expected infinite, nodes"),
        (json!({"go": "nodes 5\nquit"}), "go quit"),
        (json!({"moves": ["e2e5"]}), "'e2e5' is not legal"),
        (json!({"moves": vec!["g1f3"; 17_698]}), "17698 moves, expected at most 17697"),
        (json!({"fen": "8/8/8/8/8/8/8/8 w - - 0 1"}), "kings"),
    ] {
        server.post("/api/search", &request).is_error(422, words);
    }
}

#[test]
fn very_long_games_go_on() {
    let server = Server::start(&[]);
    let moves: Vec<&str> = ["g1f3", "g8f6", "f3g1", "f6g8"].into_iter().cycle().take(6000).collect();
    let uci = best_move(&server, &json!({"moves": moves, "go": "nodes 500"}));
    assert!(legal_moves(&Board::startpos()).into_iter().any(|mv| parse_uci_move(&Board::startpos(), &uci) == Ok(mv)));
}

/// Starts a search with a body that never ends by itself; the connection, and the first line of the answer.
pub(super) fn begin(server: &Server, body: &str) -> (TcpStream, String) {
    let mut stream = TcpStream::connect(("127.0.0.1", server.port)).unwrap();
    let length = body.len();
    let head = format!(
        "POST /api/search HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}"
    );
    stream.write_all(head.as_bytes()).unwrap();
    let mut answer = [0; 12];
    stream.read_exact(&mut answer).unwrap();
    (stream, String::from_utf8(answer.to_vec()).unwrap())
}

#[test]
fn a_search_ends_with_its_connection() {
    let server = Server::start(&[]);
    let begin = || begin(&server, "{\"go\": \"infinite\"}");
    let mut open: Vec<_> = (0..8).map(|_| begin()).collect();
    assert!(open.iter().all(|(_, answer)| answer == "HTTP/1.1 200"));
    assert_eq!(begin().1, "HTTP/1.1 503");
    open.pop();
    let until = Instant::now() + Duration::from_secs(20);
    while begin().1 != "HTTP/1.1 200" {
        assert!(Instant::now() < until, "the search continues without its connection");
        std::thread::sleep(Duration::from_millis(100));
    }
}

#[test]
fn searches_hold_nobody_up() {
    let server = Server::start(&[]);
    // Each makes and drops a large table, and the last ones a search of many moves.
    std::thread::scope(|scope| {
        let searches: Vec<_> = (0..6)
            .map(|_| scope.spawn(|| (0..4).for_each(|_| _ = begin(&server, "{\"go\": \"infinite\", \"hash\": 256}"))))
            .collect();
        answers_quickly(&searches, || _ = server.get("/api/info"));
    });
}

/// Checks that a question is answered at once while these threads run.
pub(super) fn answers_quickly<T>(running: &[ScopedJoinHandle<'_, T>], ask: impl Fn()) {
    while !running.iter().all(ScopedJoinHandle::is_finished) {
        // A busy machine may suspend both programs, so that one answer in time is enough for each pause.
        let quickest = (0..5).map(|_| {
            let start = Instant::now();
            ask();
            start.elapsed()
        });
        assert!(quickest.min() < Some(Duration::from_millis(100)));
        std::thread::sleep(Duration::from_millis(20));
    }
}
