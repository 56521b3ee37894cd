//! An HTTP client that reports what it got. The trainer's tests use it, too.
#![allow(dead_code, clippy::unwrap_used)]

use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Read, Write as _};
use std::net::TcpStream;
use std::time::Duration;

use serde_json::Value;

#[derive(Debug)]
pub(crate) struct Response {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    /// Empty for a file that is no text.
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
    let is_file = headers.iter().any(|(_, value)| value == "application/octet-stream");
    Response { status, headers, body: if is_file { String::new() } else { String::from_utf8(body).unwrap() } }
}
