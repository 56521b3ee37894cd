//! File formats of other programs, one module each; detected from the file name or chosen by an option.
//!
//! A reader passes its rows to an [`RowBatcher`], which counts bad rows, reports progress and applies limits. A writer
//! receives rows or games and counts those that its format cannot represent. Both work record by record, so no file
//! needs to fit into memory.

mod binpack;
mod bullet;
mod fill;
mod pgn;
mod placement;
mod plain;
mod read;
mod row_batcher;
mod viri;
mod viri_board;

pub(super) use binpack::BinpackWriter;
pub(super) use bullet::write_bullet;
pub(super) use plain::write_plain;
pub(super) use read::read_format;
pub(super) use viri::write_viri;

#[cfg(test)]
mod tests;
