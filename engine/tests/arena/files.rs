//! The files of a match: appended, interrupted, killed and resumed, full, removed.

use std::fs;
use std::io::Write;
use std::process::Command;

use serde_json::Value;

use crate::{folder, play};

#[test]
fn games_are_appended_to_an_existing_file() {
    let pgn = folder().join("added.pgn");
    let torn = "[Event \"earlier\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Qh5 Ke7 3. Qxe5# 1-0\n\n[Event \"torn\"]\n\n1. d4";
    fs::write(&pgn, torn).unwrap();
    let arguments = ["--nodes", "50", "--games", "2", "--max-plies", "10", "--pgn", pgn.to_str().unwrap()];
    play("added", "alfiere name=other option.Hash=1", &arguments);
    let text = fs::read_to_string(&pgn).unwrap();
    assert!(text.starts_with(&format!("{torn}\n\n[Event ")), "{text}");
    // Engines that cannot start leave the file unchanged.
    let output = Command::new(env!("CARGO_BIN_EXE_alfiere"))
        .args(["match", "--engine", "alfiere", "--engine", "/no/such/engine", "--nodes", "50", "--games", "2"])
        .args(["--pgn", pgn.to_str().unwrap()])
        .output()
        .unwrap();
    assert!(!output.status.success());
    assert_eq!(fs::read_to_string(&pgn).unwrap(), text);
}

#[test]
fn ctrl_c_and_sigterm_keep_the_score() {
    stop_with("-INT");
    stop_with("-TERM");
}

fn stop_with(signal: &str) {
    let out = folder().join(format!("stopped{signal}.json"));
    let child = Command::new(env!("CARGO_BIN_EXE_alfiere"))
        .args([
            "match",
            "--engine",
            "alfiere",
            "--engine",
            "alfiere name=other",
            "--movetime",
            "20",
            "--games",
            "100000",
        ])
        .args(["--max-plies", "12", "--json", out.to_str().unwrap()])
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    std::thread::sleep(std::time::Duration::from_secs(2));
    let interrupt = Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
    assert!(interrupt.success());
    let output = child.wait_with_output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(130), "{text}");
    assert!(text.contains("stopped before the end"), "{text}");
    assert!(text.lines().last().unwrap().starts_with("Elo: "), "{text}");
    let json: Value = serde_json::from_str(&fs::read_to_string(out).unwrap()).unwrap();
    assert_eq!(json["end"], "stopped");
    assert_eq!(json["players"][0]["faults"]["crashes"], 0);
}

#[test]
fn a_killed_match_continues_with_the_same_games() {
    let command = |name: &str, more: &[&str]| {
        let file = |end: &str| folder().join(format!("{name}.{end}")).to_str().unwrap().to_owned();
        let mut command = Command::new(env!("CARGO_BIN_EXE_alfiere"));
        command
            .args(["match", "--engine", "alfiere option.Hash=1", "--engine", "alfiere name=other option.Hash=2"])
            .args([
                "--nodes",
                "3000",
                "--games",
                "12",
                "--max-plies",
                "40",
                "--pgn",
                &file("pgn"),
                "--json",
                &file("json"),
            ])
            .args(["--openings", concat!(env!("CARGO_MANIFEST_DIR"), "/../datasets/openings/8moves_v3_200.pgn")])
            .args(more);
        command
    };
    let read = |name: &str| fs::read_to_string(folder().join(name)).unwrap();
    assert!(command("whole", &[]).output().unwrap().status.success());
    let mut child = command("killed", &[]).stdout(std::process::Stdio::null()).spawn().unwrap();
    let journal = folder().join("killed.pgn.match");
    let finished = || fs::read_to_string(&journal).map_or(0, |text| text.lines().count().saturating_sub(1));
    while finished() < 3 {
        assert!(child.try_wait().unwrap().is_none(), "the match ended before it was killed");
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    let second = command("killed", &["--resume"]).output().unwrap();
    assert!(String::from_utf8_lossy(&second.stderr).contains("another match is writing its games here"));
    child.kill().unwrap();
    child.wait().unwrap();
    let so_far: Value = serde_json::from_str(&read("killed.json")).unwrap();
    assert_eq!(so_far["end"], "running");
    // An incomplete line, as after a kill.
    fs::OpenOptions::new().append(true).open(&journal).unwrap().write_all(b"{\"game\":{\"enc").unwrap();

    for (more, reason) in [
        (&[][..], "continue it with --resume"),
        (&["--resume", "--seed", "9"], "the match was started with --seed 1, now 9"),
    ] {
        let output = command("killed", more).output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && errors.contains(reason), "{errors}");
    }
    let output = command("killed", &["--resume"]).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(!journal.exists());
    // Nothing is left to continue, and a new match does not replace results unasked.
    let output = command("killed", &["--resume"]).output().unwrap();
    assert!(String::from_utf8_lossy(&output.stderr).contains("killed.json: the file already exists"));
    let [whole, killed]: [Value; 2] =
        ["whole.json", "killed.json"].map(|name| serde_json::from_str(&read(name)).unwrap());
    for key in ["games", "white", "black", "pentanomial", "endings", "end", "summary"] {
        assert_eq!(whole[key], killed[key], "{key}");
    }
    let [whole, killed] = ["whole.pgn", "killed.pgn"].map(|name| moves(&read(name)));
    assert!(whole.len() == 12 && whole == killed, "different games");
}

/// The moves of each game of a PGN, sorted; without comments, because thinking times differ.
fn moves(pgn: &str) -> Vec<String> {
    let moves = |game: &str| game.split(['{', '}']).step_by(2).flat_map(str::split_whitespace).collect::<String>();
    let mut games: Vec<String> = pgn.split("\n\n").skip(1).step_by(2).map(moves).collect();
    games.sort();
    games
}

#[test]
fn chess960_openings_need_the_option() {
    let openings = concat!(env!("CARGO_MANIFEST_DIR"), "/../datasets/perft/fischer.epd");
    let arguments = [
        "match",
        "--engine",
        "alfiere",
        "--engine",
        "alfiere name=b",
        "--nodes",
        "1",
        "--games",
        "2",
        "--max-plies",
        "4",
    ];
    let run = |more: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_alfiere"));
        command.args(arguments).args(["--openings", openings]).args(more).output().unwrap()
    };
    let refused = run(&[]);
    let error = String::from_utf8_lossy(&refused.stderr);
    assert!(
        !refused.status.success() && error.contains("fischer.epd: `") && error.contains("expected --chess960"),
        "{error}"
    );
    assert!(run(&["--chess960"]).status.success());
}

#[test]
fn a_killed_tournament_continues_with_the_same_games() {
    let command = |name: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_alfiere"));
        command
            .args([
                "match",
                "--engine",
                "alfiere",
                "--engine",
                "alfiere name=b",
                "--engine",
                "alfiere name=c nodes=500",
            ])
            .args(["--each", "option.Hash=1", "--nodes", "3000", "--games", "4", "--max-plies", "40", "--resume"])
            .args(["--openings", concat!(env!("CARGO_MANIFEST_DIR"), "/../datasets/openings/noob_3moves_1000.epd")])
            .args(["--pgn", folder().join(format!("{name}.pgn")).to_str().unwrap()])
            .args(["--json", folder().join(format!("{name}.json")).to_str().unwrap()])
            .stdout(std::process::Stdio::null());
        command
    };
    assert!(command("three").status().unwrap().success());
    let mut child = command("three-killed").spawn().unwrap();
    let journal = folder().join("three-killed.pgn.match");
    while fs::read_to_string(&journal).map_or(0, |text| text.lines().count()) < 6 {
        assert!(child.try_wait().unwrap().is_none(), "the tournament ended before it was killed");
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(command("three-killed").status().unwrap().success());
    let read = |name: &str| fs::read_to_string(folder().join(name)).unwrap();
    let [whole, killed] = ["three", "three-killed"].map(|name| moves(&read(&format!("{name}.pgn"))));
    assert!(whole.len() == 12 && whole == killed, "different games");
    let [whole, killed] = ["three", "three-killed"].map(|name| {
        let json: Value = serde_json::from_str(&read(&format!("{name}.json"))).unwrap();
        json["table"].clone()
    });
    assert!(whole.is_array() && whole == killed, "{whole} {killed}");
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
    let mut child = Command::new(env!("CARGO_BIN_EXE_alfiere"))
        .args(["match", "--engine", "alfiere option.Hash=1", "--engine", "alfiere option.Hash=1", "--nodes", "2000"])
        .args(["--games", "8", "--max-plies", "60", "--pgn", pgn.to_str().unwrap()])
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    while fs::metadata(&pgn).map_or(0, |file| file.len()) == 0 {
        assert!(child.try_wait().unwrap().is_none(), "the match ended before its file was removed");
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    fs::remove_file(&pgn).unwrap();
    let output = child.wait_with_output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && errors.contains("removed.pgn: the file was removed"), "{errors}");
}
