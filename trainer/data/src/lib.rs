#![doc = include_str!("../README.md")]
//!
//! # Modules
//!
//! `rows` defines a row and converts it, `text` reads rows from text. `packed` is this project's binary format, `formats`
//! has those of other programs, `game_record` games for them; `convert` converts between them. `dataset` loads files with their caches
//! in memory or in a mapped file. `splits` holds rows out. Independent of networks and training.

mod any_file;
pub mod atomic;
mod cache;
mod captures;
mod convert;
mod data_file;
mod dataset;
mod error;
mod export;
mod filter;
mod format;
mod formats;
mod game_record;
pub mod metrics;
pub mod packed;
mod row_batcher;
/// A row: its position and label, and their conversion from and to FEN.
mod rows {
    pub(super) mod bad_row;
    pub(super) mod board_row;
    pub(super) mod label;
    pub(super) mod mate_number;
    pub(super) mod result;
    pub(super) mod row;
    pub(super) mod row_store;
    pub(super) mod samples;
    pub(super) mod symmetric_key;
}
#[cfg(any(test, feature = "test-support"))]
#[doc(hidden)]
pub mod sample;
mod shuffle;
mod source;
/// Which rows are held out: games, a hash of their content, splits and folds.
mod splits {
    pub(super) mod folds;
    pub(super) mod games;
    pub(super) mod held_out;
    pub(super) mod split;
    pub(super) mod unit;
}
mod stats;
/// Rows in text files: CSV, bullet's text, lists of positions, the Lichess database.
mod text {
    pub(super) mod bullet_text;
    pub(super) mod column_names;
    pub(super) mod csv;
    pub(super) mod lichess;
    pub(super) mod position_list;
    pub(super) mod read_options;
    pub(super) mod reader;
}

pub use any_file::stream_rows;
pub use atomic::write_text;
pub use cache::{CacheLocation, Fingerprint};
pub use captures::{Captures, resolve_rows, resolved};
pub use convert::{Conversion, Converted, NewLabels, Order, convert, relabel};
pub use data_file::{DataFile, LabelMeaning, LabelView, Origin};
pub use dataset::{BLOCK_ROWS, Dataset, LoadObserver, LoadOptions, LoadedFile, fingerprints};
pub use error::DataError;
pub use export::write_csv;
pub use filter::{Filter, FilterCounts, FilterReason, LeftOut, LeftOutReason};
pub use format::Format;
pub use formats::write_viri;
pub use game_record::{GameRecord, Ply};
pub use packed::{PackedWriter, write_packed};
pub use row_batcher::{OnRows, ReadObserver, ReadProgress};
pub use rows::bad_row::{BadRow, Location, RowProblem};
pub use rows::board_row::rank_of;
pub use rows::label::{Label, LabelUnit, MAX_CENTIPAWNS};
pub use rows::result::RowResult;
pub use rows::row::{BestMove, ROW_BYTES, Row};
pub use rows::row_store::{RowPlace, RowStore};
pub use rows::samples::{ChangedRows, Samples};
pub use shuffle::{shuffle, shuffled};
pub use splits::folds::{Folds, SplitBy};
pub use splits::games::{Game, GameOrder, find_games};
pub use splits::held_out::{HASH_VERSION, HeldOut, HeldOutRule, INNER_PARTS};
pub use splits::split::{Split, held_out_rows, unit_ranks};
pub use splits::unit::{HeldOutUnit, SplitError};
pub use stats::{
    Binned, DatasetStats, Distributions, LabelStats, MaterialBin, OutcomeBin, ResultStats, SignStats, data_warnings,
    expected_points,
};
pub use text::column_names::ColumnNames;
pub use text::csv::Columns;
pub use text::read_options::{BadRows, ReadOptions, ReadReport, RequiredFields};
