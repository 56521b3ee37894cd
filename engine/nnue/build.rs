//! Tells the compiler which networks to put into the program.

use std::path::{Path, PathBuf};
use std::{env, path};

/// The networks are in `nets`: beside this file in the published crate, otherwise at the repository's root. `EVALFILE` names
/// another default than `nets/default.nnue`; a relative name starts where `nets` is.
fn main() {
    println!("cargo::rerun-if-env-changed=EVALFILE");
    let folder = env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from).expect("cargo sets it for build scripts");
    let root = if folder.join("nets").is_dir() { folder } else { folder.join("../..") };
    let named = env::var_os("EVALFILE").filter(|name| !name.is_empty());
    embed("ALFIERE_EVALFILE", &root.join(named.unwrap_or_else(|| "nets/default.nnue".into())));
    embed("ALFIERE_KAGGLE", &root.join("nets/kaggle.nnue"));
    embed("ALFIERE_PERCEPTRON", &root.join("nets/perceptron.nnue"));
    embed("ALFIERE_BEAM", &root.join("nets/beam.nnue"));
}

fn embed(variable: &str, file: &Path) {
    let file = path::absolute(file).unwrap_or_else(|_| file.to_path_buf());
    println!("cargo::rerun-if-changed={}", file.display());
    println!("cargo::rustc-env={variable}={}", file.display());
}
