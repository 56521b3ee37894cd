//! The games of a match: rules, adjudication and reproducibility. Tournaments and SPRT.

use std::fs;

use serde_json::Value;

use super::{folder, play, scripted_engine, words};
use crate::{data, output_of, read_json, refused};

const BOOK: &str = "datasets/openings/noob_3moves_1000.epd";

#[test]
fn self_play_follows_the_rules() {
    let pgn = folder().join("self.pgn");
    let files = format!("--openings '{}' --pgn '{}'", data(BOOK), pgn.display());
    let rules = "--nodes 400 --games 6 --concurrency 2 --draw 30,4,20 --resign 3,600 --max-plies 240 --sprt -500 500";
    let (json, text) = play("self", "alfiere name=other option.Hash=1", &format!("{files} {rules}"));
    assert_eq!(json["end"], "complete", "{text}");
    let count = |field: &str| json["games"][field].as_u64().unwrap();
    assert_eq!(count("wins") + count("draws") + count("losses"), 6, "{text}");
    let pairs: u64 = json["pentanomial"].as_array().unwrap().iter().map(|count| count.as_u64().unwrap()).sum();
    assert_eq!(pairs, 3);
    for player in [0, 1] {
        assert_eq!(json["players"][player]["faults"], serde_json::json!({"illegal": 0, "time": 0, "crashes": 0}));
    }
    let last = text.lines().last().unwrap();
    assert!(last.starts_with("Elo: ") && last.contains("6 games, Ptnml [") && last.contains("LLR "), "{last}");
    let games = fs::read_to_string(pgn).unwrap();
    assert_eq!(games.matches("[Event ").count(), 6);
}

#[test]
fn games_end_when_endgame_tables_know_the_result() {
    let (openings, pgn) = (folder().join("endgames.epd"), folder().join("endgames.pgn"));
    // A pawn and a rook to take: whatever is played, the tables soon know the result.
    fs::write(&openings, "8/8/8/3k4/8/8/p6R/K7 w - - 0 1\n8/5r2/3k4/8/8/8/1R6/1K6 w - - 3 40\n").unwrap();
    let tables = data("datasets/syzygy");
    let files = format!("--openings '{}' --pgn '{}' --syzygy '{tables}'", openings.display(), pgn.display());
    let (json, text) = play("endgames", "alfiere name=other option.Hash=1", &format!("--nodes 400 --games 4 {files}"));
    assert!(text.contains("endgame tables: ") && text.contains("plies, endgame tables | "), "{text}");
    assert_eq!(json["endings"]["endgame tables"], 4, "{text}");
    let games = fs::read_to_string(pgn).unwrap();
    assert_eq!(games.matches("[Termination \"adjudication\"]").count(), 4, "{games}");
    assert_eq!(games.matches("{endgame tables}").count(), 4, "{games}");
    // A KRvKR draw is known at any halfmove clock, after the first move.
    assert!(games.contains("[PlyCount \"1\"]"), "{games}");
}

#[test]
fn games_are_reproducible() {
    let moves = |name: &str, limit: &str| {
        let pgn = folder().join(format!("{name}.pgn"));
        let arguments = format!("{limit} --games 2 --max-plies 40 --pgn '{}'", pgn.display());
        play(name, "alfiere name=other option.Hash=1", &arguments);
        let text = fs::read_to_string(pgn).unwrap();
        // Comments have times, which differ.
        text.split('{').map(|part| part.rsplit('}').next().unwrap_or("").to_owned()).collect::<String>()
    };
    for (kind, limit) in [("nodes", "--nodes 200"), ("clock", "--tc 1+0.01 --each option.nodestime=20")] {
        assert_eq!(moves(&format!("{kind}-1"), limit), moves(&format!("{kind}-2"), limit), "{limit}");
    }
}

#[test]
fn a_program_can_be_started_again_for_every_game() {
    let starts = |name: &str, words: &str| {
        let log = folder().join(format!("{name}.txt"));
        let player = format!("alfiere name=other option.Hash=1 log={} {words}", log.display());
        play(name, &player, "--nodes 10 --games 4 --max-plies 2");
        fs::read_to_string(&log).unwrap().lines().filter(|line| line.ends_with("> uci")).count()
    };
    // One start is a check before the first game.
    assert_eq!((starts("started-once", ""), starts("started-again", "restart=on")), (2, 5));
}

/// Plays a tournament and returns its JSON, its output, and the White player, Black player and opening of each game in
/// file order.
fn tournament(name: &str, arguments: &str) -> (Value, String, Vec<[String; 3]>) {
    let (out, pgn) = (folder().join(format!("{name}.json")), folder().join(format!("{name}.pgn")));
    let files = format!("--openings '{}' --json '{}' --pgn '{}'", data(BOOK), out.display(), pgn.display());
    let output = output_of(&words(&format!("match {files} --max-plies 120 {arguments}")));
    let text = fs::read_to_string(pgn).unwrap();
    let tags = |game: &str| {
        ["White", "Black", "FEN"].map(|tag| {
            let line = game.lines().find(|line| line.starts_with(&format!("[{tag} "))).unwrap();
            line.split('"').nth(1).unwrap().to_owned()
        })
    };
    let games = text.split("[Event ").skip(1).map(tags).collect();
    (read_json(&out), output, games)
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
    let engines = "--engine alfiere --engine 'alfiere name=other' --engine 'alfiere name=weak player=random'";
    let (json, text, _) = tournament("anchored", &format!("{engines} --nodes 60 --games 4 --anchor other=2000±30"));
    let table = json["table"].as_array().unwrap();
    let row = table.iter().find(|row| row["name"] == "other").unwrap();
    assert!((row["elo"].as_f64().unwrap() - 2000.0).abs() < 0.1, "{text}");
    assert!((row["error_95"].as_f64().unwrap() - 30.0).abs() < 0.1, "{text}");
    assert!(table.last().unwrap()["elo"].as_f64().unwrap() < 1900.0, "{text}");
}

#[test]
fn a_round_robin_uses_the_same_openings_for_all_pairings() {
    let engines = "--engine 'alfiere name=able' --engine alfiere --engine 'alfiere player=random'";
    let (json, text, games) = tournament("robin", &format!("{engines} --nodes 60 --games 4 --concurrency 2"));
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
        let one = read_json(folder().join(format!("robin-{number}.json")));
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
    let engines = format!("--engine alfiere --engine 'alfiere name=other' --engine '{}'", quitter.display());
    let (json, text, games) = tournament("gauntlet", &format!("--gauntlet {engines} --nodes 50 --games 2"));
    assert!(games.len() == 4 && games.iter().all(|game| game[..2].contains(&"alfiere".to_owned())), "{games:?}");
    assert_eq!(json["end"], "complete", "{text}");
    let crashes = [0, 1, 2].map(|player| json["players"][player]["faults"]["crashes"].as_u64().unwrap());
    assert_eq!(crashes, [0, 0, 2], "{text}");
    assert_eq!(json["matches"][1]["games"]["wins"], 2, "{text}");
    assert!(json["table"].as_array().unwrap().iter().any(|row| row["against"].as_array().unwrap()[0].is_null()));
}

#[test]
fn sprt_needs_two_engines() {
    let engines = "match --engine alfiere --engine alfiere --engine alfiere";
    let line = format!("{engines} --nodes 10 --games 2 --sprt 0 5");
    refused(&words(&line), &["--sprt tests two engines, found 3 --engine"]);
}
