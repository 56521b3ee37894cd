//! Tells the compiler which network to put into the program.

/// `EVALFILE` names the network to embed (a relative name starts at the repository's root); without it, it is
/// `nets/default.nnue`.
fn main() {
    println!("cargo::rerun-if-env-changed=EVALFILE");
    let folder = std::env::var("CARGO_MANIFEST_DIR").expect("cargo sets CARGO_MANIFEST_DIR for build scripts");
    let named = std::env::var_os("EVALFILE").filter(|name| !name.is_empty());
    let file = std::path::Path::new(&folder).join("../..").join(named.unwrap_or_else(|| "nets/default.nnue".into()));
    let file = std::path::absolute(&file).unwrap_or(file);
    println!("cargo::rerun-if-changed={}", file.display());
    println!("cargo::rustc-env=ALFIERE_EVALFILE={}", file.display());
}
