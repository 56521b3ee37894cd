//! Tests the whole pipeline with the real binary: convert, train, resume, check, cross-validate.

use std::fs;

use crate::support::{Folder, START, has_parts, signal};

const SMALL: &str = "--net 'dual [16] x8' --epochs 3 --batch 128 --rows 6000";

#[test]
fn csv_to_checked_network() {
    let folder = Folder::new();
    let data = "--data SAMPLE --cache-dir caches";
    let small = format!("{SMALL} {data} --out nets/small.nnue --json small.json --figures drawn/train");
    let run = folder.trainer(&format!("train {small}"));
    let said = run.success();
    assert!(said.starts_with("validation on "), "{said}");
    assert!(said.contains("float      R2 ") && said.contains("quantised  R2 "), "{said}");
    let last = said.lines().last().expect("a last line");
    assert!(
        last.starts_with("wrote nets/small.nnue, epoch ") && last.ends_with("selected on these validation rows"),
        "{last}"
    );
    let card = folder.text("nets/small.md");
    has_parts(
        &card,
        &[
            "# small",
            "dual [16] crelu x8",
            "xxh3:",
            "## Curves",
            "best constant",
            "--epochs 3",
            "was selected on the validation rows",
        ],
    );
    let report = folder.json("small.json");
    assert_eq!(report["epochs"].as_array().map(Vec::len), Some(3));

    let pictures = ["loss", "r2", "rmse", "weights-1", "weights-2", "agreement", "phase"];
    drawn(&folder, "drawn/train", &pictures, "dual [16] crelu x8");
    has_parts(&card, &pictures.map(|picture| format!("![{picture}](<../drawn/train/{picture}.svg>)")));

    let check = folder.trainer(&format!("check nets/small.nnue --rows 3000 --figures drawn/check {data}"));
    let said = check.success();
    drawn(&folder, "drawn/check", &["agreement", "phase"], "small.nnue");
    assert!(said.contains("float : engine"), "{said}");

    let players = folder.trainer(&format!("check --player classical perceptron --rows 3000 {data}"));
    let lines: Vec<&str> = players.success().lines().collect();
    assert!(
        matches!(lines[..], [a, b] if a.starts_with("classical: R2 0.") && b.starts_with("perceptron: R2 ")),
        "{lines:?}"
    );
    let random = folder.trainer(&format!("check --player random {data}"));
    assert!(random.code == Some(2) && random.err.contains("expected one of nnue, classical"), "{}", random.err);

    // Options that do not fit leave the record of the run as it is.
    let record = || folder.bytes("nets/small.run.jsonl");
    let before = record();
    folder.trainer(&format!("train --resume --lr 0.01 {small}")).refused("its options differ");
    assert!(record() == before, "the record has changed");

    // A checkpoint of another run beside the network is not taken for its float weights.
    let other = format!("train {SMALL} {data} --seed 9 --checkpoint nets/other.checkpoint");
    folder.trainer(&format!("{other} --force --out nets/other.nnue")).success();
    let check = format!("check nets/small.nnue --rows 3000 --checkpoint nets/other.checkpoint {data}");
    let with_other = folder.trainer(&check);
    assert!(!with_other.success().contains("float : engine"), "{}", with_other.out);
    folder
        .trainer(&format!("{other} --resume --out nets/small.nnue"))
        .refused("nets/small.nnue: the file already exists");
    assert!(with_other.err.contains("no checkpoint with this network's float weights"), "{}", with_other.err);

    // Resuming a finished run writes the same network without training.
    let bytes = folder.bytes("nets/small.nnue");
    folder.trainer(&format!("train --resume {small}")).success();
    assert_eq!(folder.bytes("nets/small.nnue"), bytes);
    // Running the same command again from the start gives the same network.
    fs::remove_file(folder.at("nets/small.checkpoint")).expect("a checkpoint");
    folder.trainer(&format!("train {small}")).refused("the file already exists");
    folder.trainer(&format!("train {small} --force")).success();
    assert_eq!(folder.bytes("nets/small.nnue"), bytes);
    // Different options are a different run.
    folder.trainer(&format!("train --resume --lr 0.01 {small}")).refused("its options differ");
}

/// Checks that each figure contains its subject.
fn drawn(folder: &Folder, place: &str, names: &[&str], subject: &str) {
    assert_eq!(fs::read_dir(folder.at(place)).expect("a folder").count(), names.len());
    for name in names {
        let svg = folder.text(&format!("{place}/{name}.svg"));
        assert!(svg.starts_with("<svg ") && svg.contains(subject), "{name}: {subject} is missing in\n{svg}");
    }
}

#[test]
fn cross_validation_prints_a_table() {
    let folder = Folder::new();
    let cross_validate =
        |options: &str| folder.trainer(&format!("cross-validate --data SAMPLE --no-cache --folds 2 {options}"));
    let run = cross_validate(&format!("{SMALL} --csv folds.csv --json folds.json"));
    let said = run.success();
    assert!(said.starts_with("split by games"), "{said}");
    has_parts(
        said,
        &[
            "epoch last: ",
            "RMSE cp",
            "\nmean over the folds ",
            "\nstandard deviation over folds ",
            "\nconstant predictor ",
        ],
    );
    assert!(!run.err.contains(" best"), "no epoch is chosen on the fold: {}", run.err);
    let last = said.lines().last().expect("a last line");
    let words: Vec<&str> = last.split(' ').collect();
    assert!(matches!(words[..], ["mean", "R2", _, "sd", _, "folds", "2"]), "{last}");
    assert!(words[2].parse::<f64>().expect("a number").is_finite(), "{last}");
    let table = folder.text("folds.csv");
    assert!(table.lines().count() == 3 && table.lines().skip(1).all(|row| row.contains(",last,3,")), "{table}");
    let last = folder.json("folds.json");
    assert_eq!((&last["selection"], &last["results"][0]["epoch"]), (&"last".into(), &3.into()));

    // Inner rows are taken from the training side; the validation fold is unchanged.
    let inner = cross_validate(
        "--net 'dual [16] x8' --batch 128 --rows 6000 --select inner --epochs 60 --patience 1 --json inner.json",
    );
    assert!(inner.success().contains("epoch inner: ") && inner.err.contains(" best"), "{}", inner.out);
    let inner = folder.json("inner.json");
    assert_eq!(inner["selection"], "inner");
    for (inner, last) in [0, 1].map(|fold| (&inner["results"][fold], &last["results"][fold])) {
        let rows = |fold: &serde_json::Value, name: &str| fold[name].as_u64().expect("a number");
        assert!(rows(inner, "epoch") < 59, "patience ended it: {inner}");
        assert_eq!((&inner["rows"], &inner["label_variance"]), (&last["rows"], &last["label_variance"]));
        assert!(rows(inner, "inner_rows") > 0 && rows(last, "inner_rows") == 0);
        let parts = ["training_rows", "inner_rows", "dropped_rows"];
        assert_eq!(parts.map(|name| rows(inner, name)).iter().sum::<u64>(), 6_000 - rows(inner, "rows"));
    }
    // Without inner rows, patience would depend on the validation rows.
    cross_validate(&format!("{SMALL} --patience 1"))
        .refused("patience would stop a fold depending on its validation rows");

    let rows = cross_validate(&format!("{SMALL} --split rows"));
    assert!(rows.success().starts_with("split by rows: rows of one game are in both"), "{}", rows.out);
}

#[test]
fn conversion_round_trips() {
    let folder = Folder::new();
    let convert = |line: &str| folder.trainer(&format!("convert {line}"));
    assert_eq!(convert("SAMPLE rows.packed").success(), "rows.packed: 100,000 rows\n");
    convert("rows.packed rows.csv.zst").success();
    convert("rows.csv.zst again.packed").success();
    assert_eq!(folder.bytes("rows.packed").len(), 32 + 32 * 100_000);
    assert!(folder.bytes("rows.packed") == folder.bytes("again.packed"));
    let cut = convert("rows.packed cut.packed --shard-rows 40000");
    assert_eq!(cut.success().lines().count(), 3, "{}", cut.out);
    let shards =
        ["cut-0001.packed", "cut-0002.packed", "cut-0003.packed"].map(|name| folder.bytes(name)[32..].to_vec());
    assert!(shards.concat() == folder.bytes("rows.packed")[32..]);
    // Shards are outputs like others: not replaced unasked, and never written over what is read.
    let again = "rows.packed cut.packed --shard-rows 40000";
    convert(again).refused("cut-0001.packed: the file already exists");
    convert(&format!("{again} --force")).success();
    convert("cut-0002.packed cut.packed --shard-rows 9 --force").refused("cut-0002.packed");
    assert!(shards.concat() == folder.bytes("rows.packed")[32..]);
    convert("rows.packed rows.csv --shard-rows 9").refused("only packed files are cut");
    convert("rows.packed rows.bin").refused("unknown kind of file");
    let stats = folder.trainer("stats rows.packed --json -").json();
    assert_eq!(stats["rows"], 100_000);
    assert_eq!(stats["games"], 1_606);
}

#[cfg(unix)]
#[test]
fn run_stopped_by_ctrl_c_resumes_to_the_same_network() {
    let folder = Folder::new();
    let [stopped, whole] = ["stopped.nnue", "whole.nnue"].map(|out| {
        format!("train --net 'dual [16]' --epochs 12 --batch 64 --rows 40000 --no-cache --data SAMPLE --out {out}")
    });
    let mut child = folder.start(&stopped);
    let mut lines = std::io::BufRead::lines(std::io::BufReader::new(child.stderr.take().expect("piped")));
    // Stop it after the first epoch.
    assert!(lines.any(|line| line.expect("text").starts_with("epoch   1 ")), "no epoch was finished");
    signal(&child, "-INT");
    let ran_on = lines.any(|line| line.expect("text").starts_with("epoch  12 "));
    assert!(!ran_on, "it was stopped too late");
    assert_eq!(child.wait().expect("it ends").code(), Some(130));
    assert!(folder.at("stopped.nnue").exists(), "the best network so far is written");

    folder.trainer(&format!("{stopped} --resume")).success();
    folder.trainer(&whole).success();
    assert!(folder.bytes("stopped.nnue") == folder.bytes("whole.nnue"), "the networks differ");
}

#[test]
fn schedules_and_optimizers_have_names() {
    let folder = Folder::new();
    let train = |out: &str, options: &str| {
        let fixed = "--data SAMPLE --no-cache --json run.json --force";
        folder.trainer(&format!("train {SMALL} {fixed} --out {out} {options}"))
    };
    let rates = || -> Vec<f64> {
        let report = folder.json("run.json");
        let epochs = report["epochs"].as_array().expect("a list").clone();
        epochs.iter().map(|epoch| epoch["learning_rate"].as_f64().expect("a number")).collect()
    };
    train("adamw.nnue", "--schedule linear --lr 0.001 --final-lr 0.1").success();
    let found = rates();
    let steps = found.windows(2).map(|pair| pair[0] - pair[1]).collect::<Vec<_>>();
    assert!((steps[0] - steps[1]).abs() < 1e-6 && (found[2] - 1e-4).abs() < 1e-6, "{found:?}");
    let linear = "--schedule linear --final-lr 0.1";
    train("ranger.nnue", &format!("{linear} --optimizer ranger")).success();
    let bytes = folder.bytes("ranger.nnue");
    assert!(folder.bytes("adamw.nnue") != bytes);
    train("ranger.nnue", &format!("{linear} --optimizer ranger --resume")).success();
    assert!(folder.bytes("ranger.nnue") == bytes);
    train("ranger.nnue", &format!("{linear} --resume")).refused("its options differ");
    assert_eq!(train("x.nnue", "--optimizer lion").code, Some(2));
}

#[test]
fn statistics_are_drawn_without_warnings() {
    let folder = Folder::new();
    let run = folder.trainer("stats SAMPLE --no-cache --figures drawn");
    let said = run.success();
    has_parts(
        said,
        &["sign turns        6.0 % of 64,723", "113 centipawns per pawn", "in check          6,497 (6.5 %)"],
    );
    assert!(!run.err.contains("warning:"), "{}", run.err);
    drawn(&folder, "drawn", &["labels", "plies", "pieces", "material"], "sample.csv.gz, 100,000 rows");
}

#[test]
fn figures_that_few_rows_allow_are_drawn() {
    let folder = Folder::new();
    folder.write("few.csv", format!("FEN,Evaluation,Result\n{START},#+3,1-0\n"));
    folder.trainer("stats few.csv --figures drawn").success();
    drawn(&folder, "drawn", &["labels", "pieces", "plies"], "few.csv");
}

#[test]
fn presets_stand_for_options_that_others_override() {
    let folder = Folder::new();
    let train = |preset: &str, net: &str| {
        folder.trainer(&format!(
            "train --preset {preset} --net '{net}' --out net.nnue --data SAMPLE --no-cache --rows 3000 --epochs 1 --force"
        ))
    };
    train("layer-stacks", "dual [8] x8").success();
    let card = folder.text("net.md");
    let command = card.lines().find(|line| line.starts_with("trainer train ")).expect("a command");
    assert!(command.contains("--preset layer-stacks --net 'dual [8] x8'"), "{command}");
    has_parts(&card, &["--start random ", "--lr 0.003 ", "--final-lr 0.002 ", "--warmup 100 ", "--scale 220 "]);
    let help = folder.trainer("train --help");
    let help = help.success().split_whitespace().collect::<Vec<_>>().join(" ");
    for preset in ["simple", "king-buckets", "layer-stacks"] {
        train(preset, "dual [8]").success();
        assert!(help.contains(&format!("- {preset}: ")), "{help}");
    }
    assert_eq!(train("best", "dual [8]").code, Some(2));
}
