//! Rows from games and searches, and the networks that learn from them.
//!
//! `datagen` plays self-play games, `distil` lets a teacher label what searches evaluate, `labelling` asks engines.
//! `imitation` teaches a network the hand-written evaluation, `improve` lets one learn from its own searches. `shard`
//! divides work between machines. Prints nothing.
#![allow(missing_docs, reason = "a name, or an error's message, that says it all needs no sentence")]

pub mod datagen;
pub mod distil;
pub mod imitation;
pub mod improve;
pub mod labelling;
pub mod playing_network;
pub mod row_files;
mod searcher;
pub mod shard;
