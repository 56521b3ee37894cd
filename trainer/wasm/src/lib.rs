//! Training in WebAssembly: a CSV in, answers in JSON and a network file out, through functions of numbers.
//!
//! | function | does |
//! |---|---|
//! | `trainer_input(bytes) -> address` | reserves memory for input and returns its address |
//! | `trainer_load(name, start) -> length` | reads the input: the name of a CSV file and the word of `--start`, of these numbers of bytes, and the file's content |
//! | `trainer_epoch() -> length` | trains to the end of the current epoch, of a lesson or of the rows |
//! | `trainer_network() -> length` | the bytes of the network so far |
//! | `trainer_output() -> address` | the address of the answer or the bytes, valid until the next call |
//!
//! and imports `report(address, bytes)` from the module `trainer`, which receives the progress within an epoch. Answers and
//! reports are JSON; `{"error": "one sentence"}` is a failure. `web/site/train-worker.js` is the other side. The rows, options and
//! sums are those of `trainer train`, so the network file has the same bytes.
#![cfg(target_family = "wasm")]
#![allow(unsafe_code, reason = "functions by name, to and from another language")]

mod host;
mod session;

use std::sync::{Mutex, MutexGuard, PoisonError};

use serde_json::{Value, json};

use self::session::Session;

/// The input, then the output.
static BYTES: Mutex<Vec<u8>> = Mutex::new(Vec::new());
static SESSION: Mutex<Option<Session>> = Mutex::new(None);

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Sets the output and returns its length.
fn put(bytes: Vec<u8>) -> usize {
    let mut output = lock(&BYTES);
    *output = bytes;
    output.len()
}

fn answer(found: Result<Value, String>) -> usize {
    put(found.unwrap_or_else(|error| json!({ "error": error })).to_string().into_bytes())
}

/// Calls `ask` with the session, if a file has been read.
fn with_session<T>(ask: impl FnOnce(&mut Session) -> Result<T, String>) -> Result<T, String> {
    lock(&SESSION).as_mut().map_or_else(|| Err("there are no rows yet".to_owned()), ask)
}

/// Reserves memory for input and returns its address, valid until the next call.
#[unsafe(no_mangle)]
pub extern "C" fn trainer_input(bytes: usize) -> *mut u8 {
    let mut input = lock(&BYTES);
    *input = vec![0; bytes];
    input.as_mut_ptr()
}

/// Reads the rows of the input.
#[unsafe(no_mangle)]
pub extern "C" fn trainer_load(name_bytes: usize, start_bytes: usize) -> usize {
    *lock(&SESSION) = None;
    let input = std::mem::take(&mut *lock(&BYTES));
    let (name, rest) = input.split_at(name_bytes.min(input.len()));
    let (start, content) = rest.split_at(start_bytes.min(rest.len()));
    let [name, start] = [name, start].map(String::from_utf8_lossy);
    let found = Session::new(&name, &start, content).and_then(|session| {
        let summary = session.summary();
        *lock(&SESSION) = Some(session);
        summary
    });
    answer(found)
}

/// Trains to the end of the current epoch.
#[unsafe(no_mangle)]
pub extern "C" fn trainer_epoch() -> usize {
    answer(with_session(Session::epoch))
}

/// Makes the bytes of the network so far; returns 0 before the first step.
#[unsafe(no_mangle)]
pub extern "C" fn trainer_network() -> usize {
    put(with_session(|session| session.network()).unwrap_or_default())
}

/// The address of the output.
#[unsafe(no_mangle)]
pub extern "C" fn trainer_output() -> *const u8 {
    lock(&BYTES).as_ptr()
}
