//! Training in WebAssembly: a CSV in, answers in JSON and a network file out, through functions of numbers.
//!
//! | function | does |
//! |---|---|
//! | `trainer_input(bytes) -> address` | reserves memory for input and returns its address |
//! | `trainer_load(bytes, lesson) -> length` | reads the input, the name of a CSV file with this number of bytes and then its content |
//! | `trainer_steps(count) -> length` | trains this number of steps, or to the end; with a whole lesson before the first and after the last |
//! | `trainer_network() -> length` | the bytes of the best network so far |
//! | `trainer_output() -> address` | the address of the answer or the bytes, valid until the next call |
//!
//! and imports `report(address, bytes)` from the module `trainer`, which receives the progress of a lesson. The first lesson has a
//! number of positions; 0 is none, as with `--start random`, and -1 the program's default. Answers and reports are JSON;
//! `{"error": "one sentence"}` is a failure. `web/site/train-worker.js` is the other side. The rows, options and sums are those
//! of `trainer train`, so the network file has the same bytes.
#![cfg(target_family = "wasm")]
#![allow(unsafe_code, reason = "functions by name, to and from another language")]

mod lesson;
mod session;

use std::sync::{Mutex, MutexGuard, PoisonError};

use alfiere_training::Start;
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
pub extern "C" fn trainer_load(name_bytes: usize, lesson: i32) -> usize {
    *lock(&SESSION) = None;
    let input = std::mem::take(&mut *lock(&BYTES));
    let (name, content) = input.split_at(name_bytes.min(input.len()));
    let start = match u64::try_from(lesson) {
        Ok(0) => Some(Start::Random),
        Ok(positions) => Some(Start::Classical { positions }),
        Err(_) => None,
    };
    let found = Session::new(&String::from_utf8_lossy(name), content, start).map(|session| {
        let summary = session.summary();
        *lock(&SESSION) = Some(session);
        summary
    });
    answer(found)
}

/// Trains this number of steps, or to the end.
#[unsafe(no_mangle)]
pub extern "C" fn trainer_steps(count: u32) -> usize {
    answer(with_session(|session| session.steps(count)))
}

/// Makes the bytes of the best network so far; returns 0 before the first step.
#[unsafe(no_mangle)]
pub extern "C" fn trainer_network() -> usize {
    put(with_session(|session| session.network()).unwrap_or_default())
}

/// The address of the output.
#[unsafe(no_mangle)]
pub extern "C" fn trainer_output() -> *const u8 {
    lock(&BYTES).as_ptr()
}
