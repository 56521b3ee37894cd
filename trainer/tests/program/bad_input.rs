//! Tests invalid input: the program prints one sentence and exits with code 1 (2 for wrong usage), without a panic.

use std::fs;
use std::path::Path;

use crate::support::{Folder, SAMPLE, START};

/// The error message of `stats` for a file with this content.
fn error_of(content: &[u8]) -> String {
    let folder = Folder::new();
    folder.write("rows.csv", content);
    folder.trainer("stats rows.csv --no-cache").refusal().to_owned()
}

#[test]
fn files_without_rows_are_rejected() {
    assert_eq!(error_of(b""), "rows.csv: the file is empty; expected lines `FEN,Evaluation`");
    assert!(error_of(b"something else\n").starts_with("rows.csv:1: found `something else`; expected a header"));
    let gzip = fs::read(SAMPLE).expect("the sample");
    assert!(error_of(&gzip[..gzip.len() / 2]).contains("breaks off or is damaged after"), "a torn gzip");
}

#[test]
fn illegal_positions_are_skipped_or_rejected() {
    let folder = Folder::new();
    let rows = format!("FEN,Evaluation\n{START},1\n{},2\n{START},3\n", START.replace('K', "P"));
    folder.write("rows.csv", rows);
    let lenient = folder.trainer("stats rows.csv");
    assert!(lenient.success().contains("rows              2"), "{}", lenient.out);
    assert!(lenient.err.contains("skipped 1 bad rows; the first is line 3"), "{}", lenient.err);
    folder.trainer("stats rows.csv --strict").refused("rows.csv:3: illegal FEN");
}

#[test]
fn missing_files_are_reported() {
    let folder = Folder::new();
    folder.trainer("stats nothing.csv").refused("nothing.csv: cannot open it: ");
    folder.trainer("label nothing.csv --teacher nothing.nnue --out x.csv").refused("nothing.nnue: cannot read it: ");
    folder.trainer("stats .").refused("directory");
}

#[test]
fn wrong_usage_has_exit_code_two() {
    let folder = Folder::new();
    for line in [
        "train --unknown",
        "train --data x.csv --out x.nnue --net 'dual 512'",
        "train --data x.csv:scale=-1 --out x.nnue",
        "cross-validate --data x.csv --split columns",
        "stats x.csv --bad-rows many",
        "train --data x.csv --out x.nnue --threads 100000",
        "bench --threads 100000",
        "label x.csv --engine sh --nodes 5 --out y.csv --timeout 18446744073709551615",
        "nonsense",
        "",
    ] {
        let run = folder.trainer(line);
        assert_eq!(run.code, Some(2), "{line}: {}", run.err);
    }
}

#[test]
fn options_out_of_range_are_rejected() {
    let folder = Folder::new();
    let error_of =
        |line: &str| folder.trainer(&format!("{line} --no-cache --rows 2000 --data SAMPLE")).refusal().to_owned();
    assert!(error_of("cross-validate --folds 1").starts_with("1 folds; expected 2 to 65535"));
    assert!(error_of("cross-validate --folds 5000").contains("games cannot be dealt to 5000 sides"));
    assert!(error_of("train --out x.nnue --epochs 0").starts_with("epochs is 0"));
    let schedule = error_of("cross-validate --schedule step --gamma 0");
    assert!(schedule.starts_with("schedule is times 0 every 8 epochs, expected"), "{schedule}");
    assert!(error_of("train --out x.nnue --validation 1.5").starts_with("validation share 1.5"));
    // Before the data are read.
    folder.trainer("train --out x.nnue --validation 0 --data none.csv").refused("validation share 0");
    assert!(error_of("train --out x.nnue --max-pieces 1").starts_with("no rows left of 2000"));
    #[cfg(not(feature = "cuda"))]
    assert!(error_of("train --out x.nnue --device cuda:1").contains("this build has no cuda"));
    for command in ["train --out x.nnue", "cross-validate"] {
        let failed = error_of(&format!("{command} --result-share 0:0.3"));
        assert!(failed.starts_with("no row has a game result"), "{failed}");
    }
    assert!(error_of("train --out .").contains("cannot write there"));
}

#[test]
fn invalid_networks_are_rejected() {
    let folder = Folder::new();
    folder.write("bad.nnue", b"ALFIERE\x1A and then nothing");
    folder.trainer("check bad.nnue --data SAMPLE").refused("bad.nnue: ");
    folder.trainer("check missing.nnue --data SAMPLE").refused("missing.nnue: ");
}

#[test]
fn invalid_teachers_are_rejected() {
    let folder = Folder::new();
    let distil = |teacher: &str, nodes: &str| {
        let line = format!("distil --teacher {teacher} --out a.packed --positions 9 --nodes {nodes}");
        folder.trainer(&line).refusal().to_owned()
    };
    let sentence = distil("@datasets/suites/eret.epd", "1 9");
    assert!(
        sentence.contains("eret.epd: it starts with 0x") && sentence.contains("nn-1a298aa575a0.nnue"),
        "{sentence}"
    );
    assert!(distil("nothing.nnue", "1 9").starts_with("nothing.nnue: cannot read it: "));
    assert!(distil("nothing.nnue", "9 1").contains("expected the lower number, above 0, first"));
    let hinted = |teacher: &str| {
        folder.trainer(&format!("train --no-cache --data SAMPLE --out a.nnue --hints {teacher}")).refusal().to_owned()
    };
    assert!(hinted("@nets/default.nnue").contains("a network of this project; expected one of Stockfish 19"));
    assert!(hinted("nothing.nnue").starts_with("nothing.nnue: cannot read it: "));
    assert!(folder.names().is_empty());
}

#[test]
fn unwritable_outputs_are_rejected_before_training() {
    // Root may write anywhere, except into paths that are not folders and into system folders.
    for out in ["/proc/net.nnue", "/dev/null/net.nnue"] {
        if !Path::new("/proc").exists() {
            continue;
        }
        let folder = Folder::new();
        let run = folder.trainer(&format!("train --data SAMPLE --out {out}"));
        run.refused("cannot");
        assert!(!run.err.contains("epoch"), "training began: {}", run.err);
    }
}

#[test]
fn results_never_overwrite_inputs_or_other_files() {
    let folder = Folder::new();
    let rows = format!("FEN,Evaluation\n{START},+10\n");
    folder.write("d.csv", &rows);
    fs::hard_link(folder.at("d.csv"), folder.at("link.csv")).expect("linked");
    folder.write("README.md", "# Mine\n");
    folder.write("latin.md", b"caf\xE9\n");
    let train = |out: &str| format!("train --data d.csv --no-cache --epochs 1 --out {out}");
    for (line, expected) in [
        ("stats d.csv --no-cache --json link.csv".to_owned(), "this is the input"),
        ("convert d.csv link.csv".to_owned(), "this is the input"),
        (train("link.csv"), "this is the input"),
        (train("x.md"), "another result"),
        (train("y.checkpoint"), "another result"),
        (train("README.nnue"), "README.md: the card would overwrite this file"),
        (train("latin.nnue"), "latin.md: the card would overwrite this file"),
        ("convert d.csv x.packed --shard-rows 1 --record x-0002.packed".to_owned(), "the name of a shard"),
    ] {
        folder.trainer(&line).refused(expected);
    }
    assert_eq!(folder.text("d.csv"), rows);
    assert_eq!(folder.text("README.md"), "# Mine\n");
    assert_eq!(folder.names(), ["README.md", "d.csv", "latin.md", "link.csv"]);
}

#[test]
fn files_of_other_origin_are_no_results() {
    let folder = Folder::new();
    folder.write("f-0001.packed", "mine");
    folder
        .trainer("distil --teacher @nets/default.nnue --out f.packed --positions 100 --shard-rows 50 --threads 1")
        .refused("f-0001.packed: a file of this name exists without");
    fs::create_dir(folder.at("own")).expect("a folder");
    folder.write("own/summary.md", "mine");
    folder
        .trainer("cross-validate --data SAMPLE --no-cache --rows 2000 --net 'dual [8]' --epochs 1 --save own")
        .refused("own has files but no experiment");
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_standard_output_is_an_error_and_a_full_standard_error_is_not() {
    let folder = Folder::new();
    let run = |out: &str, errors: &str, line: &str| {
        let device = |path: &str| fs::File::options().write(true).open(path).expect("a device");
        let mut command = folder.command(line);
        command.stdout(device(out)).stderr(device(errors)).status().expect("it starts").code()
    };
    let stats = "stats SAMPLE --no-cache --rows 100 --json -";
    assert_eq!(run("/dev/full", "/dev/null", stats), Some(1));
    let train = "train --data SAMPLE --no-cache --rows 1000 --net 'dual [8]' --epochs 1 --out a.nnue";
    assert_eq!(run("/dev/null", "/dev/full", train), Some(0));
    assert!(folder.at("a.nnue").exists());
}
