//! The games of a match: rules, adjudication, reproducibility, and the WDL model fitted on them.

use std::fs;
use std::process::Command;

use serde_json::Value;

use crate::{folder, play};

#[test]
fn self_play_follows_the_rules() {
    let pgn = folder().join("self.pgn");
    let book = format!("{}/../datasets/openings/noob_3moves_1000.epd", env!("CARGO_MANIFEST_DIR"));
    let (json, text) = play(
        "self",
        "alfiere name=other option.Hash=1",
        &[
            "--nodes",
            "400",
            "--games",
            "6",
            "--concurrency",
            "2",
            "--openings",
            &book,
            "--pgn",
            pgn.to_str().unwrap(),
            "--draw",
            "30,4,20",
            "--resign",
            "3,600",
            "--max-plies",
            "240",
            "--sprt",
            "-500",
            "500",
        ],
    );
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
    let tables = concat!(env!("CARGO_MANIFEST_DIR"), "/../datasets/syzygy");
    let arguments = ["--nodes", "400", "--games", "4", "--pgn", pgn.to_str().unwrap()];
    let more = ["--openings", openings.to_str().unwrap(), "--syzygy", tables];
    let (json, text) = play("endgames", "alfiere name=other option.Hash=1", &[&arguments[..], &more].concat());
    assert!(text.contains("adjudication by endgame tables: ") && text.contains("plies, endgame tables | "), "{text}");
    assert_eq!(json["endings"]["endgame tables"], 4, "{text}");
    let games = fs::read_to_string(pgn).unwrap();
    assert_eq!(games.matches("[Termination \"adjudication\"]").count(), 4, "{games}");
    assert_eq!(games.matches("{endgame tables}").count(), 4, "{games}");
    // A KRvKR draw is known at any halfmove clock, after the first move.
    assert!(games.contains("[PlyCount \"1\"]"), "{games}");
}

#[test]
fn the_wdl_model_is_fitted_on_the_games_of_a_match() {
    let (pgn, out) = (folder().join("wdl.pgn"), folder().join("fitted.json"));
    let book = format!("{}/../datasets/openings/noob_3moves_1000.epd", env!("CARGO_MANIFEST_DIR"));
    let arguments = ["--nodes", "100", "--games", "100", "--openings", &book, "--pgn", pgn.to_str().unwrap()];
    let (json, _) = play("wdl", "alfiere name=other option.Hash=1 nodes=130", &arguments);
    let output = Command::new(env!("CARGO_BIN_EXE_alfiere"))
        .args(["wdl", pgn.to_str().unwrap(), "--json", out.to_str().unwrap()])
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let last = text.lines().last().unwrap();
    assert!(last.starts_with("log-likelihood -") && last.contains(" games 100 positions "), "{last}");
    let found: Value = serde_json::from_str(&fs::read_to_string(out).unwrap()).unwrap();
    assert_eq!(found["games"].as_u64(), Some(100), "{json}");
    let number = |model: &str, figure: &str| found[model][figure].as_f64().unwrap();
    assert!(number("fitted", "log_likelihood") >= number("current", "log_likelihood"), "{text}");
    assert!(number("fitted", "positions") > 500.0, "{text}");
    // A better score wins more often, even in these few games.
    let bins = found["bins"].as_array().unwrap();
    let won = |index: usize| bins[index]["seen"][0].as_f64().unwrap();
    assert!(won(0) < 0.3 && won(bins.len() - 1) > 0.7, "{text}");
}

#[test]
fn games_are_reproducible() {
    let moves = |name: &str| {
        let pgn = folder().join(format!("{name}.pgn"));
        let arguments = ["--nodes", "200", "--games", "2", "--max-plies", "40", "--pgn", pgn.to_str().unwrap()];
        play(name, "alfiere name=other option.Hash=1", &arguments);
        let text = fs::read_to_string(pgn).unwrap();
        // Comments have times, which differ.
        text.split('{').map(|part| part.rsplit('}').next().unwrap_or("").to_owned()).collect::<String>()
    };
    assert_eq!(moves("again-1"), moves("again-2"));
}

#[test]
fn a_program_can_be_started_again_for_every_game() {
    let starts = |name: &str, words: &str| {
        let log = folder().join(format!("{name}.txt"));
        let player = format!("alfiere name=other option.Hash=1 log={} {words}", log.display());
        play(name, &player, &["--nodes", "10", "--games", "4", "--max-plies", "2"]);
        fs::read_to_string(&log).unwrap().lines().filter(|line| line.ends_with("> uci")).count()
    };
    // One start is a check before the first game.
    assert_eq!((starts("started-once", ""), starts("started-again", "restart=on")), (2, 5));
}
