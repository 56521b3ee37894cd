//! The trainer's reader of records of runs.

#[path = "../../trainer/src/record/line.rs"]
mod line;
#[path = "../../trainer/src/record/reader.rs"]
mod reader;
#[path = "../../trainer/src/record/weights.rs"]
mod weights;

pub use reader::RunRecord;
