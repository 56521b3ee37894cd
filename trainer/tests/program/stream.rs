//! Tests streamed training with the real binary.

use std::fs;
use std::io::{BufRead, BufReader};
use std::process::Child;

use crate::support::{Folder, Run, has_parts};

const SHARDS: &str = "--data rows-0001.packed rows-0002.packed rows-0003.packed:scale=1.1";
const STREAM: &str = "--stream --window-rows 7000";

/// A folder with the first rows of the sample in three shards.
fn shards() -> Folder {
    let folder = Folder::new();
    let run = folder.trainer("convert SAMPLE rows.packed --rows 30000 --shard-rows 12000");
    assert_eq!(run.success().lines().count(), 3);
    folder
}

fn train(folder: &Folder, out: &str, options: &str) -> Run {
    folder.trainer(&format!("train --net 'dual [16] x8' --epochs 3 --batch 256 --out {out} {options}"))
}

#[test]
fn streamed_shards_train_a_network() {
    let folder = shards();
    let data = format!("{SHARDS} --skip-checks --validation-rows 1500 --json run.json --force");
    let run = train(&folder, "one.nnue", &format!("{data} {STREAM}"));
    assert!(run.success().contains("wrote one.nnue"), "{}", run.out);
    let card = folder.text("one.md");
    has_parts(&card, &["rows-0003.packed", "| 1.1 |", "in check. Trained on", "--stream"]);
    let streamed = folder.json("run.json");
    // The number of threads has no effect, except that the network file records the command.
    train(&folder, "two.nnue", &format!("{data} {STREAM} --threads 1")).success();
    let history = |report: &serde_json::Value| {
        let epochs = report["epochs"].as_array().expect("a list").clone();
        epochs
            .into_iter()
            .map(|epoch| (epoch["training_loss"].clone(), epoch["validation"].clone()))
            .collect::<Vec<_>>()
    };
    assert_eq!(history(&folder.json("run.json")), history(&streamed));
    // The same held-out rows are used by the run in memory.
    train(&folder, "memory.nnue", &format!("{data} --captures keep")).success();
    let memory = folder.json("run.json");
    for count in ["training_rows", "validation_rows"] {
        assert_eq!(streamed[count], memory[count], "{count}");
    }
    assert_eq!(streamed["float"]["label_variance"], memory["float"]["label_variance"]);
    assert!(streamed["validation_rows"].as_u64().is_some_and(|rows| (1_500..1_900).contains(&rows)));
    // A streamed checkpoint cannot be resumed in memory or with different windows.
    for other in ["--resume", "--resume --stream --window-rows 8000"] {
        train(&folder, "one.nnue", &format!("{data} --captures keep {other}")).refused("its data differ");
    }
}

#[test]
fn damaged_files_are_rejected() {
    let folder = shards();
    train(&folder, "x.nnue", "--data missing.packed --stream").refused("missing.packed: cannot open it");
    let run = train(&folder, "x.nnue", &format!("{SHARDS} --window-rows 7000"));
    assert_eq!(run.code, Some(2), "--window-rows alone: {}", run.err);
    let whole = folder.bytes("rows-0002.packed");
    folder.write("rows-0002.packed", &whole[..whole.len() / 2]);
    let streamed = || train(&folder, "x.nnue", &format!("{SHARDS} {STREAM}"));
    streamed().refused("rows-0002.packed: it announces 12");
    let mut altered = whole;
    altered[100_000] ^= 1;
    folder.write("rows-0002.packed", altered);
    let run = streamed();
    run.refused("rows-0002.packed: ");
    assert!(!run.err.contains("epoch"), "training began: {}", run.err);
}

/// A long streamed run.
fn long_run(out: &str) -> String {
    format!("train --net 'dual [32]' --epochs 8 --batch 64 --out {out} {SHARDS} {STREAM}")
}

/// Starts a long run and returns after its first epoch.
fn start(folder: &Folder, out: &str) -> (Child, impl Iterator<Item = String>) {
    let mut child = folder.start(&long_run(out));
    let mut lines = BufReader::new(child.stderr.take().expect("piped")).lines().map(|line| line.expect("text"));
    assert!(lines.any(|line| line.starts_with("epoch   1 ")), "no epoch was finished");
    (child, lines)
}

/// Runs the same training to its end.
fn finish(folder: &Folder, out: &str, resume: &str) -> Vec<u8> {
    folder.trainer(&format!("{} {resume}", long_run(out))).success();
    folder.bytes(out)
}

#[test]
fn killed_run_and_run_without_a_shard_give_the_same_network() {
    let folder = shards();
    let (mut child, lines) = start(&folder, "killed.nnue");
    child.kill().expect("killed");
    drop(lines);
    child.wait().expect("it ends");
    assert!(!folder.at("killed.nnue").exists(), "it was killed too late");
    let whole = finish(&folder, "whole.nnue", "");
    assert!(finish(&folder, "killed.nnue", "--resume") == whole, "the networks differ");

    // A shard is not needed once it is read.
    let (mut child, lines) = start(&folder, "lost.nnue");
    fs::remove_file(folder.at("rows-0002.packed")).expect("removed");
    drop(lines.last());
    assert!(child.wait().expect("it ends").success() && folder.bytes("lost.nnue") == whole, "the networks differ");
}

#[test]
fn text_is_streamed_and_the_temporary_file_has_no_name() {
    let folder = Folder::new();
    let data = format!("--data SAMPLE --rows 3000 {STREAM}");
    train(&folder, "a.nnue", &format!("{data} --cache-dir rows")).success();
    let cached = fs::read_dir(folder.at("rows")).expect("a folder").count();
    assert_eq!(cached, 0, "a cache of a part of a file, or rows");
    train(&folder, "b.nnue", &format!("{data} --cache-dir a.nnue/rows")).refused("a.nnue/rows");
}
