//! Trains NNUE networks: reads positions, trains, validates and quantises.
//!
//! `data` and `metrics` are independent of networks; `model` and `training` are independent of position files. The
//! library prints nothing: it reports progress through traits and returns results and errors as values.

use git_version::git_version;

/// The version of the program with the commit that it was built from, `+` for changes since, where that is known.
pub const VERSION: &str = git_version!(
    prefix = concat!(env!("CARGO_PKG_VERSION"), " "),
    args = ["--always", "--dirty=+"],
    fallback = env!("CARGO_PKG_VERSION")
);

pub mod bench;
pub mod check;
pub mod experiment;
pub mod figures;
pub mod stated_options;
pub mod watch;
pub mod wdl;
