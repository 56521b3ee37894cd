//! Rows from games and searches, and the networks that learn from them.
//!
//! `datagen` plays self-play games, `distil` lets a teacher label what searches evaluate, `labelling` asks engines.
//! `lessons` makes what a network learns beside a user's rows, `start_network` is what it begins with, `improve` lets one
//! learn from its own searches. `game_loop`, `searcher` and `collector` are what their games share, `pool` their threads; `shard`
//! divides work between machines, and from a `resumable_file` a stopped run continues. Prints nothing.

mod collector;
pub mod datagen;
pub mod distil;
mod game_loop;
pub mod improve;
pub mod labelling;
pub mod lessons;
pub mod playing_network;
mod pool;
mod resumable_file;
pub mod row_files;
mod searcher;
pub mod shard;
pub mod start_network;
mod stored_settings;
