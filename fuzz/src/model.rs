//! The names of the trainer's losses and update rules.

#[path = "../../trainer/src/model/objective.rs"]
mod objective;
#[path = "../../trainer/src/model/optimiser/update_rule.rs"]
mod update_rule;

pub use objective::{Objective, ObjectiveError};
pub use update_rule::UpdateRule;
