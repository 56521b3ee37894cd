//! The web server over a real socket: whole games, and invalid requests of each kind.
#![cfg(feature = "play")]
// In tests a failed unwrap is the error report.
#![allow(clippy::unwrap_used)]

mod games;
#[path = "../http/mod.rs"]
mod http;
mod server;

use serde_json::Value;

fn plies(game: &Value) -> usize {
    game["stages"].as_array().unwrap().len() - 1
}
