//! Polyglot opening books: reading, choosing moves, and building from games.
//!
//! A book is a file of 16-byte entries sorted by key. The board's Zobrist key is the Polyglot key, so a lookup is a
//! binary search in the bytes. Independent of search and protocols.

mod builder;
mod file;

pub use builder::{BookBuilder, BookStats, MinCounts, add_games};
pub use file::{Book, BookError, BookMove, Pick};
