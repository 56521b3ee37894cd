//! Which rows are held out: games, a hash of their content, splits and folds.

pub(super) mod folds;
pub(super) mod games;
pub(super) mod held_out;
pub(super) mod split;
pub(super) mod unit;
