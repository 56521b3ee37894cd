//! The program's web server and an HTTP client.
// Each test file uses a part of it.
#![allow(dead_code, clippy::unwrap_used)]

use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Read, Write as _};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

/// A running `alfiere play` on a free port; killed when dropped.
pub(crate) struct Server {
    child: Child,
    pub(crate) port: u16,
}

impl Server {
    pub(crate) fn start(arguments: &[&str]) -> Self {
        Self::start_in(&[], arguments)
    }

    /// Starts it with these environment variables.
    pub(crate) fn start_in(environment: &[(&str, &str)], arguments: &[&str]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_alfiere"))
            .envs(environment.iter().copied())
            .args(["play", "--port", "0", "--hash", "1"])
            .args(arguments)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let port = line.split(['/', ' ']).find_map(|word| word.rsplit_once(':')?.1.parse().ok());
        Self { child, port: port.unwrap_or_else(|| panic!("no port in: {line}")) }
    }

    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Waits for the program to exit.
    pub(crate) fn wait(&mut self) -> std::process::ExitStatus {
        self.child.wait().unwrap()
    }

    pub(crate) fn get(&self, path: &str) -> Response {
        request(self.port, "GET", path, &[], "")
    }

    pub(crate) fn post(&self, path: &str, body: &Value) -> Response {
        request(self.port, "POST", path, &[("Content-Type", "application/json")], &body.to_string())
    }

    /// Starts a game and returns its path.
    pub(crate) fn begin(&self, settings: &Value) -> String {
        let answer = self.post("/api/games", settings);
        assert_eq!(answer.status, 201, "{}", answer.body);
        format!("/api/games/{}", answer.json()["id"].as_str().unwrap())
    }

    /// Polls the game until it fulfils a condition.
    pub(crate) fn wait_for(&self, path: &str, condition: impl Fn(&Value) -> bool) -> Value {
        let until = Instant::now() + Duration::from_mins(1);
        loop {
            let game = self.get(path).json();
            if condition(&game) {
                return game;
            }
            assert!(Instant::now() < until, "timeout: {game}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// An HTTP response.
#[derive(Debug)]
pub(crate) struct Response {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: String,
}

impl Response {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.body))
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(other, _)| other.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }

    /// Checks the status and that the error message contains `part`.
    pub(crate) fn is_error(&self, status: u16, part: &str) {
        assert_eq!(self.status, status, "{}", self.body);
        let json = self.json();
        let message = json["error"].as_str().unwrap_or_else(|| panic!("no error in {json}"));
        assert!(message.contains(part), "expected \"{part}\" in: {message}");
    }
}

/// Sends one request on a new connection.
pub(crate) fn request(port: u16, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Response {
    let host = format!("127.0.0.1:{port}");
    let mut text = format!("{method} {path} HTTP/1.1\r\nConnection: close\r\nContent-Length: {}\r\n", body.len());
    let own = [("Host", host.as_str())];
    let own = own.iter().filter(|_| !headers.iter().any(|(name, _)| *name == "Host"));
    for (name, value) in own.chain(headers) {
        write!(text, "{name}: {value}\r\n").unwrap();
    }
    exchange(port, (text + "\r\n" + body).as_bytes())
}

/// Sends bytes and reads the response.
pub(crate) fn exchange(port: u16, bytes: &[u8]) -> Response {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
    stream.set_read_timeout(Some(Duration::from_mins(1))).unwrap();
    // A server that rejects a body may stop reading it.
    let _ = stream.write_all(bytes);
    let mut reader = BufReader::new(stream);
    let mut line = String::new();
    reader.read_line(&mut line).unwrap();
    let status =
        line.split(' ').nth(1).and_then(|code| code.parse().ok()).unwrap_or_else(|| panic!("status: {line:?}"));
    let mut headers = Vec::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).unwrap();
        let Some((name, value)) = line.trim_end().split_once(':') else { break };
        headers.push((name.to_owned(), value.trim_start().to_owned()));
    }
    let length = headers.iter().find(|(name, _)| name.eq_ignore_ascii_case("content-length"));
    let mut body = Vec::new();
    match length.and_then(|(_, value)| value.parse().ok()) {
        Some(length) => {
            body.resize(length, 0);
            reader.read_exact(&mut body).unwrap();
        }
        None => {
            reader.read_to_end(&mut body).unwrap();
        }
    }
    Response { status, headers, body: String::from_utf8(body).unwrap() }
}
