//! `alfiere ratings` with the real program: files of games, anchors, and invalid input.

use std::fmt::Write;

use serde_json::Value;

use crate::{file_in, output_of, read_json};

fn file(name: &str, content: &str) -> String {
    file_in("ratings", name, content.as_bytes())
}

fn refused(arguments: &[&str], parts: &[&str]) {
    let text = crate::refused(&[&["ratings"], arguments].concat(), parts);
    assert!(text.lines().count() == 1, "{arguments:?}: {text}");
}

/// Games of the first player, with these numbers of wins, draws and losses with White and again with Black.
fn games([first, second]: [&str; 2], [wins, draws, losses]: [usize; 3]) -> String {
    let mut text = String::new();
    for (white, black, results) in [(first, second, ["1-0", "0-1"]), (second, first, ["0-1", "1-0"])] {
        for (result, count) in [(results[0], wins), ("1/2-1/2", draws), (results[1], losses)] {
            for _ in 0..count {
                writeln!(text, "[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"{result}\"]\n\n1. e4 {result}\n")
                    .unwrap();
            }
        }
    }
    text
}

/// Rates the games and returns the JSON and the output.
fn rated(name: &str, pgn: &str, arguments: &[&str]) -> (Value, String) {
    let (games, out) = (file(&format!("{name}.pgn"), pgn), file(&format!("{name}.json"), ""));
    let output = output_of(&[&["ratings", &games, "--json", &out][..], arguments].concat());
    (read_json(out), output)
}

/// A number of the player in this row of the list.
fn number(json: &Value, row: usize, key: &str) -> f64 {
    json["players"][row][key].as_f64().unwrap()
}

#[test]
fn two_players_have_exact_ratings() {
    let (json, text) = rated("two", &games(["weak one", "strong"], [20, 50, 30]), &[]);
    // 55 % are 34.86 Elo, half of it above the mean.
    assert!((number(&json, 0, "elo") - 17.43).abs() < 0.01 && (number(&json, 1, "elo") + 17.43).abs() < 0.01, "{text}");
    let row = &json["players"][0];
    assert_eq!((&row["name"], &row["score"], &row["draws"]), (&"strong".into(), &0.55.into(), &0.5.into()));
    assert_eq!(row["games"], serde_json::json!({"wins": 60, "draws": 100, "losses": 40}));
    // The deviation of the score is 0.35 / √200, which is 17.4 Elo for the difference: its LOS is Φ(34.86 / 17.37).
    assert!((number(&json, 0, "superiority") - 0.9776).abs() < 0.001, "{json}");
    assert!(
        json["players"][1]["superiority"].is_null() && json["white_advantage"]["elo"].as_f64().unwrap().abs() < 0.01
    );
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[0].starts_with("200 games of 2 players, 50.0 % drawn, White's advantage "), "{text}");
    assert!(lines.len() == 4 && lines[2].starts_with("   1 strong      +17.4 "), "{text}");
    assert!(lines[2..].iter().all(|line| line.chars().count() == lines[1].chars().count()), "{text}");
}

#[test]
fn anchors_set_the_scale() {
    let pgn = games(["a", "b"], [30, 50, 20]) + &games(["b", "c"], [30, 50, 20]);
    let (json, _) = rated("one-anchor", &pgn, &["--anchor", "c=2500"]);
    for (row, elo) in [2_569.7, 2_534.9, 2_500.0].into_iter().enumerate() {
        assert!((number(&json, row, "elo") - elo).abs() < 0.1, "{json}");
    }
    assert!(number(&json, 2, "error_95").abs() < 1e-9 && number(&json, 0, "error_95") > number(&json, 1, "error_95"));
    // An anchor's error is part of all ratings.
    let (loose, _) = rated("loose-anchor", &pgn, &["--anchor", "c=2500±40"]);
    for row in 0..3 {
        let expected = number(&json, row, "error_95").hypot(40.0);
        assert!((number(&loose, row, "error_95") - expected).abs() < 0.1, "{loose}");
    }
    assert_eq!(loose["anchors"], serde_json::json!([{"name": "c", "elo": 2500.0, "error_95": 40.0}]));
    // Two groups without games between them, each with an anchor.
    let pgn = games(["a", "b"], [3, 5, 2]) + &games(["c", "d"], [3, 5, 2]);
    let (json, _) = rated("two-groups", &pgn, &["--anchor", "b=100", "--anchor", "c=0+-10"]);
    let names: Vec<&str> =
        json["players"].as_array().unwrap().iter().map(|row| row["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["a", "b", "c", "d"]);
}

#[test]
fn games_that_cannot_be_rated_are_left_out() {
    let pgn = games(["a", "b"], [1, 1, 1])
        + "[White \"a\"]\n[Black \"b\"]\n\n1. e4 *\n\n[White \"a\"]\n[Black \"a\"]\n\n1. e4 1-0\n\n\
           [White \"?\"]\n[Black \"b\"]\n\n1. e4 1-0\n\n[White \"a\"]\n[Black \"b\"]\n\n1. e5 1-0\n\n\
           [White \"b\"]\n[Black \"a\"]\n[Result \"1/2-1/2\"]\n\n";
    let (json, text) = rated("mixed", &pgn, &[]);
    // The last game has a result in its tags only.
    assert_eq!(json["games"], 7, "{text}");
    for reason in ["no result", "both players have the same name", "a player without a name"] {
        assert_eq!(json["left_out"][reason], 1, "{json}");
        assert!(text.contains(&format!("1 games left out: {reason}\n")), "{text}");
    }
    assert!(
        json["unreadable"] == 1 && text.contains("1 games left out, the first: ") && text.contains("mixed.pgn, line "),
        "{text}"
    );
}

#[test]
fn one_sided_results_are_announced() {
    let (json, text) = rated("one-sided", &games(["a", "b"], [5, 0, 0]), &[]);
    assert!(json["imaginary_games"].as_bool().unwrap() && text.contains("imaginary player"), "{text}");
    assert!(number(&json, 0, "elo") > 50.0 && number(&json, 0, "superiority") > 0.9, "{json}");
}

#[test]
fn invalid_input_is_refused_in_one_sentence() {
    let games_file = file("valid.pgn", &games(["a", "b"], [1, 1, 1]));
    refused(&["/no/such.pgn"], &["/no/such.pgn"]);
    refused(&[&file("empty.pgn", "")], &["found no game", "expected PGN"]);
    refused(
        &[&file("open.pgn", "[White \"a\"]\n[Black \"b\"]\n\n1. e4 *\n")],
        &["found no game", "1 games left out: no result"],
    );
    refused(&[&games_file, "--anchor", "c=3"], &["anchor \"c\": no player has this name, the players are a, b"]);
    refused(&[&games_file, "--anchor", "a=3", "--anchor", "a=4"], &["\"a\": this player already has an anchor"]);
    let apart = file("apart.pgn", &(games(["a", "b"], [1, 1, 1]) + &games(["c", "d"], [1, 1, 1])));
    refused(&[&apart], &["no games connect these 2 groups of players: a, b | c, d;"]);
    refused(&[&apart, "--anchor", "a=3"], &["2 groups"]);
    let out = file("kept.json", "kept");
    refused(&[&games_file, "--json", &out], &["kept.json: the file already exists", "--force"]);
    output_of(&["ratings", &games_file, "--json", &out, "--force"]);
    for anchor in ["a", "a=x", "=3"] {
        crate::refused(&["ratings", &games_file, "--anchor", anchor], &["expected NAME=ELO"]);
    }
}
