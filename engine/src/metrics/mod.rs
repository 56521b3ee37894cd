//! Search statistics: nodes and time to each depth, nodes per second, the effective branching factor, the speed-up by
//! threads, and, with the feature `counters`, counts of cutoffs and table hits. Prints nothing.

mod figure;
mod measurement;
mod summary;

pub use figure::draw_metrics;
pub use measurement::{Iteration, Measurement, measure};
pub use summary::{Run, SpeedUp, Summary, speed_up};
