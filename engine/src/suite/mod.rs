//! Test suites: positions with a task each, put to a solver, and counted.
//!
//! Knows nothing of processes or of the search: a [`Solver`] is whatever answers. Prints nothing.

pub mod epd;
mod problem;
mod score;
mod solver;
pub mod source;

pub use epd::EpdError;
pub use problem::{MateIn, Problem, ReadProblems, TaskKind, read_problems};
pub use score::{Attempt, SuiteScore};
pub use solver::{Answer, Effort, Solver};
