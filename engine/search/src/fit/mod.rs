//! Fits to data: values of a network and the scale at which they fit labels, and the WDL model of the engine's games.
//!
//! R², MSE and MAE are in clipped centipawns, `clamp(centipawns / 1000, -1, 1)` from White's side, mates at ±1.
//! Independent of training. Prints nothing.

mod games;
mod measure;
mod wdl;

pub use games::{GamesError, ReadGames, WrittenScores};
pub use measure::{FitMetrics, QuiescenceEval, StaticEval, best_scale};
pub use wdl::{CalibrationBin, Cell, OutcomeCounts, WdlAgreement, WdlFitError, agreement, calibration, fit_wdl};
