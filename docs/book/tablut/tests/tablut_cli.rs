//! The program: its output, and one clear sentence for bad input.

use std::{
    fs,
    io::Write,
    path::PathBuf,
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

fn file(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name)
}

#[test]
fn a_match_prints_all_its_games() {
    let table = stdout(&run(&["match", "greedy", "random", "--games", "4"], ""));
    let games: u32 = table.lines().skip(1).take(2).flat_map(|line| line.split_whitespace().skip(2)).map(number).sum();
    assert_eq!(games, 4, "{table}");
}

fn number(text: &str) -> u32 {
    text.parse().expect("a number")
}

#[test]
fn a_human_can_play_and_mistype() {
    let text = stdout(&run(&["play", "--nodes", "200"], "castle\ne4e5\ne4f4\nquit\n"));
    for part in ["`castle` is not a move", "e4e5 is not legal here", "engine: "] {
        assert!(text.contains(part), "{part}\n{text}");
    }
}

#[test]
fn a_bad_line_is_named_and_no_file_is_replaced() {
    let (csv, svg) = (file("tablut-bad.csv"), file("tablut-kept.svg"));
    let arguments = ["chart", csv.to_str().expect("UTF-8"), svg.to_str().expect("UTF-8")];
    let header = "game,ply,depth,plain_nodes,symmetric_nodes,plain_us,symmetric_us";
    fs::write(&csv, format!("{header}\n0,0,2,10,5,3,x\n")).expect("written");
    assert!(error(&run(&arguments, "")).contains("line 2: found `0,0,2,10,5,3,x`"));
    fs::write(&csv, format!("{header}\n0,0,2,10,5,3,2\n")).expect("written");
    fs::write(&svg, "kept").expect("written");
    assert!(error(&run(&arguments, "")).contains("--force"));
    assert_eq!(fs::read_to_string(&svg).expect("read"), "kept");
    assert!(error(&run(&["search", "--position", "9/9 w"], "")).contains("nine rows"));
}
