//! A node of the tree: the main search as a list of steps, and each technique with its conditions and margins.

mod alpha_beta;
mod draws;
mod evaluation;
mod extensions;
mod facts;
mod history_updates;
mod move_pruning;
mod node_pruning;
mod quiescence;
mod reductions;
mod tablebase_probe;

pub(crate) use draws::is_draw;
pub(crate) use facts::NodeType;
