//! Tests with the real binary that every output says what is held out, how certain R² is, and what is wrong with the data.

use serde_json::Value;

use crate::support::{Folder, Run};

const NET: &str = "--net 'dual [8]' --epochs 1 --batch 512";

fn train(folder: &Folder, data: &str) -> Run {
    folder.trainer(&format!("train {NET} --no-cache --out a.nnue --json run.json --force --data {data}"))
}

/// The first rows of the sample as lines of a CSV.
fn sample(folder: &Folder, rows: u32) -> Vec<String> {
    folder.trainer(&format!("convert SAMPLE sample.csv --rows {rows} --force")).success();
    folder.text("sample.csv").lines().map(str::to_owned).collect()
}

fn write(folder: &Folder, name: &str, header: &str, rows: impl Iterator<Item = String>) {
    let rows: Vec<String> = rows.collect();
    folder.write(name, format!("{header}\n{}\n", rows.join("\n")));
}

#[test]
fn rows_in_no_order_are_split_by_positions_and_every_output_says_so() {
    let folder = Folder::new();
    let warning = "R2 is too high: games are unknown in rows that are not in the order of their games";
    folder.trainer("convert SAMPLE a.packed --rows 8000 --shuffle").success();
    let run = train(&folder, "a.packed --figures drawn");
    assert!(run.success().contains(&format!("\nwarning: {warning}")) && run.err.contains(warning), "{}", run.out);
    let card = folder.text("a.md");
    assert!(card.contains(" rows with other positions, of games that may be the same; "), "{card}");
    assert!(card.contains(&format!("Warning: {warning}")), "{card}");
    let report = folder.json("run.json");
    assert!(
        report["held_out"] == "positions"
            && report["warnings"][0].as_str().is_some_and(|text| text.starts_with(warning))
    );
    let caption = folder.text("drawn/loss.svg");
    assert!(caption.contains("rows with other positions") && !caption.contains("other games"), "{caption}");
    let folds = format!("cross-validate --data a.packed --folds 2 {NET}");
    let run = folder.trainer(&format!("{folds} --json folds.json --force"));
    assert!(run.success().starts_with("split by positions: positions of one game are in both"), "{}", run.out);
    let lines: Vec<&str> = run.out.lines().collect();
    assert!(lines.len() > 4 && run.err.matches(warning).count() == 1, "not once for each fold: {}", run.err);
    assert_eq!(folder.json("folds.json")["split"], "positions");
    let printed = folder.trainer(&folds);
    let lines: Vec<&str> = printed.success().lines().collect();
    assert!(lines[lines.len() - 2].starts_with(&format!("warning: {warning}")), "{}", printed.out);
    folder.trainer(&format!("{folds} --split games")).refused("the games of 8000 rows are unknown");
    // A sweep says it in its tables and figures, and refuses what it is asked for by name.
    let sweep = |split: &str| {
        let run =
            format!("data = ['a.packed']\n[run]\nstart = 'random'\nnet = 'dual [8]'\nepochs = 1\nfolds = 2\n{split}\n");
        folder.write("s.toml", run);
        folder.trainer("sweep s.toml --out s")
    };
    assert!(sweep("").success().contains(&format!("Warning: {warning}")));
    assert!(folder.text("s/results.csv").lines().skip(1).all(|row| row.contains(",positions,")));
    assert!(folder.text("s/figures/r2-by-epoch.svg").contains("split by positions"));
    sweep("split = 'games'").refused("the games of 8000 rows are unknown");
}

#[test]
fn games_without_move_numbers_are_held_out_in_every_kind_of_file() {
    let folder = Folder::new();
    let rows = sample(&folder, 20_000);
    let short = |row: &String| {
        let (fen, label) = row.split_once(',').expect("two columns");
        let fields: Vec<&str> = fen.split(' ').take(4).collect();
        format!("{},{label}", fields.join(" "))
    };
    write(&folder, "short.csv", &rows[0], rows[1..].iter().map(short));
    folder.trainer("convert short.csv short.packed").success();
    let run = |data: &str| {
        let run = train(&folder, &format!("{data} --captures keep"));
        run.success();
        assert!(run.err.contains("no move numbers; games are told apart by the changes on the board"), "{}", run.err);
        assert!(!run.out.contains("warning:"), "{}", run.out);
        let report = folder.json("run.json");
        assert_eq!(report["held_out"], "games");
        let units = report["r2_interval"]["units"].clone();
        [report["validation_rows"].clone(), report["training_rows"].clone(), units]
    };
    let expected = run("short.csv");
    assert!(expected[2].as_u64().is_some_and(|games| (8..40).contains(&games)), "{expected:?}");
    assert_eq!(run("short.packed --stream --window-rows 5000"), expected);
}

#[test]
fn r2_has_an_interval_and_a_value_on_training_rows() {
    let folder = Folder::new();
    let run = train(&folder, "SAMPLE --rows 20000");
    let report = folder.json("run.json");
    let number = |value: &Value| value.as_f64().expect("a number");
    let (low, high) = (number(&report["r2_interval"]["low"]), number(&report["r2_interval"]["high"]));
    assert!(low < number(&report["quantised"]["r2"]) && number(&report["quantised"]["r2"]) < high, "{report}");
    assert_eq!(report["training"]["rows"], report["training_rows"]);
    let said = run.success();
    assert!(said.contains(&format!("\ninterval   R2 {low:.4} to {high:.4} (95 %, bootstrap over ")), "{said}");
    assert!(said.contains(&format!("\ntraining   R2 {:.4} ", number(&report["training"]["r2"]))), "{said}");
    assert!(high - low > 0.06 && said.contains(": `trainer cross-validate` measures R2 on every game"), "{said}");
    let card = folder.text("a.md");
    assert!(card.contains(&format!("95 % interval of the quantised R²: {low:.4} to {high:.4}")), "{card}");
    assert!(card.contains("| float, on training rows | "), "{card}");
}

#[test]
fn labels_of_the_wrong_side_or_unit_are_named_and_read_with_an_option() {
    let folder = Folder::new();
    let rows = sample(&folder, 8_000);
    let turned = |row: &String, pawns: bool| {
        let (fen, label) = row.split_once(',').expect("two columns");
        let turn = |sign: &str| if fen.contains(" b ") { if sign == "-" { "+" } else { "-" } } else { sign }.to_owned();
        if label.ends_with("#+0") || label.ends_with("#-0") {
            return row.clone(); // Checkmate on the board names the side to move in every view.
        }
        if let Some(mate) = label.strip_prefix('#') {
            return format!("{fen},#{}{}", turn(&mate[..1]), &mate[1..]);
        }
        let value: f64 = label.parse().expect("a number");
        let value = if fen.contains(" b ") { -value } else { value };
        if pawns { format!("{fen},{:.2}", value / 100.0) } else { format!("{fen},{value:+}") }
    };
    write(&folder, "mover.csv", &rows[0], rows[1..].iter().map(|row| turned(row, false)));
    write(&folder, "pawns.csv", &rows[0], rows[1..].iter().map(|row| turned(row, true)));
    let expected = {
        train(&folder, "sample.csv").success();
        folder.json("run.json")["quantised"].clone()
    };
    let advice = "`--labels side-to-move` turns such labels to White's side";
    for line in ["stats mover.csv", &format!("cross-validate {NET} --folds 2 --data mover.csv")] {
        let run = folder.trainer(line);
        run.success();
        assert!(run.err.matches(advice).count() >= 1 && run.err.matches("warning: ").count() <= 2, "{}", run.err);
    }
    let run = train(&folder, "mover.csv");
    run.success();
    assert!(run.err.contains(advice) && folder.text("a.md").contains(advice), "{}", run.err);
    // The cache of another meaning is still good: `stats` and `cross-validate` have written one.
    let read = |data: &str| {
        let run = folder.trainer(&format!("train {NET} --out a.nnue --json run.json --force --data {data}"));
        run.success();
        assert!(!run.err.contains("warning:"), "{}", run.err);
        assert_eq!(folder.json("run.json")["quantised"], expected, "{data}");
        run.err
    };
    let loaded = read("mover.csv --labels side-to-move");
    assert!(loaded.contains(", from its cache, labels turned from the side to move to White"), "{loaded}");
    let pawns = "pawns.csv --labels side-to-move --unit pawns";
    assert!([read(pawns), read(pawns)][1].contains(", from its cache, labels in pawns, labels turned"));
    assert!(folder.text("a.md").contains("| pawns.csv | 8,000 | 1, side to move, pawns | "));
    folder
        .trainer(&format!("train {NET} --resume --out a.nnue --data pawns.csv --unit pawns"))
        .refused("its data differ");
    folder.trainer("stats pawns.csv --no-cache").refused("(`--unit pawns` reads pawns such as 0.56)");
    folder.trainer("convert mover.csv mover.packed --labels side-to-move").success();
    folder.trainer("stats mover.packed --unit pawns").refused("`mover.packed:scale=F` multiplies its labels");
    train(&folder, "mover.packed").success();
    assert_eq!(folder.json("run.json")["quantised"], expected);
}

#[test]
fn captures_are_not_skipped_in_silence() {
    let folder = Folder::new();
    sample(&folder, 2_000);
    folder.trainer("convert sample.csv rows.packed").success();
    for line in [
        "train --data sample.csv --out a.nnue",
        "train --data rows.packed --stream --out a.nnue",
        "cross-validate --data rows.packed",
        "convert sample.csv a.packed",
        "convert sample.csv rows.packed a.csv --interleave",
    ] {
        let run = folder.trainer(&format!("{line} --skip-captures"));
        let sentence = run.refusal();
        assert!(sentence.contains(": `--skip-captures` needs the best move of each position"), "{sentence}");
        assert!(sentence.contains("`--captures resolve` works without"), "{sentence}");
        assert!(!folder.at("a.packed").exists() && !folder.at("a.csv").exists());
    }
    let run = folder.trainer("convert @datasets/formats/games.csv quiet.csv --skip-captures");
    run.success();
    assert!(run.err.contains("rows: best move captures or promotes"), "{}", run.err);
}

#[test]
fn predictions_are_a_table_of_rows() {
    let folder = Folder::new();
    let rows = sample(&folder, 500);
    let check = "check @nets/default.nnue --data sample.csv --json all.json --predictions rows.csv";
    folder.trainer(check).success();
    let table = folder.text("rows.csv");
    let lines: Vec<&str> = table.lines().collect();
    assert_eq!(lines[0], "fen,label,prediction,clipped_label,clipped_prediction,error");
    assert_eq!(lines.len(), rows.len());
    let mut squares = 0.0;
    for (line, row) in lines[1..].iter().zip(&rows[1..]) {
        assert!(line.starts_with(&format!("{row},")), "{line} of {row}");
        let cells: Vec<f64> = line.split(',').skip(2).map(|cell| cell.parse().expect("a number")).collect();
        assert!((cells[2] - (cells[0] / 1_000.0).clamp(-1.0, 1.0)).abs() < 1e-9, "{line}");
        assert!((cells[3] - (cells[2] - cells[1])).abs() < 1.1e-3, "{line}");
        squares += cells[3] * cells[3];
    }
    let mse = folder.json("all.json")["engine"]["mse"].as_f64().expect("a number");
    assert!((squares / 500.0 - mse).abs() < 1e-4, "{squares} {mse}");
    folder.trainer(check).refused("already exists");
}
