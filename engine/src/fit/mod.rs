//! How well a network agrees with labelled positions: R², MSE and MAE in report space.
//!
//! Report space is `clamp(centipawns / 1000, -1, 1)` from White's side, mates at ±1. Knows networks and a small CSV
//! reading of its own; nothing of training. Prints nothing.

mod measure;
mod regression;
mod resolve;
mod rows;

pub use measure::{Judgement, judge_rows};
pub use regression::{Fit, best_scale, fit_at_scale};
pub use resolve::{Resolver, Static};
pub use rows::{FitRow, ReadRows, RowsError, read_rows};
