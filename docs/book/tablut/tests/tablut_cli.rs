//! The program: its output, and one clear sentence for bad input.

use std::{
    io::Write,
    process::{Command, Output, Stdio},
};

fn run(arguments: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_alfiere-tablut"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    child.stdin.take().expect("a pipe").write_all(input.as_bytes()).expect("the program reads");
    child.wait_with_output().expect("the program ends")
}

fn stdout(output: &Output) -> String {
    assert!(output.status.success(), "{output:?}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn error(output: &Output) -> String {
    assert!(!output.status.success(), "{output:?}");
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn a_match_prints_all_its_games() {
    let table = stdout(&run(&["match", "greedy", "random", "--games", "4"], ""));
    let games: u32 =
        table.lines().skip(1).take(2).flat_map(|line| line.split_whitespace().skip(2)).map(number::<u32>).sum();
    assert_eq!(games, 4, "{table}");
}

fn number<T: std::str::FromStr>(text: &str) -> T {
    text.parse().ok().expect("a number")
}

#[test]
fn a_human_can_play_and_mistype() {
    let text = stdout(&run(&["play", "--nodes", "200"], "castle\ne4e5\ne4f4\nquit\n"));
    for part in ["`castle` is not a move", "e4e5 is not legal here", "engine: "] {
        assert!(text.contains(part), "{part}\n{text}");
    }
}

#[test]
fn symmetric_lookup_saves_most_at_the_start() {
    let table = stdout(&run(&["symmetry", "--games", "1", "--depth", "3"], ""));
    let shares: Vec<f64> =
        table.lines().skip(1).map(|line| number(line.split_whitespace().nth(2).expect("three columns"))).collect();
    assert!(shares.len() > 3 && shares[0] < 50.0 && shares[2..].iter().all(|&share| share > shares[0]), "{table}");
}

#[test]
fn a_bad_position_is_explained() {
    assert!(error(&run(&["search", "--position", "9/9 w"], "")).contains("nine rows"));
}
