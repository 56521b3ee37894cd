//! UCI with the real program over pipes.
// In tests a failed unwrap is the error report.
#![allow(clippy::unwrap_used)]

mod book;
#[path = "../common/mod.rs"]
mod common;
mod fuzz;
mod session;
mod strength;
mod syzygy;
mod tools;
