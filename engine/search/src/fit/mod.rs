//! Fits to data: a network's agreement with labelled positions, and the WDL model of the engine's games.
//!
//! R², MSE and MAE are in clipped centipawns, `clamp(centipawns / 1000, -1, 1)` from White's side, mates at ±1.
//! Independent of training. Prints nothing.

mod games;
mod measure;
mod rows;
mod wdl;

pub use games::{GamesError, ReadGames, WrittenScores};
pub use measure::{EvaluationMode, FitMetrics, QuiescenceEval, StaticEval, best_scale, evaluate_rows, fit_at_scale};
pub use rows::{FitRow, ReadRows, RowsError, read_rows};
pub use wdl::{CalibrationBin, Cell, OutcomeCounts, WdlAgreement, WdlFitError, agreement, calibration, fit_wdl};
