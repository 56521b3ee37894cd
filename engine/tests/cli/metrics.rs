//! `alfiere metrics` with the real program.

use std::fs;
use std::process::Output;

use serde_json::Value;

use crate::{alfiere, file_in, output_of};

fn metrics(arguments: &[&str]) -> Output {
    alfiere(&[&["metrics"], arguments].concat())
}

fn file(name: &str, content: &str) -> String {
    file_in("metrics", name, content.as_bytes())
}

const SUITE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../datasets/suites/bk.epd");

#[test]
fn nodes_and_gains_are_measured() {
    let [json, csv, figure] = ["out.json", "out.csv", "out.svg"].map(|name| file(name, ""));
    let outputs = ["--json", &json, "--csv", &csv, "--figure", &figure];
    let search = ["metrics", SUITE, "--depth", "5", "--threads", "1,2", "--hash", "2"];
    let text = output_of(&[&search[..], &outputs].concat());
    let value: Value = serde_json::from_str(&fs::read_to_string(json).unwrap()).unwrap();
    let runs = value["runs"].as_array().unwrap();
    let positions = runs[0]["positions"].as_array().unwrap();
    assert!(runs.len() == 2 && positions.len() == 24, "{text}");
    let mut nodes = 0;
    for position in positions {
        let iterations = position["iterations"].as_array().unwrap();
        assert_eq!(iterations.len(), 5, "{position}");
        let counts: Vec<u64> = iterations.iter().map(|each| each["nodes"].as_u64().unwrap()).collect();
        assert!(counts.is_sorted() && counts[4] == position["nodes"].as_u64().unwrap(), "{position}");
        nodes += counts[4];
        if let Some(counts) = position["counts"].as_object() {
            let count = |name: &str| counts[name].as_u64().unwrap();
            assert!(count("first_move_cutoffs") <= count("cutoffs") && count("cutoffs") > 0, "{position}");
            assert!(count("table_cutoffs") <= count("table_hits") && count("table_hits") <= count("table_probes"));
            assert!(count("quiescence_nodes") > 0, "{position}");
        }
    }
    let total = &runs[0]["total"];
    assert_eq!((total["nodes"].as_u64(), total["threads"].as_u64()), (Some(nodes), Some(1)), "{text}");
    assert!((1.0..10.0).contains(&total["branching_factor"].as_f64().unwrap()), "{total}");
    assert_eq!((runs[0]["gain"]["rate"].as_f64(), runs[0]["gain"]["time"].as_f64()), (Some(1.0), Some(1.0)));
    assert_eq!(total["counts"].is_object(), cfg!(feature = "counters"), "{total}");
    let last: Vec<&str> = text.lines().rev().take(2).collect();
    assert!(
        last[1].starts_with(&format!("threads 1: {nodes} nodes, ")) && last[0].starts_with("threads 2: "),
        "{text}"
    );
    let csv = fs::read_to_string(csv).unwrap();
    let fields = |line: &str| line.split(',').count();
    assert!(csv.lines().count() == 49 && csv.lines().all(|line| fields(line) == 12), "{csv}");
    let figure = fs::read_to_string(figure).unwrap();
    assert!(figure.starts_with("<svg") && figure.contains("Gain of more threads"), "{figure}");
}

#[test]
fn invalid_input_is_refused() {
    for (arguments, part) in [
        (&["/no/such.epd"][..], "/no/such.epd"),
        (&[&file("empty.epd", "")], "no position in the file"),
        (&[&file("mate.epd", "R5k1/5ppp/8/8/8/8/8/6K1 b - -\n")], "no position with a legal move"),
        (&[&file("bad.epd", "nonsense\n")], "bad.epd, line 1"),
        (&[SUITE, "--json", &file("kept.json", "kept")], "--force"),
        (&[SUITE, "--threads", "1,0"], "0"),
        (&[SUITE, "--threads", ""], "--threads"),
    ] {
        let output = metrics(arguments);
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && text.contains(part), "{arguments:?}: {text}");
    }
}
