//! The players in the real program, over UCI, in suites and in matches.

use std::collections::HashSet;
use std::fmt::Write as _;
use std::time::{Duration, Instant};

use alfiere_chess::board::Board;
use alfiere_chess::movegen::parse_uci_move;
use alfiere_search::engine::Player;

use crate::gui::Gui;
use crate::{data, output_of, refused};

/// Returns the output for these commands; waits for each search, except an infinite one until it is stopped.
fn session(commands: &str) -> Vec<String> {
    let mut gui = Gui::start();
    let is_search = |command: &str| command == "stop" || command.starts_with("go ") && command != "go infinite";
    let answer = |command| if is_search(command) { gui.search(command) } else { gui.ask(command) };
    commands.lines().flat_map(answer).collect()
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
    let offered = session("uci\n");
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
    let text = output_of(&["eval", "--player", "classical"]);
    for part in ["material", "knight-mobility", "shelter", "tempo", "phase 24/24", "value +"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let lines = session("setoption name Player value classical\nposition startpos\neval\n");
    assert!(lines.iter().any(|line| line.starts_with("queen-mobility")), "{lines:?}");
    refused(&["eval", "--player", "random"], &["random has no evaluation"]);
}

#[test]
fn suites_and_matches_accept_players() {
    let suite = data("datasets/suites/bk.epd");
    let text = output_of(&["suite", &suite, "--depth", "2", "--player", "beam", "--quiet"]);
    assert!(text.contains("/24"), "{text}");
    refused(&["suite", &suite, "--depth", "2", "--player", "nobody"], &["random"]);
    let players = ["--engine", "alfiere player=random name=chance", "--engine", "alfiere player=perceptron depth=2"];
    let text = output_of(&[&["match", "--games", "2", "--depth", "1", "--quiet"], &players[..]].concat());
    assert!(text.contains("Elo"), "{text}");
}
