//! `trainer uci`: a UCI engine with a teacher's network instead of the engine's own, to measure search and evaluation
//! separately.

use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use alfiere_chess::board::Board;
use alfiere_chess::types::Move;
use alfiere_search::engine::Engine;
use alfiere_search::eval::Evaluator;
use alfiere_search::uci::Session;
use alfiere_teacher::Teacher;
use clap::Args;

use super::{CommandResult, Failure};

/// Speak UCI with the engine's search and a teacher's network, to measure search and evaluation separately
///
/// The teacher is a network of this project, or of Stockfish 15, 15.1, 19 or 19 lite. It is slow: compare at a fixed
/// number of nodes.
#[derive(Args)]
#[command(after_help = "Example:
  alfiere match --engine 'trainer arg=uci arg=lite.nnue arg=--scale arg=0.757 name=lite' \\
      --engine alfiere --nodes 20000 --games 200 --openings UHO_4060_v4.epd.gz")]
pub(crate) struct Uci {
    /// The teacher's network
    #[arg(value_name = "TEACHER.nnue")]
    teacher: PathBuf,
    /// Factor for the teacher's evaluations, because the search margins are tuned to the engine's own scale
    #[arg(long, default_value_t = 1.0)]
    scale: f64,
}

/// The teacher, loaded once per process.
static TEACHER: OnceLock<Teacher> = OnceLock::new();

impl Uci {
    pub(crate) fn run(&self) -> CommandResult {
        if !(self.scale.is_finite() && self.scale > 0.0) {
            return Err(Failure::new(format!("--scale {}: expected a positive number", self.scale)));
        }
        let loaded = Teacher::load(&self.teacher)?;
        let (teacher, scale) = (TEACHER.get_or_init(|| loaded), self.scale);
        let mut engine = Engine::new();
        engine.set_evaluator(Arc::new(move || Box::new(TeacherEvaluator { evaluator: teacher.evaluator(), scale })));
        Session::new(engine, std::io::stdout()).run(std::io::stdin().lock())?;
        Ok(())
    }
}

/// A teacher as an evaluator. It updates its own accumulators and detects the changed pieces itself.
struct TeacherEvaluator {
    evaluator: alfiere_teacher::Evaluator<'static>,
    scale: f64,
}

impl Evaluator for TeacherEvaluator {
    fn reset(&mut self, _: &Board) {}

    fn play(&mut self, board: &mut Board, mv: Move) {
        board.play(mv);
    }

    fn undo(&mut self) {}

    fn evaluate(&mut self, board: &Board) -> i32 {
        (f64::from(self.evaluator.evaluate(board)) * self.scale).round() as i32
    }
}
