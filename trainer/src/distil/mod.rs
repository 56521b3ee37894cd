//! Positions as a search meets them, valued by a teacher: what a network of ours should say where it will be asked.
//!
//! Games of the engine against itself give the roots; of all positions that their searches evaluate, one in so many is
//! kept and given the teacher's value. No search stands behind such a label, so there can be very many of them.

mod game;
mod sampler;
mod settings;
mod shards;

pub use game::Starts;
pub use sampler::Window;
pub use settings::{DistilSettings, GameRules};
pub use shards::{DistilError, Distillation, Progress, distil};
