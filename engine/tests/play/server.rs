//! The server: invalid requests, foreign origins, limits, its start and end, the cross table, the rules.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use super::http::{Server, exchange, request};
use super::search::{answers_quickly, begin};

/// Checks that `alfiere play` refuses these arguments with a sentence that has this part.
fn refused(arguments: &[&str], part: &str) {
    let output = Command::new(env!("CARGO_BIN_EXE_alfiere")).arg("play").args(arguments).output().unwrap();
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && text.contains(part), "{text}");
}

const JSON: [(&str, &str); 1] = [("Content-Type", "application/json")];

#[test]
fn bad_requests_are_rejected_with_a_reason() {
    let server = Server::start(&[]);
    let send = |path: &str, body: &str| request(server.port, "POST", path, &JSON, body);
    let search = "/api/search";
    send(search, "{").is_error(400, "JSON");
    send(search, "[1]").is_error(400, "JSON");
    send(search, "[]").is_error(400, "expected an object");
    send(search, "").is_error(400, "JSON");
    send(search, "{\"colour\": \"white\"}").is_error(400, "unknown field `colour`");
    send(search, "{\"elo\": -5}").is_error(400, "JSON");
    send(search, &json!({"fen": "x".repeat(300_000)}).to_string()).is_error(413, "too large");
    let answer = send("/api/rules", &json!({"ask": "game", "pgn": "1. e4 e5 *\n".repeat(50_000)}).to_string());
    assert_eq!(answer.json()["nodes"].as_array().unwrap().len(), 2);
    send("/api/rules", &json!({"ask": "game", "pgn": "x".repeat(9_000_000)}).to_string()).is_error(413, "too large");
    request(server.port, "POST", search, &[("Content-Type", "text/plain")], "{}").is_error(415, "application/json");
    request(server.port, "POST", search, &[], "{}").is_error(415, "application/json");
    request(server.port, "DELETE", search, &[], "").is_error(405, "DELETE");
    request(server.port, "GET", search, &[], "").is_error(405, "GET");
    server.get("/api/nothing").is_error(404, "/api/nothing");
    server.get("/assets/nothing.js").is_error(404, "nothing.js");
    server.get("/assets/%ff").is_error(404, "no file");
    server.get("/assets/..%2f..%2fserver.rs").is_error(404, "no file");
    assert_eq!(exchange(server.port, b"\x16\x03\x01 nonsense\r\n\r\n").status, 400);
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
fn a_file_that_the_browser_knows_is_not_sent_again() {
    let server = Server::start(&[]);
    let first = server.get("/assets/main.js");
    let tag = first.header("etag").unwrap();
    let again = |tag: &str| request(server.port, "GET", "/assets/main.js", &[("If-None-Match", tag)], "");
    assert_eq!((again(tag).status, again(tag).body.as_str(), again(tag).header("etag")), (304, "", Some(tag)));
    assert_eq!((again("\"other\"").status, again("\"other\"").body), (200, first.body.clone()));
    // The pieces are part of the page.
    assert!(server.get("/").body.contains("id=\"wk\""));
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
        "POST /api/search HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 90\r\n\r\n{",
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
fn a_used_port_is_reported_and_ctrl_c_ends_the_server() {
    let mut server = Server::start(&[]);
    let port = server.port.to_string();
    let taken = format!("error: port {port} is in use: choose another, or 0 for any that is free\n");
    refused(&["--port", &port], &taken);
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
    refused(&["--host", "no.such.host.invalid"], "no.such.host.invalid");
    #[cfg(unix)]
    {
        // A search that runs does not prevent the exit.
        let _searching = begin(&server, "{\"go\": \"infinite\"}");
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
        refused(&["--results", &file(name)], part);
    }
}

#[test]
fn questions_about_the_rules_are_answered() {
    let server = Server::start(&[]);
    assert_eq!(server.get("/analysis").status, 200);
    let line = server.post("/api/rules", &json!({"ask": "line", "moves": ["e4", "c5"]})).json();
    assert_eq!((&line["plies"][1]["uci"], line["legal"].as_array().unwrap().len()), (&json!("c7c5"), 30));
    let error = server.post("/api/rules", &json!({"ask": "line", "fen": "8/8/8/8/8/8/8/8 w - - 0 1"})).json();
    assert!(error["error"].as_str().unwrap().contains("White has 0 kings"), "{error}");
}

#[test]
#[cfg(target_os = "linux")]
fn large_questions_take_little_memory_and_hold_nobody_up() {
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
        answers_quickly(&asked, || _ = server.post("/api/rules", &json!({"ask": "line", "moves": ["e4"]})));
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
