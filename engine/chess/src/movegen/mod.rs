//! Legal moves: generation, counting, legality check, and the SAN and UCI notations.
//!
//! One generator serves move lists and counts. It generates only legal moves, by check masks and pins, so no move has
//! to be played to test its legality.

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
pub use perft::{divide, divide_while, perft, perft_while};
pub use san::{format_san, parse_san};
pub use uci_move::{CastlingNotation, UciMove, format_uci_move, parse_uci_move};
