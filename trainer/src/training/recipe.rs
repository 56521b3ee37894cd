//! The options of a run that states none, by its number of rows.

use super::options::TrainingOptions;
use super::schedule::Schedule;
use super::start::Start;
use crate::model::Objective;

/// The options for files of up to a number of rows.
struct Recipe {
    /// Up to this number of rows.
    rows: u64,
    architecture: &'static str,
    epochs: u32,
    batch_size: usize,
    learning_rate: f32,
    final_share: f32,
    weight_decay: f32,
    dropout: f32,
    start: u64,
}

/// Chosen by games at 5,000 nodes a move (docs/results/csv.md), never by R² alone.
const RECIPES: [Recipe; 4] = [
    Recipe {
        rows: 300_000,
        architecture: "dual [256]",
        epochs: 6,
        batch_size: 4_096,
        learning_rate: 5e-4,
        final_share: 0.01,
        weight_decay: 0.01,
        dropout: 0.0,
        start: 40_000_000,
    },
    Recipe {
        rows: 4_000_000,
        architecture: "dual [512]",
        epochs: 6,
        batch_size: 8_192,
        learning_rate: 5e-4,
        final_share: 0.01,
        weight_decay: 0.01,
        dropout: 0.0,
        start: 150_000_000,
    },
    Recipe {
        rows: 40_000_000,
        architecture: "dual [512]",
        epochs: 10,
        batch_size: 16_384,
        learning_rate: 1e-3,
        final_share: 0.01,
        weight_decay: 0.01,
        dropout: 0.0,
        start: 150_000_000,
    },
    Recipe {
        rows: u64::MAX,
        architecture: "dual [768] x8 kings=1",
        epochs: 10,
        batch_size: 16_384,
        learning_rate: 1e-3,
        final_share: 0.002,
        weight_decay: 0.01,
        dropout: 0.0,
        start: 0,
    },
];

/// Centipawns at which the win probability of a label rises steepest.
const SCALE: f32 = 400.0;

impl TrainingOptions {
    /// The best options known for this number of training rows.
    pub fn for_rows(rows: u64) -> Self {
        let last = &RECIPES[RECIPES.len() - 1];
        let recipe = RECIPES.iter().find(|recipe| rows <= recipe.rows).unwrap_or(last);
        let default = Self::default();
        Self {
            architecture: recipe.architecture.parse().unwrap_or_else(|_| default.architecture.clone()),
            epochs: recipe.epochs,
            batch_size: recipe.batch_size,
            learning_rate: recipe.learning_rate,
            schedule: Schedule::Cosine { final_share: recipe.final_share },
            weight_decay: recipe.weight_decay,
            dropout: recipe.dropout,
            objective: Objective::Sigmoid { scale: SCALE, power: 2.0 },
            start: if recipe.start == 0 { Start::Random } else { Start::Classical { positions: recipe.start } },
            ..default
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::training::TrainingConfig;

    #[test]
    fn every_number_of_rows_has_valid_options() {
        for rows in [0, 100_000, 1_200_000, 13_000_000, 100_000_000, u64::MAX] {
            let options = TrainingOptions::for_rows(rows);
            let recipe = RECIPES.iter().find(|recipe| rows <= recipe.rows).expect("the last has no limit");
            let architecture = recipe.architecture.parse().expect("an architecture");
            assert_eq!(options.architecture, architecture);
            assert!(TrainingConfig::new(options).is_ok(), "{rows}");
        }
        assert!(RECIPES.is_sorted_by_key(|recipe| recipe.rows));
    }
}
