//! Tests of the real binary.
// A failed unwrap is a failed test.
#![allow(clippy::unwrap_used)]

mod bad_input;
mod datagen;
mod experiments;
mod export;
mod formats;
mod held_out;
#[path = "../../../engine/tests/http/client.rs"]
mod http;
mod improve;
mod inner;
#[cfg(unix)]
mod label;
mod phases;
mod pipeline;
mod pipes;
mod stream;
mod support;
mod truth;
mod watch;
mod wdl;
#[path = "../../../engine/tests/browser/webdriver.rs"]
#[allow(dead_code, reason = "the page of training runs needs a part of it")]
mod webdriver;
