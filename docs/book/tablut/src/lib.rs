//! A Tablut player: the ideas of a chess engine in another game. Chapter 14 of the book explains it.
//!
//! # Rules
//!
//! Those of the students' competition of the University of Bologna, after Ashton, on a board of 9 × 9 squares:
//!
//! 1. White has a king on the castle (e5) and eight soldiers, Black sixteen soldiers on the camps: four groups of four
//!    squares in the middle of each edge. White moves first.
//! 2. Every piece moves like a rook in chess, and never over another piece.
//! 3. No piece moves onto or over the castle, the king included once he has left it.
//! 4. No piece moves onto or over a camp, except a black soldier that has not left its own camp, and only inside that.
//! 5. A move captures each enemy soldier between the moved piece and another own piece, a camp, or the castle. The
//!    castle is hostile to White only if the king is not on it. The king captures like a soldier. A piece that moves
//!    between two enemies is safe.
//! 6. If the king is on the castle with black soldiers on three sides, the white soldier on the fourth side can be
//!    captured against him.
//! 7. Black wins by capturing the king: on the castle with four soldiers around him; next to it with three on the
//!    other sides; elsewhere like a soldier, a camp being as good as a soldier.
//! 8. White wins when the king reaches the edge of the board.
//! 9. A player without a legal move loses.
//! 10. A position that occurs a second time since the last capture is a draw.

pub mod board;
pub mod evaluate;
pub mod experiment;
pub mod game;
pub mod geometry;
pub mod history;
pub mod moves;
pub mod notation;
pub mod player;
pub mod rows;
pub mod search;
pub mod symmetry;
pub mod table;
