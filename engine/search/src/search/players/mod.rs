//! Players that choose their moves without the alpha-beta search.

mod beam;
mod random_move;

pub use beam::{BeamShape, beam};
pub use random_move::random_move;
