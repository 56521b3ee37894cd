//! Tests labelling with the real binary: scripted engines that fail, an interrupted run, shards, and the real engine.

use std::fs;

use crate::datagen::real_engine;
use crate::support::{Folder, START, argument, dataset, sample_text, wait_for};

/// The first rows of the real sample, some of them with a result.
fn input(folder: &Folder, count: usize) -> Vec<String> {
    let text = sample_text();
    let fens = text.lines().skip(1).take(count).map(|line| line.split(',').next().expect("a FEN").to_owned());
    let fens: Vec<String> = fens.collect();
    let rows = fens.iter().enumerate().map(|(index, fen)| format!("{fen},0,{}\n", ["1-0", "0-1", "*"][index / 50 % 3]));
    folder.write("in.csv", format!("FEN,Evaluation,Result\n{}", rows.collect::<String>()));
    fens
}

/// A UCI engine as a shell script. It plays the first legal move, which it looks up in a table written by the test,
/// `FEN` to `MOVE SCORE`. `special` is shell code run before each answer, with the FEN in `$fen`.
fn script(folder: &Folder, fens: &[String], special: &str) -> String {
    let table = folder.at("table");
    fs::create_dir_all(&table).expect("a folder");
    for (index, fen) in fens.iter().enumerate() {
        let board = alfiere_chess::board::Board::from_fen(fen).expect("legal");
        let Some(&mv) = alfiere_chess::movegen::legal_moves(&board).iter().next() else { continue };
        let text = alfiere_chess::movegen::format_uci_move(mv, alfiere_chess::movegen::CastlingNotation::Standard);
        let score = if index % 9 == 0 { "mate -2".to_owned() } else { format!("cp {}", index * 7 % 500) };
        fs::write(table.join(board.to_fen().replace('/', "_")), format!("{text} {score}\n")).expect("written");
    }
    let program = folder.at("engine.sh");
    let text = format!(
        "while read -r word rest; do case $word in\n\
         uci) echo id name Script; echo uciok;;\n\
         isready) echo readyok;;\n\
         position) fen=${{rest#fen }};;\n\
         go) {special}\n\
         read -r move score < \"{}/$(echo \"$fen\" | tr / _)\"; echo info depth 1 score $score; echo bestmove $move;;\n\
         quit) exit 0;;\n\
         esac; done\n",
        argument(&table)
    );
    fs::write(&program, text).expect("written");
    format!("sh arg={}", argument(&program))
}

/// The script's label of a row, from White's point of view.
fn expected(index: usize, fen: &str) -> String {
    let sign = if fen.contains(" w ") { 1 } else { -1 };
    match index {
        index if index % 9 == 0 => if sign > 0 { "#-2" } else { "#+2" }.to_owned(),
        index if index * 7 % 500 == 0 => "0".to_owned(),
        index => format!("{:+}", sign * (index * 7 % 500) as i32),
    }
}

#[test]
fn crashed_or_hanging_engine_is_restarted_and_failing_positions_are_skipped() {
    let folder = Folder::new();
    let fens = input(&folder, 120);
    // Position 40 always crashes the engine, position 70 once; at position 90 it hangs once, at position 100 it once
    // prints lines without end.
    let special = format!(
        "case $fen in '{}') exit 3;; '{}') [ -e once ] || {{ touch once; kill -9 $$; }};; '{}') [ -e hung ] || {{ touch hung; sleep 60; }};; \
         '{}') [ -e loud ] || {{ touch loud; while :; do echo info string thinking; done; }};; esac",
        fens[40], fens[70], fens[90], fens[100]
    );
    let engine = script(&folder, &fens, &special);
    let label = format!("label in.csv --nodes 5 --out out.csv --engine '{engine}'");
    let run = folder.trainer(&format!("{label} --processes 2 --timeout 2"));
    assert_eq!(run.success(), "out.csv: 119 rows\n");
    assert_eq!(run.err.matches("crashed: exit status: 3").count(), 3, "{}", run.err);
    assert_eq!(run.err.matches("signal: 9").count(), 1, "{}", run.err);
    assert_eq!(run.err.matches("hangs: no answer to \"go\"").count(), 2, "{}", run.err);
    assert!(run.err.contains(&format!("failure 3 at {}; the position is skipped", fens[40])), "{}", run.err);
    assert!(run.err.contains(&format!("skipped 1 positions that the engine failed on three times\n  {}\n", fens[40])));
    let text = folder.text("out.csv");
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("FEN,Evaluation,Move,Result"));
    for (index, fen) in fens.iter().enumerate().filter(|(index, _)| *index != 40) {
        let line = lines.next().expect("a row");
        let fields: Vec<&str> = line.split(',').collect();
        let result = ["1-0", "0-1", "*"][index / 50 % 3];
        assert_eq!(
            (fields[0], fields[1], fields[3]),
            (fen.as_str(), expected(index, fen).as_str(), result),
            "row {index}"
        );
    }
    assert_eq!(lines.next(), None);
    assert!(!folder.at("out.csv.part").exists() && !folder.at("out.csv.part.index").exists());
    folder.trainer(&label).refused("the file already exists");
}

#[test]
fn killed_run_resumes_to_the_same_file_and_shards_form_the_whole() {
    let folder = Folder::new();
    let fens = input(&folder, 600);
    let engine = script(&folder, &fens, "sleep 0.01");
    let line = |engine: &str, options: &str, out: &str| {
        format!("label in.csv --engine '{engine}' --processes 3 --out {out} --nodes {options}")
    };
    let run = |options: &str, out: &str| folder.trainer(&line(&engine, options, out));
    let mut child = folder.start(&line(&engine, "5", "killed.csv"));
    let (part, index) = (folder.at("killed.csv.part"), folder.at("killed.csv.part.index"));
    let has_chunks = || fs::read_to_string(&index).is_ok_and(|text| text.lines().count() >= 4);
    wait_for("chunk", || has_chunks() || child.try_wait().expect("a child").is_some());
    child.kill().expect("killed");
    child.wait().expect("gone");
    assert!(!folder.at("killed.csv").exists());
    // The last row is truncated, too.
    let bytes = fs::read(&part).expect("there");
    fs::write(&part, &bytes[..bytes.len() - 30]).expect("written");

    run("6", "killed.csv").refused("other settings (limit is \"5 nodes\", not \"6 nodes\")");
    run("5 --rows 599", "killed.csv").refused("other settings (input is \"600 positions");
    folder.trainer(&line("/bin/false", "5", "killed.csv")).refused("engine \"false\" did not start");

    let resumed = run("5", "killed.csv");
    assert!(resumed.err.contains(" of 600 positions are already labelled"), "{}", resumed.err);
    assert_eq!(resumed.success(), "killed.csv: 599 rows\n");
    run("5", "whole.csv").success();
    assert!(folder.text("killed.csv") == folder.text("whole.csv"));
    for part in 1..=3 {
        run(&format!("5 --shard {part}/3"), &format!("part{part}.csv")).success();
    }
    let parts = ["part1.csv", "part2.csv", "part3.csv"].map(|name| folder.text(name));
    assert!(parts.concat() == folder.text("whole.csv"));
    assert!(parts.iter().all(|part| part.lines().count() > 100));
    run("5 --shard 1/500", "none.csv").refused("part 1/500 has no rows");
}

#[test]
fn real_engine_labels_lists_and_skips_finished_games() {
    let engine = real_engine();
    let folder = Folder::new();
    let list = "# ends of games, and a suite's first lines\n\
                6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1\n\
                R5k1/5ppp/8/8/8/8/8/4K3 b - - 1 1\n\
                8/8/4k3/8/8/3KN3/8/8 w - - 0 1\n\
                r5k1/8/8/8/8/8/5PPP/6K1 b - - bm Ra1; id \"a, b\";\n\
                not a position\n";
    let suite = fs::read_to_string(dataset("suites/bk.epd")).expect("a suite");
    folder.write("list.epd", format!("{list}{suite}"));
    let label = |out: &str, processes: u32| {
        let run = folder
            .trainer(&format!("label list.epd --engine \"{engine}\" --depth 3 --out {out} --processes {processes}"));
        assert!(run.success().ends_with("26 rows\n"), "{}", run.out);
        run
    };
    let run = label("out.csv", 2);
    assert!(run.err.contains("skipped 2 positions where the game is over"), "{}", run.err);
    assert!(run.err.contains("skipped 1 bad rows; the first is line 6: expected a FEN or EPD"), "{}", run.err);
    let text = folder.text("out.csv");
    let rows: Vec<&str> = text.lines().collect();
    assert_eq!(rows[0], "FEN,Evaluation,Move");
    assert_eq!(rows[1], "6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1,#+1,a1a8");
    assert_eq!(rows[2], "r5k1/8/8/8/8/8/5PPP/6K1 b - - 0 1,#-1,a8a1");
    // The file is compressed according to its name; the labels are independent of the number of processes.
    label("out.csv.zst", 1);
    let stats = |name: &str| folder.trainer(&format!("stats {name} --json - --no-cache")).json();
    assert_eq!(stats("out.csv"), stats("out.csv.zst"));
}

#[test]
fn own_network_relabels_rows_in_any_format() {
    let folder = Folder::new();
    let network = dataset("../nets/perceptron.nnue");
    let label = |line: &str| folder.trainer(&format!("label {line} --teacher @nets/perceptron.nnue"));
    let run = label("@datasets/formats/games.binpack --out new.packed");
    assert!(run.err.contains("rows that are in check or not standard chess"), "{}", run.err);
    folder.trainer("convert new.packed new.csv").success();
    folder.trainer("convert @datasets/formats/games.binpack old.csv --skip-checks").success();
    let (new, old) = (folder.text("new.csv"), folder.text("old.csv"));
    assert_eq!(new.lines().count(), old.lines().count());
    let bytes = fs::read(&network).expect("a network");
    let network = alfiere_nnue::Network::load(&network).expect("a network");
    let mut accumulators = alfiere_nnue::AccumulatorStack::new(&network);
    for (new, old) in new.lines().zip(old.lines()).skip(1) {
        let (new, old): (Vec<&str>, Vec<&str>) = (new.split(',').collect(), old.split(',').collect());
        let board = alfiere_chess::board::Board::from_fen(new[0]).expect("legal");
        accumulators.reset(&board);
        let value = accumulators.evaluate(&network, &board);
        let value = if new[0].contains(" w ") { value } else { -value };
        assert_eq!((new[0], new[1].parse()), (old[0], Ok(value)));
        // Best move and result stay.
        assert_eq!(new[2..], old[2..]);
    }
    label("new.csv --out new.packed").refused("new.packed: the file already exists");
    assert!(label("new.csv --out new.pgn").refusal().starts_with("new.pgn: pgn is only read"));
    assert_eq!(label("new.csv --out part.csv --shard 1/2").code, Some(2));
    folder.write("cut.nnue", &bytes[..bytes.len() - 9]);
    let run = folder.trainer("label new.csv --out a.csv --teacher cut.nnue");
    run.refused("cut.nnue: ");
}

#[test]
fn invalid_inputs_and_engines_are_rejected() {
    let folder = Folder::new();
    folder.write("text", "no position\nat all\n");
    folder.write("fens", format!("{START}\n").repeat(20));
    let error_of = |input: &str, engine: &str, out: &str| {
        folder.trainer(&format!("label {input} --engine '{engine}' --nodes 5 --out {out}")).refusal().to_owned()
    };
    assert!(error_of("text", "sh", "out.csv").starts_with("text:1: found `no position`; expected"));
    assert!(error_of("missing", "sh", "out.csv").starts_with("missing: cannot open it"));
    assert!(
        error_of("fens", "/nowhere/engine", "out.csv").starts_with("engine \"engine\" did not start: /nowhere/engine")
    );
    assert!(error_of("fens", "sh nodes=7", "out.csv").contains("expected one without a limit"));
    assert!(error_of("fens", "sh", "out.packed").contains("labels are written as CSV"));
    let mute = "while read -r word rest; do case $word in uci) echo uciok;; isready) echo readyok;; go) echo bestmove e2e4;; quit) exit;; esac; done";
    folder.write("mute.sh", mute);
    let sentence = error_of("fens", "sh arg=mute.sh", "out.csv");
    assert_eq!(sentence, "engine \"sh\" answered none of the first 10 positions; for the last one it gave no score");
    assert!(!folder.at("out.csv").exists());
    let both = folder.trainer("label fens --engine sh --nodes 5 --depth 5 --out o.csv");
    assert_eq!(both.code, Some(2), "{}", both.err);
}
