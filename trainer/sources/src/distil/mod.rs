//! Distillation: positions that searches evaluate, labelled with a teacher's static evaluation.
//!
//! Self-play games or given files provide the roots. Of all positions that their searches evaluate, one in `every` is
//! kept and labelled by the teacher. A label needs no search, so very many positions can be labelled.

mod game;
mod shards;

pub use game::{DistilSettings, GameRules, Starts, Window, searched_root};
pub use shards::{DistilError, distil, missing_shards};
