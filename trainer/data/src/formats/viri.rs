//! viriformat: games as a start position and moves with scores; four bytes per position.
//!
//! A file is a sequence of games. Numbers are little-endian; squares are a1 = 0, h1 = 7, h8 = 63.
//!
//! | bytes of a game | hold |
//! |---|---|
//! | 0–31 | the first position, see `viri_board` |
//! | 32+4n– | a move in 16 bits: source, target (6 bits each), promotion (knight, bishop, rook, queen), kind (0, en passant 1, castling 2, promotion 3); castling is king takes own rook |
//! | 34+4n– | the score of the position in which it was played, from White's side, in 16 bits |
//! | the last 4 | zero |
//!
//! A start position without pieces marks an extension: 8 zero bytes, a number and a length n of 16 bits each, n bytes
//! and four zero bytes. Extensions are skipped.
//!
//! The move played becomes the row's best move. Not represented: unknown results, positions without a move, and best
//! moves that were not played. Mates are numbers beyond all centipawn scores.

use std::io::{self, BufRead, Write};

use alfiere_chess::board::Board;
use alfiere_chess::types::{CastleSide, Color, Move, Piece, PieceKind, Square};
use rayon::prelude::*;

use super::fill;
use crate::error::DataError;
use crate::filter::{LeftOut, LeftOutReason};
use crate::game_record::GameRecord;
use crate::row_batcher::RowBatcher;
use crate::rows::bad_row::Location;
use crate::rows::board_row::{board_of, move_of_rank, occupied_squares, promotion_index, ranked_moves};
use crate::rows::mate_number::{from_moves, in_moves};
use crate::rows::result::RowResult;
use crate::rows::row::{Row, pack_nibbles, unpack_nibbles};

/// Number of games decoded per batch.
const BATCH: usize = 1_024;
/// Maximum number of moves in a game.
const MAX_MOVES: usize = 1 << 14;
const EXPECTED: &str = "games of viriformat, each ended by four zero bytes";

/// An undecoded game and its offset in the file.
struct RawGame {
    at: u64,
    start: [u8; BOARD_BYTES],
    moves: Vec<[u8; 4]>,
}

/// The 16 bits of a move.
fn encode_move(mv: Move) -> u16 {
    let promotion = promotion_index(mv);
    let kind = match promotion {
        Some(_) => 3,
        None if mv.is_castle() => 2,
        None if mv.is_en_passant() => 1,
        None => 0,
    };
    (mv.source().index() | mv.target().index() << 6 | promotion.unwrap_or(0) << 12 | kind << 14) as u16
}

impl RawGame {
    /// Decodes the game; the error is the reason why it is invalid.
    fn rows(&self) -> Result<Vec<Row>, String> {
        let (mut board, result) = unpack_board(&self.start)?;
        let mut rows = Vec::with_capacity(self.moves.len());
        for (index, &[low, high, score @ ..]) in self.moves.iter().enumerate() {
            let bits = u16::from_le_bytes([low, high]);
            let moves = ranked_moves(&board);
            // These bits are defined only for promotions.
            let meant = if bits >> 14 == 3 { bits } else { bits & 0xCFFF };
            let rank = moves.iter().position(|&mv| encode_move(mv) == meant);
            let rank = rank.ok_or_else(|| format!("move {} (bits {bits:#06x}) is not legal", index + 1))?;
            let label = from_moves(i32::from(i16::from_le_bytes(score)));
            let row = Row::of_board(&board).with_label(label).with_result(result);
            rows.push(row.with_best_move(rank as u8, moves[rank].is_noisy()));
            board.play(moves[rank]);
        }
        Ok(rows)
    }
}

/// Reads the next game; `None` at the end of the input.
fn next_game(
    input: &mut dyn BufRead,
    at: &mut u64,
    batcher: &RowBatcher<'_, '_>,
) -> Result<Option<RawGame>, DataError> {
    let begins = *at;
    let mut read = |bytes: &mut [u8]| -> Result<bool, DataError> {
        let count = fill(input, bytes).map_err(|source| batcher.unreadable(source))?;
        let is_first = *at == begins;
        *at += count as u64;
        match count {
            0 if is_first => Ok(false),
            count if count == bytes.len() => Ok(true),
            _ => Err(batcher.cut_short(Location::Byte(begins), "a game")),
        }
    };
    let mut start = [0; BOARD_BYTES];
    let (occupied, rest) = start.split_at_mut(8);
    if !read(occupied)? {
        return Ok(None);
    }
    if occupied.iter().all(|&byte| byte == 0) {
        let mut head = [0; 4];
        read(&mut head)?;
        let mut body = vec![0; usize::from(u16::from_le_bytes([head[2], head[3]])) + 4];
        read(&mut body)?;
        if !body.ends_with(&[0; 4]) {
            let problem = "an extension without its four zero bytes at the end".to_owned();
            return Err(batcher.damage(Location::Byte(begins), problem, EXPECTED));
        }
        return Ok(Some(RawGame { at: begins, start: [0; BOARD_BYTES], moves: Vec::new() }));
    }
    read(rest)?;
    let mut moves = Vec::new();
    loop {
        let mut pair = [0; 4];
        read(&mut pair)?;
        if pair == [0; 4] {
            return Ok(Some(RawGame { at: begins, start, moves }));
        }
        moves.push(pair);
        if moves.len() > MAX_MOVES {
            let problem = format!("a game of more than {MAX_MOVES} moves");
            return Err(batcher.damage(Location::Byte(begins), problem, EXPECTED));
        }
    }
}

/// Reads the games to the end of the input.
pub(super) fn read_viri(input: &mut dyn BufRead, batcher: &mut RowBatcher<'_, '_>) -> Result<(), DataError> {
    let mut at = 0;
    loop {
        let mut games = Vec::with_capacity(BATCH);
        while games.len() < BATCH {
            let Some(game) = next_game(input, &mut at, batcher)? else { break };
            if game.start != [0; BOARD_BYTES] {
                games.push(game);
            }
        }
        if games.is_empty() {
            return Ok(());
        }
        let decoded: Vec<_> = games.par_iter().map(RawGame::rows).collect();
        for (rows, game) in decoded.into_iter().zip(&games) {
            match rows {
                Ok(rows) => {
                    for row in rows {
                        if batcher.row(row)?.is_break() {
                            return Ok(());
                        }
                    }
                }
                Err(problem) => batcher.bad(Location::Byte(game.at), format!("{} moves", game.moves.len()), problem)?,
            }
        }
    }
}

/// Writes the positions of a game that have a move: the move played, or for the last position the best move. A game
/// without a result is left out.
///
/// # Errors
/// If `out` fails.
pub fn write_viri(out: &mut dyn Write, game: &GameRecord, left_out: &mut LeftOut) -> io::Result<()> {
    let count = game.plies.len() as u64;
    let Some(mut board) = game.start_with_result(left_out) else { return Ok(()) };
    let mut bytes = pack_board(&board, game.result).to_vec();
    let mut written = 0;
    for ply in &game.plies {
        let Some(mv) = ply.played.or(ply.best).and_then(|rank| move_of_rank(&board, rank)) else { break };
        bytes.extend(encode_move(mv).to_le_bytes());
        bytes.extend((in_moves(ply.label) as i16).to_le_bytes());
        board.play(mv);
        written += 1;
    }
    left_out.add(LeftOutReason::NoMove, count - written);
    if written == 0 {
        return Ok(());
    }
    bytes.extend([0; 4]);
    out.write_all(&bytes)
}

/// Bytes of a board.
const BOARD_BYTES: usize = 32;
/// The nibble of a rook with a castling right.
const CASTLING_ROOK: u8 = 6;
/// The en passant square of a position without one.
const NO_SQUARE: u8 = 64;

/// Encodes a position and a known result.
fn pack_board(board: &Board, result: RowResult) -> [u8; BOARD_BYTES] {
    let mut bytes = [0; BOARD_BYTES];
    bytes[..8].copy_from_slice(&board.occupied().0.to_le_bytes());
    let nibble = |square| {
        let Some(piece) = board.piece_on(square) else { return 0 };
        let castles = CastleSide::ALL.into_iter().any(|side| board.castling_rook(piece.color(), side) == Some(square));
        let kind = if castles { CASTLING_ROOK } else { piece.kind().index() as u8 };
        kind | u8::from(piece.color() == Color::Black) << 3
    };
    bytes[8..24].copy_from_slice(&pack_nibbles(board.occupied(), nibble));
    let en_passant = board.en_passant().map_or(NO_SQUARE, |square| square.index() as u8);
    bytes[24] = en_passant | u8::from(board.side_to_move() == Color::Black) << 7;
    bytes[25] = board.halfmove_clock();
    bytes[26..28].copy_from_slice(&board.fullmove_number().to_le_bytes());
    bytes[30] = result.half_points().unwrap_or(1);
    bytes
}

/// Decodes the position and the result; the error is the reason why the bytes are invalid.
fn unpack_board(bytes: &[u8; BOARD_BYTES]) -> Result<(Board, RowResult), String> {
    let occupied = occupied_squares(u64::from_le_bytes(std::array::from_fn(|index| bytes[index])))?;
    let mut mailbox = [None; 64];
    let mut castling = String::new();
    for (nibble, square) in unpack_nibbles(occupied, &bytes[8..24]) {
        let color = if nibble < 8 { Color::White } else { Color::Black };
        let kind = match nibble & 7 {
            CASTLING_ROOK => PieceKind::Rook,
            kind => *PieceKind::ALL.get(usize::from(kind)).ok_or_else(|| format!("piece {nibble}"))?,
        };
        if nibble & 7 == CASTLING_ROOK {
            let file = square.file().letter();
            castling.push(if color == Color::White { file.to_ascii_uppercase() } else { file });
        }
        mailbox[square.index()] = Some(Piece::new(color, kind));
    }
    let result = RowResult::of_half_points(bytes[30])?;
    let en_passant = match bytes[24] & 0x7F {
        NO_SQUARE => None,
        index => Some(*Square::ALL.get(usize::from(index)).ok_or_else(|| format!("en passant square {index}"))?),
    };
    let us = if bytes[24] & 0x80 == 0 { Color::White } else { Color::Black };
    let moves = u16::from_le_bytes([bytes[26], bytes[27]]).max(1);
    Ok((board_of(&mailbox, us, &castling, en_passant, bytes[25], moves)?, result))
}
