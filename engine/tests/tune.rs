//! Tuning by real games, stopped and continued.
#![cfg(unix)]
// In tests a failed unwrap is the error report.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

#[cfg(feature = "tune")]
use alfiere_search::search::TUNABLES;
use serde_json::Value;

fn tune(state: &Path, arguments: &[&str]) -> Output {
    tune_under(&["--nodes", "100"], state, arguments)
}

fn tune_under(limit: &[&str], state: &Path, arguments: &[&str]) -> Output {
    let common = ["--games", "2", "--each", "option.Hash=1", "--concurrency", "2"];
    let mut program = Command::new(env!("CARGO_BIN_EXE_alfiere"));
    program.arg("tune").arg("--state").arg(state).args(limit).args(common).args(arguments).output().unwrap()
}

fn read(state: &Path) -> Value {
    serde_json::from_str(&fs::read_to_string(state).unwrap()).unwrap()
}

fn refused(output: &Output) -> String {
    assert!(!output.status.success());
    String::from_utf8(output.stderr.clone()).unwrap()
}

#[cfg(feature = "tune")]
#[test]
fn a_run_continues_from_its_file() {
    let folder = tempfile::tempdir().unwrap();
    let state = folder.path().join("tune.json");
    let output = tune(&state, &["--trials", "3", "futility_base", "futility_slope=40"]);
    assert!(output.status.success(), "{output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    let (_, default, ..) = TUNABLES.iter().find(|(name, ..)| *name == "futility_base").unwrap();
    assert!(text.contains(&format!("(was {default})")) && text.contains("3 of 3 trials"), "{text}");
    let first = read(&state);
    assert_eq!((&first["begun"], &first["parameters"][1]["step"]), (&3.into(), &40.0.into()));
    assert_eq!(first["parameters"].as_array().unwrap().len(), 2);

    let output = tune(&state, &["--trials", "5"]);
    assert!(output.status.success(), "{output:?}");
    let second = read(&state);
    let games = |state: &Value| ["wins", "draws", "losses"].map(|kind| state["games"][kind].as_u64().unwrap());
    assert_eq!((games(&first).iter().sum::<u64>(), games(&second).iter().sum::<u64>()), (6, 10));
    assert_eq!((&second["begun"], &second["trials"]), (&5.into(), &5.into()));

    assert!(refused(&tune(&state, &["futility_base"])).contains("a run is in this file"));
    fs::write(&state, "{\"games\"").unwrap();
    assert!(refused(&tune(&state, &[])).contains("tune.json: EOF while parsing"));
}

#[test]
fn options_of_any_engine_are_tuned_and_unknown_ones_are_reported() {
    let folder = tempfile::tempdir().unwrap();
    let state = folder.path().join("tune.json");
    let engine = concat!(env!("CARGO_BIN_EXE_alfiere"), " name=any");
    let refused = |arguments: &[&str]| refused(&tune(&state, &[&["--engine", engine], arguments].concat()));
    assert!(refused(&["Contemp"]).contains("\"Contemp\" is no number that this engine has as an option: "));
    assert!(refused(&["Contempt=-1"]).contains("step \"-1\" is not a positive number"));
    assert!(!state.exists());
    let output = tune(&state, &["--engine", engine, "--trials", "2", "contempt=10", "Move Overhead"]);
    assert!(output.status.success(), "{output:?}");
    let parameters = read(&state)["parameters"].as_array().unwrap().clone();
    let named = |name: &str| parameters.iter().find(|one| one["name"] == name).unwrap().clone();
    assert_eq!((parameters.len(), &named("Contempt")["step"]), (2, &10.0.into()));
    assert_eq!(named("Move Overhead")["range"][0], 0);
}

#[cfg(feature = "tune")]
#[test]
fn time_management_is_tuned_only_with_a_clock() {
    let folder = tempfile::tempdir().unwrap();
    let is_tuned = |limit: &[&str], name: &str| {
        let state = folder.path().join("tune.json");
        let output = tune_under(limit, &state, &["--trials", "1", "--max-plies", "2"]);
        assert!(output.status.success(), "{output:?}");
        let parameters = read(&state)["parameters"].as_array().unwrap().clone();
        fs::remove_file(&state).unwrap();
        parameters.iter().any(|parameter| parameter["name"] == name)
    };
    let (clock, nodes) = (["--tc", "1+0.01", "--margin-ms", "1000"], ["--nodes", "100"]);
    assert!(is_tuned(&clock, "time_effort") && is_tuned(&clock, "futility_base"));
    assert!(!is_tuned(&nodes, "time_effort") && is_tuned(&nodes, "futility_base"));
}
