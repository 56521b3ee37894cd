//! A row: its position and label, and their conversion from and to FEN.

pub(super) mod bad_row;
pub(super) mod bits;
pub(super) mod board_row;
pub(super) mod fen;
pub(super) mod label;
pub(super) mod mate_number;
pub(super) mod row;
pub(super) mod symmetric_key;
