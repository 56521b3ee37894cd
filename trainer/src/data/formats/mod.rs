//! The files of other programs, as rows: each format in a module of its own, told by name or by option.
//!
//! A reader hands its rows to an [`Intake`], which keeps count of bad ones, progress and limits. A writer is given rows
//! or games and says which of them its format cannot hold. Both see one record at a time, so that no file needs to fit
//! into memory.

mod binpack;
mod bullet;
mod fill;
mod intake;
mod left_out;
mod lichess;
mod names;
mod pgn;
mod placement;
mod plain;
mod read;
mod viri;
mod viri_board;

pub use left_out::{LeftOut, LeftOutReason};
pub use names::Format;

pub(super) use binpack::BinpackWriter;
pub(super) use bullet::write_bullet;
pub(super) use lichess::{is_lichess, parse_lichess};
pub(super) use plain::write_plain;
pub(super) use read::read_format;
pub(super) use viri::write_viri;

#[cfg(test)]
mod tests;
