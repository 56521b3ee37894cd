//! Engines that play illegal moves, crash, hang, are late or reject options.

use std::fs;

use super::{QUICK, folder, loses, play, scripted_engine, words};
use crate::{data, output_of, read_json, refused};

#[test]
fn illegal_moves_lose() {
    loses(&scripted_engine("cheat", "echo bestmove e2e5"), "illegal", "illegal move \"e2e5\"", QUICK);
    loses(&scripted_engine("mute", "echo bestmove"), "illegal", "illegal move \"\"", QUICK);
}

#[test]
fn an_engine_that_rejects_its_network_does_not_play() {
    let mine = format!("{} name=mine net=/nowhere/none.nnue", env!("CARGO_BIN_EXE_alfiere"));
    let engines = format!("match --engine 'alfiere option.Hash=1' --engine '{mine}' {QUICK}");
    refused(&words(&engines), &["mine", "EvalFile: /nowhere/none.nnue"]);
}

#[test]
fn a_match_does_not_start_with_rejected_options() {
    let play =
        |option: &str| format!("match --engine 'alfiere option.Hash=1' --engine 'alfiere name=b {option}' {QUICK}");
    for (option, reason) in [
        ("player=bogus", "option Player: expected one of nnue"),
        ("elo=99999", "option UCI_Elo: expected a number from 600 to 2800, found '99999'"),
        ("option.Hash=lots", "option Hash: expected a number from 1"),
        ("option.OwnBook=maybe", "option OwnBook: expected true or false, found 'maybe'"),
        ("option.SyzygyPath=/nowhere", "option SyzygyPath: cannot read the folder /nowhere"),
    ] {
        refused(&words(&play(option)), &[reason]);
    }
    output_of(&words(&play(&format!("option.SyzygyPath={}", data("datasets/syzygy")))));
}

#[test]
fn a_suite_continues_after_crashes_and_illegal_moves() {
    let suite = folder().join("faults.epd");
    fs::write(
        &suite,
        "4k3/8/8/8/8/8/8/4K2R w K - bm O-O; id \"one\";\n".repeat(3) + "7k/6Q1/6K1/8/8/8/8/8 b - - bm #-1;\n",
    )
    .unwrap();
    for (name, body, fault) in
        [("solver-cheat", "echo bestmove e1e8", "e1e8"), ("solver-quitter", "exit 3", "exit status: 3")]
    {
        let (solver, out) = (scripted_engine(name, body), folder().join(format!("{name}.json")));
        let [suite, solver, json] = [&suite, &solver, &out].map(|path| path.display());
        let text = output_of(&words(&format!("suite '{suite}' --depth 1 --engine '{solver}' --json '{json}'")));
        assert!(text.contains("no legal move") && text.contains("no answer to 3 positions"), "{text}");
        assert_eq!(text.lines().last(), Some("solved 0/3"), "{text}");
        let json = read_json(&out);
        assert!(json["attempts"][2]["fault"].as_str().unwrap().contains(fault), "{json}");
    }
}

#[test]
fn a_crashed_engine_loses_and_is_restarted() {
    loses(&scripted_engine("quitter", "exit 3"), "crashes", "crashed: exit status: 3", QUICK);
}

#[test]
fn waiting_times_have_limits() {
    let endless = format!("match --engine alfiere --engine alfiere --nodes 1 --patience {}", u64::MAX);
    refused(&words(&endless), &["invalid value", "--patience"]);
}

#[test]
fn hanging_engines_lose() {
    loses(&scripted_engine("sleeper", ":"), "crashes", "hangs", &format!("{QUICK} --patience 1"));
}

#[test]
fn late_moves_lose_on_time() {
    let late = scripted_engine("late", "sleep 0.7; echo bestmove e7e5");
    let name = late.file_name().unwrap().to_str().unwrap();
    let (json, text) = play(name, &format!("{} tc=0.2", late.display()), QUICK);
    assert_eq!(json["players"][1]["faults"]["time"], 2, "{text}");
    assert!(text.contains("late lost on time"), "{text}");
}
