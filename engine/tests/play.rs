//! The web server over a real socket: whole games, and invalid requests of each kind.
#![cfg(feature = "play")]
// In tests a failed unwrap is the error report.
#![allow(clippy::unwrap_used)]

mod http;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::Command;

use alfiere_chess::board::Board;
use alfiere_chess::movegen::{legal_moves, parse_uci_move};
use alfiere_chess::types::Square;
use http::{Server, exchange, request};
use serde_json::{Value, json};

const JSON: [(&str, &str); 1] = [("Content-Type", "application/json")];

fn plies(game: &Value) -> usize {
    game["stages"].as_array().unwrap().len() - 1
}

fn fen(game: &Value) -> String {
    game["stages"][plies(game)]["fen"].as_str().unwrap().to_owned()
}

#[test]
fn a_whole_game_is_played_over_http() {
    let server = Server::start(&[]);
    let path = server.begin(&json!({"side": "black", "level": "600", "player": "classical"}));
    let mut board = Board::startpos();
    let mut seen = 0;
    loop {
        let game = server.wait_for(&path, |game| game["your_turn"] == true || !game["end"].is_null());
        // Checks that every move of both sides is legal.
        for stage in &game["stages"].as_array().unwrap()[seen + 1..] {
            let mv = parse_uci_move(&board, stage["uci"].as_str().unwrap()).unwrap();
            board.play(mv);
            assert_eq!(stage["fen"], board.to_fen());
        }
        seen = plies(&game);
        if !game["end"].is_null() {
            // Only a mate may end the game early: a weak level once mated in nine moves.
            let mated = legal_moves(&board).is_empty() && board.in_check();
            assert_eq!(game["end"]["reason"] == "checkmate", mated, "{game}");
            assert!((mated || seen > 20) && !game["end"]["reason"].as_str().unwrap().is_empty(), "{game}");
            assert_eq!(game["legal"], json!([]));
            break;
        }
        assert_eq!(game["legal"].as_array().unwrap().len(), legal_moves(&board).len());
        if seen > 60 {
            assert_eq!(server.post(&format!("{path}/resign"), &json!({})).status, 200);
            continue;
        }
        // The last legal move is good enough against this low level.
        let mv = game["legal"].as_array().unwrap().last().unwrap();
        let answer = server.post(&format!("{path}/moves"), &json!({"move": mv, "ply": seen}));
        assert_eq!(answer.status, 200, "{}", answer.body);
    }
    server.post(&format!("{path}/moves"), &json!({"move": "e4"})).is_error(409, "the game is over");
    let pgn = server.get(&format!("{path}/pgn")).json()["pgn"].as_str().unwrap().to_owned();
    // The game can be continued from its final position.
    let copy = server.begin(&json!({"position": pgn}));
    let copied = server.get(&copy).json();
    assert_eq!((fen(&copied), copied["given"].as_u64()), (board.to_fen(), Some(seen as u64)), "{pgn}");
    assert!(pgn.contains("[Black \"Player\"]") && pgn.contains("[White \"Alfiere (classical, level 600)\"]"), "{pgn}");
}

#[test]
fn each_player_has_its_own_levels() {
    let server = Server::start(&[]);
    let info = server.get("/api/info").json();
    for player in info["players"].as_array().unwrap() {
        let levels = player["levels"].as_array().unwrap();
        for level in [&levels[0], &levels[levels.len() - 1]] {
            let path = server.begin(&json!({"player": player["name"], "level": level["name"], "side": "black"}));
            let game = server.wait_for(&path, |game| plies(game) == 1 && game["your_turn"] == true);
            assert_eq!((&game["player"], &game["level"]), (&player["name"], &level["name"]));
            assert_eq!(game["level_label"].is_null(), levels.len() == 1, "{game}");
        }
        let path = server.begin(&json!({"player": player["name"]}));
        assert_eq!(server.get(&path).json()["level"], player["level"]);
    }
}

#[test]
fn full_strength_beats_the_weakest_level() {
    let server = Server::start(&[]);
    // Both players are the server's: the moves of one game are played in the other.
    let quick = json!({"kind": "move", "seconds": 0.05});
    let strong = server.begin(&json!({"side": "black", "level": "full", "time": quick}));
    let weak = server.begin(&json!({"side": "white", "level": "600"}));
    let mut seen = 0;
    while seen < 200 {
        let game = server.wait_for(&strong, |game| plies(game) > seen || !game["end"].is_null());
        seen = plies(&game);
        if !game["end"].is_null() {
            break;
        }
        assert_eq!(server.post(&format!("{weak}/moves"), &json!({"move": game["stages"][seen]["uci"]})).status, 200);
        let game = server.wait_for(&weak, |game| plies(game) > seen || !game["end"].is_null());
        seen = plies(&game);
        if !game["end"].is_null() {
            break;
        }
        assert_eq!(server.post(&format!("{strong}/moves"), &json!({"move": game["stages"][seen]["uci"]})).status, 200);
    }
    let game = server.get(&strong).json();
    assert_eq!(game["end"]["result"], "1-0", "{game}");
}

#[test]
fn games_end_by_the_rules() {
    let server = Server::start(&[]);
    for (position, mv, result, reason) in [
        ("7k/R7/8/8/8/8/1R6/K7 w - - 0 80", "Rb8", "1-0", "checkmate"),
        ("7k/8/4Q3/8/8/8/8/K7 w - - 0 1", "e6f7", "1/2-1/2", "stalemate"),
        ("7k/8/8/8/8/8/1p6/K7 w - - 0 1", "Kxb2", "1/2-1/2", "insufficient material"),
        ("7k/8/8/8/8/8/1R6/K7 w - - 99 80", "b2b3", "1/2-1/2", "fifty moves"),
        ("1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 *", "", "1/2-1/2", "threefold repetition"),
        ("6k1/P7/6K1/8/8/8/8/8 w - - 0 1", "a8=Q#", "1-0", "checkmate"),
    ] {
        let path = server.begin(&json!({"position": position}));
        if !mv.is_empty() {
            assert_eq!(server.post(&format!("{path}/moves"), &json!({"move": mv})).status, 200, "{position}");
        }
        let game = server.get(&path).json();
        assert_eq!(game["end"]["result"], result, "{position}");
        assert!(game["end"]["reason"].as_str().unwrap().contains(reason), "{game}");
        // The last position is evaluated without a search for mates and draws.
        let game = server.wait_for(&path, |game| !game["stages"][plies(game)]["judgement"].is_null());
        let chance = game["stages"][plies(&game)]["judgement"]["chance"].as_f64().unwrap();
        assert!((chance - if result == "1-0" { 1.0 } else { 0.5 }).abs() < 1e-9, "{game}");
    }
    let path = server.begin(&json!({}));
    let game = server.post(&format!("{path}/resign"), &json!({})).json();
    assert_eq!((&game["end"]["result"], &game["end"]["reason"]), (&json!("0-1"), &json!("White resigned")));
}

#[test]
fn moves_can_be_taken_back_during_a_search() {
    let server = Server::start(&[]);
    let path = server.begin(&json!({"level": "full", "time": {"kind": "move", "seconds": 60}}));
    server.post(&format!("{path}/takeback"), &json!({})).is_error(409, "no move of yours");
    server.post(&format!("{path}/moves"), &json!({"move": "e2e4"}));
    server.wait_for(&path, |game| game["thinking"] == true);
    server.post(&format!("{path}/moves"), &json!({"move": "e7e5"})).is_error(409, "the engine's turn");
    let game = server.post(&format!("{path}/takeback"), &json!({})).json();
    assert_eq!((plies(&game), &game["your_turn"], &game["thinking"]), (0, &json!(true), &json!(false)));
    // The cancelled search does not play a move.
    let game = server.wait_for(&path, |game| !game["stages"][0]["judgement"].is_null());
    assert_eq!(plies(&game), 0);

    let path = server.begin(&json!({"level": "600"}));
    for (index, mv) in ["Nf3", "g1f3"].into_iter().enumerate() {
        let answer = server.post(&format!("{path}/moves"), &json!({"move": mv, "ply": 0}));
        assert_eq!(answer.status, 200, "{}", answer.body);
        server.wait_for(&path, |game| plies(game) == 2);
        server.post(&format!("{path}/moves"), &json!({"move": "e4", "ply": 0})).is_error(409, "at half-move 2");
        let game = server.post(&format!("{path}/takeback"), &json!({})).json();
        assert_eq!((plies(&game), &game["can_take_back"]), (0, &json!(false)), "{index}");
    }
}

#[test]
fn clocks_run_and_run_out() {
    let server = Server::start(&[]);
    let path = server.begin(&json!({"level": "600", "time": {"kind": "clock", "seconds": 1, "increment": 0}}));
    assert_eq!(server.get(&path).json()["clock"], json!({"white": 1000, "black": 1000, "running": null}));
    server.post(&format!("{path}/moves"), &json!({"move": "a3"}));
    let game = server.wait_for(&path, |game| plies(game) == 2);
    assert_eq!(game["clock"]["running"], "white");
    let game = server.wait_for(&path, |game| !game["end"].is_null());
    assert_eq!((&game["end"]["result"], &game["end"]["reason"]), (&json!("0-1"), &json!("White ran out of time")));
    assert_eq!((&game["clock"]["white"], &game["clock"]["running"]), (&json!(0), &Value::Null));
    server.post(&format!("{path}/moves"), &json!({"move": "a4"})).is_error(409, "ran out of time");
    // A lone king cannot win, not even on time.
    let bare = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
    let path = server
        .begin(&json!({"position": bare, "level": "600", "time": {"kind": "clock", "seconds": 1, "increment": 0}}));
    server.post(&format!("{path}/moves"), &json!({"move": "e4"}));
    let game = server.wait_for(&path, |game| !game["end"].is_null());
    assert_eq!(game["end"]["result"], "1/2-1/2", "{game}");
}

#[test]
fn hints_contributions_and_events_are_sent() {
    let server = Server::start(&[]);
    let mate = "7k/R7/8/8/8/8/1R6/K7 w - - 0 80";
    let path = server.begin(&json!({"position": mate}));
    assert_eq!(server.post(&format!("{path}/hint"), &json!({"ply": 0})).status, 202);
    let game = server.wait_for(&path, |game| !game["hint"].is_null());
    assert_eq!((&game["hint"]["line"], &game["hint"]["judgement"]["mate"]), (&json!("80. Rb8#"), &json!(1)));
    server.post(&format!("{path}/hint"), &json!({"ply": 3})).is_error(422, "expected a number from 0 to 0");
    let parts = server.get(&format!("{path}/parts/0")).json();
    let squares: Vec<_> = parts["pieces"].as_object().unwrap().keys().collect();
    assert_eq!(squares, ["a7", "b2"]);
    assert!(squares.iter().all(|square| Square::parse(square).is_some()));
    server.get(&format!("{path}/parts/x")).is_error(400, "ply x");

    let mut stream = TcpStream::connect(("127.0.0.1", server.port)).unwrap();
    write!(stream, "GET {path}/events HTTP/1.1\r\nHost: localhost:{}\r\n\r\n", server.port).unwrap();
    let mut games = BufReader::new(stream).lines().map_while(Result::ok).filter_map(|line| {
        let text = line.strip_prefix("data: ")?;
        serde_json::from_str::<Value>(text).ok()
    });
    assert_eq!(plies(&games.next().unwrap()), 0);
    server.post(&format!("{path}/moves"), &json!({"move": "Kb1"}));
    assert!(games.any(|game| plies(&game) == 2), "the engine's move is sent");
}

#[test]
fn ambiguous_chess960_castling_is_king_takes_rook() {
    let server = Server::start(&[]);
    let path = server.begin(&json!({"position": "4k3/8/8/8/8/8/8/5K1R w H - 0 1"}));
    let game = server.get(&path).json();
    let legal = game["legal"].as_array().unwrap();
    assert!(legal.contains(&json!("f1g1")) && legal.contains(&json!("f1h1")), "{game}");
    let game = server.post(&format!("{path}/moves"), &json!({"move": "f1h1"})).json();
    assert_eq!(game["stages"][1]["san"], "O-O");
}

#[test]
fn bad_requests_are_rejected_with_a_reason() {
    let server = Server::start(&[]);
    let game = server.begin(&json!({}));
    let moves = format!("{game}/moves");
    let send = |path: &str, body: &str| request(server.port, "POST", path, &JSON, body);
    send("/api/games", "{").is_error(400, "JSON");
    send("/api/games", "[1]").is_error(400, "JSON");
    send("/api/games", "").is_error(400, "JSON");
    send("/api/games", "{\"colour\": \"white\"}").is_error(400, "unknown field `colour`");
    send("/api/games", "{\"side\": \"green\"}").is_error(422, "expected white, black or random");
    send("/api/games", "{\"player\": \"deep blue\"}").is_error(422, "expected one of nnue, classical");
    send("/api/games", "{\"level\": \"99\"}").is_error(422, "expected one of 600, 800");
    send("/api/games", "{\"player\": \"random\", \"level\": \"600\"}")
        .is_error(422, "one of full for the player random");
    send("/api/games", "{\"time\": {\"kind\": \"clock\", \"seconds\": 1e300}}").is_error(422, "expected seconds");
    send("/api/games", "{\"time\": {\"kind\": \"move\", \"seconds\": -1}}").is_error(422, "expected seconds");
    send("/api/games", "{\"time\": {\"kind\": \"sand\"}}").is_error(400, "sand");
    send("/api/games", "{\"position\": \"8/8/8/8/8/8/8/8 w - - 0 1\"}").is_error(422, "kings");
    send("/api/games", "{\"position\": \"1. e4 e5 2. Ke3\"}").is_error(422, "Ke3");
    send("/api/games", "{\"position\": \"hello\"}").is_error(422, "hello");
    let long = "1. Nf3 Nf6 2. Ng1 Ng8 ".repeat(300);
    send("/api/games", &json!({"position": long}).to_string()).is_error(422, "1200 half-moves");
    send(&moves, "{\"move\": \"e2e5\"}").is_error(422, "not legal");
    send(&moves, "{\"move\": \"\"}").is_error(422, "not a move");
    send(&moves, "{\"move\": \"é\u{1f600}\"}").is_error(422, "not a move");
    send(&moves, "{}").is_error(400, "missing field `move`");
    send(&moves, "{\"move\": 5}").is_error(400, "JSON");
    send(&format!("/api/games/{}/moves", "0".repeat(32)), "{\"move\": \"e4\"}").is_error(404, "no such game");
    send(&moves, &json!({"move": "x".repeat(300_000)}).to_string()).is_error(413, "larger than 262144 bytes");
    request(server.port, "POST", &moves, &[("Content-Type", "text/plain")], "{}").is_error(415, "application/json");
    request(server.port, "POST", &moves, &[], "{}").is_error(415, "application/json");
    request(server.port, "DELETE", &game, &[], "").is_error(405, "DELETE");
    request(server.port, "GET", &moves, &[], "").is_error(405, "GET");
    server.get("/api/nothing").is_error(404, "/api/nothing");
    server.get("/api/games/nonsense").is_error(404, "no such game");
    server.get("/api/games/%ff%fe").is_error(400, "UTF-8");
    server.get("/assets/nothing.js").is_error(404, "nothing.js");
    server.get("/assets/%ff").is_error(404, "no file");
    server.get("/assets/..%2f..%2fserver.rs").is_error(404, "no file");
    assert_eq!(exchange(server.port, b"\x16\x03\x01 nonsense\r\n\r\n").status, 400);
    // None of these requests changed the game.
    assert_eq!(plies(&server.get(&game).json()), 0);
}

#[test]
fn other_host_names_and_origins_are_rejected() {
    let server = Server::start(&[]);
    let ask = |headers: &[(&str, &str)]| request(server.port, "GET", "/api/info", headers, "");
    ask(&[("Host", "rebound.example.org")]).is_error(421, "rebound.example.org");
    ask(&[("Origin", "http://evil.example.org")]).is_error(403, "evil.example.org");
    exchange(server.port, b"GET /api/info HTTP/1.0\r\n\r\n").is_error(400, "no host");
    let two = b"GET /api/info HTTP/1.1\r\nHost: localhost\r\nHost: rebound.example.org\r\n\r\n";
    exchange(server.port, two).is_error(400, "several hosts");
    let answer = ask(&[("Host", &format!("localhost:{}", server.port))]);
    assert_eq!((answer.status, answer.header("access-control-allow-origin")), (200, None));
    for path in ["/", "/api/info", "/api/nothing", "/assets/main.js"] {
        let answer = server.get(path);
        assert!(answer.header("content-security-policy").unwrap().starts_with("default-src 'none'"), "{path}");
        assert_eq!(answer.header("x-content-type-options"), Some("nosniff"), "{path}");
    }
    // The page loads no external resources.
    for path in ["/", "/tournament", "/assets/style.css"] {
        let text = server.get(path).body;
        assert!(!text.contains("src=\"http") && !text.contains("url(http") && !text.contains("@import"), "{path}");
    }
}

#[test]
fn the_number_of_games_is_limited() {
    let server = Server::start(&[]);
    for _ in 0..24 {
        server.begin(&json!({}));
    }
    server.post("/api/games", &json!({})).is_error(503, "24 games");
}

#[test]
fn slow_senders_lock_nobody_out() {
    let server = Server::start(&[]);
    let connect = |text: &str| {
        let mut stream = TcpStream::connect(("127.0.0.1", server.port)).unwrap();
        stream.write_all(text.as_bytes()).unwrap();
        stream
    };
    // More than there may be at a time, each with half a head.
    let half: Vec<_> = (0..200).map(|_| connect("GET /api/info HTTP/1.1\r\nHos")).collect();
    assert_eq!(server.get("/api/info").status, 200);
    drop(half);
    let mut slow = connect(
        "POST /api/games HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 90\r\n\r\n{",
    );
    let mut answer = String::new();
    slow.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 408 "), "{answer}");
}

#[test]
fn a_used_port_is_reported_and_ctrl_c_ends_the_server() {
    let mut server = Server::start(&[]);
    let port = server.port.to_string();
    let output = Command::new(env!("CARGO_BIN_EXE_alfiere")).args(["play", "--port", &port]).output().unwrap();
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.status.success());
    assert_eq!(
        text.trim_end(),
        format!("error: port {port} is in use: choose another, or 0 for any that is free")
    );
    let output =
        Command::new(env!("CARGO_BIN_EXE_alfiere")).args(["play", "--host", "no.such.host.invalid"]).output().unwrap();
    assert!(!output.status.success() && String::from_utf8_lossy(&output.stderr).contains("no.such.host.invalid"));
    #[cfg(unix)]
    {
        // A page that listens for events does not prevent the exit.
        let path = server.begin(&json!({"level": "full", "side": "black", "time": {"kind": "move", "seconds": 60}}));
        let mut stream = TcpStream::connect(("127.0.0.1", server.port)).unwrap();
        write!(stream, "GET {path}/events HTTP/1.1\r\nHost: localhost\r\n\r\n").unwrap();
        server.wait_for(&path, |game| game["thinking"] == true);
        assert!(Command::new("kill").args(["-INT", &server.id().to_string()]).status().unwrap().success());
        assert!(server.wait().success());
    }
}

#[test]
#[cfg(target_os = "linux")]
fn the_page_is_opened_on_request() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let (opener, asked) = (folder.path().join("xdg-open"), folder.path().join("asked"));
    std::fs::write(&opener, format!("#!/bin/sh\necho \"$1\" > {}\n", asked.display())).unwrap();
    std::fs::set_permissions(&opener, std::fs::Permissions::from_mode(0o755)).unwrap();
    // There is a screen but no terminal.
    let environment = [("PATH", folder.path().to_str().unwrap()), ("DISPLAY", ":7")];
    let server = Server::start_in(&environment, &[]);
    assert_eq!(server.get("/").status, 200);
    assert!(!asked.exists());
    let server = Server::start_in(&environment, &["--open"]);
    let until = std::time::Instant::now() + std::time::Duration::from_secs(30);
    let page = format!("http://127.0.0.1:{}/", server.port);
    while std::fs::read_to_string(&asked).map_or(true, |text| text.trim() != page) {
        assert!(std::time::Instant::now() < until, "no page was opened");
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
}

#[test]
fn the_cross_table_combines_match_results() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let results = [("a", "b"), ("b", "c")].map(|(first, second)| {
        let out = file(&format!("{first}{second}.json"));
        let engine = |name: &str, nodes: u32| format!("alfiere name={name} option.Hash=1 nodes={nodes}");
        let engines = [engine(first, 400), engine(second, 20)];
        let output = Command::new(env!("CARGO_BIN_EXE_alfiere"))
            .args(["match", "--engine", &engines[0], "--engine", &engines[1], "--nodes", "20", "--games", "4"])
            .args(["--json", &out])
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        out
    });
    let server = Server::start(&["--results", &results[0], &results[1]]);
    let table = server.get("/api/tournament").json();
    let players = table["players"].as_array().unwrap();
    assert_eq!(players.len(), 3, "{table}");
    let games = |row: &Value| row["games"].as_f64().unwrap();
    assert!((players.iter().map(games).sum::<f64>() - 16.0).abs() < 1e-9, "{table}");
    assert_eq!(server.get("/tournament").status, 200);
    assert_eq!(Server::start(&[]).get("/api/tournament").json(), json!({"players": []}));

    std::fs::write(file("other.json"), "{\"players\": []}").unwrap();
    for (name, part) in [("other.json", "expected what alfiere match --json writes"), ("none.json", "none.json")] {
        let output =
            Command::new(env!("CARGO_BIN_EXE_alfiere")).args(["play", "--results", &file(name)]).output().unwrap();
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && text.contains(part), "{text}");
    }
}

#[test]
fn the_analysis_board_asks_about_rules_and_searches() {
    let server = Server::start(&[]);
    assert_eq!(server.get("/analysis").status, 200);
    let line = server.post("/api/rules", &json!({"ask": "line", "moves": ["e4", "c5"]})).json();
    assert_eq!((&line["plies"][1]["uci"], line["legal"].as_array().unwrap().len()), (&json!("c7c5"), 30));
    let error = server.post("/api/rules", &json!({"ask": "line", "fen": "8/8/8/8/8/8/8/8 w - - 0 1"})).json();
    assert!(error["error"].as_str().unwrap().contains("White has 0 kings"), "{error}");

    let found = server.post("/api/search", &json!({"moves": ["e2e4"], "lines": 2, "nodes": 5000})).body;
    assert!(found.contains("multipv 2") && found.contains(" wdl ") && found.contains("bestmove"), "{found}");
    for (request, words) in [
        (json!({"lines": 6}), "6 lines"),
        (json!({"nodes": 0}), "0 nodes"),
        (json!({"moves": ["e2e5"]}), "'e2e5' is not legal"),
        (json!({"fen": "8/8/8/8/8/8/8/8 w - - 0 1"}), "kings"),
    ] {
        server.post("/api/search", &request).is_error(422, words);
    }
}

#[test]
fn a_search_ends_with_its_connection() {
    let server = Server::start(&[]);
    let begin = || {
        let mut stream = TcpStream::connect(("127.0.0.1", server.port)).unwrap();
        let head = "POST /api/search HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}";
        stream.write_all(head.as_bytes()).unwrap();
        let mut answer = [0; 12];
        stream.read_exact(&mut answer).unwrap();
        (stream, String::from_utf8(answer.to_vec()).unwrap())
    };
    let mut open: Vec<_> = (0..8).map(|_| begin()).collect();
    assert!(open.iter().all(|(_, answer)| answer == "HTTP/1.1 200"));
    assert_eq!(begin().1, "HTTP/1.1 503");
    open.pop();
    let until = std::time::Instant::now() + std::time::Duration::from_secs(20);
    while begin().1 != "HTTP/1.1 200" {
        assert!(std::time::Instant::now() < until, "the search goes on without its connection");
        std::thread::sleep(std::time::Duration::from_millis(100));
    }
}
