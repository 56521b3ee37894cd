//! Training on a GPU, in plain burn operations: the forward pass, positions sent ahead, and weights that stay there.

pub(super) mod forward;
pub(super) mod resident;
mod resident_weights;

#[cfg(test)]
mod tests;
