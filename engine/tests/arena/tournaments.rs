//! More than two engines: pairings, openings, anchors; and SPRT, which needs two.

use std::fs;
use std::process::Command;

use serde_json::Value;

use crate::{folder, scripted_engine};

/// Plays a tournament and returns its JSON, its output, and the White player, Black player and opening of each game in
/// file order.
fn tournament(name: &str, arguments: &[&str]) -> (Value, String, Vec<[String; 3]>) {
    let (out, pgn) = (folder().join(format!("{name}.json")), folder().join(format!("{name}.pgn")));
    let book = format!("{}/../datasets/openings/noob_3moves_1000.epd", env!("CARGO_MANIFEST_DIR"));
    let output = Command::new(env!("CARGO_BIN_EXE_alfiere"))
        .args(["match", "--openings", &book, "--max-plies", "120"])
        .args(["--json", out.to_str().unwrap(), "--pgn", pgn.to_str().unwrap()])
        .args(arguments)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let json = serde_json::from_str(&fs::read_to_string(out).unwrap()).unwrap();
    let text = fs::read_to_string(pgn).unwrap();
    let tags = |game: &str| {
        ["White", "Black", "FEN"].map(|tag| {
            let line = game.lines().find(|line| line.starts_with(&format!("[{tag} "))).unwrap();
            line.split('"').nth(1).unwrap().to_owned()
        })
    };
    let games = text.split("[Event ").skip(1).map(tags).collect();
    (json, String::from_utf8_lossy(&output.stdout).into_owned(), games)
}

/// The openings of the games with these colours, in order.
fn openings<'a>(games: &'a [[String; 3]], white: &str, black: &str) -> Vec<&'a str> {
    let mut fens: Vec<&str> =
        games.iter().filter(|game| game[0] == white && game[1] == black).map(|game| game[2].as_str()).collect();
    fens.sort_unstable();
    fens
}

#[test]
fn anchors_set_the_scale_of_a_tournament() {
    let engines =
        ["--engine", "alfiere", "--engine", "alfiere name=other", "--engine", "alfiere name=weak player=random"];
    let quick = ["--nodes", "60", "--games", "4", "--anchor", "other=2000±30"];
    let (json, text, _) = tournament("anchored", &[&engines[..], &quick].concat());
    let table = json["table"].as_array().unwrap();
    let row = table.iter().find(|row| row["name"] == "other").unwrap();
    assert!((row["elo"].as_f64().unwrap() - 2000.0).abs() < 0.1, "{text}");
    assert!((row["error_95"].as_f64().unwrap() - 30.0).abs() < 0.1, "{text}");
    assert!(table.last().unwrap()["elo"].as_f64().unwrap() < 1900.0, "{text}");
}

#[test]
fn a_round_robin_uses_the_same_openings_for_all_pairings() {
    let engines = ["--engine", "alfiere name=able", "--engine", "alfiere", "--engine", "alfiere player=random"];
    let quick = ["--nodes", "60", "--games", "4", "--concurrency", "2"];
    let (json, text, games) = tournament("robin", &[&engines[..], &quick].concat());
    let names = ["able", "alfiere", "alfiere-2"];
    let fens = openings(&games, names[0], names[1]);
    assert!(games.len() == 12 && fens.len() == 2 && fens[0] != fens[1], "{games:?}");
    for [a, b] in [[0, 1], [0, 2], [1, 2]] {
        assert_eq!(openings(&games, names[a], names[b]), fens, "{games:?}");
        assert_eq!(openings(&games, names[b], names[a]), fens, "{games:?}");
    }
    let table = json["table"].as_array().unwrap();
    assert_eq!(table[2]["name"], names[2], "the random player is last: {text}");
    let points: f64 = table.iter().map(|row| row["points"].as_f64().unwrap()).sum();
    let elo: f64 = table.iter().map(|row| row["elo"].as_f64().unwrap()).sum();
    assert!((points - 12.0).abs() < 1e-9 && elo.abs() < 1e-3, "{text}");
    for (row, line) in table.iter().zip(text.lines().rev().take(3).collect::<Vec<_>>().iter().rev()) {
        let words: Vec<&str> = line.split_whitespace().collect();
        assert_eq!(words[1], row["name"].as_str().unwrap(), "{text}");
        assert!((words[2].parse::<f64>().unwrap() - row["elo"].as_f64().unwrap()).abs() < 0.06, "{text}");
    }
    for player in json["players"].as_array().unwrap() {
        assert_eq!(player["faults"], serde_json::json!({"illegal": 0, "time": 0, "crashes": 0}));
    }
    // Each encounter is also written as a match.
    for (number, players) in [(1, [0, 1]), (2, [0, 2]), (3, [1, 2])] {
        let path = folder().join(format!("robin-{number}.json"));
        let one: Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
        assert_eq!(one, json["matches"][number - 1]);
        let found = [0, 1].map(|player| one["players"][player]["name"].as_str().unwrap());
        assert_eq!(found, players.map(|player| names[player]));
        let count = |field: &str| one["games"][field].as_u64().unwrap();
        assert_eq!(count("wins") + count("draws") + count("losses"), 4);
    }
}

#[test]
fn a_gauntlet_continues_when_an_engine_fails() {
    let quitter = scripted_engine("third", "exit 3");
    let engines = ["--gauntlet", "--engine", "alfiere", "--engine", "alfiere name=other", "--engine"];
    let quick = [quitter.to_str().unwrap(), "--nodes", "50", "--games", "2"];
    let (json, text, games) = tournament("gauntlet", &[&engines[..], &quick].concat());
    assert!(games.len() == 4 && games.iter().all(|game| game[..2].contains(&"alfiere".to_owned())), "{games:?}");
    assert_eq!(json["end"], "complete", "{text}");
    let crashes = [0, 1, 2].map(|player| json["players"][player]["faults"]["crashes"].as_u64().unwrap());
    assert_eq!(crashes, [0, 0, 2], "{text}");
    assert_eq!(json["matches"][1]["games"]["wins"], 2, "{text}");
    assert!(json["table"].as_array().unwrap().iter().any(|row| row["against"].as_array().unwrap()[0].is_null()));
}

#[test]
fn sprt_needs_two_engines() {
    let output = Command::new(env!("CARGO_BIN_EXE_alfiere"))
        .args(["match", "--engine", "alfiere", "--engine", "alfiere", "--engine", "alfiere"])
        .args(["--nodes", "10", "--games", "2", "--sprt", "0", "5"])
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && errors.contains("--sprt tests two engines, found 3 --engine"), "{errors}");
}
