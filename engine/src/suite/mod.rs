//! Test suites: positions, the UCI engine that solves them, and scores. Prints nothing.

mod score;
mod solver;
mod test_position;

pub use score::{Attempt, SuiteScore};
pub use solver::{Answer, FixedLimit, SolveError, UciSolver};
pub use test_position::{MateIn, TaskKind, TestPosition, TestSuite, read_suite};
