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

mod reader;
mod writer;

use crate::filter::{LeftOut, LeftOutReason};
use crate::rows::board_row::ranked_moves;
use crate::rows::label::{Label, RowResult};
use crate::rows::row::{ROW_BYTES, Row};
use alfiere_chess::board::Board;

pub use reader::{RawReader, TornTail, is_game_file, read_game_rows};
pub use writer::{GameWriter, Resumed};
pub(super) use writer::{RecordBuilder, header_bytes};

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

const KNOWS_BEST: u8 = 1;
const RANDOM_MOVES: u8 = 2;
/// Highest rank of a move.
const MAX_RANK: u8 = 217;
const TWO_MOVES: u8 = 254;
const NO_MOVE: u8 = 255;

/// The score of a position, and the ranks of its played and best move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ply {
    /// The score from White's point of view.
    pub label: Label,
    /// The move played; `None` only for the last position of a record.
    pub played: Option<u8>,
    /// The best move, if known.
    pub best: Option<u8>,
}

/// Consecutive positions of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameFileRecord {
    pub number: u64,
    /// The first position; label, result and best move of this row are ignored.
    pub start: Row,
    /// How the game ended.
    pub result: RowResult,
    /// If true, moves that differ from the best move were played at random: positions up to the last such move have an
    /// unknown result.
    pub random_moves: bool,
    /// All positions, 1 to 8,000.
    pub plies: Vec<Ply>,
}

impl GameFileRecord {
    /// Appends the record with its header.
    pub fn encode(&self, out: &mut Vec<u8>) {
        debug_assert!((1..=MAX_POSITIONS).contains(&self.plies.len()), "{} positions", self.plies.len());
        let frame = out.len();
        out.extend([0; FRAME_BYTES]);
        put_varint(out, self.number);
        put_varint(out, self.plies.len() as u64);
        let knows_best = self.plies.iter().any(|ply| ply.best.is_some());
        out.push((u8::from(knows_best) * KNOWS_BEST) | (u8::from(self.random_moves) * RANDOM_MOVES));
        let first = self.plies.first().map_or(Label::Centipawns(0), |ply| ply.label);
        out.extend(self.start.without_best_move().with_label(first).with_result(self.result).to_bytes());
        let mut before = first.to_bits();
        for (index, ply) in self.plies.iter().enumerate() {
            if index > 0 {
                let score = ply.label.to_bits();
                put_varint(out, zigzag(i32::from(score) - i32::from(before)));
                before = score;
            }
            let expected = if knows_best { ply.played } else { None };
            match ply.played {
                Some(rank) if ply.best == expected => out.push(rank),
                _ => out.extend([TWO_MOVES, ply.played.unwrap_or(NO_MOVE), ply.best.unwrap_or(NO_MOVE)]),
            }
        }
        let body = &out[frame + FRAME_BYTES..];
        let (length, sum) = (body.len() as u32, crc32fast::hash(body));
        out[frame..frame + 4].copy_from_slice(&length.to_le_bytes());
        out[frame + 4..frame + FRAME_BYTES].copy_from_slice(&sum.to_le_bytes());
    }

    /// Decodes a body whose checksum is correct; the error is the reason why it is malformed.
    ///
    /// # Errors
    /// If the body is malformed.
    pub fn decode(mut body: &[u8]) -> Result<Self, String> {
        let short = || "it ends too early".to_owned();
        let number = take_varint(&mut body).ok_or_else(short)?;
        let count = take_varint(&mut body).ok_or_else(short)?;
        let flags = take_byte(&mut body).ok_or_else(short)?;
        let (start, rest) = body.split_first_chunk::<ROW_BYTES>().ok_or_else(short)?;
        body = rest;
        let start = Row::from_bytes(start).ok_or("its first position is invalid")?;
        if count == 0 || count > MAX_POSITIONS as u64 {
            return Err(format!("its number of positions is {count}"));
        }
        let mut plies = Vec::with_capacity(count as usize);
        let mut label = start.label();
        for index in 0..count {
            if index > 0 {
                let step = take_varint(&mut body).ok_or_else(short)?;
                label = stepped(label, step).ok_or("a score is out of range")?;
            }
            let rank = |byte: u8| (byte != NO_MOVE).then_some(byte);
            let (played, best) = match take_byte(&mut body).ok_or_else(short)? {
                TWO_MOVES => {
                    let moves = (take_byte(&mut body).ok_or_else(short)?, take_byte(&mut body).ok_or_else(short)?);
                    (rank(moves.0), rank(moves.1))
                }
                byte => (Some(byte), if flags & KNOWS_BEST == 0 { None } else { Some(byte) }),
            };
            if [played, best].into_iter().flatten().any(|rank| rank > MAX_RANK) {
                return Err("a move has no rank".to_owned());
            }
            if played.is_none() && index + 1 < count {
                return Err("a move is missing".to_owned());
            }
            plies.push(Ply { label, played, best });
        }
        if !body.is_empty() {
            return Err("it is longer than its positions".to_owned());
        }
        Ok(Self { number, result: start.result(), random_moves: flags & RANDOM_MOVES != 0, start, plies })
    }

    /// The positions as rows; the error is the reason why they are invalid.
    ///
    /// # Errors
    /// If the first position is illegal, or a rank is larger than the number of legal moves.
    pub fn rows(&self) -> Result<Vec<Row>, String> {
        let mut board = self.start.to_board().map_err(|problem| format!("its first position is illegal: {problem}"))?;
        let is_random = |ply: &Ply| self.random_moves && ply.played != ply.best;
        let without_result = self.plies.iter().rposition(is_random).map_or(0, |index| index + 1);
        let mut rows = Vec::with_capacity(self.plies.len());
        for (index, ply) in self.plies.iter().enumerate() {
            let position = if index == 0 { self.start.without_best_move() } else { Row::of_board(&board) };
            let result = if index < without_result { RowResult::Unknown } else { self.result };
            let mut row = position.with_label(ply.label).with_result(result);
            let moves = ranked_moves(&board);
            let ranked = |rank: u8| {
                let too_high = || format!("position {} has no move of rank {rank}", index + 1);
                moves.get(usize::from(rank)).copied().ok_or_else(too_high)
            };
            if let Some(best) = ply.best {
                row = row.with_best_move(best, ranked(best)?.is_noisy());
            }
            if let Some(played) = ply.played {
                board.play(ranked(played)?);
            }
            rows.push(row);
        }
        Ok(rows)
    }
}

const fn zigzag(difference: i32) -> u64 {
    ((difference << 1) ^ (difference >> 31)) as u32 as u64
}

/// The label at this zigzag-encoded difference; `None` if it is out of range.
fn stepped(label: Label, step: u64) -> Option<Label> {
    let step = u32::try_from(step).ok()?;
    let difference = (step >> 1) as i32 ^ -((step & 1) as i32);
    let bits = i16::try_from(i32::from(label.to_bits()).checked_add(difference)?).ok()?;
    Some(Label::from_bits(bits))
}

fn put_varint(out: &mut Vec<u8>, mut value: u64) {
    while value > 0x7F {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

fn take_byte(body: &mut &[u8]) -> Option<u8> {
    let (&first, rest) = body.split_first()?;
    *body = rest;
    Some(first)
}

fn take_varint(body: &mut &[u8]) -> Option<u64> {
    let mut value = 0;
    for shift in (0..64).step_by(7) {
        let byte = take_byte(body)?;
        value |= u64::from(byte & 0x7F) << shift;
        if byte & 0x80 == 0 {
            return Some(value);
        }
    }
    None
}

/// The first position of a game with a result; counts the positions of other games, which formats of games leave out.
pub(crate) fn start_of_game(game: &GameFileRecord, left_out: &mut LeftOut) -> Option<Board> {
    let count = game.plies.len() as u64;
    let Ok(board) = game.start.to_board() else {
        left_out.add(LeftOutReason::Illegal, count);
        return None;
    };
    if game.result == RowResult::Unknown {
        left_out.add(LeftOutReason::NoResult, count);
        return None;
    }
    Some(board)
}
