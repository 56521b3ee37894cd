//! File formats of other programs, one module each; detected from the file name or chosen by an option.
//!
//! A reader passes its rows to an [`RowBatcher`], which counts bad rows, reports progress and applies limits. A writer
//! receives rows or games and counts those that its format cannot represent. Both work record by record, so no file
//! needs to fit into memory.

mod binpack;
mod bullet;
mod pgn;
mod plain;
mod read;
mod row_batcher;
mod viri;

pub(super) use binpack::BinpackWriter;
pub(super) use bullet::write_bullet;
pub(super) use plain::write_plain;
pub(super) use read::read_format;
pub(super) use viri::write_viri;

use alfiere_chess::board::Board;

use crate::filter::{LeftOut, LeftOutReason};
use crate::game_file::GameFileRecord;
use crate::rows::label::RowResult;

/// The first position of a game with a result; counts the positions of other games, which formats of games leave out.
fn start_of_game(game: &GameFileRecord, left_out: &mut LeftOut) -> Option<Board> {
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

#[cfg(test)]
mod tests;
