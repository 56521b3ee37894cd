//! Test suites: positions, solvers and scores.
//!
//! [`UciSolver`] turns any UCI engine into a [`Solver`]. Prints nothing.

mod score;
mod solver;
mod test_position;
mod uci_solver;

pub use score::{Attempt, SuiteScore};
pub use solver::{Answer, FixedLimit, SolveError, Solver};
pub use test_position::{MateIn, TaskKind, TestPosition, TestSuite, read_suite};
pub use uci_solver::UciSolver;
