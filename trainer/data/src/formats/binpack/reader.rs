//! Reads chunks one by one and replays their chains.

use std::io::BufRead;
use std::ops::ControlFlow;

use alfiere_chess::types::Color;

use super::bits::{BitReader, unzigzag};
use super::chain::{label_of, result_of};
use super::moves::take_move;
use super::stem::{STEM_BYTES, Stem, move_bits};
use crate::error::DataError;
use crate::formats::fill::fill;
use crate::formats::row_batcher::RowBatcher;
use crate::rows::bad_row::Location;
use crate::rows::board_row::ranked_moves;
use crate::rows::row::Row;

const MAGIC: [u8; 4] = *b"BINP";
/// Size of a chunk's header in bytes.
const HEADER: usize = 8;
/// Maximum size of a chunk in bytes.
const MAX_CHUNK: usize = 100 << 20;
const EXPECTED: &str = "chunks of .binpack, each with BINP before it";

/// Reads the chunks to the end of the input.
pub(in crate::formats) fn read_binpack(
    input: &mut dyn BufRead,
    batcher: &mut RowBatcher<'_, '_>,
) -> Result<(), DataError> {
    let (mut at, mut chunk) = (0, Vec::new());
    loop {
        let mut header = [0; HEADER];
        let count = fill(input, &mut header).map_err(|source| batcher.unreadable(source))?;
        if count == 0 {
            return Ok(());
        }
        let damage = |problem| Err(batcher.damage(Location::Byte(at), problem, EXPECTED));
        if header[..4] != MAGIC {
            return damage("no chunk begins here".to_owned());
        }
        if count < HEADER {
            return Err(batcher.cut_short(Location::Byte(at), "a chunk"));
        }
        let size = u32::from_le_bytes([header[4], header[5], header[6], header[7]]) as usize;
        if size > MAX_CHUNK {
            return damage(format!("a chunk of {size} bytes"));
        }
        chunk.resize(size, 0);
        if fill(input, &mut chunk).map_err(|source| batcher.unreadable(source))? < size {
            return Err(batcher.cut_short(Location::Byte(at), "a chunk"));
        }
        let begins = at + HEADER as u64;
        let mut rest = &chunk[..];
        while !rest.is_empty() {
            let location = Location::Byte(begins + (size - rest.len()) as u64);
            match read_chain(&mut rest, batcher)? {
                Ok(ControlFlow::Continue(())) => {}
                Ok(ControlFlow::Break(())) => return Ok(()),
                Err(problem) => return Err(batcher.damage(location, problem, EXPECTED)),
            }
        }
        at = begins + size as u64;
    }
}

/// Reads a chain from the front of these bytes; the inner error is the reason why it is invalid.
fn read_chain(
    rest: &mut &[u8],
    batcher: &mut RowBatcher<'_, '_>,
) -> Result<Result<ControlFlow<()>, String>, DataError> {
    let Some((stem, behind)) = rest.split_first_chunk::<STEM_BYTES>() else {
        return Ok(Err(format!("a chain of {} bytes", rest.len())));
    };
    let Some((count, behind)) = behind.split_first_chunk::<2>() else {
        return Ok(Err("a chain without its length".to_owned()));
    };
    let Stem { mut board, mv, mut score, mut ply, mut result } = match Stem::unpack(stem) {
        Ok(stem) => stem,
        Err(problem) => return Ok(Err(problem)),
    };
    let mut bits = BitReader::new(behind);
    for index in 0..=u16::from_be_bytes(*count) {
        let moves = ranked_moves(&board);
        let us = board.side_to_move();
        let rank = if index == 0 {
            moves.iter().position(|&one| move_bits(one) == mv)
        } else {
            take_move(&mut bits, &board, &moves)
        };
        let step = if index == 0 { Some(0) } else { bits.take_groups().map(unzigzag) };
        let (Some(rank), Some(step)) = (rank, step) else {
            return Ok(Err(format!("position {} of a chain, `{board}`, has no such move", index + 1)));
        };
        if index > 0 {
            score = score.wrapping_neg().wrapping_add(step);
        }
        match label_of(score, us) {
            None => batcher.unscored(),
            Some(label) => {
                let mut row = Row::of_board(&board).with_label(label).with_result(result_of(result, us));
                row.full_moves = number_of(ply, us);
                if batcher.row(row.with_best_move(rank as u8, moves[rank].is_noisy()))?.is_break() {
                    return Ok(Ok(ControlFlow::Break(())));
                }
            }
        }
        board.play(moves[rank]);
        (ply, result) = (ply.saturating_add(1), -result);
    }
    *rest = &behind[bits.bytes_taken()..];
    Ok(Ok(ControlFlow::Continue(())))
}

/// The move number after `ply` half-moves.
fn number_of(ply: u16, us: Color) -> u16 {
    (ply.saturating_sub(us as u16)) / 2 + 1
}
