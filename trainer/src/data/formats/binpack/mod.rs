//! Stockfish's `.binpack`: chains of positions, a move and a score each in two to four bytes.
//!
//! A file is chunks: `BINP`, a length in 32 bits (little-endian), then so many bytes of chains. All other numbers are
//! big-endian. A chain is its first position in 32 bytes (see `stem`), the number of positions that follow from it in 16
//! bits, and for each of these some bits, the high ones of a byte first, filled up to a byte at the end of the chain:
//!
//! - which of the mover's pieces moves, in the order of their squares (a1 = 0), in as many bits as their number needs;
//! - which of this piece's targets it goes to, in as many bits as theirs needs (see `moves`);
//! - the score less the one before with its sign turned, as 2d or −2d−1 for a negative d, in groups of five bits: four of
//!   the number, the low ones first, behind one that is set where more follow.
//!
//! Scores and results are those of the side to move. Scores are in the engine's own units, a mate in `d` plies is
//! `32000 - d`, and 32002 stands for none: such positions are counted and left out. The move becomes the row's best move.

mod bits;
mod chain;
mod moves;
mod reader;
mod stem;
mod writer;

pub(super) use reader::read_binpack;
pub(in crate::data) use writer::BinpackWriter;
