//! Tests the first lesson, captures and the defaults with the real binary.

use std::fs;

use crate::support::{SAMPLE, trainer};

#[test]
fn a_lesson_gives_the_same_network_with_any_number_of_threads() {
    let folder = tempfile::tempdir().expect("a folder");
    let train = |out: &str, threads: &str| {
        let data = ["train", "--data", SAMPLE, "--no-cache", "--rows", "3000", "--out", out];
        let options = ["--net", "dual [16]", "--epochs", "1", "--start", "classical:20000", "--threads", threads];
        let run = trainer(folder.path(), &[&data[..], &options].concat());
        run.success();
        // The lesson's validation comes first: static values, then searches, then the file.
        assert_eq!(run.err.lines().filter(|line| line.starts_with("epoch   1  lr")).count(), 3, "{}", run.err);
        fs::read(folder.path().join(out)).expect("a network")
    };
    assert!(train("one.nnue", "1") == train("two.nnue", "2"), "the networks differ");
    let card = fs::read_to_string(folder.path().join("one.md")).expect("a card");
    assert!(card.contains("--captures resolve --start classical:20000 "), "{card}");
}

#[test]
fn the_same_rows_are_held_out_whatever_becomes_of_captures() {
    let folder = tempfile::tempdir().expect("a folder");
    let counts = |captures: &str| {
        let data = ["train", "--data", SAMPLE, "--rows", "6000", "--no-cache", "--out", "a.nnue", "--force"];
        let options = ["--net", "dual [8]", "--epochs", "1", "--captures", captures, "--json", "a.json"];
        let run = trainer(folder.path(), &[&data[..], &options].concat());
        assert!(run.success().contains("R2 on rows as given "), "{}", run.out);
        let text = fs::read_to_string(folder.path().join("a.json")).expect("a report");
        let report: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        ["validation_rows", "training_rows"].map(|name| report[name].as_u64().expect("a number"))
    };
    let [keep, resolve, drop] = ["keep", "resolve", "drop"].map(counts);
    assert_eq!(keep, resolve);
    assert_eq!(drop[0], keep[0]);
    assert!(drop[1] < keep[1] * 9 / 10 && drop[1] > keep[1] / 2, "{drop:?} of {keep:?}");
}
