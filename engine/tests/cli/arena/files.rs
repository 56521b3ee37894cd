//! The files of a match: appended, interrupted, killed and resumed, full, removed.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use super::{QUICK, alfiere, folder, play, words};
use crate::{data, kill, output_of, read_json, refused, send};

#[test]
fn games_are_appended_to_an_existing_file() {
    let pgn = folder().join("added.pgn");
    let torn = "[Event \"earlier\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Qh5 Ke7 3. Qxe5# 1-0\n\n[Event \"torn\"]\n\n1. d4";
    fs::write(&pgn, torn).unwrap();
    let arguments = format!("{QUICK} --max-plies 10 --pgn '{}'", pgn.display());
    play("added", "alfiere name=other option.Hash=1", &arguments);
    let text = fs::read_to_string(&pgn).unwrap();
    assert!(text.starts_with(&format!("{torn}\n\n[Event ")), "{text}");
    // Engines that cannot start leave the file unchanged.
    refused(&words(&format!("match --engine alfiere --engine /no/such/engine {arguments}")), &[]);
    assert_eq!(fs::read_to_string(&pgn).unwrap(), text);
}

#[test]
fn ctrl_c_and_sigterm_keep_the_score() {
    stop_with("-INT");
    stop_with("-TERM");
}

fn stop_with(signal: &str) {
    let out = folder().join(format!("stopped{signal}.json"));
    let engines = "match --engine alfiere --engine 'alfiere name=other' --movetime 20 --games 100000 --max-plies 12";
    let child = alfiere(&format!("{engines} --json '{}'", out.display())).stdout(Stdio::piped()).spawn().unwrap();
    sleep(Duration::from_secs(2));
    send(signal, &child);
    let output = child.wait_with_output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(130), "{text}");
    assert!(text.contains("stopped before the end"), "{text}");
    assert!(text.lines().last().unwrap().starts_with("Elo: "), "{text}");
    let json = read_json(&out);
    assert_eq!(json["end"], "stopped");
    assert_eq!(json["players"][0]["faults"]["crashes"], 0);
}

/// Waits for something that a running match must do before it ends.
fn wait_until(child: &mut Child, is_done: impl Fn() -> bool) {
    while !is_done() {
        assert!(child.try_wait().unwrap().is_none(), "the match ended too early");
        sleep(Duration::from_millis(5));
    }
}

/// The options that give a match these files.
fn files_of(name: &str) -> String {
    let [pgn, json] = ["pgn", "json"].map(|end| folder().join(format!("{name}.{end}")));
    format!("--pgn '{}' --json '{}'", pgn.display(), json.display())
}

fn lines_in(path: &Path) -> usize {
    fs::read_to_string(path).map_or(0, |text| text.lines().count())
}

#[test]
fn a_killed_match_continues_with_the_same_games() {
    let engines = "match --engine 'alfiere option.Hash=1' --engine 'alfiere name=other option.Hash=2'";
    let book = data("datasets/openings/8moves_v3_200.pgn");
    let games = format!("--nodes 3000 --games 12 --max-plies 40 --openings '{book}'");
    let line = |name: &str, more: &str| format!("{engines} {games} {} {more}", files_of(name));
    output_of(&words(&line("whole", "")));
    let mut child = alfiere(&line("killed", "")).stdout(Stdio::null()).spawn().unwrap();
    let journal = folder().join("killed.pgn.match");
    wait_until(&mut child, || lines_in(&journal) > 3);
    refused(&words(&line("killed", "--resume")), &["another match is writing its games here"]);
    kill(child);
    assert_eq!(read_json(folder().join("killed.json"))["end"], "running");
    // An incomplete line, as after a kill.
    fs::OpenOptions::new().append(true).open(&journal).unwrap().write_all(b"{\"game\":{\"enc").unwrap();

    for (more, reason) in
        [("", "continue it with --resume"), ("--resume --seed 9", "the match was started with --seed 1, now 9")]
    {
        refused(&words(&line("killed", more)), &[reason]);
    }
    output_of(&words(&line("killed", "--resume")));
    assert!(!journal.exists());
    // Nothing is left to continue, and a new match does not replace results unasked.
    refused(&words(&line("killed", "--resume")), &["killed.json: the file already exists"]);
    are_equal(["whole", "killed"], &["games", "white", "black", "pentanomial", "endings", "end", "summary"]);
}

/// Checks that two matches have the same games, and the same results under these keys.
fn are_equal(names: [&str; 2], keys: &[&str]) {
    let [whole, killed] = names.map(|name| read_json(folder().join(format!("{name}.json"))));
    for &key in keys {
        assert!(!whole[key].is_null() && whole[key] == killed[key], "{key}: {whole} {killed}");
    }
    let [whole, killed] = names.map(moves);
    assert!(whole.len() == 12 && whole == killed, "different games");
}

/// The moves of each game of a match, sorted; without comments, because thinking times differ.
fn moves(name: &str) -> Vec<String> {
    let pgn = fs::read_to_string(folder().join(format!("{name}.pgn"))).unwrap();
    let moves = |game: &str| game.split(['{', '}']).step_by(2).flat_map(str::split_whitespace).collect::<String>();
    let mut games: Vec<String> = pgn.split("\n\n").skip(1).step_by(2).map(moves).collect();
    games.sort();
    games
}

#[test]
fn chess960_openings_need_the_option() {
    let games = "match --engine alfiere --engine 'alfiere name=b' --nodes 1 --games 2 --max-plies 4";
    let line = |more: &str| format!("{games} --openings '{}' {more}", data("datasets/perft/fischer.epd"));
    refused(&words(&line("")), &["fischer.epd: `", "expected --chess960"]);
    output_of(&words(&line("--chess960")));
}

#[test]
fn a_killed_tournament_continues_with_the_same_games() {
    let engines = "match --engine alfiere --engine 'alfiere name=b' --engine 'alfiere name=c nodes=500'";
    let games = "--each option.Hash=1 --nodes 3000 --games 4 --max-plies 40 --resume --openings";
    let book = data("datasets/openings/noob_3moves_1000.epd");
    let line = |name: &str| format!("{engines} {games} '{book}' {}", files_of(name));
    output_of(&words(&line("three")));
    let mut child = alfiere(&line("three-killed")).stdout(Stdio::null()).spawn().unwrap();
    let journal = folder().join("three-killed.pgn.match");
    wait_until(&mut child, || lines_in(&journal) >= 6);
    kill(child);
    output_of(&words(&line("three-killed")));
    are_equal(["three", "three-killed"], &["table"]);
}

#[test]
fn games_that_could_not_be_written_are_played_again() {
    let pgn = folder().join("limited.pgn");
    let journal = folder().join("limited.pgn.match");
    let arguments = format!(
        "{} match --engine alfiere --engine alfiere --each option.Hash=1 --nodes 50 --games 8 --max-plies 60 --pgn {} --resume",
        env!("CARGO_BIN_EXE_alfiere"),
        pgn.display()
    );
    let shell = |prefix: &str| Command::new("sh").args(["-c", &format!("{prefix}{arguments}")]).output().unwrap();
    let games = || fs::read_to_string(&pgn).unwrap().matches("[Event ").count();
    // No file may have more than 8 blocks, 4 or 8 KiB; without the signal for that, writing fails.
    let limited = shell("trap '' XFSZ; ulimit -f 8; exec ");
    let output = String::from_utf8_lossy(&limited.stdout);
    assert!(!limited.status.success() && output.contains("the match stops, --resume plays"), "{output}");
    // A match that cannot keep its games plays no more: none but the one that could not be written.
    assert!(output.lines().filter(|line| line.starts_with("game ")).count() <= games() + 1, "{output}");
    assert!(games() < 8 && journal.exists(), "{} games", games());
    let resumed = shell("exec ");
    assert!(resumed.status.success(), "{}", String::from_utf8_lossy(&resumed.stderr));
    let text = fs::read_to_string(&pgn).unwrap();
    let mut rounds: Vec<&str> = text.lines().filter(|line| line.starts_with("[Round ")).collect();
    rounds.sort_unstable();
    rounds.dedup();
    assert!(rounds.len() == 8 && !journal.exists(), "{rounds:?}");
}

#[test]
fn a_pgn_file_that_is_removed_is_reported() {
    let pgn = folder().join("removed.pgn");
    let games = "match --engine alfiere --engine alfiere --each option.Hash=1 --nodes 2000 --games 8 --max-plies 60";
    let mut command = alfiere(&format!("{games} --pgn '{}'", pgn.display()));
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    wait_until(&mut child, || fs::metadata(&pgn).is_ok_and(|file| file.len() > 0));
    fs::remove_file(&pgn).unwrap();
    let output = child.wait_with_output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && errors.contains("removed.pgn: the file was removed"), "{errors}");
}
