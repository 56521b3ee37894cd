//! Schedules of the learning rate and of the game result share.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// How the learning rate decays from its peak.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "kind", deny_unknown_fields)]
pub enum Schedule {
    Constant,
    /// Cosine decay, step by step, to `final_share` of the peak.
    Cosine {
        /// Final learning rate as a fraction of the peak.
        final_share: f32,
    },
    /// Linear decay, step by step, to `final_share` of the peak.
    Linear {
        /// Final learning rate as a fraction of the peak.
        final_share: f32,
    },
    /// Step decay: multiplied by `gamma` every `every` epochs.
    Step {
        gamma: f32,
        /// Number of epochs between two decays.
        every: u32,
    },
}

impl fmt::Display for Schedule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Constant => f.write_str("constant"),
            Self::Cosine { final_share } => write!(f, "cosine to {final_share} of the peak"),
            Self::Linear { final_share } => write!(f, "linear to {final_share} of the peak"),
            Self::Step { gamma, every } => write!(f, "times {gamma} every {every} epochs"),
        }
    }
}

/// Position within a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ScheduleStep {
    pub step: u64,
    pub steps: u64,
    pub steps_per_epoch: u64,
}

impl ScheduleStep {
    /// Finished fraction of the run, 0 to 1.
    fn share(self) -> f64 {
        if self.steps <= 1 { 0.0 } else { (self.step as f64 / (self.steps - 1) as f64).min(1.0) }
    }
}

impl Schedule {
    /// The learning rate of the next step. It rises linearly to `peak` in the first `warmup` steps.
    pub fn rate(self, peak: f32, warmup: u64, progress: ScheduleStep) -> f32 {
        let factor = match self {
            Self::Constant => 1.0,
            Self::Cosine { final_share } => {
                let end = f64::from(final_share);
                end + (1.0 - end) * 0.5 * (1.0 + (std::f64::consts::PI * progress.share()).cos())
            }
            Self::Linear { final_share } => 1.0 - (1.0 - f64::from(final_share)) * progress.share(),
            Self::Step { gamma, every } => {
                let epoch = progress.step / progress.steps_per_epoch.max(1);
                f64::from(gamma).powf((epoch / u64::from(every.max(1))) as f64)
            }
        };
        let rise = if progress.step < warmup { (progress.step + 1) as f64 / (warmup as f64 + 1.0) } else { 1.0 };
        (f64::from(peak) * factor * rise) as f32
    }
}

/// Weight of the game result in the target.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ResultShare {
    Constant(f32),
    /// Linear from the first epoch to the last.
    Linear {
        from: f32,
        to: f32,
    },
}

impl FromStr for ResultShare {
    type Err = String;

    /// Parses `0.2`, or `0:0.3` for the first and last epoch.
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

    /// The share in an epoch, from 0.
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
    fn rates_follow_the_schedule() {
        near(Schedule::Constant.rate(0.5, 0, at(70)), 0.5);
        let cosine = Schedule::Cosine { final_share: 0.1 };
        near(cosine.rate(1.0, 0, at(0)), 1.0);
        near(cosine.rate(1.0, 0, at(50)), 0.55);
        near(cosine.rate(1.0, 0, at(100)), 0.1);
        let linear = Schedule::Linear { final_share: 0.1 };
        near(linear.rate(1.0, 0, at(0)), 1.0);
        near(linear.rate(1.0, 0, at(50)), 0.55);
        near(linear.rate(1.0, 0, at(75)), 0.325);
        near(linear.rate(1.0, 0, at(100)), 0.1);
        let step = Schedule::Step { gamma: 0.5, every: 2 };
        near(step.rate(1.0, 0, at(19)), 1.0);
        near(step.rate(1.0, 0, at(20)), 0.5);
        near(step.rate(1.0, 0, at(40)), 0.25);
    }

    #[test]
    fn warm_up_rises_to_the_peak() {
        near(Schedule::Constant.rate(1.0, u64::MAX, at(0)), 0.0);
        let rates: Vec<f32> = (0..5).map(|step| Schedule::Constant.rate(1.0, 3, at(step))).collect();
        assert_eq!(rates, [0.25, 0.5, 0.75, 1.0, 1.0]);
    }

    #[test]
    fn result_share_is_interpolated_by_epoch() {
        near(ResultShare::Linear { from: 0.2, to: 0.6 }.in_epoch(0, 5), 0.2);
        near(ResultShare::Linear { from: 0.2, to: 0.6 }.in_epoch(2, 5), 0.4);
        near(ResultShare::Linear { from: 0.2, to: 0.6 }.in_epoch(4, 5), 0.6);
        near(ResultShare::Constant(0.3).in_epoch(4, 5), 0.3);
    }
}
