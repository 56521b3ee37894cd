//! The phases of a training. Each continues from the weights of the one before.

use std::fmt;

use alfiere_data::Captures;
use serde::{Deserialize, Serialize};

use super::options::{ConfigError, TrainingConfig, TrainingOptions};
use super::schedule::Schedule;

/// What a phase learns from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Lesson {
    /// The static values that the start's evaluation has in positions near the rows and near those of searches.
    Evaluation,
    /// What searches with that evaluation find.
    Searches,
    /// The user's rows, with rehearsed positions beside them.
    Rows,
    /// What searches of the network itself find: the round, from 1.
    OwnSearches(u32),
}

impl fmt::Display for Lesson {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Evaluation => out.write_str("evaluation"),
            Self::Searches => out.write_str("searches"),
            Self::Rows => out.write_str("rows"),
            Self::OwnSearches(round) => write!(out, "own searches {round}"),
        }
    }
}

#[derive(Clone, PartialEq, Debug)]
pub struct Phase {
    pub lesson: Lesson,
    /// Positions that are made for it.
    pub positions: u64,
    /// Rows of an epoch.
    pub rows: u64,
    pub config: TrainingConfig,
}

/// Positions per step of a lesson; small steps, because there are always new rows.
const BATCH: usize = 8_192;
/// Peak learning rate for static values.
const EVALUATION_RATE: f32 = 4e-3;
/// Final learning rate as a share of the peak.
const EVALUATION_FINAL_SHARE: f32 = 0.002;
/// Most static values of an epoch, after which the weights are validated.
const EVALUATION_EPOCH: u64 = 1 << 22;
/// Peak learning rate for positions of searches.
const SEARCHED_RATE: f32 = 5e-4;
/// Steps until it is reached, so that the optimiser does not lose what the network knows.
const SEARCHED_WARMUP: u64 = 20;
/// One in this many positions of searches validates.
pub const VALIDATION_PART: u64 = 20;
/// Rounds of own searches, each from the rows so far.
const OWN_ROUNDS: u32 = 3;

impl TrainingConfig {
    /// The phases of a training on this number of the user's rows.
    ///
    /// # Errors
    /// If the options of a lesson are out of range.
    pub fn phases(&self, rows: u64) -> Result<Vec<Phase>, ConfigError> {
        let options = self.options();
        let mut phases = Vec::new();
        let searched = |lesson, positions, all: u64| {
            let rows = all - all / VALIDATION_PART;
            Ok::<_, ConfigError>(Phase { lesson, positions, rows, config: Self::new(searched(options))? })
        };
        if let Some(positions) = options.start.lesson() {
            let epochs = positions.div_ceil(EVALUATION_EPOCH).max(1);
            let evaluation = TrainingOptions {
                epochs: epochs as u32,
                learning_rate: EVALUATION_RATE,
                schedule: Schedule::Cosine { final_share: EVALUATION_FINAL_SHARE },
                warmup_steps: 0,
                ..self::searched(options)
            };
            let (rows, config) = (positions.div_ceil(epochs), Self::new(evaluation)?);
            phases.push(Phase { lesson: Lesson::Evaluation, positions, rows, config });
            let count = options.start.searched_for(positions);
            phases.push(searched(Lesson::Searches, count, count)?);
        }
        let positions = (rows as f64 * f64::from(options.rehearsal)).round() as u64;
        phases.push(Phase { lesson: Lesson::Rows, positions, rows: rows + positions, config: self.clone() });
        if options.own_searches > 0 {
            let count = options.own_searches.div_ceil(u64::from(OWN_ROUNDS));
            for round in 1..=OWN_ROUNDS {
                phases.push(searched(Lesson::OwnSearches(round), count, count * u64::from(round))?);
            }
        }
        Ok(phases)
    }
}

/// The options of a training on positions of searches, for a run with these options.
fn searched(run: &TrainingOptions) -> TrainingOptions {
    TrainingOptions {
        architecture: run.architecture.clone(),
        objective: run.objective,
        seed: run.seed,
        threads: run.threads,
        device: run.device,
        side_to_move: run.side_to_move,
        epochs: 1,
        batch_size: BATCH,
        learning_rate: SEARCHED_RATE,
        warmup_steps: SEARCHED_WARMUP,
        weight_decay: 0.0,
        captures: Captures::Keep,
        ..TrainingOptions::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Start;

    #[test]
    fn phases_follow_the_options() {
        let lessons = |options: TrainingOptions| -> Vec<(String, u64, u64, u32)> {
            let config = TrainingConfig::new(options).expect("sound");
            let phases = config.phases(1_000).expect("sound");
            let of =
                |phase: &Phase| (phase.lesson.to_string(), phase.positions, phase.rows, phase.config.options().epochs);
            phases.iter().map(of).collect()
        };
        let plain = TrainingOptions { epochs: 7, ..TrainingOptions::default() };
        assert_eq!(lessons(plain.clone()), [("rows".to_owned(), 0, 1_000, 7)]);
        let network = TrainingOptions { start: Start::EMBEDDED, rehearsal: 1.5, ..plain.clone() };
        assert_eq!(lessons(network), [("rows".to_owned(), 1_500, 2_500, 7)]);
        let start = Start::Classical { positions: 10_000_000 };
        let taught = lessons(TrainingOptions { start, own_searches: 100, ..plain });
        let expected = [
            ("evaluation", 10_000_000, 3_333_334, 3),
            ("searches", 625_000, 593_750, 1),
            ("rows", 0, 1_000, 7),
            ("own searches 1", 34, 33, 1),
            ("own searches 2", 34, 65, 1),
            ("own searches 3", 34, 97, 1),
        ];
        assert_eq!(taught, expected.map(|(name, positions, rows, epochs)| (name.to_owned(), positions, rows, epochs)));
    }
}
