//! The `.nnue` file.

pub(crate) mod format;
pub(crate) mod storage;
