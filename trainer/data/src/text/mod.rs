//! Rows in text files: CSV, bullet's text, lists of positions, the Lichess database.

pub(super) mod bullet_text;
pub(super) mod csv;
pub(super) mod lichess;
pub(super) mod position_list;
pub(super) mod read_options;
pub(super) mod reader;
