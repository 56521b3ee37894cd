//! Alfiere in WebAssembly: UCI lines in, UCI lines out, through functions of numbers.
//!
//! The module exports
//!
//! | function | does |
//! |---|---|
//! | `alfiere_line(bytes) -> address` | reserves memory for a line of that many bytes of UTF-8 and returns its address |
//! | `alfiere_execute() -> number` | executes that line, including a whole search, and returns 1 after `quit`, else 0 |
//! | `alfiere_network()` | loads the network of a file whose bytes are in the place of the line |
//!
//! and imports from the module `alfiere`
//!
//! | function | does |
//! |---|---|
//! | `write(address, bytes)` | receives output lines, each with its line feed |
//! | `now() -> milliseconds` | the time since a fixed moment; never goes backwards |
//! | `random() -> number` | 32 random bits |
//! | `signals() -> bits` | the signals to the running search: 1 for `stop`, 2 for `ponderhit` |
//! | `rest()` | sleeps for some milliseconds, or until a signal arrives |
//! | `processors() -> number` | the number of processors |
//!
//! Made for `wasm32-wasip1-threads`, it has threads: it imports shared memory as `env.memory`, `wasi.thread-spawn` to start a
//! thread in another instance with the same memory, and a few functions of WASI.
//!
//! `web/alfiere.js` is the other side. This crate is only the boundary: UCI itself is `alfiere_search::uci`.
#![cfg(target_family = "wasm")]
#![allow(unsafe_code, reason = "functions by name, to and from another language")]

use std::io::{self, Write};
use std::sync::{Mutex, MutexGuard, PoisonError};

use alfiere_search::Engine;
use alfiere_search::platform::{Host, Signals};
use alfiere_search::uci::Session;

mod host {
    //! Functions that `web/alfiere.js` provides.

    // SAFETY: the signatures are those of the table above; none but `write` is given memory.
    #[link(wasm_import_module = "alfiere")]
    unsafe extern "C" {
        /// The bytes must be readable.
        pub(super) fn write(address: *const u8, bytes: usize);
        pub(super) safe fn now() -> f64;
        pub(super) safe fn random() -> u32;
        pub(super) safe fn signals() -> u32;
        pub(super) safe fn rest();
        pub(super) safe fn processors() -> u32;
    }
}

static LINE: Mutex<Vec<u8>> = Mutex::new(Vec::new());
static SESSION: Mutex<Option<Session>> = Mutex::new(None);

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Lines to the host.
struct Lines;

impl Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // SAFETY: the address and length are a slice's, so the bytes are readable.
        unsafe { host::write(bytes.as_ptr(), bytes.len()) };
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn session() -> Session {
    let entropy = || u64::from(host::random()) << 32 | u64::from(host::random());
    let signals = || {
        let bits = host::signals();
        Signals { stop: bits & 1 != 0, ponder_hit: bits & 2 != 0 }
    };
    let processors = || host::processors() as usize;
    Host { now: || host::now(), entropy, signals, rest: || host::rest(), processors }.install();
    // A panic ends the module, so the reason is written first.
    std::panic::set_hook(Box::new(|panic| {
        let reason = panic.to_string().replace('\n', " ");
        // Writing to the host cannot fail.
        let _ = Lines.write(format!("info string the engine broke off: {reason}\n").as_bytes());
    }));
    Session::new(Engine::new(), Lines)
}

/// Reserves memory for a line and returns its address, valid until the next call.
#[unsafe(no_mangle)]
pub extern "C" fn alfiere_line(bytes: usize) -> *mut u8 {
    let mut line = lock(&LINE);
    line.clear();
    line.resize(bytes, 0);
    line.as_mut_ptr()
}

/// Executes the line; returns 1 after `quit`, else 0.
#[unsafe(no_mangle)]
pub extern "C" fn alfiere_execute() -> u32 {
    let line = String::from_utf8_lossy(&lock(&LINE)).into_owned();
    u32::from(lock(&SESSION).get_or_insert_with(session).execute_line(&line).is_break())
}

/// Loads the network whose file's bytes are in the place of the line; says in a line of output which it is, or what is wrong.
#[unsafe(no_mangle)]
pub extern "C" fn alfiere_network() {
    let bytes = std::mem::take(&mut *lock(&LINE));
    lock(&SESSION).get_or_insert_with(session).load_network_bytes(&bytes);
}
