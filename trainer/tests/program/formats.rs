//! Files of other programs through the real binary: converted, trained on, shuffled, mixed, refused in one sentence.

use std::fs;

use crate::support::{Folder, dataset};

#[test]
fn there_and_back_through_other_programs_formats() {
    let folder = Folder::new();
    let convert = |line: &str| folder.trainer(&format!("convert {line}"));
    for name in ["games.vf", "games.binpack"] {
        let run = convert(&format!("@datasets/formats/{name} {name}.csv"));
        assert_eq!(run.success(), format!("{name}.csv: 334 rows\n"));
        let rows = fs::read_to_string(dataset("formats/games.csv")).expect("the rows");
        assert_eq!(folder.text(&format!("{name}.csv")), rows, "{name}");
    }
    let run = convert("@datasets/formats/games.binpack a.bullet");
    assert!(run.err.contains("best moves are not kept: a 32-byte record of bulletformat has none"), "{}", run.err);
    assert!(folder.bytes("a.bullet") == fs::read(dataset("formats/games.bullet")).expect("a file"));

    // Several inputs, an ambiguous ending, filters, a shuffled order, and the record of the sources.
    fs::copy(dataset("formats/games.bullet"), folder.at("a.bin")).expect("copied");
    let sentence = convert("a.bin b.packed").refusal().to_owned();
    assert!(sentence.starts_with("a.bin: this ending is ambiguous; name the format with `--from`: csv,"));
    convert("a.bin b.packed --from bullet").success();
    let run = convert(
        "b.packed @datasets/formats/games.csv all.data --to bullet --skip-checks --shuffle --seed 7 --record all.json",
    );
    let rows: u64 =
        run.success().strip_prefix("all.data: ").and_then(|rest| rest.split(' ').next()?.parse().ok()).expect("rows");
    assert!(run.err.contains("rows: in check"), "{}", run.err);
    let record = folder.json("all.json");
    assert_eq!((&record["inputs"][1]["rows"], &record["shuffled_with_seed"]), (&334.into(), &7.into()));
    assert_eq!(record["left_out"]["in check"], 668 - rows);
    assert_eq!(record["outputs"][0]["bytes"], 32 * rows);
    assert!(record["inputs"][0]["content"].as_str().is_some_and(|print| print.starts_with("xxh3:")));

    // Wherever a CSV is read.
    let stats = |name: &str| folder.trainer(&format!("stats {name} --json - --no-cache")).json()["rows"].clone();
    let files = ["@datasets/formats/lichess_game.pgn", "@datasets/formats/lichess_eval.jsonl", "a.bullet"];
    assert_eq!(files.map(stats), [26, 2, 334]);
    let folds =
        "cross-validate --data @datasets/formats/games.binpack --net 'white []' --epochs 1 --folds 2 --no-cache";
    assert!(folder.trainer(folds).success().contains("mean R2"));
}

#[test]
fn an_authors_records_are_trained_on_where_they_are() {
    let folder = Folder::new();
    fs::copy(dataset("formats/games.bullet"), folder.at("a.data")).expect("copied");
    let train = |more: &str| {
        folder.trainer(&format!(
            "train --data a.data --from bullet --captures keep --net 'dual [8]' --epochs 5 --keep-every 2 --out author.nnue \
             {more}"
        ))
    };
    let kept = |name: &str| fs::read(folder.at(name));
    train("").success();
    let first = kept("author.epoch4.nnue").expect("a network");
    let run = train("--stream --force");
    run.success();
    assert!(run.err.contains("a.data: 334 rows, read") && !run.err.contains("White is to move"), "{}", run.err);
    assert_eq!(kept("author.epoch2.nnue").expect("a network").len(), first.len());
    assert!(kept("author.epoch3.nnue").is_err() && kept("author.epoch5.nnue").is_err());
    fs::remove_file(folder.at("author.nnue")).expect("it is there");
    for name in ["author.md", "author.checkpoint", "author.run.jsonl"] {
        fs::remove_file(folder.at(name)).expect("it is there");
    }
    train("").refused("author.epoch2.nnue: the file already exists");
}

#[test]
fn what_cannot_be_written_is_told() {
    let folder = Folder::new();
    for (options, sentence) in [
        ("a.pgn", "a.pgn: pgn is only read; expected one of csv, txt, packed, bullet, plain, viri, binpack"),
        ("a.bin", "a.bin: unknown kind of file; expected a name ending in .csv, .txt, .packed, .bullet, .plain, "),
        ("a.vf --shuffle", "a.vf: viri files keep games in order; shuffle another format"),
        ("a.packed.zst", "a.packed.zst: packed files are not compressed; expected a name without .gz and .zst"),
    ] {
        folder.trainer(&format!("convert @datasets/formats/games.csv {options}")).refused(sentence);
    }
    let run = folder.trainer("convert SAMPLE a.bullet --rows 500");
    let sentence =
        "no row has a game result, and each 32-byte record of bulletformat needs one; convert to CSV instead";
    assert!(run.refusal().ends_with(sentence), "{}", run.err);
    assert!(folder.names().is_empty());
}

#[test]
fn files_are_mixed_and_repeats_left_out() {
    let folder = Folder::new();
    let csv = "@datasets/formats/games.csv";
    let convert = |line: &str| folder.trainer(&format!("convert {line}"));
    let lines = |name: &str| {
        let text = folder.text(name);
        text.lines().skip(1).map(str::to_owned).collect::<Vec<_>>()
    };
    let position = |line: &String| line.split(' ').take(4).collect::<Vec<_>>().join(" ");
    convert(&format!("{csv} all.csv")).success();
    let mut seen = std::collections::HashSet::new();
    let unique: Vec<String> = lines("all.csv").into_iter().filter(|line| seen.insert(position(line))).collect();
    let run = convert(&format!("{csv} {csv} once.csv --dedup --record once.json"));
    assert_eq!(run.success(), format!("once.csv: {} rows\n", unique.len()));
    assert!(run.err.contains(&format!("left out {} rows: repeated position", 668 - unique.len())), "{}", run.err);
    assert!(lines("once.csv") == unique);

    let mix = format!("{csv} SAMPLE:scale=0.5 mix.packed --interleave --rows 5000 --record mix.json");
    let run = convert(&mix);
    assert!(run.success().starts_with("mix.packed: 5,000 rows"), "{}", run.err);
    let record = folder.json("mix.json");
    assert_eq!((&record["interleaved_with_seed"], &record["outputs"][0]["rows"]), (&1.into(), &5_000.into()));
    convert(&mix).refused("mix.packed: the file already exists");
    assert_eq!(convert(&format!("{csv} b.csv --interleave --shuffle")).code, Some(2));
    assert!(!folder.at("b.csv").exists());
}
