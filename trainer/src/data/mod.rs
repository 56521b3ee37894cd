//! Labelled positions: files of rows, caches, filters, splits, statistics and streaming.
//!
//! `row` and `label` define a row; `board_row`, `fen` and `fen_text` convert it. `reader` with `csv`, `bullet_text` and
//! `position_list` reads text. `packed` and `game_file` are this project's binary formats, `formats` those of other
//! programs; `convert` converts between them. `dataset` loads files with their caches, `stream` reads packed files
//! larger than memory. `games`, `held_out`, `split` and `folds` hold rows out. Independent of networks and training.

mod any_file;
pub mod atomic;
mod bad_row;
mod bits;
mod board_row;
mod bullet_text;
mod cache;
mod convert;
mod csv;
mod data_file;
mod dataset;
mod error;
mod export;
mod fen;
mod fen_text;
mod filter;
mod folds;
mod formats;
pub mod game_file;
mod games;
mod held_out;
mod label;
mod mate_number;
mod output_file;
pub mod packed;
mod packed_writer;
mod position_list;
mod read_options;
mod reader;
mod row;
mod row_problem;
#[cfg(test)]
pub(crate) mod sample;
mod source;
mod split;
mod split_error;
mod stats;
mod stream;
mod symmetric_key;

pub use any_file::stream_rows;
pub use bad_row::{BadRow, Location};
pub(crate) use board_row::rank_of;
pub use cache::{CacheLocation, Fingerprint};
pub use convert::{Conversion, Converted, Equality, NewLabels, Order, convert, relabel};
pub use csv::Columns;
pub use data_file::{DataFile, Origin, WeightedFile};
pub use dataset::{Dataset, LoadObserver, LoadOptions, LoadedFile, prints};
pub use error::DataError;
pub use export::write_csv;
pub use fen::FenProblem;
pub use filter::{Filter, FilterCounts, FilterReason};
pub use folds::{Folds, SplitBy};
pub use formats::{Format, LeftOut, LeftOutReason};
pub use games::{Game, find_games};
pub use held_out::{HASH_VERSION, HeldOut, HeldOutRule, HeldOutUnit, INNER_PARTS};
pub use label::{Label, MAX_CENTIPAWNS, RowResult};
pub(crate) use output_file::write_text;
pub use packed_writer::{PackedWriter, write_packed};
pub use read_options::{BadRows, ReadOptions, ReadReport, RequiredFields};
pub use reader::{OnRows, ReadObserver, ReadProgress, read_csv, stream_csv};
pub use row::{BestMove, ROW_BYTES, Row};
pub use row_problem::RowProblem;
pub use split::{Split, inner_split, split};
pub use split_error::SplitError;
pub use stats::{
    Binned, DatasetStats, Distributions, LabelStats, MaterialBin, OutcomeBin, ResultStats, SignStats, expected_points,
};
pub use stream::{BLOCK_ROWS, StreamError, StreamOptions, StreamedSet};
