//! Test suites: problems, solvers and scores.
//!
//! [`UciSolver`] turns any UCI engine into a [`Solver`]. Prints nothing.

mod problem;
mod score;
mod solver;
mod uci_solver;

pub use problem::{MateIn, Problem, ReadProblems, TaskKind, read_problems};
pub use score::{Attempt, SuiteScore};
pub use solver::{Answer, Effort, SolveError, Solver};
pub use uci_solver::UciSolver;
