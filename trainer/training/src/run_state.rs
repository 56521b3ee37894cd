//! Where a run is: its phases, the learner of the current one, and what a checkpoint keeps.

use std::time::Instant;

use alfiere_data::HeldOutRule;
use alfiere_model::{FloatNetwork, Learner, first_weights, rounded};

use super::checkpoint::{Best, Checkpoint, best_epoch};
use super::error::{StopReason, TrainingError};
use super::evaluate::evaluate;
use super::observer::{EpochRecord, TrainingProgress};
use super::options::{KeptWeights, SideToMove, TrainingConfig};
use super::plan::{Lesson, Phase};
use super::run_interface::{RunInputs, TrainingResult};

/// All phases of a run, and where it is.
pub(super) struct Run<'a> {
    pub(super) inputs: RunInputs<'a>,
    pub(super) phases: Vec<Phase>,
    /// That of the current phase.
    pub(super) learner: Learner,
    pub(super) state: State,
    pub(super) saved: Instant,
}

/// What a checkpoint has beside the learner.
pub(super) struct State {
    pub(super) config: TrainingConfig,
    pub(super) phase: usize,
    /// The weights at the end of each phase before.
    pub(super) earlier: Vec<FloatNetwork>,
    pub(super) progress: TrainingProgress,
    pub(super) best: Best,
    pub(super) history: Vec<EpochRecord>,
    /// The rule of the data; a resumed run takes it from the checkpoint, which records the history of the weights.
    pub(super) held_out: Option<HeldOutRule>,
}

impl<'a> Run<'a> {
    pub(super) fn new(config: &TrainingConfig, mut inputs: RunInputs<'a>) -> Result<Self, TrainingError> {
        let phases = config.phases(inputs.training.rows())?;
        let saved = Instant::now();
        if let Some(state) = inputs.resume.take() {
            if !config.leads_to_same_network(&state.config) || state.phase as usize >= phases.len() {
                return Err(TrainingError::OtherRun { what: "options" });
            }
            if !HeldOutRule::are_same(state.held_out.as_ref(), inputs.held_out.as_ref()) {
                return Err(TrainingError::OtherRun { what: "held-out rows" });
            }
            if state.fingerprint != inputs.fingerprint {
                return Err(TrainingError::OtherRun { what: "data" });
            }
            let phase = &phases[state.phase as usize];
            let processor = phase.config.options().device.processor().map_err(TrainingError::Device)?;
            let learner =
                Learner::resume(state.learner, processor).ok_or(TrainingError::OtherRun { what: "architectures" })?;
            let learner = prepared(learner, phase, &inputs);
            let Checkpoint { phase, earlier, progress, best, history, held_out, .. } = state;
            let config = config.clone();
            let state = State { config, phase: phase as usize, earlier, progress, best, history, held_out };
            return Ok(Self { inputs, phases, learner, state, saved });
        }
        let start = inputs.start.take();
        let (learner, best) = begin(&phases[0], &inputs, start)?;
        let state = State {
            config: config.clone(),
            phase: 0,
            earlier: Vec::new(),
            progress: TrainingProgress::default(),
            best,
            history: Vec::new(),
            held_out: inputs.held_out.clone(),
        };
        Ok(Self { inputs, phases, learner, state, saved })
    }

    /// Moves on to the next phase.
    pub(super) fn begin_next(&mut self) -> Result<(), TrainingError> {
        let weights = self.kept_weights();
        let next = &self.phases[self.state.phase + 1];
        (self.learner, self.state.best) = begin(next, &self.inputs, Some(weights.clone()))?;
        self.state.earlier.push(weights);
        self.state.phase += 1;
        self.state.progress = TrainingProgress::default();
        Ok(())
    }

    pub(super) fn phase(&self) -> &Phase {
        &self.phases[self.state.phase]
    }

    pub(super) fn is_last_phase(&self) -> bool {
        self.state.phase + 1 == self.phases.len()
    }

    /// The weights that the next phase begins with.
    fn kept_weights(&mut self) -> FloatNetwork {
        let lesson = self.phase().lesson;
        let of_rows = lesson == Lesson::Rows;
        if self.state.best.epoch == 0
            && let (Lesson::OwnSearches(_), Some(before)) = (lesson, self.state.earlier.last())
        {
            return before.clone();
        }
        if self.state.best.epoch == 0 || of_rows && self.inputs.kept == KeptWeights::Last {
            return rounded(self.learner.state().weights().clone());
        }
        rounded(self.state.best.network.clone())
    }

    pub(super) fn save(&mut self) -> Result<(), TrainingError> {
        let Some(path) = self.inputs.checkpoint.clone() else { return Ok(()) };
        self.checkpoint().save(&path)?;
        self.saved = Instant::now();
        Ok(())
    }

    fn checkpoint(&mut self) -> Checkpoint {
        let State { config, phase, earlier, progress, best, history, held_out } = &self.state;
        Checkpoint {
            config: config.clone(),
            fingerprint: self.inputs.fingerprint.clone(),
            held_out: held_out.clone(),
            phase: *phase as u32,
            earlier: earlier.clone(),
            learner: self.learner.state().clone(),
            progress: *progress,
            best: best.clone(),
            history: history.clone(),
        }
    }

    pub(super) fn outcome(mut self, stop: StopReason) -> TrainingResult {
        let state = (stop == StopReason::Interrupted).then(|| self.checkpoint());
        let network = self.kept_weights();
        let phase = self.phase().clone();
        let options = phase.config.options();
        let best_epoch = best_epoch(&self.state.history, &self.state.config, self.inputs.kept);
        let validation = if phase.lesson == Lesson::Rows {
            let of_rows = |record: &&EpochRecord| record.phase == self.state.phase as u32 && record.epoch == best_epoch;
            self.state.history.iter().find(of_rows).and_then(|record| record.validation)
        } else {
            let processor = self.learner.processor().clone();
            let (_, share) = self.state.config.options().result_share.ends();
            evaluate(&network, &processor, options.objective, share, self.inputs.validation)
        };
        TrainingResult {
            network,
            output_scale: options.objective.output_scale(),
            best_epoch,
            validation,
            history: self.state.history,
            held_out: self.state.held_out,
            stop,
            state,
        }
    }
}

/// The learner of a phase at its beginning, and its weights.
fn begin(phase: &Phase, inputs: &RunInputs<'_>, start: Option<FloatNetwork>) -> Result<(Learner, Best), TrainingError> {
    let options = phase.config.options();
    let mut network = first_weights(options.architecture.clone(), options.seed, start)?;
    if options.side_to_move == SideToMove::NoInput {
        network.layers[0].weights.row_mut(network.architecture.inputs.side_to_move()).fill(0.0);
    }
    let processor = options.device.processor().map_err(TrainingError::Device)?;
    let best = Best { network: network.clone(), epoch: 0, loss: f64::INFINITY };
    Ok((prepared(Learner::new(network, processor), phase, inputs), best))
}

/// The learner with the rule, hints and average of a phase.
fn prepared(learner: Learner, phase: &Phase, inputs: &RunInputs<'_>) -> Learner {
    let options = phase.config.options();
    let hints = inputs.hints.clone().filter(|_| phase.lesson == Lesson::Rows);
    let learner = learner.with_rule(options.optimizer).with_hints(hints);
    match options.average {
        Some(decay) => learner.with_average(decay),
        None => learner,
    }
}
