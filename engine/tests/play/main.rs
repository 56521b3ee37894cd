//! The web server over a real socket: searches, and invalid requests of each kind.
#![cfg(feature = "play")]
// In tests a failed unwrap is the error report.
#![allow(clippy::unwrap_used)]

#[path = "../http/mod.rs"]
mod http;
mod search;
mod server;
