//! Writes the attack tables of bishops and rooks into the build folder, and tells the compiler which network to put
//! into the program.

mod magics {
    include!("build/magics.rs");
}
mod sliders {
    include!("build/sliders.rs");
}

fn main() {
    name_network();
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=build");
    let features = std::env::var("CARGO_CFG_TARGET_FEATURE").unwrap_or_default();
    let indexing = if features.split(',').any(|feature| feature == "bmi2") {
        sliders::Indexing::Pext
    } else {
        sliders::Indexing::Magic
    };
    let folder = std::env::var("OUT_DIR").expect("cargo sets OUT_DIR for build scripts");
    let path = std::path::Path::new(&folder).join("sliders.rs");
    std::fs::write(&path, sliders::source(indexing)).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
}

/// `EVALFILE` names the network to embed (a relative name starts at the repository's root); without it, it is
/// `nets/default.nnue`.
fn name_network() {
    println!("cargo::rerun-if-env-changed=EVALFILE");
    let folder = std::env::var("CARGO_MANIFEST_DIR").expect("cargo sets CARGO_MANIFEST_DIR for build scripts");
    let named = std::env::var_os("EVALFILE").filter(|name| !name.is_empty());
    let file = std::path::Path::new(&folder).join("..").join(named.unwrap_or_else(|| "nets/default.nnue".into()));
    let file = std::path::absolute(&file).unwrap_or(file);
    println!("cargo::rerun-if-changed={}", file.display());
    println!("cargo::rustc-env=ALFIERE_EVALFILE={}", file.display());
}
