//! The functions of the WebAssembly module: the text of a question in, the text of an answer out.
//!
//! `rules_question(bytes)` reserves memory for a question of that many bytes of UTF-8 and returns its address;
//! `rules_answer()` answers it and returns the answer's length, whose bytes are at `rules_address()` until the next
//! question. `web/site/rules.js` is the other side.
#![allow(unsafe_code, unreachable_pub, reason = "functions by name, to and from another language")]

use std::sync::{Mutex, MutexGuard, PoisonError};

/// The question, then its answer.
static TEXT: Mutex<Vec<u8>> = Mutex::new(Vec::new());

fn text() -> MutexGuard<'static, Vec<u8>> {
    TEXT.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Reserves memory for a question and returns its address.
#[unsafe(no_mangle)]
pub extern "C" fn rules_question(bytes: usize) -> *mut u8 {
    let mut text = text();
    text.clear();
    text.resize(bytes, 0);
    text.as_mut_ptr()
}

/// Answers the question and returns the answer's length in bytes.
#[unsafe(no_mangle)]
pub extern "C" fn rules_answer() -> usize {
    let mut text = text();
    *text = super::answer(&String::from_utf8_lossy(&text)).into_bytes();
    text.len()
}

#[unsafe(no_mangle)]
pub extern "C" fn rules_address() -> *const u8 {
    text().as_ptr()
}
