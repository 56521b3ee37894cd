//! bulletformat: positions in 32 bytes, read by bullet and many other trainers.
//!
//! A file is records without a header. Positions are from the point of view of the side to move: if Black is to move,
//! the board is flipped vertically and the colours are swapped. Numbers are little-endian.
//!
//! | bytes | hold |
//! |---|---|
//! | 0–7 | occupied squares, bit 0 = a1 |
//! | 8–23 | a nibble for each of them in that order, low nibble first: 0–5 own P N B R Q K, 8–13 the opponent's |
//! | 24–25 | the score in centipawns, for the side to move |
//! | 26 | the result for the side to move: 0 lost, 1 drawn, 2 won |
//! | 27 | the king square of the side to move |
//! | 28 | the king square of the opponent, from the opponent's point of view |
//! | 29–31 | unused; 0 here |
//!
//! Not represented: the side to move, castling, en passant, the clocks, the best move, and unknown results. Rows that
//! are read have White to move.

use std::io::{self, BufRead, Write};

use alfiere_chess::board::Board;
use alfiere_chess::types::{Bitboard, Color, Piece, PieceKind};
use rayon::prelude::*;

use super::fill;
use crate::error::DataError;
use crate::filter::{LeftOut, LeftOutReason};
use crate::row_batcher::{BATCH_ROWS, RowBatcher};
use crate::rows::bad_row::Location;
use crate::rows::board_row::occupied_squares;
use crate::rows::mate_number::{from_moves, in_moves};
use crate::rows::result::RowResult;
use crate::rows::row::{Row, pack_nibbles, unpack_nibbles};

/// Bytes of a record.
const RECORD: usize = 32;

/// The record of a row; `None` if its result is unknown.
fn encode(row: &Row) -> Option<[u8; RECORD]> {
    let (us, white) = (row.side_to_move(), row.result().half_points()?);
    let (mut mailbox, mut occupied, mut bytes) = ([0; 64], Bitboard::EMPTY, [0; RECORD]);
    for (piece, square) in row.pieces() {
        let (theirs, square) = (piece.color() != us, square.relative_to(us));
        mailbox[square.index()] = piece.kind().index() as u8 | u8::from(theirs) << 3;
        occupied = occupied.with(square);
        if piece.kind() == PieceKind::King {
            let view = if theirs { Color::Black } else { Color::White };
            bytes[27 + usize::from(theirs)] = square.relative_to(view).index() as u8;
        }
    }
    bytes[..8].copy_from_slice(&occupied.0.to_le_bytes());
    bytes[8..24].copy_from_slice(&pack_nibbles(occupied, |square| mailbox[square.index()]));
    let score = in_moves(row.label());
    let score = if us == Color::White { score } else { -score };
    bytes[24..26].copy_from_slice(&(score as i16).to_le_bytes());
    bytes[26] = if us == Color::White { white } else { 2 - white };
    Some(bytes)
}

/// The row of a record, White to move; the error is the reason why it is invalid.
fn decode(bytes: &[u8; RECORD]) -> Result<Row, String> {
    let occupied = occupied_squares(u64::from_le_bytes(std::array::from_fn(|index| bytes[index])))?;
    let (mut pieces, mut kings) = (Vec::with_capacity(32), [64; 2]);
    for (nibble, square) in unpack_nibbles(occupied, &bytes[8..24]) {
        let kind = PieceKind::ALL.get(usize::from(nibble & 7));
        let kind = kind.ok_or_else(|| format!("piece {nibble}; expected 0 to 5 or 8 to 13"))?;
        let color = if nibble < 8 { Color::White } else { Color::Black };
        if *kind == PieceKind::King {
            kings[color.index()] = square.relative_to(color).index() as u8;
        }
        pieces.push((Piece::new(color, *kind), square));
    }
    let board = Board::from_pieces(pieces, Color::White).map_err(|problem| format!("illegal position: {problem}"))?;
    let found = [bytes[27], bytes[28]];
    if found != kings {
        return Err(format!("king squares {found:?}; expected {kings:?}, where the kings stand"));
    }
    let result = RowResult::of_half_points(bytes[26])?;
    let score = i16::from_le_bytes([bytes[24], bytes[25]]);
    Ok(Row::of_board(&board).with_label(from_moves(i32::from(score))).with_result(result))
}

/// Reads the records to the end of the input.
pub(super) fn read_bullet(input: &mut dyn BufRead, batcher: &mut RowBatcher<'_, '_>) -> Result<(), DataError> {
    let mut bytes = vec![0; BATCH_ROWS * RECORD];
    let mut at = 0;
    loop {
        let count = fill(input, &mut bytes).map_err(|source| batcher.unreadable(source))?;
        let (records, rest) = bytes[..count].as_chunks::<RECORD>();
        let decoded: Vec<_> = records.par_iter().map(decode).collect();
        for (row, record) in decoded.into_iter().zip(records) {
            match row {
                Ok(row) if batcher.row(row)?.is_break() => return Ok(()),
                Ok(_) => {}
                Err(problem) => batcher.bad(Location::Byte(at), hexadecimal(record), problem)?,
            }
            at += RECORD as u64;
        }
        if !rest.is_empty() {
            return Err(batcher.cut_short(Location::Byte(at), "a record of 32 bytes"));
        }
        if count < bytes.len() {
            return Ok(());
        }
    }
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(2 * bytes.len()), |text, byte| text + &format!("{byte:02x}"))
}

/// Writes rows; those without a result are left out.
pub(crate) fn write_bullet(out: &mut dyn Write, rows: &[Row], left_out: &mut LeftOut) -> io::Result<()> {
    for row in rows {
        match encode(row) {
            Some(bytes) => out.write_all(&bytes)?,
            None => left_out.add(LeftOutReason::NoResult, 1),
        }
    }
    Ok(())
}
