//! Tests lines `FEN | cp | result` with the real binary: written, read like a CSV, and rejected in one sentence.

use std::fs;
use std::io::Read;
use std::path::Path;

use crate::support::{SAMPLE, START, dataset, trainer};

/// The first rows of the real sample, with results that agree with their labels; every tenth result is unknown.
fn rows_with_results(count: usize) -> String {
    let file = fs::File::open(dataset("kaggle/sample.csv.gz")).expect("the sample");
    let mut text = String::new();
    flate2::read::GzDecoder::new(file).read_to_string(&mut text).expect("text");
    let rows = text.lines().skip(1).take(count).enumerate().map(|(index, line)| {
        let label = line.split(',').nth(1).expect("a label");
        let result = match (index % 10, label.trim_start_matches('#').chars().next()) {
            (9, _) => "*",
            (_, Some('+')) => "1-0",
            (_, Some('-')) => "0-1",
            _ => "1/2-1/2",
        };
        format!("{line},{result}\n")
    });
    format!("FEN,Evaluation,Result\n{}", rows.collect::<String>())
}

#[test]
fn text_of_other_trainers_round_trips() {
    let folder = tempfile::tempdir().expect("a folder");
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).expect("a file");
    fs::write(folder.path().join("rows.csv"), rows_with_results(4_000)).expect("written");
    let run = trainer(folder.path(), &["convert", "rows.csv", "rows.txt"]);
    assert_eq!(run.success(), "rows.txt: 3,600 rows\n");
    assert!(run.err.contains("left out 400 rows without a result"), "{}", run.err);
    let text = read("rows.txt");
    assert_eq!(
        text.lines().next(),
        Some("rnbqk2r/pppp1ppp/5n2/2b1p3/2B1P3/2N4P/PPPP1PP1/R1BQK1NR b KQkq - 0 4 | -68 | 0.0")
    );
    for line in text.lines() {
        let fields: Vec<&str> = line.split(" | ").collect();
        let value: i32 = fields[1].parse().expect("centipawns");
        assert_eq!(fields[2], ["0.0", "0.5", "1.0"][(value.signum() + 1) as usize], "{line}");
    }
    assert!(text.lines().any(|line| line.contains(" | 3199")), "no mate among them");

    // The text is read like the CSV, including mates and results.
    let known: Vec<&str> = rows_with_results(4_000).leak().lines().filter(|line| !line.ends_with('*')).collect();
    fs::write(folder.path().join("known.csv"), known.join("\n") + "\n").expect("written");
    for (from, to) in [("rows.txt", "rows.txt.zst"), ("rows.txt.zst", "a.packed"), ("known.csv", "b.packed")] {
        trainer(folder.path(), &["convert", from, to]).success();
    }
    let bytes = |name: &str| fs::read(folder.path().join(name)).expect("a file");
    assert!(bytes("a.packed") == bytes("b.packed"));
    let stats = |name: &str| trainer(folder.path(), &["stats", name, "--json", "-", "--no-cache"]).success().to_owned();
    assert_eq!(stats("rows.txt"), stats("known.csv"));
    let train = ["cross-validate", "--data", "rows.txt", "--net", "white []", "--epochs", "1", "--folds", "2"];
    assert!(trainer(folder.path(), &train).success().contains("mean R2"));
}

#[test]
fn invalid_text_is_rejected() {
    let folder = tempfile::tempdir().expect("a folder");
    let error_of = |content: &str| {
        fs::write(folder.path().join("rows.txt"), content).expect("written");
        trainer(folder.path(), &["stats", "rows.txt", "--no-cache", "--strict"]).refusal().to_owned()
    };
    let good = format!("{START} | 5 | 0.5\n");
    for (bad, sentence) in [
        ("8/8 | 5 | 0.5\n", "rows.txt:2: illegal FEN: expected 4 to 6 FEN fields, found 1 (found `8/8 | 5 | 0.5`)"),
        (&format!("{START} | 5\n"), "rows.txt:2: expected a result in field 3, found 2 field(s)"),
        (&format!("{START} | 5.5 | 0.5\n"), "rows.txt:2: evaluation `5.5`: expected centipawns"),
        (&format!("{START} | 5 | draw\n"), "rows.txt:2: result `draw`: expected 1.0, 0.5 or 0.0, White's points"),
        ("rnbqkbnr/pp", "rows.txt:2: the file ends in the middle of a line"),
    ] {
        let found = error_of(&format!("{good}{bad}"));
        assert!(found.starts_with(sentence), "{found}");
    }
    assert!(error_of("some | thing\n").starts_with("rows.txt:1: expected a result in field 3"));
    let run = trainer(folder.path(), &["convert", SAMPLE, "sample.txt"]);
    assert!(
        run.refusal()
            .ends_with("no row has a game result, and each line `FEN | cp | result` needs one; convert to CSV instead"),
        "{}",
        run.err
    );
    assert!(!Path::exists(&folder.path().join("sample.txt")));
}
