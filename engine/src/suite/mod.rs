//! Test suites: positions with a task each, put to a solver, and counted.
//!
//! A [`Solver`] is whatever answers; [`UciSolver`] makes one of any program. Prints nothing.

mod problem;
mod score;
mod solver;
mod uci_solver;

pub use problem::{MateIn, Problem, ReadProblems, TaskKind, read_problems};
pub use score::{Attempt, SuiteScore};
pub use solver::{Answer, Effort, Solver};
pub use uci_solver::UciSolver;
