//! Writes games as chains, and chains as chunks.

use std::io::{self, Write};

use alfiere_chess::board::Board;
use alfiere_chess::types::Move;

use super::super::start_of_game;
use super::bits::{BitWriter, zigzag};
use super::chain::{points_of, score_of};
use super::moves::put_move;
use super::stem::{Stem, move_bits};
use crate::game_file::GameFileRecord;
use crate::left_out::{LeftOut, LeftOutReason};
use crate::rows::board_row::ranked_moves;
use crate::rows::label::RowResult;

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
    pub(crate) fn push(
        &mut self,
        out: &mut dyn Write,
        game: &GameFileRecord,
        left_out: &mut LeftOut,
    ) -> io::Result<()> {
        let Some(mut board) = start_of_game(game, left_out) else { return Ok(()) };
        let mut entries: Vec<(Board, Move, i16)> = Vec::with_capacity(game.plies.len());
        let mut castling = 0;
        for ply in &game.plies {
            let rank = ply.played.or(ply.best);
            let Some(mv) = rank.and_then(|rank| ranked_moves(&board).get(usize::from(rank)).copied()) else { break };
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
        out.write_all(b"BINP")?;
        out.write_all(&(self.chunk.len() as u32).to_le_bytes())?;
        out.write_all(&self.chunk)?;
        self.chunk.clear();
        Ok(())
    }
}
