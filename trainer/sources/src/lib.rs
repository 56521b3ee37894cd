//! Rows from games and searches, and the networks that learn from them.
//!
//! `datagen` plays self-play games, `distil` lets a teacher label what searches evaluate, `labelling` asks engines.
//! `lessons` makes what a network learns beside a user's rows, `start_network` is what it begins with, `improve` lets one
//! learn from its own searches. `shard`
//! divides work between machines. Prints nothing.
#![allow(missing_docs, reason = "a name, or an error's message, that says it all needs no sentence")]

pub mod datagen;
pub mod distil;
pub mod improve;
pub mod labelling;
pub mod lessons;
pub mod playing_network;
pub mod row_files;
mod searcher;
pub mod shard;
pub mod start_network;
mod stored_settings;
