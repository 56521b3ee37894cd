//! Tests runs of several phases with the real binary: interrupted in each, they give the same bytes.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

use crate::support::{SAMPLE, command, trainer};

const DATA: [&str; 5] = ["--data", SAMPLE, "--no-cache", "--rows", "4000"];
/// All five kinds of phases, in seconds.
const TAUGHT: [&str; 10] = [
    "--net",
    "dual [16] x8",
    "--start",
    "classical:60000",
    "--epochs",
    "2",
    "--batch",
    "256",
    "--own-searches",
    "3000",
];
const FINE_TUNED: [&str; 8] = ["--start", "embedded", "--epochs", "2", "--batch", "512", "--rehearsal", "0.5"];

/// Starts a run and interrupts it after the first line on standard error that contains `word`.
fn interrupted(folder: &Path, arguments: &[&str], word: &str, signal: &str) {
    let mut child = command(folder, arguments).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("it starts");
    let lines = BufReader::new(child.stderr.take().expect("a pipe")).lines();
    let mut is_found = false;
    for line in lines {
        if line.expect("text").contains(word) && !is_found {
            is_found = true;
            let id = child.id().to_string();
            Command::new("kill").args([signal, &id]).status().expect("kill");
        }
    }
    assert!(is_found, "no line with `{word}`");
    child.wait().expect("it ends");
}

/// The network of a run that is interrupted after each of these words, and resumed.
fn resumed(folder: &Path, options: &[&str], stops: &[(&str, &str)]) -> Vec<u8> {
    let train = [&["train"][..], &DATA, options, &["--out", "a.nnue"]].concat();
    let resume = [&train[..], &["--resume"]].concat();
    for (index, (word, signal)) in stops.iter().enumerate() {
        interrupted(folder, if index == 0 { &train } else { &resume }, word, signal);
    }
    trainer(folder, &resume).success();
    fs::read(folder.join("a.nnue")).expect("a network")
}

#[test]
fn a_run_that_is_interrupted_in_every_phase_gives_the_same_network() {
    for (options, stops) in [
        (
            &TAUGHT[..],
            &[
                ("training rows, ", "-INT"),
                ("evaluation, epoch", "-KILL"),
                ("searches, epoch", "-TERM"),
                ("rows, epoch   1", "-KILL"),
                ("own searches 2, epoch", "-INT"),
            ][..],
        ),
        (&FINE_TUNED, &[("training rows, ", "-INT"), ("epoch   1", "-KILL")]),
    ] {
        let folder = tempfile::tempdir().expect("a folder");
        let whole = [&["train"][..], &DATA, options, &["--threads", "1", "--out", "whole.nnue"]].concat();
        trainer(folder.path(), &whole).success();
        let expected = fs::read(folder.path().join("whole.nnue")).expect("a network");
        assert!(resumed(folder.path(), options, stops) == expected, "{options:?}");
    }
}

#[test]
fn a_fold_that_is_interrupted_in_its_lesson_gives_the_same_errors() {
    let folder = tempfile::tempdir().expect("a folder");
    let options =
        ["--net", "dual [16]", "--start", "classical:60000", "--epochs", "2", "--batch", "256", "--folds", "2"];
    let run = [&["cross-validate"][..], &DATA, &options].concat();
    let whole = trainer(folder.path(), &[&run[..], &["--csv", "whole.csv"]].concat());
    whole.success();
    let saved = [&run[..], &["--save", "folds", "--csv", "saved.csv"]].concat();
    for (word, signal) in [("folds split", "-INT"), ("evaluation, epoch", "-TERM")] {
        interrupted(folder.path(), &saved, word, signal);
    }
    trainer(folder.path(), &saved).success();
    let table = |name: &str| fs::read_to_string(folder.path().join(name)).expect("a table");
    assert_eq!(table("saved.csv"), table("whole.csv"));
}
