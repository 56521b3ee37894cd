//! The float network of training, and the conversions between it and the integers.

pub(crate) mod bounds;
pub(crate) mod layout;
pub(crate) mod network;
pub(crate) mod quantise;
