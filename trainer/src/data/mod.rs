//! Labelled positions: read from CSV, packed, cached, filtered and split.
//!
//! Knows files and chess positions; knows nothing of networks and training.

pub mod atomic;
mod csv;
mod error;
mod fen;
mod label;
mod reader;
mod row;
mod source;

pub use csv::{Columns, RowProblem};
pub use error::{BadRow, DataError};
pub use fen::FenProblem;
pub use label::{GameResult, Label, MAX_CENTIPAWNS};
pub use reader::{BadRows, ReadObserver, ReadOptions, ReadProgress, ReadReport, read_csv};
pub use row::{BestMove, ROW_BYTES, Row};
