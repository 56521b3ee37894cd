//! What a search costs: nodes and time to each depth, nodes per second, the effective branching factor, the gain of
//! more threads, and, with the feature `counters`, how the search spent its nodes. Prints nothing.

mod figure;
mod measurement;
mod summary;

pub use figure::{FigureError, draw_metrics};
pub use measurement::{Iteration, Measurement, measure};
pub use summary::{Run, SpeedUp, Summary, speed_up};
