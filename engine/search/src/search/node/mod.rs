//! A node of the tree: the main search as a list of steps, and each technique with its conditions and margins.

mod alpha_beta;
mod draws;
mod evaluation;
mod facts;
mod history_updates;
mod pruning;
mod quiescence;
mod reductions;

pub(crate) use draws::is_draw;
pub(crate) use facts::NodeType;
