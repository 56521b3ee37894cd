//! Training on a GPU in plain burn operations: the forward pass, and a state that stays on the device.

pub(super) mod forward;
pub(super) mod resident;

#[cfg(test)]
mod tests;
