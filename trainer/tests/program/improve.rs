//! Tests `improve` with the real binary: rounds of an improvement, and one that was killed.

use std::fs;

use serde_json::Value;

use crate::support::{Folder, Run};

/// A round of seconds, whose network is accepted unless it loses nearly everything.
const QUICK: &str = "--positions 1200 --file-rows 400 --nodes 60 120 --min-depth 1 --batch 64 --lr 0.002 --keep-rounds 2 \
                     --match-nodes 40 --match-games 20 --sprt -800 -400 --threads 2";

fn improve(folder: &Folder, options: &str) -> Run {
    folder.trainer(&format!("improve @nets/perceptron.nnue --folder a --out out.nnue {QUICK} {options}"))
}

/// The rounds of the record, without their times.
fn rounds(folder: &Folder) -> Vec<Value> {
    let text = folder.text("a/record.jsonl");
    let without_times = |line| {
        let mut round: Value = serde_json::from_str(line).expect("JSON");
        for name in ["hours", "seconds", "rows_per_second"] {
            round.as_object_mut().expect("an object").remove(name);
        }
        round
    };
    text.lines().map(without_times).collect()
}

#[test]
fn a_killed_improvement_continues_and_ends_with_the_same_files() {
    let whole = Folder::new();
    let run = improve(&whole, "--hours 0.000001");
    assert!(run.success().contains("1 of 1 rounds accepted"), "{}", run.out);
    let round = &rounds(&whole)[0];
    assert_eq!((&round["accepted"], &round["rows"], &round["trained_rows"]), (&true.into(), &1200.into(), &800.into()));
    assert!(round["loss"][0].is_f64() && round["loss"][1].is_f64() && round["loss"][0] != round["loss"][1], "{round}");
    assert!(whole.bytes("out.nnue") == whole.bytes("a/network-0001.nnue"));
    assert!(whole.at("a/elo.svg").exists() && !whole.at("a/candidate-0001.nnue").exists());

    // What a kill leaves: among the rows, and during the match.
    let killed = Folder::new();
    let files = ["settings.json", "network-0000.nnue", "rows-0001-0001.packed", "rows-0001-0003.packed"];
    fs::create_dir(killed.at("a")).expect("a folder");
    for name in files {
        fs::copy(whole.at(format!("a/{name}")), killed.at(format!("a/{name}"))).expect(name);
    }
    improve(&killed, "--hours 0.000001").success();
    let matching = Folder::new();
    fs::create_dir(matching.at("a")).expect("a folder");
    for name in files.into_iter().chain(["rows-0001-0002.packed"]) {
        fs::copy(whole.at(format!("a/{name}")), matching.at(format!("a/{name}"))).expect(name);
    }
    let candidate = matching.at("a/candidate-0001.nnue");
    fs::copy(whole.at("out.nnue"), candidate).expect("a candidate");
    improve(&matching, "--hours 0.000001").success();
    for folder in [&killed, &matching] {
        assert_eq!(rounds(folder), rounds(&whole));
        for name in ["out.nnue", "a/rows-0001-0002.packed"] {
            assert!(folder.bytes(name) == whole.bytes(name), "{name}");
        }
    }

    // The same command has nothing left to do; more hours give more rounds, and other settings are another improvement.
    assert!(improve(&whole, "--hours 0.000001").success().starts_with("1 of 1 rounds"));
    improve(&whole, "--hours 0.000001 --epochs 2").refused("learning.epochs is 1, not 2");
}

#[test]
fn lessons_give_the_same_network_with_any_number_of_threads() {
    let folder = Folder::new();
    let train = |out: &str, threads: u32| {
        let run = folder.trainer(&format!(
            "train --data SAMPLE --no-cache --rows 3000 --out {out} --net 'dual [16]' --epochs 1 --start classical:20000 \
             --threads {threads}"
        ));
        run.success();
        // Static values, searches, the file, and three times own searches.
        assert_eq!(run.err.lines().filter(|line| line.contains(", epoch   1  lr")).count(), 6, "{}", run.err);
        folder.bytes(out)
    };
    assert!(train("one.nnue", 1) == train("two.nnue", 2), "the networks differ");
    let card = folder.text("one.md");
    assert!(card.contains("--captures resolve --start classical:20000 "), "{card}");
    assert!(card.contains("Then it learnt from 2,500 positions of its own searches (`--own-searches`)."), "{card}");
}

#[test]
fn the_same_rows_are_held_out_whatever_becomes_of_captures() {
    let folder = Folder::new();
    let counts = |captures: &str| {
        let run = folder.trainer(&format!(
            "train --data SAMPLE --rows 6000 --no-cache --out a.nnue --force --net 'dual [8]' --epochs 1 --json a.json \
             --captures {captures}"
        ));
        assert!(run.success().contains("R2 on rows as given "), "{}", run.out);
        let report = folder.json("a.json");
        ["validation_rows", "training_rows"].map(|name| report[name].as_u64().expect("a number"))
    };
    assert_eq!(counts("keep"), counts("resolve"));
}
