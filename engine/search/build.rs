//! Tells the compiler where the weights of the player `classical` are.

use std::path::PathBuf;
use std::{env, path};

/// In `nets`: beside this file in the published crate, otherwise at the repository's root.
fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let folder = env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from).expect("cargo sets it for build scripts");
    let root = if folder.join("nets").is_dir() { folder } else { folder.join("../..") };
    let file = root.join("nets/classical.weights");
    println!("cargo::rustc-env=ALFIERE_CLASSICAL={}", path::absolute(&file).unwrap_or(file).display());
}
