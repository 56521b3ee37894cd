//! One row: the position, the label, and what they are written as.

pub(super) mod bad_row;
pub(super) mod bits;
pub(super) mod board_row;
pub(super) mod fen;
pub(super) mod fen_text;
pub(super) mod label;
pub(super) mod mate_number;
pub(super) mod row;
pub(super) mod row_problem;
pub(super) mod symmetric_key;
