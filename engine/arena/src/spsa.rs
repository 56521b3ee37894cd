//! Simultaneous perturbation stochastic approximation (SPSA, Spall 1992): tunes all parameters at once by games.
//!
//! Each trial perturbs every parameter up or down at random. The perturbed side plays the oppositely perturbed side,
//! and the parameters move a little towards the winner. Convergence takes thousands of trials. The gain sequences have
//! Spall's practical form: `a / (stability + k)^0.602` and `c / k^0.101`. Independent of chess and of engines.

use alfiere_chess::random::Random;
use serde::{Deserialize, Serialize};

/// Exponent of the learning rate decay (Spall's alpha).
const RATE_DECAY: f64 = 0.602;
/// Exponent of the perturbation decay (Spall's gamma).
const STEP_DECAY: f64 = 0.101;
/// The stability constant as a share of all trials.
const STABILITY: f64 = 0.1;
/// Maximum ratio of a perturbation to its final size.
const MAX_WIDENING: f64 = 1.6;

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Parameter {
    pub name: String,
    pub range: (i32, i32),
    /// Perturbation in the last trial.
    pub step: f64,
    pub begin: i32,
    pub value: f64,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Spsa {
    pub parameters: Vec<Parameter>,
    pub trials: u64,
    /// Number of trials started.
    pub begun: u64,
    /// Learning rate in the last trial: change in steps per unit of wins minus losses in a pair of games.
    pub rate: f64,
    pub seed: u64,
}

/// Two opposite perturbations of all parameters, which play each other.
#[derive(Clone, PartialEq, Debug)]
pub struct Trial {
    pub number: u64,
    /// The parameter values of the first and the second side.
    pub values: [Vec<i32>; 2],
    /// The perturbation of each parameter for the first side.
    perturbation: Vec<f64>,
}

impl Spsa {
    /// Returns the next trial; `None` after the last.
    pub fn next_trial(&mut self) -> Option<Trial> {
        if self.begun >= self.trials {
            return None;
        }
        let number = self.begun;
        self.begun += 1;
        let mut random = Random::for_part(self.seed, number);
        let widening = (self.trials as f64 / (number + 1) as f64).powf(STEP_DECAY).min(MAX_WIDENING);
        let perturbation: Vec<f64> = self
            .parameters
            .iter()
            .map(|parameter| parameter.step * widening * if random.chance(0.5) { 1.0 } else { -1.0 })
            .collect();
        let values = [1.0, -1.0].map(|side| {
            let of = |(parameter, perturbation): (&Parameter, &f64)| {
                parameter.round_randomly(parameter.value + side * perturbation, &mut random)
            };
            self.parameters.iter().zip(&perturbation).map(of).collect()
        });
        Some(Trial { number, values, perturbation })
    }

    /// Updates the parameters after a trial. `advantage` is the first side's wins minus losses per pair of games, -2 to
    /// 2.
    pub fn update(&mut self, trial: &Trial, advantage: f64) {
        let stability = STABILITY * self.trials as f64;
        let decay = (stability + self.trials as f64) / (stability + (trial.number + 1) as f64);
        let rate = self.rate * decay.powf(RATE_DECAY);
        for (parameter, perturbation) in self.parameters.iter_mut().zip(&trial.perturbation) {
            let change = rate * parameter.step * parameter.step / perturbation * advantage;
            parameter.value = parameter.clamped(parameter.value + change);
        }
    }
}

impl Parameter {
    fn clamped(&self, value: f64) -> f64 {
        value.clamp(f64::from(self.range.0), f64::from(self.range.1))
    }

    /// Rounds to a neighbouring integer in range, at random such that the mean is `value`: steps smaller than one keep
    /// their effect.
    fn round_randomly(&self, value: f64, random: &mut Random) -> i32 {
        let value = self.clamped(value);
        let below = value.floor();
        below as i32 + i32::from(random.chance(value - below))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parameter(name: &str, begin: i32, step: f64) -> Parameter {
        Parameter { name: name.to_owned(), range: (0, 200), step, begin, value: f64::from(begin) }
    }

    fn run(trials: u64) -> Spsa {
        let parameters = vec![parameter("far", 20, 10.0), parameter("near", 90, 10.0), parameter("small", 8, 0.5)];
        Spsa { parameters, trials, begun: 0, rate: 0.02, seed: 3 }
    }

    /// Strength decreases with the distance from the optimum 100, 100, 12.
    fn strength(values: &[i32]) -> f64 {
        let loss = |index: usize, best: f64, unit: f64| ((f64::from(values[index]) - best) / unit).powi(2);
        -loss(0, 100.0, 100.0) - loss(1, 100.0, 100.0) - loss(2, 12.0, 10.0)
    }

    #[test]
    fn parameters_converge_despite_noise() {
        let mut spsa = run(20_000);
        let mut noise = Random::new(5);
        while let Some(trial) = spsa.next_trial() {
            let [first, second] = &trial.values;
            let chance = 0.5 + (strength(first) - strength(second)).clamp(-0.5, 0.5);
            let advantage = if noise.chance(chance) { 1.0 } else { -1.0 };
            spsa.update(&trial, advantage);
        }
        let values: Vec<f64> = spsa.parameters.iter().map(|parameter| parameter.value).collect();
        assert!((80.0..120.0).contains(&values[0]) && (80.0..120.0).contains(&values[1]), "{values:?}");
        assert!((10.0..14.0).contains(&values[2]), "{values:?}");
    }

    #[test]
    fn sides_differ_by_two_steps_in_range() {
        let mut spsa = run(3);
        spsa.parameters[0].value = 200.0;
        for number in 0..3 {
            let trial = spsa.next_trial().expect("not all begun");
            assert_eq!(trial.number, number);
            let [first, second] = &trial.values;
            assert!(first[0] <= 200 && second[0] <= 200 && first[0].min(second[0]) >= 200 - 16);
            let apart = f64::from((first[1] - second[1]).abs());
            assert!((20.0 - 2.0..=32.0 + 2.0).contains(&apart), "{apart}");
        }
        assert_eq!(spsa.next_trial(), None);
    }

    #[test]
    fn parameters_follow_the_winner_and_a_saved_run_continues() {
        let mut spsa = run(100);
        let trial = spsa.next_trial().expect("one");
        let before = spsa.clone();
        spsa.update(&trial, 2.0);
        for ((now, earlier), perturbation) in spsa.parameters.iter().zip(&before.parameters).zip(&trial.perturbation) {
            assert!((now.value - earlier.value) * perturbation > 0.0, "{}", now.name);
        }
        let text = serde_json::to_string(&spsa).expect("written");
        let mut again: Spsa = serde_json::from_str(&text).expect("read");
        assert_eq!(again.next_trial(), spsa.next_trial());
    }
}
