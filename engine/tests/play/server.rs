//! The server: invalid requests, foreign origins, limits, its start and end, the cross table, the analysis board.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use super::http::{Server, exchange, request};
use super::plies;

const JSON: [(&str, &str); 1] = [("Content-Type", "application/json")];

#[test]
fn bad_requests_are_rejected_with_a_reason() {
    let server = Server::start(&[]);
    let game = server.begin(&json!({}));
    let moves = format!("{game}/moves");
    let send = |path: &str, body: &str| request(server.port, "POST", path, &JSON, body);
    send("/api/games", "{").is_error(400, "JSON");
    send("/api/games", "[1]").is_error(400, "JSON");
    send("/api/games", "[]").is_error(400, "expected an object");
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
    send(&moves, &json!({"move": "x".repeat(300_000)}).to_string()).is_error(413, "too large");
    let answer = send("/api/rules", &json!({"ask": "game", "pgn": "1. e4 e5 *\n".repeat(50_000)}).to_string());
    assert_eq!(answer.json()["nodes"].as_array().unwrap().len(), 2);
    send("/api/rules", &json!({"ask": "game", "pgn": "x".repeat(9_000_000)}).to_string()).is_error(413, "too large");
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
    let own = format!("http://127.0.0.1:{}", server.port);
    ask(&[("Origin", &own), ("Origin", "http://evil.example.org")]).is_error(400, "several headers origin");
    ask(&[("Host", "rebound.example.org")]).is_error(421, "rebound.example.org");
    ask(&[("Origin", "http://evil.example.org")]).is_error(403, "evil.example.org");
    exchange(server.port, b"GET /api/info HTTP/1.0\r\n\r\n").is_error(400, "no host");
    let two = b"GET /api/info HTTP/1.1\r\nHost: localhost\r\nHost: rebound.example.org\r\n\r\n";
    exchange(server.port, two).is_error(400, "several headers host");
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
    // One that asks for more than fits into the buffers of the system, and reads nothing.
    let requests = 2000;
    let mut deaf = connect(&"GET /assets/style.css HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(requests));
    let one = server.get("/assets/style.css").body.len();
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
    std::thread::sleep(std::time::Duration::from_secs(3));
    let mut received = Vec::new();
    // The connection is closed or reset.
    let _ = deaf.read_to_end(&mut received);
    assert!(received.len() < requests * one, "{} of {requests} answers of {one} bytes", received.len());
}

#[test]
fn followed_games_leave_connections_for_requests() {
    let server = Server::start(&[]);
    let path = server.begin(&json!({}));
    let follow = || {
        let mut stream = TcpStream::connect(("127.0.0.1", server.port)).unwrap();
        write!(stream, "GET {path}/events HTTP/1.1\r\nHost: localhost\r\n\r\n").unwrap();
        let mut answer = [0; 12];
        stream.read_exact(&mut answer).unwrap();
        (stream, String::from_utf8(answer.to_vec()).unwrap())
    };
    let open: Vec<_> = (0..96).map(|_| follow()).collect();
    assert!(open.iter().all(|(_, answer)| answer == "HTTP/1.1 200"));
    let refused: Vec<_> = (0..30).map(|_| follow()).collect();
    assert!(refused.iter().all(|(_, answer)| answer == "HTTP/1.1 503"));
    assert_eq!(server.get(&path).status, 200);
    drop(open);
    let until = std::time::Instant::now() + std::time::Duration::from_secs(20);
    while follow().1 != "HTTP/1.1 200" {
        assert!(std::time::Instant::now() < until, "closed pages count as open");
        std::thread::sleep(std::time::Duration::from_millis(100));
    }
}

#[test]
fn a_used_port_is_reported_and_ctrl_c_ends_the_server() {
    let mut server = Server::start(&[]);
    let port = server.port.to_string();
    let output = Command::new(env!("CARGO_BIN_EXE_alfiere")).args(["play", "--port", &port]).output().unwrap();
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.status.success());
    assert_eq!(text.trim_end(), format!("error: port {port} is in use: choose another, or 0 for any that is free"));
    // Without a wish the next free one is taken. It does not matter here who uses the first.
    let _first = std::net::TcpListener::bind(("127.0.0.1", 8080));
    let mut other = Command::new(env!("CARGO_BIN_EXE_alfiere")).arg("play").stdout(Stdio::piped()).spawn().unwrap();
    let lines = BufReader::new(other.stdout.take().unwrap()).lines().map_while(Result::ok).take(2);
    let lines: Vec<String> = lines.collect();
    other.kill().unwrap();
    other.wait().unwrap();
    assert!(
        lines[0].starts_with("port 8080 is in use: taking 80") && lines[1].starts_with("Alfiere plays"),
        "{lines:?}"
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

    let found = server
        .post("/api/search", &json!({"moves": ["e2e4"], "lines": 2, "nodes": 5000, "threads": 1, "hash": 2}))
        .body;
    assert!(found.contains("multipv 2") && found.contains(" wdl ") && found.contains("bestmove"), "{found}");
    // The tables know the win.
    let rook = json!({"fen": "8/8/8/8/8/4k3/8/4K2R w - - 0 1", "nodes": 100});
    let tables = concat!(env!("CARGO_MANIFEST_DIR"), "/../datasets/syzygy");
    let found = Server::start(&["--syzygy", tables]).post("/api/search", &rook).body;
    let hits = |found: &str| found.lines().any(|line| line.contains("tbhits ") && !line.contains("tbhits 0 "));
    assert!(hits(&found) && !hits(&server.post("/api/search", &rook).body), "{found}");
    for (request, words) in [
        (json!({"lines": 6}), "6 lines"),
        (json!({"nodes": 0}), "0 nodes"),
        (json!({"threads": 100_000}), "100000 threads, expected 1 to"),
        (json!({"hash": 0}), "0 MiB of hash, expected 1 to 1024"),
        (json!({"moves": ["e2e5"]}), "'e2e5' is not legal"),
        (json!({"fen": "8/8/8/8/8/8/8/8 w - - 0 1"}), "kings"),
    ] {
        server.post("/api/search", &request).is_error(422, words);
    }
}

#[test]
#[cfg(target_os = "linux")]
fn large_questions_take_little_memory_and_hold_nobody_up() {
    use std::time::{Duration, Instant};
    let server = Server::start(&[]);
    let tags = json!({"ask": "game", "pgn": "[A \"\"]".repeat(900_000)});
    let moves = json!({"ask": "line", "moves": vec!["e4"; 1_100_000]});
    let game = json!({"ask": "game", "pgn": "Nf3 Nf6 Ng1 Ng8 ".repeat(500_000)});
    std::thread::scope(|scope| {
        let ask = |question| {
            let server = &server;
            scope.spawn(move || server.post("/api/rules", question).json()["error"].as_str().unwrap().to_owned())
        };
        let asked: Vec<_> = [&tags, &moves, &game].repeat(4).into_iter().map(ask).collect();
        // A busy machine may suspend both programs, so that one answer in time is enough for each pause.
        while !asked.iter().all(std::thread::ScopedJoinHandle::is_finished) {
            let quickest = (0..5).map(|_| {
                let start = Instant::now();
                server.post("/api/rules", &json!({"ask": "line", "moves": ["e4"]}));
                start.elapsed()
            });
            assert!(quickest.min() < Some(Duration::from_millis(100)));
            std::thread::sleep(Duration::from_millis(20));
        }
        for (index, answer) in asked.into_iter().map(|thread| thread.join().unwrap()).enumerate() {
            let words = ["more than 400000 tags", "more than 17698 elements", "more than 50000 moves"][index % 3];
            assert!(answer.contains(words), "{answer}");
        }
    });
    let status = std::fs::read_to_string(format!("/proc/{}/status", server.id())).unwrap();
    let mebibytes = |name: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(name)).unwrap();
        line.trim().trim_end_matches(" kB").parse::<usize>().unwrap() / 1024
    };
    let (peak, now) = (mebibytes("VmHWM:"), mebibytes("VmRSS:"));
    assert!(peak < 200 && now < 100, "{peak} MiB, then {now}");
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
        assert!(std::time::Instant::now() < until, "the search continues without its connection");
        std::thread::sleep(std::time::Duration::from_millis(100));
    }
}
