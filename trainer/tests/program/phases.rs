//! Tests runs of several phases with the real binary: interrupted in each, they give the same bytes.

use std::io::{BufRead, BufReader};

use crate::support::{self, Folder};

const DATA: &str = "--data SAMPLE --no-cache --rows 4000";
/// All five kinds of phases, in seconds.
const TAUGHT: &str = "--net 'dual [16] x8' --start classical:60000 --epochs 2 --batch 256 --own-searches 3000";
const FINE_TUNED: &str = "--start embedded --epochs 2 --batch 512 --rehearsal 0.5";

/// Starts a run and interrupts it after the first line on standard error that contains `word`.
fn interrupted(folder: &Folder, line: &str, word: &str, signal: &str) {
    let mut child = folder.start(line);
    let lines = BufReader::new(child.stderr.take().expect("a pipe")).lines();
    let mut is_found = false;
    for line in lines {
        if line.expect("text").contains(word) && !is_found {
            is_found = true;
            support::signal(&child, signal);
        }
    }
    assert!(is_found, "no line with `{word}`");
    child.wait().expect("it ends");
}

/// The network of a run that is interrupted after each of these words, and resumed.
fn resumed(folder: &Folder, options: &str, stops: &[(&str, &str)]) -> Vec<u8> {
    let train = format!("train {DATA} {options} --out a.nnue");
    let resume = format!("{train} --resume");
    for (index, (word, signal)) in stops.iter().enumerate() {
        interrupted(folder, if index == 0 { &train } else { &resume }, word, signal);
    }
    folder.trainer(&resume).success();
    folder.bytes("a.nnue")
}

#[test]
fn a_run_that_is_interrupted_in_every_phase_gives_the_same_network() {
    for (options, stops) in [
        (
            TAUGHT,
            &[
                ("training rows, ", "-INT"),
                ("evaluation, epoch", "-KILL"),
                ("searches, epoch", "-TERM"),
                ("rows, epoch", "-KILL"),
                ("own searches 2, epoch", "-INT"),
            ][..],
        ),
        (FINE_TUNED, &[("training rows, ", "-INT"), ("epoch   1", "-KILL")]),
    ] {
        let folder = Folder::new();
        folder.trainer(&format!("train {DATA} {options} --threads 1 --out whole.nnue")).success();
        let expected = folder.bytes("whole.nnue");
        assert!(resumed(&folder, options, stops) == expected, "{options}");
    }
}

#[test]
fn a_fold_that_is_interrupted_in_its_lesson_gives_the_same_errors() {
    let folder = Folder::new();
    let folds =
        format!("cross-validate {DATA} --net 'dual [16]' --start classical:60000 --epochs 2 --batch 256 --folds 2");
    folder.trainer(&format!("{folds} --csv whole.csv")).success();
    let saved = format!("{folds} --save folds --csv saved.csv");
    for (word, signal) in [("folds split", "-INT"), ("evaluation, epoch", "-TERM")] {
        interrupted(&folder, &saved, word, signal);
    }
    folder.trainer(&saved).success();
    assert_eq!(folder.text("saved.csv"), folder.text("whole.csv"));
}
