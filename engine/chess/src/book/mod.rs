//! Opening books in Polyglot's format: read, asked for moves, made from games.
//!
//! A book is a file of 16-byte entries sorted by key, and the board's key is that key, so a lookup is a binary search in
//! the bytes as they are. Knows the board, legal moves and files of games, nothing of search and protocols.

mod builder;
mod entry;
mod file;
mod games;

pub use builder::{BookBuilder, BookStats, MinCounts};
pub use file::{Book, BookError, BookMove, Pick};
pub use games::{BookGamesError, GameCount, add_games};
