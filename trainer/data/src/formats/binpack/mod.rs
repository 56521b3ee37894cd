//! Stockfish's `.binpack`: chains of positions, a move and a score each in two to four bytes.
//!
//! A file is chunks: `BINP`, a 32-bit length n (little-endian), then n bytes of chains. All other numbers are
//! big-endian. A chain is its first position in 32 bytes (see `stem`), the number of positions that follow from it in 16
//! bits, and for each of these some bits, the high ones of a byte first, filled up to a byte at the end of the chain:
//!
//! - the index of the moving piece among those of its side, by square (a1 = 0), in as many bits as their number needs;
//! - the index of its target among the targets of this piece (see `moves`), in as many bits as their number needs;
//! - the score minus the negated previous score, as 2d or −2d−1 for a negative d, in groups of five bits: a bit that is
//!   set if more groups follow, then four bits of the number, least significant first.
//!
//! Scores and results are those of the side to move. Scores are in the engine's own units, a mate in `d` plies is
//! `32000 - d`, and 32002 means no score: such positions are counted and left out. The move becomes the row's best
//! move.

mod bits;
mod chain;
mod moves;
mod reader;
mod stem;
mod writer;

pub(super) use reader::read_binpack;
pub(crate) use writer::BinpackWriter;
