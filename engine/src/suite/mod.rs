//! Test suites: positions with a task each, put to a solver, and counted.
//!
//! [`UciSolver`] makes a [`Solver`] of any UCI program. Prints nothing.

mod problem;
mod score;
mod solver;
mod uci_solver;

pub use problem::{MateIn, Problem, ReadProblems, TaskKind, read_problems};
pub use score::{Attempt, SuiteScore};
pub use solver::{Answer, Effort, SolveError, Solver};
pub use uci_solver::UciSolver;
