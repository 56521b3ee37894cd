//! Game files: a sequence of games in two to three bytes per position, written by self-play.
//!
//! Numbers are little-endian. A **varint** has 7 bits per byte, least significant first; the high bit is set in all
//! bytes but the last.
//!
//! | bytes of the file | hold |
//! |---|---|
//! | 0–7 | `ALFGAMES` |
//! | 8–11 | format version: 1 |
//! | 12–15 | n, the length of the settings, at most 65,536 |
//! | 16– | the settings of the games: n bytes of JSON in UTF-8 |
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
//! | varint | the game's number; a game with missing positions has several records |
//! | varint | p, the number of positions, at least 1 |
//! | byte | bit 0: best moves are stored; bit 1: see below |
//! | 32 bytes | the first position in the layout of the `row` module's table, with its score and the game's result |
//! | p times | a position: its score (not the first's), then its move |
//!
//! | a position's | is |
//! |---|---|
//! | score | a varint of 2d, or of −2d−1 for a negative d, with d the difference to the previous score; both from White's point of view in the 16-bit form of labels, including mates |
//! | move 0–217 | the rank of the move played, which is also the best move if best moves are stored (bit 0) |
//! | move 254 | then two bytes: the ranks of the move played and of the best move; 255 for none or unknown |
//!
//! Ranks are those of the `board_row` module: by source, target and promotion. The last position of a record need not
//! have a played move. With bit 1, a move that differs from the best move was played at random: the positions up to
//! the last random move are read with an unknown result.
//!
//! A truncated file ends with an incomplete record: shorter than its length, or with a wrong checksum. Readers ignore
//! it, and writers cut it off before they continue. Any other damage is an error.

mod builder;
mod reader;
mod record;
mod writer;

pub use reader::{RawReader, TornTail, is_game_file, read_game_rows};
pub use record::{GameFileRecord, Ply};
pub use writer::{GameWriter, Resumed};

pub(super) use builder::RecordBuilder;
pub(super) use writer::header_bytes;

const MAGIC: [u8; 8] = *b"ALFGAMES";
const VERSION: u32 = 1;
/// Maximum length of the settings and of a body in bytes.
pub(crate) const MAX_PART: usize = 1 << 16;
/// Size of a record's header in bytes.
const FRAME_BYTES: usize = 8;
/// Maximum number of positions in a record, of at most 6 bytes each.
const MAX_POSITIONS: usize = 8_000;

#[cfg(test)]
mod tests;
