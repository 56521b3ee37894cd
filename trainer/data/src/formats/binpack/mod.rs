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
mod stem;

use std::io::{self, BufRead, Write};
use std::ops::ControlFlow;

use alfiere_chess::board::Board;
use alfiere_chess::types::{Color, Move};

use self::bits::{BitReader, BitWriter, unzigzag, zigzag};
use self::stem::{STEM_BYTES, Stem, move_bits, put_move, take_move};
use crate::error::DataError;
use crate::filter::{LeftOut, LeftOutReason};
use crate::formats::fill;
use crate::game_record::GameRecord;
use crate::row_batcher::RowBatcher;
use crate::rows::bad_row::Location;
use crate::rows::board_row::{move_of_rank, ranked_moves};
use crate::rows::label::Label;
use crate::rows::mate_number::{from_plies, in_plies};
use crate::rows::result::RowResult;
use crate::rows::row::Row;

/// The score of positions without one.
const NO_SCORE: i16 = 32_002;

/// A label as a score of the side to move.
fn score_of(label: Label, us: Color) -> i16 {
    in_plies(label, us) as i16
}

/// The label of a score; `None` for [`NO_SCORE`].
fn label_of(score: i16, us: Color) -> Option<Label> {
    (score.unsigned_abs() != NO_SCORE as u16).then(|| from_plies(i32::from(score), us))
}

/// A known result from the point of view of the side to move.
pub(super) fn points_of(result: RowResult, us: Color) -> i16 {
    let white = result.half_points().map_or(0, |points| i16::from(points) - 1);
    if us == Color::White { white } else { -white }
}

/// The inverse of [`points_of`].
pub(super) fn result_of(points: i16, us: Color) -> RowResult {
    match (points, us) {
        (0, _) => RowResult::Draw,
        (1.., Color::White) | (..0, Color::Black) => RowResult::WhiteWins,
        _ => RowResult::BlackWins,
    }
}

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

/// Size in bytes at which a chunk is written.
const CHUNK: usize = 1 << 20;
/// Maximum number of positions in a chain, because other readers have buffers of a few kilobytes.
const MAX_CHAIN: usize = 1_000;

/// Collects chains until a chunk is full.
#[derive(Default)]
pub(crate) struct BinpackWriter {
    chunk: Vec<u8>,
}

impl BinpackWriter {
    /// Writes the positions of a game that have a move: the move played, or for the last position the best move. A
    /// game without a result is left out, and so are positions with castling rights of Chess960.
    pub(crate) fn push(&mut self, out: &mut dyn Write, game: &GameRecord, left_out: &mut LeftOut) -> io::Result<()> {
        let Some(mut board) = game.start_with_result(left_out) else { return Ok(()) };
        let mut entries: Vec<(Board, Move, i16)> = Vec::with_capacity(game.plies.len());
        let mut castling = 0;
        for ply in &game.plies {
            let Some(mv) = ply.played.or(ply.best).and_then(|rank| move_of_rank(&board, rank)) else { break };
            // Rights are only lost: the positions with these come first.
            if board.has_standard_castling() {
                entries.push((board.clone(), mv, score_of(ply.label, board.side_to_move())));
            } else {
                castling += 1;
            }
            board.play(mv);
        }
        left_out.add(LeftOutReason::Castling, castling);
        left_out.add(LeftOutReason::NoMove, game.plies.len() as u64 - castling - entries.len() as u64);
        let mut ply = game.start.ply() + castling as u32;
        for chain in entries.chunks(MAX_CHAIN) {
            self.push_chain(chain, ply as u16, game.result);
            ply += chain.len() as u32;
        }
        if self.chunk.len() >= CHUNK { self.flush(out) } else { Ok(()) }
    }

    fn push_chain(&mut self, chain: &[(Board, Move, i16)], ply: u16, result: RowResult) {
        let Some(((board, mv, score), rest)) = chain.split_first() else { return };
        let result = points_of(result, board.side_to_move());
        let stem = Stem { board: board.clone(), mv: move_bits(*mv), score: *score, ply, result };
        self.chunk.extend(stem.pack());
        self.chunk.extend((rest.len() as u16).to_be_bytes());
        let mut bits = BitWriter::new(&mut self.chunk);
        let mut before = *score;
        for (board, mv, score) in rest {
            put_move(&mut bits, board, *mv);
            bits.put_groups(zigzag(score.wrapping_add(before)));
            before = *score;
        }
    }

    /// Writes the collected chains as a chunk.
    pub(crate) fn flush(&mut self, out: &mut dyn Write) -> io::Result<()> {
        if self.chunk.is_empty() {
            return Ok(());
        }
        out.write_all(&MAGIC)?;
        out.write_all(&(self.chunk.len() as u32).to_le_bytes())?;
        out.write_all(&self.chunk)?;
        self.chunk.clear();
        Ok(())
    }
}
