//! Tests with the real binary which rows are held out, and the warnings of a run that continues from another network.

use alfiere_nnue::Network;
use serde_json::Value;

use crate::support::{Folder, Run, dataset};

fn train(folder: &Folder, out: &str, options: &str) -> Run {
    folder.trainer(&format!("train --no-cache --epochs 1 --out {out} --json run.json --force {options}"))
}

/// The same for a small network.
fn train_small(folder: &Folder, out: &str, options: &str) -> Run {
    train(folder, out, &format!("--net 'dual [8]' --batch 512 {options}"))
}

/// The rule in a network file.
fn rule(folder: &Folder, name: &str) -> Value {
    Network::load(folder.at(name)).expect("a network").provenance().free["held_out"].clone()
}

#[test]
fn check_measures_the_rows_apart_that_training_held_out() {
    let folder = Folder::new();
    train_small(&folder, "a.nnue", "--data SAMPLE --rows 20000").success();
    let report = folder.json("run.json");
    let check = |data: &str| {
        let run = folder.trainer(&format!("check a.nnue --no-cache --rows 20000 --json - --data {data}"));
        (run.json(), run.err)
    };
    let (found, said) = check("SAMPLE");
    assert_eq!(found["held_out"]["rows"], report["validation_rows"]);
    assert_ne!(found["held_out"]["engine"]["r2"], found["engine"]["r2"]);
    assert!(said.contains("it was trained on the others, whose R2 is too high"), "{said}");
    // The same rows in another file.
    folder.trainer("convert SAMPLE rows.packed --rows 20000").success();
    let (again, said) = check("rows.packed");
    assert!(again["held_out"] == found["held_out"] && said.contains("if they are of its data"), "{said}");
}

#[test]
fn rows_are_held_out_by_content_in_every_kind_of_file() {
    let folder = Folder::new();
    folder.trainer("convert SAMPLE rows.packed --rows 20000").success();
    folder.trainer("convert rows.packed rows.csv").success();
    folder.trainer("convert rows.packed shuffled.packed --shuffle --seed 3").success();
    folder.trainer("convert shuffled.packed again.csv --shuffle --seed 4").success();
    let run = |data: &str| {
        let run = train_small(&folder, "a.nnue", &format!("--data {data}"));
        run.success();
        let report = folder.json("run.json");
        let held_out =
            [&report["validation_rows"], &report["training_rows"]].map(|rows| rows.as_u64().expect("a number"));
        let rule = rule(&folder, "a.nnue");
        let unit = rule["unit"].as_str().expect("a unit");
        assert!(run.out.contains(&format!(" rows of held-out {unit}, captures ")), "{}", run.out);
        (held_out, report["float"]["label_variance"].clone(), rule)
    };
    let expected = run("SAMPLE --rows 20000");
    assert!((400..2_000).contains(&expected.0[0]), "{expected:?}");
    assert_eq!(expected.2["unit"], "games");
    assert_eq!((&expected.2["hash_version"], &expected.2["seed"]), (&1.into(), &1.into()));
    assert_eq!(expected.2["amount"]["share"], 0.05);
    assert_eq!(run("rows.packed"), expected);
    assert_eq!(run("rows.csv").0[0], expected.0[0]);
    assert_eq!(run("rows.packed --stream --window-rows 5000"), expected);
    // Rows in no game's order are held out as positions, in any order.
    let shuffled = run("shuffled.packed");
    assert_eq!(shuffled.2["unit"], "positions");
    assert!((800..1_200).contains(&shuffled.0[0]), "{shuffled:?}");
    let again = run("again.csv");
    assert_eq!((again.0, again.2), (shuffled.0, shuffled.2.clone()));
    let streamed = run("shuffled.packed --stream --window-rows 5000");
    assert_eq!((streamed.0, streamed.2), (shuffled.0, shuffled.2));
    let card = folder.text("a.md");
    assert!(card.contains("Held out: 0.05 of the positions, seed 1, hash version 1."), "{card}");
}

#[test]
fn a_network_that_may_know_the_held_out_rows_is_named() {
    let folder = Folder::new();
    let of_sample =
        |out: &str, options: &str| train_small(&folder, out, &format!("--data SAMPLE --rows 6000 {options}"));
    let told = |out: &str, options: &str| {
        let run = of_sample(out, options);
        run.success();
        let is_said = |line: &&str| line.contains(".nnue held out ") || line.contains(".checkpoint held out ");
        let sentences: Vec<&str> = run.err.lines().filter(is_said).collect();
        (sentences.join("\n"), rule(&folder, out)["throughout"] == true)
    };
    assert_eq!(told("a.nnue", ""), (String::new(), true));
    assert_eq!(told("b.nnue", "--start a.nnue"), (String::new(), true));
    assert_eq!(told("b.nnue", "--start a.checkpoint --seed 2 --split-seed 1"), (String::new(), true));
    for from in ["a.nnue", "a.checkpoint"] {
        let (sentence, is_clean) = told("c.nnue", &format!("--start {from} --seed 2"));
        let (then, now) = (
            "held out 0.05 of the games, seed 1, hash version 1",
            "holds out 0.05 of the games, seed 2, hash version 1",
        );
        assert!(sentence.starts_with("warning: ") && !is_clean, "{sentence}");
        assert!(sentence.contains(&format!("{from} {then}")) && sentence.contains(now), "{sentence}");
    }
    let (sentence, is_clean) = told("d.nnue", "--start a.nnue --validation 0.02");
    assert!(is_clean && sentence.contains("a part of these rows"), "{sentence}");
    // The third of a chain hears of the first.
    let (sentence, is_clean) = told("e.nnue", "--start c.nnue --seed 2");
    assert!(!is_clean && sentence.contains("a network that it continues from"), "{sentence}");
    // A resumed run keeps what its checkpoint says.
    let resume = "--start a.checkpoint --seed 2 --resume";
    of_sample("c.nnue", resume).success();
    assert_eq!(rule(&folder, "c.nnue")["throughout"], false);
    of_sample("c.nnue", &format!("{resume} --validation 0.1")).refused("the checkpoint belongs to a different run");
}

#[test]
fn networks_without_a_rule_are_read() {
    let folder = Folder::new();
    let nets = dataset("../nets");
    let states_rule = [("beam.nnue", false), ("default.nnue", true), ("perceptron.nnue", false)];
    for (name, states_rule) in states_rule {
        let network = Network::load(nets.join(name)).expect(name);
        assert_eq!(network.provenance().free.contains_key("held_out"), states_rule, "{name}");
    }
    let run = train(&folder, "a.nnue", "--net 'white []' --data SAMPLE --rows 6000 --start @nets/perceptron.nnue");
    run.success();
    assert!(run.err.contains("perceptron.nnue does not say which rows it held out"), "{}", run.err);
    assert!(run.err.contains("held out now (0.05 of the games, seed 1, hash version 1)"), "{}", run.err);
    assert_eq!(rule(&folder, "a.nnue")["throughout"], false);
}
