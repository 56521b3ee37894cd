//! Tests streamed training with the real binary.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

use crate::support::{SAMPLE, trainer};

const SHARDS: [&str; 4] = ["--data", "rows-0001.packed", "rows-0002.packed", "rows-0003.packed:scale=1.1"];
const STREAM: [&str; 3] = ["--stream", "--window-rows", "7000"];

/// A folder with the first rows of the sample in three shards.
fn shards() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let convert = ["convert", SAMPLE, "rows.packed", "--rows", "30000", "--shard-rows", "12000"];
    assert_eq!(trainer(folder.path(), &convert).success().lines().count(), 3);
    folder
}

fn train(folder: &Path, out: &str, parts: &[&[&str]]) -> crate::support::Run {
    let options = ["train", "--net", "dual [16] x8", "--epochs", "3", "--batch", "256", "--out", out];
    trainer(folder, &[&options[..], &parts.concat()].concat())
}

fn read(folder: &Path, name: &str) -> Vec<u8> {
    fs::read(folder.join(name)).expect(name)
}

#[test]
fn streamed_shards_train_a_network() {
    let folder = shards();
    let place = folder.path();
    let filters = ["--skip-checks", "--validation-rows", "1500", "--json", "run.json", "--force"];
    let run = train(place, "one.nnue", &[&SHARDS, &STREAM, &filters]);
    assert!(run.success().contains("wrote one.nnue"), "{}", run.out);
    let card = fs::read_to_string(place.join("one.md")).expect("a card");
    for part in ["rows-0003.packed", "| 1.1 |", "in check. Trained on", "--stream"] {
        assert!(card.contains(part), "{part} is missing in\n{card}");
    }
    let report = |name: &str| -> serde_json::Value { serde_json::from_slice(&read(place, name)).expect("JSON") };
    let streamed = report("run.json");
    // The number of threads has no effect, except that the network file records the command.
    train(place, "two.nnue", &[&SHARDS, &STREAM, &filters, &["--threads", "1"]]).success();
    let history = |report: &serde_json::Value| {
        let epochs = report["epochs"].as_array().expect("a list").clone();
        epochs
            .into_iter()
            .map(|epoch| (epoch["training_loss"].clone(), epoch["validation"].clone()))
            .collect::<Vec<_>>()
    };
    assert_eq!(history(&report("run.json")), history(&streamed));
    // The same held-out rows are used by the run in memory.
    train(place, "memory.nnue", &[&SHARDS, &filters, &["--captures", "keep"]]).success();
    let memory = report("run.json");
    for count in ["training_rows", "validation_rows"] {
        assert_eq!(streamed[count], memory[count], "{count}");
    }
    assert_eq!(streamed["float"]["label_variance"], memory["float"]["label_variance"]);
    assert!(streamed["validation_rows"].as_u64().is_some_and(|rows| (1_500..1_900).contains(&rows)));
    // A streamed checkpoint cannot be resumed in memory or with different windows.
    for other in [&["--resume"][..], &["--resume", "--stream", "--window-rows", "8000"]] {
        train(place, "one.nnue", &[&SHARDS, other, &filters, &["--captures", "keep"]]).refused("its data differ");
    }
}

#[test]
fn damaged_files_are_rejected() {
    let folder = shards();
    let place = folder.path();
    let run = train(place, "x.nnue", &[&["--data", "missing.packed", "--stream"]]);
    run.refused("missing.packed: cannot open it");
    let run = train(place, "x.nnue", &[&SHARDS, &["--window-rows", "7000"]]);
    assert_eq!(run.code, Some(2), "--window-rows alone: {}", run.err);
    let whole = read(place, "rows-0002.packed");
    fs::write(place.join("rows-0002.packed"), &whole[..whole.len() / 2]).expect("written");
    let run = train(place, "x.nnue", &[&SHARDS, &STREAM]);
    run.refused("rows-0002.packed: it announces 12");
    let mut altered = whole;
    altered[100_000] ^= 1;
    fs::write(place.join("rows-0002.packed"), altered).expect("written");
    let run = train(place, "x.nnue", &[&SHARDS, &STREAM]);
    run.refused("rows-0002.packed: ");
    assert!(!run.err.contains("epoch"), "training began: {}", run.err);
}

/// Starts a long streamed run and returns after its first epoch.
fn start(folder: &Path, out: &str) -> (std::process::Child, impl Iterator<Item = String>) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_trainer"))
        .current_dir(folder)
        .args(["train", "--start", "random", "--net", "dual [32]", "--epochs", "8", "--batch", "64", "--out", out])
        .args([&SHARDS[..], &STREAM].concat())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut lines = BufReader::new(child.stderr.take().expect("piped")).lines().map(|line| line.expect("text"));
    assert!(lines.any(|line| line.starts_with("epoch   1 ")), "no epoch was finished");
    (child, lines)
}

/// Runs the same training to its end.
fn finish(folder: &Path, out: &str, resume: &[&str]) -> Vec<u8> {
    let options = ["train", "--start", "random", "--net", "dual [32]", "--epochs", "8", "--batch", "64", "--out", out];
    trainer(folder, &[&options[..], &SHARDS, &STREAM, resume].concat()).success();
    read(folder, out)
}

#[test]
fn killed_run_and_run_without_a_shard_give_the_same_network() {
    let folder = shards();
    let place = folder.path();
    let (mut child, lines) = start(place, "killed.nnue");
    child.kill().expect("killed");
    drop(lines);
    child.wait().expect("it ends");
    assert!(!place.join("killed.nnue").exists(), "it was killed too late");
    let whole = finish(place, "whole.nnue", &[]);
    assert!(finish(place, "killed.nnue", &["--resume"]) == whole, "the networks differ");

    // A shard is not needed once it is read.
    let (mut child, lines) = start(place, "lost.nnue");
    fs::remove_file(place.join("rows-0002.packed")).expect("removed");
    drop(lines.last());
    assert!(child.wait().expect("it ends").success() && read(place, "lost.nnue") == whole, "the networks differ");
}

#[test]
fn text_is_streamed_and_the_temporary_file_has_no_name() {
    let folder = tempfile::tempdir().expect("a folder");
    let data = ["--data", SAMPLE, "--rows", "3000", "--cache-dir", "rows"];
    train(folder.path(), "a.nnue", &[&data, &STREAM]).success();
    let cached = fs::read_dir(folder.path().join("rows")).expect("a folder").count();
    assert_eq!(cached, 0, "a cache of a part of a file, or rows");
    let missing = ["--data", SAMPLE, "--rows", "3000", "--cache-dir", "a.nnue/rows"];
    train(folder.path(), "b.nnue", &[&missing, &STREAM]).refused("a.nnue/rows");
}
