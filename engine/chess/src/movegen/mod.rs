//! Legal moves: generated, counted, checked, and written as people and programs write them.
//!
//! One generator serves lists and counts; it yields only legal moves, by check masks and pins, so that nobody has to play a
//! move to find out whether it was one.

mod generator;
mod legality;
mod notation_error;
mod perft;
mod san;
mod sink;
mod uci_move;

pub use generator::{add_noisy_moves, add_quiet_moves, count_legal_moves, has_legal_move, legal_moves};
pub use legality::is_legal;
pub use notation_error::MoveError;
pub use perft::{divide, perft};
pub use san::{format_san, parse_san};
pub use uci_move::{CastlingNotation, UciMove, format_uci_move, parse_uci_move};
