//! Simultaneous perturbation stochastic approximation (Spall 1992): numbers made better by games, all of them at once.
//!
//! Each trial moves every number a step up or down by chance; the side with these plays the side with the opposite ones, and
//! all numbers follow the winner a little. What a number is worth shows over thousands of trials. Gains are sequences of
//! Spall's practical form: `a / (stability + k)^0.602` and `c / k^0.101`. Knows no chess and no program.

use alfiere_chess::random::Random;
use serde::{Deserialize, Serialize};

/// How fast numbers come to rest.
const RATE_DECAY: f64 = 0.602;
/// How fast perturbations shrink.
const STEP_DECAY: f64 = 0.101;
/// The share of all trials by which the first ones are held back.
const STABILITY: f64 = 0.1;
/// No perturbation is more than this many times its last step.
const WIDEST: f64 = 1.6;

/// A number to be tuned.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// Smallest and largest value.
    pub range: (i32, i32),
    /// By how much the last trial moves it.
    pub step: f64,
    /// The value it began with.
    pub begin: i32,
    /// Its value now.
    pub value: f64,
}

/// The state of a tuning run.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Spsa {
    /// What is tuned.
    pub parameters: Vec<Parameter>,
    /// Trials to be played.
    pub trials: u64,
    /// Trials begun.
    pub begun: u64,
    /// How much of its step a number moves for a win more than losses in a pair of games, in the last trial.
    pub rate: f64,
    /// Where the chances come from.
    pub seed: u64,
}

/// Two settings of all numbers, to be played against one another.
#[derive(Clone, PartialEq, Debug)]
pub struct Trial {
    /// Its number, from 0.
    pub number: u64,
    /// Values of the first and of the second side, in the order of the parameters.
    pub values: [Vec<i32>; 2],
    /// Which way, and how far, the first side's numbers were moved.
    moved: Vec<f64>,
}

impl Spsa {
    /// The next trial; `None` when all are played.
    pub fn next_trial(&mut self) -> Option<Trial> {
        if self.begun >= self.trials {
            return None;
        }
        let number = self.begun;
        self.begun += 1;
        let mut random = Random::for_part(self.seed, number);
        let widening = (self.trials as f64 / (number + 1) as f64).powf(STEP_DECAY).min(WIDEST);
        let moved: Vec<f64> = self
            .parameters
            .iter()
            .map(|parameter| parameter.step * widening * if random.chance(0.5) { 1.0 } else { -1.0 })
            .collect();
        let values = [1.0, -1.0].map(|side| {
            let of =
                |(parameter, moved): (&Parameter, &f64)| parameter.whole(parameter.value + side * moved, &mut random);
            self.parameters.iter().zip(&moved).map(of).collect()
        });
        Some(Trial { number, values, moved })
    }

    /// Learns from a trial. `advantage` is wins less losses of the first side for each pair of games, -2 to 2.
    pub fn learn(&mut self, trial: &Trial, advantage: f64) {
        let held_back = STABILITY * self.trials as f64;
        let decay = (held_back + self.trials as f64) / (held_back + (trial.number + 1) as f64);
        let rate = self.rate * decay.powf(RATE_DECAY);
        for (parameter, moved) in self.parameters.iter_mut().zip(&trial.moved) {
            let change = rate * parameter.step * parameter.step / moved * advantage;
            parameter.value = parameter.within(parameter.value + change);
        }
    }
}

impl Parameter {
    fn within(&self, value: f64) -> f64 {
        value.clamp(f64::from(self.range.0), f64::from(self.range.1))
    }

    /// A whole number in range that is `value` in the mean: steps smaller than one are not lost.
    fn whole(&self, value: f64, random: &mut Random) -> i32 {
        let value = self.within(value);
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

    /// Strength by its distance to the best numbers, 100, 100 and 12.
    fn strength(values: &[i32]) -> f64 {
        let loss = |index: usize, best: f64, unit: f64| ((f64::from(values[index]) - best) / unit).powi(2);
        -loss(0, 100.0, 100.0) - loss(1, 100.0, 100.0) - loss(2, 12.0, 10.0)
    }

    #[test]
    fn numbers_find_the_best_through_noise() {
        let mut spsa = run(20_000);
        let mut noise = Random::new(5);
        while let Some(trial) = spsa.next_trial() {
            let [first, second] = &trial.values;
            let chance = 0.5 + (strength(first) - strength(second)).clamp(-0.5, 0.5);
            let advantage = if noise.chance(chance) { 1.0 } else { -1.0 };
            spsa.learn(&trial, advantage);
        }
        let values: Vec<f64> = spsa.parameters.iter().map(|parameter| parameter.value).collect();
        assert!((80.0..120.0).contains(&values[0]) && (80.0..120.0).contains(&values[1]), "{values:?}");
        assert!((10.0..14.0).contains(&values[2]), "{values:?}");
    }

    #[test]
    fn sides_differ_by_two_steps_within_the_range_and_trials_end() {
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
    fn the_winner_is_followed_and_a_saved_run_goes_on() {
        let mut spsa = run(100);
        let trial = spsa.next_trial().expect("one");
        let before = spsa.clone();
        spsa.learn(&trial, 2.0);
        for ((now, earlier), moved) in spsa.parameters.iter().zip(&before.parameters).zip(&trial.moved) {
            assert!((now.value - earlier.value) * moved > 0.0, "{}", now.name);
        }
        let text = serde_json::to_string(&spsa).expect("written");
        let mut again: Spsa = serde_json::from_str(&text).expect("read");
        assert_eq!(again.next_trial(), spsa.next_trial());
    }
}
