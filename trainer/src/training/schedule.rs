//! How the learning rate and the share of the game's result change over a run.

use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// How the learning rate falls from its height.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "kind", deny_unknown_fields)]
pub enum Schedule {
    /// Not at all.
    Constant,
    /// Along half a cosine, step by step, to `final_share` of its height.
    Cosine {
        /// Learning rate at the end, as a share of its height.
        final_share: f32,
    },
    /// Times `gamma` every `every` epochs.
    Step {
        /// Factor.
        gamma: f32,
        /// Epochs between two falls.
        every: u32,
    },
}

/// Where a run is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ScheduleStep {
    /// Steps taken.
    pub step: u64,
    /// Steps of the whole run.
    pub steps: u64,
    /// Steps of an epoch.
    pub steps_per_epoch: u64,
}

impl ScheduleStep {
    /// How much of the run is done, 0 to 1.
    fn share(self) -> f64 {
        if self.steps <= 1 { 0.0 } else { (self.step as f64 / (self.steps - 1) as f64).min(1.0) }
    }
}

impl Schedule {
    /// The learning rate of the step that comes next. In the first `warmup` steps it rises to `height`.
    pub fn rate(self, height: f32, warmup: u64, moment: ScheduleStep) -> f32 {
        let factor = match self {
            Self::Constant => 1.0,
            Self::Cosine { final_share } => {
                let end = f64::from(final_share);
                end + (1.0 - end) * 0.5 * (1.0 + (std::f64::consts::PI * moment.share()).cos())
            }
            Self::Step { gamma, every } => {
                let epoch = moment.step / moment.steps_per_epoch.max(1);
                f64::from(gamma).powf((epoch / u64::from(every.max(1))) as f64)
            }
        };
        let rise = if moment.step < warmup { (moment.step + 1) as f64 / (warmup + 1) as f64 } else { 1.0 };
        (f64::from(height) * factor * rise) as f32
    }
}

/// How much of a target is the game's result.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ResultShare {
    /// The same throughout.
    Constant(f32),
    /// From one share in the first epoch to another in the last.
    Linear {
        /// In the first epoch.
        from: f32,
        /// In the last epoch.
        to: f32,
    },
}

impl FromStr for ResultShare {
    type Err = String;

    /// Reads `0.2`, or `0:0.3` from the first to the last epoch.
    fn from_str(text: &str) -> Result<Self, String> {
        let number = |text: &str| {
            text.trim().parse().map_err(|_| "expected a share such as 0.2, or two such as 0:0.3".to_owned())
        };
        match text.split_once(':') {
            Some((from, to)) => Ok(Self::Linear { from: number(from)?, to: number(to)? }),
            None => number(text).map(Self::Constant),
        }
    }
}

impl ResultShare {
    /// The share in the first and in the last epoch.
    pub const fn ends(self) -> (f32, f32) {
        match self {
            Self::Constant(share) => (share, share),
            Self::Linear { from, to } => (from, to),
        }
    }

    /// The share in an epoch, counted from 0.
    pub fn in_epoch(self, epoch: u32, epochs: u32) -> f32 {
        let (from, to) = self.ends();
        if epochs <= 1 { from } else { from + (to - from) * (epoch as f32 / (epochs - 1) as f32).min(1.0) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(step: u64) -> ScheduleStep {
        ScheduleStep { step, steps: 101, steps_per_epoch: 10 }
    }

    fn near(found: f32, expected: f32) {
        assert!((found - expected).abs() < 1e-6, "{found} is not {expected}");
    }

    #[test]
    fn rates_fall_as_said() {
        near(Schedule::Constant.rate(0.5, 0, at(70)), 0.5);
        let cosine = Schedule::Cosine { final_share: 0.1 };
        near(cosine.rate(1.0, 0, at(0)), 1.0);
        near(cosine.rate(1.0, 0, at(50)), 0.55);
        near(cosine.rate(1.0, 0, at(100)), 0.1);
        let step = Schedule::Step { gamma: 0.5, every: 2 };
        near(step.rate(1.0, 0, at(19)), 1.0);
        near(step.rate(1.0, 0, at(20)), 0.5);
        near(step.rate(1.0, 0, at(40)), 0.25);
    }

    #[test]
    fn warm_up_rises_to_the_height() {
        let rates: Vec<f32> = (0..5).map(|step| Schedule::Constant.rate(1.0, 3, at(step))).collect();
        assert_eq!(rates, [0.25, 0.5, 0.75, 1.0, 1.0]);
    }

    #[test]
    fn the_results_share_moves_by_epoch() {
        near(ResultShare::Linear { from: 0.2, to: 0.6 }.in_epoch(0, 5), 0.2);
        near(ResultShare::Linear { from: 0.2, to: 0.6 }.in_epoch(2, 5), 0.4);
        near(ResultShare::Linear { from: 0.2, to: 0.6 }.in_epoch(4, 5), 0.6);
        near(ResultShare::Constant(0.3).in_epoch(4, 5), 0.3);
    }
}
