//! What a network is: its architecture, its inputs, its integers and their scales. Independent of how it is evaluated.

pub(crate) mod architecture;
pub(crate) mod architecture_text;
pub(crate) mod buckets;
pub(crate) mod features;
pub(crate) mod inputs;
pub mod parameters;
pub mod quantisation;
pub(crate) mod relations;
