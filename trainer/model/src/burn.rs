//! The parts of burn that this crate uses, under the names that they have in the whole: its macro for operations writes these.

pub(crate) use burn_tensor as tensor;

pub(crate) mod backend {
    pub(crate) use burn_backend::*;
    pub(crate) use burn_backend_extension::backend_extension;
    pub(crate) use burn_dispatch::backends::*;
    pub(crate) use burn_dispatch::devices::*;
    pub(crate) use burn_dispatch::{backend::*, device::*, tensor::*};
}
