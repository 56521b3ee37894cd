//! Engines that play illegal moves, crash, hang, are late or reject options.

use std::fs;
use std::process::Command;

use serde_json::Value;

use crate::{QUICK, folder, loses, play, scripted_engine};

#[test]
fn illegal_moves_lose() {
    loses(&scripted_engine("cheat", "echo bestmove e2e5"), "illegal", "illegal move \"e2e5\"", &QUICK);
    loses(&scripted_engine("mute", "echo bestmove"), "illegal", "illegal move \"\"", &QUICK);
}

#[test]
fn an_engine_that_rejects_its_network_does_not_play() {
    let program = env!("CARGO_BIN_EXE_alfiere");
    let output = Command::new(program)
        .args(["match", "--engine", "alfiere option.Hash=1", "--engine"])
        .arg(format!("{program} name=mine net=/nowhere/none.nnue"))
        .args(QUICK)
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success(), "{errors}");
    assert!(errors.contains("mine") && errors.contains("EvalFile: /nowhere/none.nnue"), "{errors}");
}

#[test]
fn a_match_does_not_start_with_rejected_options() {
    let play = |engine: &str| {
        let program = env!("CARGO_BIN_EXE_alfiere");
        let mut command = Command::new(program);
        command.args(["match", "--engine", "alfiere option.Hash=1", "--engine", engine]).args(QUICK);
        command.output().unwrap()
    };
    for (engine, reason) in [
        ("alfiere name=b player=bogus", "option Player: expected one of nnue"),
        ("alfiere name=b elo=99999", "option UCI_Elo: expected a number from 600 to 2800, found '99999'"),
        ("alfiere name=b option.Hash=lots", "option Hash: expected a number from 1"),
        ("alfiere name=b option.OwnBook=maybe", "option OwnBook: expected true or false, found 'maybe'"),
        ("alfiere name=b option.SyzygyPath=/nowhere", "option SyzygyPath: cannot read the folder /nowhere"),
    ] {
        let output = play(engine);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && errors.contains(reason), "{engine}: {errors}");
    }
    let tables = concat!(env!("CARGO_MANIFEST_DIR"), "/../datasets/syzygy");
    let output = play(&format!("alfiere name=b option.SyzygyPath={tables}"));
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
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
        let output = Command::new(env!("CARGO_BIN_EXE_alfiere"))
            .args(["suite", suite.to_str().unwrap(), "--depth", "1", "--engine", solver.to_str().unwrap()])
            .args(["--json", out.to_str().unwrap()])
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        assert!(text.contains("no legal move") && text.contains("no answer to 3 positions"), "{text}");
        assert_eq!(text.lines().last(), Some("solved 0/3"), "{text}");
        let json: Value = serde_json::from_str(&fs::read_to_string(&out).unwrap()).unwrap();
        assert!(json["attempts"][2]["fault"].as_str().unwrap().contains(fault), "{json}");
    }
}

#[test]
fn a_crashed_engine_loses_and_is_restarted() {
    loses(&scripted_engine("quitter", "exit 3"), "crashes", "crashed: exit status: 3", &QUICK);
}

#[test]
fn waiting_times_have_limits() {
    let endless = ["match", "--engine", "alfiere", "--engine", "alfiere", "--nodes", "1", "--patience"];
    let output = Command::new(env!("CARGO_BIN_EXE_alfiere")).args(endless).arg(u64::MAX.to_string()).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn hanging_engines_lose() {
    let arguments = [&QUICK[..], &["--patience", "1"]].concat();
    loses(&scripted_engine("sleeper", ":"), "crashes", "hangs", &arguments);
}

#[test]
fn late_moves_lose_on_time() {
    let late = scripted_engine("late", "sleep 0.7; echo bestmove e7e5");
    let arguments = ["--games", "2", "--nodes", "50"];
    let name = late.file_name().unwrap().to_str().unwrap();
    let (json, text) = play(name, &format!("{} tc=0.2", late.display()), &arguments);
    assert_eq!(json["players"][1]["faults"]["time"], 2, "{text}");
    assert!(text.contains("late lost on time"), "{text}");
}
