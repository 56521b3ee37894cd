//! Tests `train --select inner` with the real binary: inner rows select the epoch and end the run, validation rows neither.

use alfiere_nnue::Network;
use alfiere_training::record::RunRecord;
use serde_json::Value;

use crate::support::{Folder, Run, has_parts};

const ROWS: u64 = 8_000;

/// Trains on the first rows of the sample until a loss rises, which random weights of a wide network soon do.
fn train(folder: &Folder, out: &str, options: &str) -> Run {
    folder.trainer(&format!(
        "train --net 'dual [32]' --epochs 60 --patience 1 --batch 128 --out {out} --json run.json --force {options}"
    ))
}

fn count(report: &Value, name: &str) -> u64 {
    report[name].as_u64().expect("a number")
}

#[test]
fn inner_rows_select_the_epoch_and_end_the_run() {
    let folder = Folder::new();
    folder.trainer(&format!("convert SAMPLE rows.packed --rows {ROWS}")).success();
    let data = "--data rows.packed --validation 0.1";
    train(&folder, "plain.nnue", data).success();
    let plain = folder.json("run.json");
    assert_eq!((plain["selection"].as_str(), count(&plain, "inner_rows")), (Some("validation"), 0));

    let inner = format!("{data} --select inner");
    let run = train(&folder, "inner.nnue", &format!("{inner} --figures drawn"));
    let last = run.success().lines().last().expect("a last line");
    let report_of_run = folder.json("run.json");
    let (best, rows) = (count(&report_of_run, "best_epoch"), count(&report_of_run, "inner_rows"));
    assert_eq!(last, format!("wrote inner.nnue, epoch {best}, selected on {rows} inner rows"));
    assert!(run.err.contains(&format!(" training rows, {rows} inner rows, ")), "{}", run.err);

    // The same rows validate; the inner rows come from the training side.
    assert_eq!(report_of_run["selection"], "inner");
    for name in ["rows", "label_variance"] {
        assert_eq!(report_of_run["float"][name], plain["float"][name], "{name}");
    }
    let validation_rows = count(&plain, "validation_rows");
    assert_eq!(count(&report_of_run, "validation_rows"), validation_rows);
    assert!((ROWS / 40..ROWS / 5).contains(&rows), "{rows}");
    let trained = count(&plain, "training_rows") - count(&report_of_run, "training_rows");
    assert!((rows..rows + 100).contains(&trained), "{trained} rows are no longer trained on");

    // The losses of the epochs are those on inner rows; patience counts them.
    let epochs = report_of_run["epochs"].as_array().expect("a list").clone();
    assert!(epochs.len() < 60 && epochs.len() as u64 == best + 1, "{} epochs, best {best}", epochs.len());
    assert!(epochs.iter().all(|epoch| count(&epoch["validation"]["metrics"], "rows") == rows));
    let losses: Vec<f64> = epochs.iter().map(|epoch| epoch["validation"]["loss"].as_f64().expect("a loss")).collect();
    assert!(losses.iter().all(|&loss| loss >= losses[best as usize - 1]), "{losses:?}");

    // The network, its card, its figures and its record say so.
    let network = Network::load(folder.at("inner.nnue")).expect("a network");
    let provenance = network.provenance();
    assert_eq!((&provenance.free["selection"], &provenance.free["inner_rows"]), (&"inner".into(), &rows.into()));
    assert_eq!(provenance.free["held_out"]["inner"], true);
    let stored = provenance.metrics["validation_r2"].as_f64().expect("a number");
    let float = report_of_run["float"]["r2"].as_f64().expect("a number");
    assert!((stored - float).abs() < 1e-3, "{stored} in the network, {float} on the validation rows");
    let card = folder.text("inner.md");
    has_parts(
        &card,
        &[
            "Stopped because the loss on held-out rows no longer improved.",
            " inner rows, which were not trained on.",
            "Held out: 0.1 of the games, then 1/10 of the others as inner rows, seed 1, hash version 1.",
            "| inner loss |",
        ],
    );
    assert!(folder.text("drawn/r2.svg").contains("R² on inner rows by epoch"));
    assert!(folder.text("drawn/agreement.svg").contains("which selected nothing"));
    let record = RunRecord::read(&folder.at("inner.run.jsonl")).expect("a record");
    assert_eq!((record.start.rows.inner, record.start.rows.validation), (rows, validation_rows));

    // Streamed, the same rows are inner ones.
    train(&folder, "streamed.nnue", &format!("{inner} --stream --window-rows 3000")).success();
    let streamed = folder.json("run.json");
    for name in ["training_rows", "inner_rows", "validation_rows"] {
        assert_eq!(streamed[name], report_of_run[name], "{name}");
    }
    assert_eq!(streamed["float"]["label_variance"], report_of_run["float"]["label_variance"]);

    // A run is resumed with the rows that it started with, and warns of a network that was trained on inner rows.
    train(&folder, "inner.nnue", &format!("{data} --resume")).refused("its held-out rows differ");
    let continued = train(&folder, "a.nnue", &format!("{inner} --start plain.nnue"));
    continued.success();
    assert!(continued.err.contains("warning: plain.nnue had no inner rows"), "{}", continued.err);
}

#[test]
fn too_few_games_for_inner_rows_are_refused() {
    let folder = Folder::new();
    folder.trainer("convert SAMPLE rows.packed --rows 200").success();
    for stream in ["", "--stream"] {
        let options = "--data rows.packed --validation 0.3 --split-seed 3 --select inner";
        train(&folder, "a.nnue", &format!("{options} {stream}"))
            .refused("the training side has too few games for inner rows");
    }
    // Before the first fold is trained, though only the second one lacks games.
    let run = folder.trainer("cross-validate --data rows.packed --net 'dual [8]' --folds 2 --select inner --epochs 1");
    run.refused("no inner rows to select the epoch with");
    assert!(!run.err.contains("fold 1 epoch"), "{}", run.err);
}
