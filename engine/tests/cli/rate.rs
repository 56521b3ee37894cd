//! `alfiere rate` with the real program: its rating, its files, and invalid input.

use std::fs;

use alfiere_nnue::parameters::Parameters;
use alfiere_nnue::{EmbeddedNetwork, Network, Provenance};
use serde_json::Value;

use crate::{data, file, output_of, read_json, refused};

/// A network that evaluates every position as equal.
fn ignorant_network() -> String {
    let path = file("ignorant.nnue", b"");
    // One unit of its output is 1/256 centipawn, so all values round to 0.
    let parameters = Parameters { output_scale: 1, ..EmbeddedNetwork::Perceptron.network().parameters().clone() };
    Network::from_parameters(parameters, Provenance::default()).unwrap().save(&path).unwrap();
    path
}

/// Rates a network in a few games of few nodes; returns the results and what was printed.
fn rated(net: &str, concurrency: &str) -> (Value, String) {
    let json = file(&format!("rated-{concurrency}.json"), b"");
    let few = ["rate", "--net", net, "--nodes", "30", "--games", "14", "--seed", "3", "--force", "--json", &json];
    let text = output_of(&[&few[..], &["--concurrency", concurrency]].concat());
    (read_json(json), text)
}

#[test]
fn the_same_seed_gives_the_same_result_with_any_number_of_concurrent_games() {
    let net = ignorant_network();
    let (results, text) = rated(&net, "1");
    assert_eq!((results.clone(), text.clone()), rated(&net, "2"));
    let games = |rung: &Value| -> u64 { rung["games"].as_object().unwrap().values().filter_map(Value::as_u64).sum() };
    let ladder = results["ladder"].as_array().unwrap();
    assert_eq!(ladder.iter().map(games).sum::<u64>(), 14, "{results}");
    // Random moves are what distinguishes runs, and what such a network is compared with.
    assert!(ladder[0]["player"] == "random" && games(&ladder[0]) >= 2, "{text}");
    assert!(results["elo"].as_f64().unwrap() < ladder[3]["elo"].as_f64().unwrap(), "{text}");
    let (elo, error) = (results["elo"].as_f64().unwrap(), results["error_95"].as_f64().unwrap());
    let last = format!("Elo {elo:.0} ± {error:.0}: {}", results["summary"].as_str().unwrap());
    assert_eq!(text.lines().last().unwrap(), last, "{text}");
}

#[test]
fn the_ladder_is_listed_as_engines_of_a_match() {
    let text = output_of(&["rate", "--ladder"]);
    let words = |line: &str| line.split_once("  alfiere ").map(|(_, words)| format!("alfiere {words}")).unwrap();
    let rungs: Vec<String> = text.lines().skip(1).map(words).collect();
    assert!(
        rungs.first().unwrap().contains("player=nnue") && rungs.last().unwrap() == "alfiere player=random",
        "{text}"
    );
    let engines: Vec<&str> = rungs.iter().flat_map(|rung| ["--engine", rung]).collect();
    output_of(&[&["match", "--gauntlet", "--games", "2", "--nodes", "9", "--max-plies", "1"], &engines[..]].concat());
}

#[test]
fn invalid_networks_and_arguments_are_refused_before_the_first_game() {
    let torn = file("half.nnue", &fs::read(data("nets/default.nnue")).unwrap()[..99_999]);
    for net in [torn.as_str(), "/no/such.nnue"] {
        let expected = Network::load(net).unwrap_err().to_string();
        refused(&["rate", "--net", net], &[net, &expected]);
    }
    refused(&["rate", "--net", &data("nets/default.nnue"), "--games", "1"], &["1"]);
    let kept = file("kept-rating.json", b"kept");
    refused(&["rate", "--json", &kept], &["kept-rating.json: the file already exists", "--force"]);
}
