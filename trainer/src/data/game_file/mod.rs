//! Game files: games kept together in two to three bytes a position, as self-play writes them, one after the other.
//!
//! Numbers are little-endian. A **varint** holds 7 bits a byte, the low ones first, the high bit set on all but its last.
//!
//! | bytes of the file | hold |
//! |---|---|
//! | 0–7 | `ALFGAMES` |
//! | 8–11 | format version: 1 |
//! | 12–15 | n, the length of the settings, at most 65,536 |
//! | 16– | the settings that the games were made with: n bytes of JSON in UTF-8 |
//! | 16+n– | CRC-32 of all bytes before |
//! | 20+n– | the records, to the end of the file |
//!
//! | bytes of a record | hold |
//! |---|---|
//! | 0–3 | b, the length of its body, 1 to 65,536 |
//! | 4–7 | CRC-32 of the body |
//! | 8–7+b | the body |
//!
//! | parts of a body | hold |
//! |---|---|
//! | varint | the game's number; a game whose positions do not all follow from one another has several records |
//! | varint | p, how many positions follow, 1 or more |
//! | byte | bit 0: best moves are known; bit 1: see below |
//! | 32 bytes | the first position in the layout of the `row` module's table, with its score and the game's result |
//! | p times | a position: its score (not the first's), then its move |
//!
//! | a position's | is |
//! |---|---|
//! | score | a varint of 2d, or of −2d−1 for a negative d: the difference to the score before, both from White's side in the 16-bit form of labels, mates included |
//! | move 0–217 | the rank of the move that was played, the best one too where best moves are known (bit 0) |
//! | move 254 | then two bytes: the ranks of the move that was played and of the best; 255 where there is none or it is not known |
//!
//! Ranks are those of the `board_row` module: by source, target and promotion. The last position of a record need not
//! have a played move. With bit 1 moves were played at random where the played move is not the best one: what came
//! before tells nothing about the result, so these positions are read as of unknown result.
//!
//! A file that was cut short ends in a record that is not whole: shorter than it says, or with a wrong sum as the last of
//! the file. Readers leave it out, and writers cut it off before they go on. Anything else is damage, and refused.

mod builder;
mod reader;
mod record;
mod writer;

pub use reader::{RawReader, TornTail, is_game_file, read_game_rows};
pub use record::{GameRecord, Ply};
pub use writer::{GameWriter, Resumed};

pub(super) use builder::RecordBuilder;
pub(super) use writer::header_bytes;

const MAGIC: [u8; 8] = *b"ALFGAMES";
const VERSION: u32 = 1;
/// Longest settings and longest body.
const MAX_PART: usize = 1 << 16;
/// Bytes of a record before its body.
const FRAME_BYTES: usize = 8;
/// Most positions of a record: at most 6 bytes each.
const MAX_POSITIONS: usize = 8_000;

#[cfg(test)]
mod tests;
