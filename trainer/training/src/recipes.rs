//! The options that are the best known for a number of rows: what a training takes unless its options are stated.

use alfiere_model::Objective;

use super::options::TrainingOptions;
use super::schedule::Schedule;
use super::start::Start;

/// The options for files of up to a number of rows.
struct Recipe {
    /// Up to this number of rows.
    rows: u64,
    architecture: &'static str,
    epochs: u32,
    batch_size: usize,
    learning_rate: f32,
    weight_decay: f32,
    dropout: f32,
    /// Rehearsed positions for each row.
    rehearsal: f32,
}

/// Up to this number of rows, a training is to take seconds to minutes.
const FEW_ROWS: u64 = 300_000;
/// A shape that learns the hand-written evaluation well. From random weights, a million rows would be too few for it.
const TAUGHT: &str = "dual [512,16,32] x8 stacks pairwise skip kings=1 attacks";
/// The shape of the engine's embedded network.
pub const EMBEDDED_SHAPE: &str = "dual [1024,32,32] x8 stacks pairwise skip wide kings=1";

const LARGE: Recipe = Recipe {
    rows: u64::MAX,
    architecture: EMBEDDED_SHAPE,
    epochs: 10,
    batch_size: 8_192,
    learning_rate: 3e-3,
    weight_decay: 0.01,
    dropout: 0.0,
    rehearsal: 0.0,
};
/// What the recipes from a network's weights share. The shape is the network's.
const GENTLE: Recipe = Recipe { epochs: 2, learning_rate: 1e-4, weight_decay: 0.0, rehearsal: 1.0, ..LARGE };
/// What the recipes after a first lesson share.
const AFTER_LESSON: Recipe = Recipe { architecture: TAUGHT, ..LARGE };
/// What the recipes from random weights share.
const UNTAUGHT: Recipe = Recipe { learning_rate: 1e-3, ..LARGE };

/// From a network's weights, which learn the file's rows gently.
const FROM_WEIGHTS: [Recipe; 3] = [
    Recipe { rows: 15_000, epochs: 4, batch_size: 2_048, ..GENTLE },
    Recipe { rows: FEW_ROWS, batch_size: 2_048, learning_rate: 5e-5, ..GENTLE },
    GENTLE,
];

/// With a first lesson, after which the file's rows are learnt gently.
const WITH_LESSON: [Recipe; 3] = [
    Recipe { rows: FEW_ROWS, epochs: 2, batch_size: 2_048, learning_rate: 5e-5, ..AFTER_LESSON },
    Recipe { rows: 40_000_000, epochs: 6, learning_rate: 1e-4, ..AFTER_LESSON },
    LARGE,
];

/// From random weights.
const FROM_NOTHING: [Recipe; 4] = [
    Recipe {
        rows: FEW_ROWS,
        architecture: "dual [128]",
        epochs: 15,
        batch_size: 1_024,
        weight_decay: 1.0,
        dropout: 0.5,
        ..UNTAUGHT
    },
    Recipe {
        rows: 4_000_000,
        architecture: "dual [256]",
        batch_size: 4_096,
        weight_decay: 0.1,
        dropout: 0.1,
        ..UNTAUGHT
    },
    Recipe { rows: 40_000_000, architecture: "dual [512] x8", batch_size: 16_384, ..UNTAUGHT },
    LARGE,
];

/// Centipawns at which the win probability of a label rises steepest.
const SCALE: f32 = 400.0;

/// Positions of the first lesson for each of own searches after the rows, where the hand-written evaluation teaches.
const POSITIONS_PER_OWN: u64 = 8;
/// The same where a network teaches.
const POSITIONS_OF_NETWORK_PER_OWN: u64 = 25;

impl TrainingOptions {
    /// The best options known for this number of rows and this start. A start without a stated lesson that is a network gives
    /// its weights.
    pub fn for_rows(rows: u64, start: Start) -> Self {
        let recipes = match &start {
            Start::Random => &FROM_NOTHING[..],
            start if start.lesson().is_some() => &WITH_LESSON[..],
            _ => &FROM_WEIGHTS[..],
        };
        let recipe = recipes.iter().find(|recipe| rows <= recipe.rows).unwrap_or(&LARGE);
        let default = Self::default();
        let own_searches = match start {
            Start::Classical { positions } => positions / POSITIONS_PER_OWN,
            _ => start.lesson().unwrap_or(0) / POSITIONS_OF_NETWORK_PER_OWN,
        };
        Self {
            architecture: recipe.architecture.parse().unwrap_or_else(|_| default.architecture.clone()),
            epochs: recipe.epochs,
            batch_size: recipe.batch_size,
            learning_rate: recipe.learning_rate,
            schedule: Schedule::Cosine { final_share: 0.01 },
            weight_decay: recipe.weight_decay,
            dropout: recipe.dropout,
            objective: Objective::Sigmoid { scale: SCALE, power: 2.0 },
            rehearsal: if start.is_network() { recipe.rehearsal } else { 0.0 },
            own_searches,
            start,
            ..default
        }
    }

    /// Positions of a network's first lesson to another shape for this number of rows, unless stated.
    pub const fn lesson_for_rows(rows: u64) -> u64 {
        if rows <= FEW_ROWS { 40_000_000 } else { 100_000_000 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::TrainingConfig;

    #[test]
    fn every_number_of_rows_has_valid_options() {
        let classical = Start::Classical { positions: 9 };
        for (start, recipes) in
            [(Start::EMBEDDED, &FROM_WEIGHTS[..]), (classical, &WITH_LESSON), (Start::Random, &FROM_NOTHING)]
        {
            for rows in [0, 100_000, 1_200_000, 13_000_000, 100_000_000, u64::MAX] {
                let options = TrainingOptions::for_rows(rows, start.clone());
                let recipe = recipes.iter().find(|recipe| rows <= recipe.rows).expect("the last has no limit");
                let architecture = recipe.architecture.parse().expect("an architecture");
                assert_eq!(options.architecture, architecture);
                assert!(TrainingConfig::new(options).is_ok(), "{rows}");
            }
            assert!(recipes.is_sorted_by_key(|recipe| recipe.rows));
        }
    }
}
