//! Tuning by real games, stopped and continued.

#[cfg(feature = "tune")]
use std::fs;
use std::path::Path;

#[cfg(feature = "tune")]
use alfiere_search::search::TUNABLES;

use crate::{output_of, read_json, refused};

/// The arguments of a run with this state and limit.
fn tune<'a>(state: &'a Path, limit: &[&'a str], more: &[&'a str]) -> Vec<&'a str> {
    let common = ["--games", "2", "--each", "option.Hash=1", "--concurrency", "2"];
    [&["tune", "--state", state.to_str().unwrap()], limit, &common, more].concat()
}

const NODES: [&str; 2] = ["--nodes", "100"];

#[cfg(feature = "tune")]
#[test]
fn a_run_continues_from_its_file() {
    let folder = tempfile::tempdir().unwrap();
    let state = folder.path().join("tune.json");
    let text = output_of(&tune(&state, &NODES, &["--trials", "3", "futility_base", "futility_slope=40"]));
    let (_, default, ..) = TUNABLES.iter().find(|(name, ..)| *name == "futility_base").unwrap();
    assert!(text.contains(&format!("(was {default})")) && text.contains("3 of 3 trials"), "{text}");
    let first = read_json(&state);
    assert_eq!((&first["begun"], &first["parameters"][1]["step"]), (&3.into(), &40.0.into()));
    assert_eq!(first["parameters"].as_array().unwrap().len(), 2);

    output_of(&tune(&state, &NODES, &["--trials", "5"]));
    let second = read_json(&state);
    let games = |state: &serde_json::Value| -> u64 {
        ["wins", "draws", "losses"].iter().map(|kind| state["games"][kind].as_u64().unwrap()).sum()
    };
    assert_eq!((games(&first), games(&second)), (6, 10));
    assert_eq!((&second["begun"], &second["trials"]), (&5.into(), &5.into()));

    refused(&tune(&state, &NODES, &["futility_base"]), &["a run is in this file"]);
    fs::write(&state, "{\"games\"").unwrap();
    refused(&tune(&state, &NODES, &[]), &["tune.json: EOF while parsing"]);
}

#[test]
fn options_of_any_engine_are_tuned_and_unknown_ones_are_reported() {
    let folder = tempfile::tempdir().unwrap();
    let state = folder.path().join("tune.json");
    let engine = ["--engine", concat!(env!("CARGO_BIN_EXE_alfiere"), " name=any")];
    let tune = |more: &[&'static str]| tune(&state, &NODES, &[&engine, more].concat());
    refused(&tune(&["Contemp"]), &["\"Contemp\" is no number that this engine has as an option: "]);
    refused(&tune(&["Contempt=-1"]), &["step \"-1\" is not a positive number"]);
    assert!(!state.exists());
    output_of(&tune(&["--trials", "2", "contempt=10", "Move Overhead"]));
    let parameters = read_json(&state)["parameters"].as_array().unwrap().clone();
    let named = |name: &str| parameters.iter().find(|one| one["name"] == name).unwrap().clone();
    assert_eq!((parameters.len(), &named("Contempt")["step"]), (2, &10.0.into()));
    assert_eq!(named("Move Overhead")["range"][0], 0);
}

#[cfg(feature = "tune")]
#[test]
fn time_management_is_tuned_only_with_a_clock() {
    let folder = tempfile::tempdir().unwrap();
    let state = folder.path().join("tune.json");
    let is_tuned = |limit: &[&'static str], name: &str| {
        output_of(&tune(&state, limit, &["--trials", "1", "--max-plies", "2"]));
        let parameters = read_json(&state)["parameters"].as_array().unwrap().clone();
        fs::remove_file(&state).unwrap();
        parameters.iter().any(|parameter| parameter["name"] == name)
    };
    let clock = ["--tc", "1+0.01", "--margin-ms", "1000"];
    assert!(is_tuned(&clock, "time_effort") && is_tuned(&clock, "futility_base"));
    assert!(!is_tuned(&NODES, "time_effort") && is_tuned(&NODES, "futility_base"));
}
