//! Alfiere in WebAssembly: UCI lines in, UCI lines out, through functions of numbers.
//!
//! The module exports
//!
//! | function | does |
//! |---|---|
//! | `alfiere_line(bytes) -> address` | makes room for a line of so many bytes of UTF-8, and says where |
//! | `alfiere_obey() -> number` | executes that line and returns when that is done, also a search; 1 after `quit`, else 0 |
//!
//! and imports from the module `alfiere`
//!
//! | function | does |
//! |---|---|
//! | `write(address, bytes)` | takes lines, each with its line feed |
//! | `now() -> milliseconds` | the time since any moment that stays the same; never goes backwards |
//! | `random() -> number` | 32 bits by chance |
//! | `heard() -> bits` | what the running search was told: 1 to stop, 2 that the expected move was played |
//! | `rest()` | sleeps for some milliseconds, or until there is something to be heard |
//!
//! `web/alfiere.js` is the other side. Owns nothing but this boundary: the conversation itself is `alfiere_search::uci`.
#![cfg(target_family = "wasm")]
#![allow(unsafe_code, reason = "functions by name, to and from another language")]

use std::io::{self, Write};
use std::sync::{Mutex, MutexGuard, PoisonError};

use alfiere_search::Engine;
use alfiere_search::platform::{Heard, Host};
use alfiere_search::uci::{Next, Session};

mod host {
    //! What `web/alfiere.js` offers.

    // SAFETY: the signatures are those of the table above; none but `write` is given memory.
    #[link(wasm_import_module = "alfiere")]
    unsafe extern "C" {
        /// The bytes must be there to be read.
        pub(super) fn write(address: *const u8, bytes: usize);
        pub(super) safe fn now() -> f64;
        pub(super) safe fn random() -> u32;
        pub(super) safe fn heard() -> u32;
        pub(super) safe fn rest();
    }
}

/// The line that is being handed over.
static LINE: Mutex<Vec<u8>> = Mutex::new(Vec::new());
static SESSION: Mutex<Option<Session>> = Mutex::new(None);

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Lines to the host.
struct Lines;

impl Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // SAFETY: the slice says that so many bytes may be read from its address.
        unsafe { host::write(bytes.as_ptr(), bytes.len()) };
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn session() -> Session {
    let entropy = || u64::from(host::random()) << 32 | u64::from(host::random());
    let heard = || {
        let bits = host::heard();
        Heard { stop: bits & 1 != 0, ponder_hit: bits & 2 != 0 }
    };
    Host { now: || host::now(), entropy, heard, rest: || host::rest() }.install();
    // A fault ends the module; the host is told why before it sees that.
    std::panic::set_hook(Box::new(|panic| {
        let reason = panic.to_string().replace('\n', " ");
        // These lines take whatever they are given.
        let _ = Lines.write(format!("info string the engine broke off: {reason}\n").as_bytes());
    }));
    Session::new(Engine::new(), Lines)
}

/// Makes room for a line of so many bytes and says where; it is valid until the next call.
#[unsafe(no_mangle)]
pub extern "C" fn alfiere_line(bytes: usize) -> *mut u8 {
    let mut line = lock(&LINE);
    line.clear();
    line.resize(bytes, 0);
    line.as_mut_ptr()
}

/// Executes the line that was put there; 1 if the conversation is over, else 0.
#[unsafe(no_mangle)]
pub extern "C" fn alfiere_obey() -> u32 {
    let line = String::from_utf8_lossy(&lock(&LINE)).into_owned();
    let next = lock(&SESSION).get_or_insert_with(session).obey(&line);
    u32::from(next == Next::Quit)
}
