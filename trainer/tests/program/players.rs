//! Tests the commands for the engine's players: weights fitted to real rows, and the page of results.

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

/// A result in the format of `alfiere suite --json`, with the fields that are read.
fn suite(solved: u32) -> String {
    format!(
        r#"{{"suite": "eret.epd", "score": {{"all": {{"solved": {solved}, "total": 111}},
        "best": {{"solved": {}, "total": 106}}, "avoid": {{"solved": 2, "total": 5}}, "nodes": 12345, "milliseconds": 600}},
        "attempts": [{{"id": "x", "played": "Bxf7+", "depth": 4, "nodes": 777, "milliseconds": 31}}]}}"#,
        solved - 2
    )
}

/// A result in the format of `alfiere match --json`; `pairs` are numbers of game pairs by score.
fn played(pairs: [u64; 5], games: [u64; 3], elo: &str) -> String {
    let [wins, draws, losses] = games;
    format!(
        r#"{{"games": {{"wins": {wins}, "draws": {draws}, "losses": {losses}}}, "pentanomial": {pairs:?}, "elo": {elo},
        "error_95": 123.4, "endings": {{"checkmate": {wins}}}, "seconds": 61.5,
        "players": [{{"faults": {{"illegal": 0, "time": 1, "crashes": 0}}}}, {{"faults": {{"illegal": 0, "time": 0, "crashes": 0}}}}]}}"#
    )
}

#[test]
fn report_page_has_tables_and_charts() {
    let folder = tempfile::tempdir().unwrap();
    let results = folder.path().join("results");
    fs::create_dir(&results).unwrap();
    let failed = trainer(folder.path(), &["report", "results", "--out", "page"]);
    assert!(String::from_utf8_lossy(&failed.stderr).contains("no results"), "{failed:?}");
    let write = |name: &str, text: String| fs::write(results.join(format!("{name}.json")), text).unwrap();
    write("eret-beam-4", suite(13));
    write("eret-nnue-4", suite(29));
    write("position-beam-depth", suite(3));
    write("match-beam-nnue", played([8, 1, 1, 0, 0], [0, 3, 17], "-401.5"));
    write("match-perceptron-beam", played([10, 0, 0, 0, 0], [0, 0, 20], "null"));
    write("ten", played([5, 0, 0, 0, 0], [0, 0, 10], "null"));
    let output = trainer(folder.path(), &["report", "results", "--out", "page", "--played", "on 2026-11-22"]);
    assert!(output.status.success(), "{output:?}");
    let page = fs::read_to_string(folder.path().join("page/README.md")).unwrap();
    for part in [
        "**13** (bm 11, am 2)",
        "**29** (bm 27, am 2)",
        "| beam | depth 4 | Bxf7+ | 4 | 777 | 0.031 |",
        "7.5 (−402 ± 123)",
        // The other side of the same match, and a match without any points.
        "92.5 (+402 ± 123)",
        "| 0.0 (below −317) |",
        "+0 =0 −10 | below −183",
        "Played on 2026-11-22.",
        "40 games in 2 minutes; illegal moves, losses on time and crashes: 2.",
    ] {
        assert!(page.contains(part), "{part}: {page}");
    }
    for picture in ["eret.svg", "ladder.svg"] {
        let svg = fs::read_to_string(folder.path().join("page").join(picture)).unwrap();
        assert!(svg.starts_with("<svg") && svg.contains("beam"), "{picture}");
    }
    write("fair", "{}".to_owned());
    let failed = trainer(folder.path(), &["report", "results", "--out", "page"]);
    assert!(!failed.status.success() && String::from_utf8_lossy(&failed.stderr).contains("fair.json"), "{failed:?}");
}
