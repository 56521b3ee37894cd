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
use alfiere_syzygy::Tablebases;
use libfuzzer_sys::fuzz_target;

static STOP: AtomicBool = AtomicBool::new(false);

/// The address of the page.
fn page() -> SocketAddr {
    static PAGE: OnceLock<SocketAddr> = OnceLock::new();
    *PAGE.get_or_init(|| {
        let server = Server::bind(ServerSettings {
            addresses: vec![SocketAddr::from(([127, 0, 0, 1], 0))],
            engine: Settings { hash_mib: 1, ..Settings::default() },
            network: NetworkChoice::default(),
            tablebases: Tablebases::none(),
            results: Vec::new(),
        });
        let server = server.expect("a port");
        let address = server.address();
        std::thread::spawn(|| server.run(&STOP));
        address
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
    let path = if choice % 2 == 0 { "/api/rules" } else { "/api/search" };
    let answer = post(page(), path, body, 400);
    let status = answer.split(' ').nth(1).unwrap_or_default();
    assert!(["200", "400", "413", "422", "503"].contains(&status), "{path}: {answer}");
});
