//! Generates the bishop and rook attack tables into the build folder, and tells the compiler where the opening book is.

mod magics {
    include!("build/magics.rs");
}
mod sliders {
    include!("build/sliders.rs");
}

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=build");
    let features = std::env::var("CARGO_CFG_TARGET_FEATURE").unwrap_or_default();
    let indexing = if features.split(',').any(|feature| feature == "bmi2") {
        sliders::Indexing::Pext
    } else {
        sliders::Indexing::Magic
    };
    let folder = std::env::var("CARGO_MANIFEST_DIR").expect("cargo sets CARGO_MANIFEST_DIR for build scripts");
    println!("cargo::rustc-env=ALFIERE_BOOK={}", book(std::path::Path::new(&folder)).display());
    let folder = std::env::var("OUT_DIR").expect("cargo sets OUT_DIR for build scripts");
    let path = std::path::Path::new(&folder).join("sliders.rs");
    std::fs::write(&path, sliders::source(indexing)).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
}

/// The opening book: beside this file in the published crate, otherwise at the repository's root.
fn book(folder: &std::path::Path) -> std::path::PathBuf {
    let own = folder.join("books/small.bin");
    let file = if own.is_file() { own } else { folder.join("../../books/small.bin") };
    std::path::absolute(&file).unwrap_or(file)
}
