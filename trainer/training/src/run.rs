//! Runs the phases of a plan, from the first step or from a checkpoint.
//!
//! The order of rows, the flips, the dropout and the order of sums depend only on the seed. A resumed run therefore
//! gives the same network, bit for bit, as an uninterrupted one, with any number of threads.

use super::error::{StopReason, TrainingError};
use super::evaluate::Rows;
use super::observer::TrainingObserver;
use super::options::TrainingConfig;
use super::phase_run::PhaseRun;
use super::plan::{Lesson, Phase};
use super::run_interface::{RunInputs, TrainingResult};
use super::run_state::Run;
use super::source::{HAS_THREADS, Mixed, RowSource, Windows};

/// Trains a network, phase by phase.
///
/// # Errors
/// If there are no training rows, the checkpoint is of a different run or cannot be written, or rows cannot be read or
/// made.
pub fn train(
    config: &TrainingConfig,
    inputs: RunInputs<'_>,
    observer: &mut (dyn TrainingObserver + Send),
) -> Result<TrainingResult, TrainingError> {
    if inputs.training.rows() == 0 {
        return Err(TrainingError::NoRows);
    }
    if !HAS_THREADS {
        return run_phases(Run::new(config, inputs)?, observer);
    }
    let threads = config.options().threads;
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .map_err(|error| TrainingError::Threads { count: threads, reason: error.to_string() })?;
    pool.install(|| run_phases(Run::new(config, inputs)?, observer))
}

fn run_phases(mut run: Run<'_>, observer: &mut (dyn TrainingObserver + Send)) -> Result<TrainingResult, TrainingError> {
    let training = run.inputs.training;
    let near = training.near();
    loop {
        run.save()?;
        let phase = run.phase().clone();
        observer.on_phase(&run.phases, run.state.phase, run.state.progress, &run.state.history);
        let stop = if run.state.progress.epochs < phase.config.options().epochs {
            run_phase(&mut run, &phase, near.rows(), observer)?
        } else {
            StopReason::Finished
        };
        match stop {
            StopReason::Finished | StopReason::NoProgress => {}
            StopReason::NotFinite { .. } if phase.lesson != Lesson::Rows => {
                return Err(TrainingError::Lesson { lesson: phase.lesson, stop });
            }
            StopReason::Interrupted | StopReason::NotFinite { .. } => return Ok(run.outcome(stop)),
        }
        if run.is_last_phase() {
            return Ok(run.outcome(stop));
        }
        run.begin_next()?;
    }
}

/// Trains the rest of the current phase.
fn run_phase(
    run: &mut Run<'_>,
    phase: &Phase,
    near: Rows<'_>,
    observer: &mut (dyn TrainingObserver + Send),
) -> Result<StopReason, TrainingError> {
    let (training, lessons) = (run.inputs.training, run.inputs.lessons);
    let is_lesson = phase.lesson != Lesson::Rows;
    let mut made = None;
    if is_lesson || phase.positions > 0 {
        let lessons = lessons.ok_or(TrainingError::NoLessons { lesson: phase.lesson })?;
        made = lessons.rows(phase, near, &run.state.earlier, observer)?;
        if made.is_none() {
            return Ok(StopReason::Interrupted);
        }
    }
    let (rows, mixed);
    let mut validation = Vec::new();
    let source: &dyn RowSource = match made {
        Some(made) if is_lesson => {
            validation = made.validation;
            rows = made.training;
            &*rows
        }
        Some(made) => {
            mixed = Mixed { rows: training, others: made.training };
            &mixed
        }
        None => training,
    };
    let picks: Vec<u32> = (0..validation.len() as u32).collect();
    let lesson = is_lesson.then_some(Rows::new(&validation, &picks));
    let windows = Windows::new(source.rows(), source.window_rows(), phase.config.options().batch_size);
    PhaseRun { phase, source, lesson, windows, run }.run(observer)
}
