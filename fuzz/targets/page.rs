//! Bodies of HTTP requests to the page, over a socket. The first byte chooses the address.
#![no_main]

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::OnceLock;
use std::sync::atomic::AtomicBool;

use alfiere::web::{Server, ServerSettings};
use alfiere_fuzz as _;
use alfiere_search::engine::Settings;
use alfiere_search::eval::NetworkChoice;
use libfuzzer_sys::fuzz_target;

static STOP: AtomicBool = AtomicBool::new(false);

/// The page, and a game on it.
fn page() -> &'static (SocketAddr, String) {
    static PAGE: OnceLock<(SocketAddr, String)> = OnceLock::new();
    PAGE.get_or_init(|| {
        let engine = Settings { hash_mib: 1, ..Settings::default() };
        let network = NetworkChoice::default();
        let address = SocketAddr::from(([127, 0, 0, 1], 0));
        let server = Server::bind(ServerSettings { address, engine, network, results: Vec::new() }).expect("a port");
        let address = server.address();
        std::thread::spawn(|| server.run(&STOP));
        let game = post(address, "/api/games", br#"{"side": "white", "player": "random"}"#, u64::MAX);
        let id = game.split("\"id\":\"").nth(1).and_then(|rest| rest.split('"').next()).expect("a game");
        (address, id.to_owned())
    })
}

/// The answer, or its first bytes: some have no end.
fn post(address: SocketAddr, path: &str, body: &[u8], most: u64) -> String {
    let mut socket = TcpStream::connect(address).expect("the page answers");
    let head = format!(
        "POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nConnection: close\r\n\
         Content-Length: {}\r\n\r\n",
        body.len()
    );
    socket.write_all(&[head.as_bytes(), body].concat()).expect("the page reads");
    let mut answer = Vec::new();
    socket.take(most).read_to_end(&mut answer).expect("the page answers");
    String::from_utf8_lossy(&answer).into_owned()
}

fuzz_target!(|bytes: &[u8]| {
    let Some((choice, body)) = bytes.split_first() else { return };
    let (address, id) = page();
    let path = match choice % 8 {
        0 => "/api/rules".to_owned(),
        1 => "/api/search".to_owned(),
        2 => "/api/games".to_owned(),
        3 => format!("/api/games/{id}/moves"),
        4 => format!("/api/games/{id}/hint"),
        5 => format!("/api/games/{id}/takeback"),
        _ => return,
    };
    let answer = post(*address, &path, body, 400);
    let status = answer.split(' ').nth(1).unwrap_or_default();
    assert!(["200", "201", "202", "400", "404", "409", "413", "422", "503"].contains(&status), "{path}: {answer}");
});
