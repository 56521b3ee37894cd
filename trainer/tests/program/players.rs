//! Tests the weights of the hand-written evaluation, fitted to real rows.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use alfiere_search::eval::Weights;

const SAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../datasets/kaggle/sample.csv.gz");

fn trainer(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_trainer")).args(arguments).current_dir(folder).output().unwrap()
}

#[test]
fn weights_are_fitted_and_reproducible() {
    let folder = tempfile::tempdir().unwrap();
    let fit = |out: &str| {
        let arguments =
            ["fit-classical", "--data", SAMPLE, "--no-cache", "--rows", "6000", "--epochs", "2", "--out", out];
        trainer(folder.path(), &[&arguments[..], &["--batch", "512", "--validation", "0.1"]].concat())
    };
    let output = fit("one.weights");
    assert!(output.status.success(), "{output:?}");
    let text = fs::read_to_string(folder.path().join("one.weights")).unwrap();
    let weights = Weights::parse(&text).unwrap();
    assert_ne!(weights, Weights::material());
    let card = fs::read_to_string(folder.path().join("one.md")).unwrap();
    for part in ["fit-classical --data", "sample.csv.gz | 6,000", "Quiet rows only", "| rounded |"] {
        assert!(card.contains(part), "{part}: {card}");
    }
    assert!(fit("two.weights").status.success());
    assert_eq!(text, fs::read_to_string(folder.path().join("two.weights")).unwrap(), "the same seed, the same weights");
    for (arguments, part) in
        [(["--lr", "0"], "above 0"), (["--result-share", "2"], "0 to 1"), (["--validation", "1"], "validation share")]
    {
        let base = ["fit-classical", "--data", SAMPLE, "--no-cache", "--rows", "300", "--out", "none.weights"];
        let failed = trainer(folder.path(), &[&base[..], &arguments[..]].concat());
        assert!(!failed.status.success() && !folder.path().join("none.weights").exists(), "{arguments:?}");
        let text = String::from_utf8_lossy(&failed.stderr).into_owned();
        assert!(text.contains(part), "{arguments:?}: {text}");
    }
}
