//! The players in the real program, over UCI, in suites and in matches.

use std::collections::HashSet;
use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use alfiere_chess::board::Board;
use alfiere_chess::movegen::parse_uci_move;
use alfiere_search::engine::Player;

fn alfiere(arguments: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_alfiere"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    child.stdin.take().expect("piped").write_all(input.as_bytes()).expect("the program listens");
    child.wait_with_output().expect("it ends")
}

/// Returns the output for these commands; waits for each search, except an infinite one until it is stopped.
fn session(commands: &str) -> Vec<String> {
    let mut child = Command::new(env!("CARGO_BIN_EXE_alfiere"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut input = child.stdin.take().expect("piped");
    let mut output = BufReader::new(child.stdout.take().expect("piped")).lines().map_while(Result::ok);
    let mut heard = Vec::new();
    for command in commands.lines() {
        writeln!(input, "{command}").expect("the program listens");
        if command == "stop" || command.starts_with("go ") && command != "go infinite" {
            for line in output.by_ref() {
                heard.push(line);
                if heard.last().is_some_and(|line| line.starts_with("bestmove")) {
                    break;
                }
            }
        }
    }
    drop(input);
    heard.extend(output);
    assert!(child.wait().expect("it ends").success());
    heard
}

fn best_moves(lines: &[String]) -> Vec<String> {
    let best = |line: &String| line.strip_prefix("bestmove ")?.split(' ').next().map(str::to_owned);
    lines.iter().filter_map(best).collect()
}

/// The moves of a few random games, three positions in each.
fn game(seed: u32, games: usize) -> Vec<String> {
    let mut commands = format!("setoption name Player value random\nsetoption name Seed value {seed}\n");
    for _ in 0..games {
        commands.push_str("ucinewgame\n");
        for line in ["", " moves e2e4", " moves e2e4 e7e5"] {
            let _ = write!(commands, "position startpos{line}\ngo depth 1\n");
        }
    }
    best_moves(&session(&commands))
}

#[test]
fn every_player_is_listed_and_plays_legal_moves() {
    let offered = session("uci\nquit\n");
    let line = offered.iter().find(|line| line.starts_with("option name Player ")).expect("offered");
    let fen = "r1bqk2r/2pp1ppp/p4n2/1pb1N3/3nP3/1B1P4/PPP2PPP/RNBQK2R w KQkq - 1 8";
    let board = Board::from_fen(fen).expect("legal");
    for player in Player::ALL {
        assert!(line.contains(&format!(" var {}", player.name())), "{line}");
        for limit in ["depth 2", "nodes 500", "movetime 30", "wtime 200 btime 200 winc 10 binc 10"] {
            let lines =
                session(&format!("setoption name Player value {}\nposition fen {fen}\ngo {limit}\n", player.name()));
            let [best] = &best_moves(&lines)[..] else { panic!("{} {limit}: {lines:?}", player.name()) };
            assert!(parse_uci_move(&board, best).is_ok(), "{} {limit}: {best}", player.name());
        }
    }
}

#[test]
fn the_random_player_depends_only_on_its_seed() {
    let (one, again, other) = (game(3, 2), game(3, 2), game(4, 2));
    assert_eq!(one.len(), 6);
    assert_eq!(one, again);
    assert_ne!(one, other);
    assert_ne!(one[..3], one[3..], "games differ");
    // Without a seed, two new processes differ.
    let free: HashSet<Vec<String>> = (0..3).map(|_| game(0, 2)).collect();
    assert!(free.len() > 1, "{free:?}");
}

#[test]
fn the_beam_player_obeys_its_options_and_the_clock() {
    let position = "position startpos moves e2e4 e7e5\n";
    let nodes = |options: &str, limit: &str| -> (u32, u64) {
        let lines = session(&format!("setoption name Player value beam\n{options}{position}go {limit}\n"));
        let info = lines.iter().rev().find(|line| line.starts_with("info depth")).expect("an info line").clone();
        let after = |key: &str| info.split(' ').skip_while(|word| *word != key).nth(1).expect("a value").to_owned();
        (after("depth").parse().expect("plies"), after("nodes").parse().expect("nodes"))
    };
    let (depth, few) = nodes("", "infinite\nstop");
    assert!(depth <= 4, "{depth}");
    let (depth, usual) = nodes("", "mate 1");
    assert_eq!(depth, 4);
    let (_, wide) = nodes("setoption name Beam Width value 6\n", "mate 1");
    let (deep, more) = nodes("setoption name Beam Depth value 5\n", "mate 1");
    assert!(few <= usual && usual < wide && usual < more && deep == 5, "{few} {usual} {wide} {more}");
    let start = Instant::now();
    nodes("setoption name Beam Depth value 60\nsetoption name Beam Width value 20\n", "movetime 100");
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
}

#[test]
fn the_classical_evaluation_is_shown_by_terms() {
    let output = alfiere(&["eval", "--player", "classical"], "");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    for part in ["material", "knight-mobility", "shelter", "tempo", "phase 24/24", "value +"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let lines = session("setoption name Player value classical\nposition startpos\neval\n");
    assert!(lines.iter().any(|line| line.starts_with("queen-mobility")), "{lines:?}");
    let output = alfiere(&["eval", "--player", "random"], "");
    assert!(!output.status.success());
    assert!(String::from_utf8_lossy(&output.stderr).contains("random has no evaluation"));
}

#[test]
fn suites_and_matches_accept_players() {
    let suite = concat!(env!("CARGO_MANIFEST_DIR"), "/../datasets/suites/bk.epd");
    let output = alfiere(&["suite", suite, "--depth", "2", "--player", "beam", "--quiet"], "");
    assert!(String::from_utf8_lossy(&output.stdout).contains("/24"), "{output:?}");
    let output = alfiere(&["suite", suite, "--depth", "2", "--player", "nobody"], "");
    assert!(String::from_utf8_lossy(&output.stderr).contains("random"), "{output:?}");
    let players = ["--engine", "alfiere player=random name=chance", "--engine", "alfiere player=perceptron depth=2"];
    let output = alfiere(&[&["match", "--games", "2", "--depth", "1", "--quiet"], &players[..]].concat(), "");
    assert!(output.status.success(), "{output:?}");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.contains("Elo"), "{text}");
}
