//! `analyse`: annotated games and JSON.

use std::fs;
#[cfg(unix)]
use std::{
    io::{BufRead, BufReader, Read},
    process::{Child, Stdio},
    thread,
    time::{Duration, Instant},
};

use serde_json::Value;

#[cfg(unix)]
use crate::{command, kill, send};
use crate::{data, file, output_of, read_json, refused};

#[test]
fn games_are_annotated_with_json() {
    let (out, json) = (file("annotated.pgn", b""), file("reports.json", b""));
    let scholars_mate = "[White \"A scholar\"]\n[Black \"A pupil\"]\n\n1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0\n";
    let miniatures = fs::read_to_string(data("datasets/games/miniatures.pgn")).unwrap();
    let games = file("threegames.pgn", format!("{miniatures}\n{scholars_mate}").as_bytes());
    let arguments = ["analyse", &games, "--nodes", "5000", "--hash", "4"];
    let text = output_of(&[&arguments[..], &["--out", &out, "--json", &json]].concat());
    assert!(text.contains("3... Nf6??") && text.contains("A pupil"), "{text}");
    let annotated = fs::read_to_string(&out).unwrap().split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(annotated.contains("3... Nf6 $4 {[%eval #1]") && annotated.contains("17. Rd8# 1-0"), "{annotated}");
    let value = read_json(json);
    assert_eq!(value["games"][0]["moves"].as_array().unwrap().len(), 33);
    assert_eq!(value["games"][2]["sides"][1]["judged"]["blunders"], 1);
    // The output is read back and gives the same evaluations.
    let again = file("again.pgn", b"");
    output_of(&["analyse", &out, "--nodes", "5000", "--hash", "4", "--out", &again]);
    assert_eq!(fs::read_to_string(again).unwrap().matches("[%eval").count(), annotated.matches("[%eval").count());
}

#[test]
fn invalid_games_for_analysis_are_reported() {
    let nodes = ["--nodes", "10"];
    let analyse = |arguments: &[&str], parts: &[&str]| refused(&[&["analyse"], arguments, &nodes].concat(), parts);
    analyse(&["/no/such.pgn"], &["/no/such.pgn"]);
    analyse(&[&file("nothing.pgn", b"")], &["nothing.pgn", "found no game"]);
    analyse(&[&file("onlyillegal.pgn", b"1. e5 *\n")], &["found no game", "onlyillegal.pgn, line 1", "e5"]);
    let mixed = file("mixedgames.pgn", b"[Event \"1\"]\n\n1. e4 e5 2. Ke3 *\n\n[Event \"2\"]\n\n1. d4 *\n");
    analyse(&[&mixed, "--out", &mixed], &["mixedgames.pgn", "expected another file"]);
    analyse(&[&mixed, "--out", "/no/folder/x.pgn"], &["/no/folder/x.pgn"]);
    analyse(&[&mixed, "--depth", "3"], &["cannot be used with"]);
    let endless = file("endless.pgn", format!("{}*\n", "Nf3 Nf6 Ng1 Ng8\n".repeat(4_425)).as_bytes());
    analyse(&[&endless], &["endless.pgn: found 17700 half-moves, expected at most 17697"]);
    let out = file("rest.pgn", b"");
    analyse(&[&mixed, "--out", &out], &["1 of 2 games", "game 1 cut off", "mixedgames.pgn, line 3", "Ke3"]);
    let rest = fs::read_to_string(out).unwrap();
    assert!(rest.contains("1... e5 {[%eval") && !rest.contains("Ke3") && rest.contains("1. d4 {[%eval"), "{rest}");
}

#[test]
fn multipv_lines_become_variations() {
    let (out, json) = (file("lines.pgn", b""), file("lines.json", b""));
    let games = data("datasets/games/miniatures.pgn");
    let arguments =
        ["analyse", &games, "--nodes", "20000", "--hash", "4", "--multipv", "3", "--out", &out, "--json", &json];
    output_of(&arguments);
    let value = read_json(json);
    let firsts_of = |judged: &Value| -> Vec<String> {
        let lines = judged["lines"].as_array().unwrap();
        lines.iter().map(|line| line["moves"][0].as_str().unwrap().to_owned()).collect()
    };
    // A stopped search reports each move in one line only.
    for judged in value["games"].as_array().unwrap().iter().flat_map(|game| game["moves"].as_array().unwrap()) {
        let mut firsts = firsts_of(judged);
        let count = firsts.len();
        firsts.sort_unstable();
        firsts.dedup();
        assert_eq!(firsts.len(), count, "{judged}");
    }
    let h3 = &value["games"][1]["moves"][6];
    let (lines, firsts) = (h3["lines"].as_array().unwrap(), firsts_of(h3));
    assert!(lines.len() == 3 && lines[0]["value"] == h3["before"] && h3["better"] == firsts[0].as_str(), "{h3}");
    let value_of = |line: &Value| line["value"].as_str().unwrap().parse::<f64>().unwrap();
    // The first line can be one ply deeper than the others and its score lower.
    assert!(value_of(&lines[1]) >= value_of(&lines[2]), "White moves: {lines:?}");
    let annotated = fs::read_to_string(&out).unwrap().split_whitespace().collect::<Vec<_>>().join(" ");
    for name in firsts.iter().filter(|name| *name != "h3") {
        assert!(annotated.contains(&format!("(4. {name} {{[%eval ")), "{name}: {annotated}");
    }
    refused(&["analyse", &games, "--multipv", "0"], &["0"]);
}

#[test]
fn endgame_tables_improve_the_analysis() {
    let text = "[FEN \"8/8/8/8/4k3/8/4P3/4K3 w - - 0 1\"]\n[SetUp \"1\"]\n\n1. Kd2 Kd4 2. e3+ *\n";
    let (games, json) = (file("pawn.pgn", text.as_bytes()), file("pawn.json", b""));
    let tables = data("datasets/syzygy");
    let analyse = |more: &[&str]| {
        let output = output_of(&[&["analyse", &games, "--nodes", "50", "--json", &json, "--force"], more].concat());
        let value = read_json(&json);
        let value_of = |number: usize| value["games"][0]["moves"][number]["expected_before"].as_f64().unwrap();
        ([0, 1, 2].map(value_of), output)
    };
    let (known, output_text) = analyse(&["--syzygy", &tables]);
    assert!(output_text.contains("endgame tables: "), "{output_text}");
    assert!(output_text.contains("tables of up to 4 pieces"), "{output_text}");
    assert!(known.iter().all(|&points| (points - 0.5).abs() < 1e-9 || points > 0.999), "{known:?}");
    let (guessed, _) = analyse(&[]);
    assert!(known.iter().zip(guessed).any(|(known, guessed)| (known - guessed).abs() > 1e-6), "{guessed:?}");
    refused(&["analyse", &games, "--syzygy", "/no/such/tables"], &["/no/such/tables"]);
    refused(&["analyse", &games, "--syzygy", &data("datasets/games")], &["datasets/games"]);
}

#[test]
fn games_that_go_on_after_a_draw_are_annotated() {
    let circle = "Nf3 Nf6 Ng1 Ng8 ";
    let (game, out) =
        (file("repeated.pgn", format!("{}e4 *\n", circle.repeat(5)).as_bytes()), file("repeated.out", b""));
    let analyse = |game: &str| {
        let output = output_of(&["analyse", game, "--nodes", "10", "--out", &out, "--force"]);
        (output, fs::read_to_string(&out).unwrap())
    };
    let (text, annotated) = analyse(&game);
    assert!(
        text.contains("drawn by fivefold repetition after 16 plies; the 5 plies after it are also analysed"),
        "{text}"
    );
    assert_eq!(annotated.matches("[%eval").count(), 21, "{annotated}");
    // A threefold repetition needs a claim: without one the game goes on.
    let (text, _) = analyse(&file("threefold.pgn", format!("{}e4 *\n", circle.repeat(3)).as_bytes()));
    assert!(!text.contains("drawn by"), "{text}");
    let moves = "[FEN \"4k3/8/8/8/8/8/8/4K2R w - - 149 90\"]\n\n90. Rh2 Kd8 91. Rh3 *\n";
    let (text, _) = analyse(&file("long_endgame.pgn", moves.as_bytes()));
    assert!(text.contains("drawn by 75 moves without a capture or a pawn move after 1 plies; the 2 plies"), "{text}");
}

#[test]
fn names_of_any_length_are_shown_cut_off() {
    let text = format!("[White \"{}\"]\n\n1. e4 e5 1-0\n", "A".repeat(70_000));
    let text = output_of(&["analyse", &file("long.pgn", text.as_bytes()), "--nodes", "10"]);
    assert!(text.contains("AAA… – Black, 1-0") && text.len() < 2_000, "{} letters", text.len());
}

/// Starts to analyse many games with this output, and waits until it has two of them.
#[cfg(unix)]
fn analyse_two_games(output: &[&str], finished: impl Fn() -> usize) -> Child {
    let games = data("datasets/openings/8moves_v3_200.pgn");
    let arguments = [&["analyse", &games, "--movetime", "30"], output].concat();
    let mut child = command(&arguments).stdout(Stdio::piped()).spawn().unwrap();
    let deadline = Instant::now() + Duration::from_mins(1);
    while finished() < 2 {
        assert!(Instant::now() < deadline && child.try_wait().unwrap().is_none(), "no game is finished");
        thread::sleep(Duration::from_millis(20));
    }
    child
}

#[cfg(unix)]
#[test]
fn a_killed_analysis_leaves_valid_json() {
    let json = file("killed.json", b"");
    let finished = || {
        let value: Value = serde_json::from_str(&fs::read_to_string(&json).unwrap()).ok()?;
        Some(value["games"].as_array().unwrap().len())
    };
    kill(analyse_two_games(&["--json", &json], || finished().unwrap_or(0)));
    assert!(finished().is_some_and(|games| (2..200).contains(&games)));
}

#[cfg(unix)]
#[test]
fn an_interrupted_analysis_keeps_finished_games() {
    let out = file("interrupted.pgn", b"");
    let finished = || fs::read_to_string(&out).unwrap().matches("[Event").count();
    let child = analyse_two_games(&["--out", &out], finished);
    send("-INT", &child);
    let output = child.wait_with_output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.code() == Some(130) && text.contains("stopped after "), "{text}");
    let finished = fs::read_to_string(&out).unwrap().matches("\n\n[Event").count() + 1;
    assert!(text.contains(&format!("stopped after {finished} of 200 games")), "{finished}: {text}");
}

/// A run that has printed its first answer or game: files are written by now.
#[cfg(unix)]
fn begun(arguments: &[&str]) -> (Child, BufReader<std::process::ChildStdout>) {
    let mut run = command(arguments).stdout(Stdio::piped()).spawn().unwrap();
    let mut output = BufReader::new(run.stdout.take().unwrap());
    output.read_line(&mut String::new()).unwrap();
    (run, output)
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_keeps_the_file_that_it_was_to_replace() {
    let (answers, annotated) = (file("interrupted.json", b"answers"), file("replaced.pgn", b"games"));
    for arguments in [
        &["suite", &data("datasets/suites/bk.epd"), "--movetime", "200", "--json", &answers, "--force"][..],
        &["analyse", &data("datasets/games/miniatures.pgn"), "--movetime", "50", "--out", &annotated, "--force"],
    ] {
        let (mut run, mut output) = begun(arguments);
        send("-INT", &run);
        let mut rest = String::new();
        output.read_to_string(&mut rest).unwrap();
        assert!(run.wait().unwrap().code() == Some(130) && rest.contains("stopped after"), "{rest}");
    }
    let read = |path: &str| fs::read_to_string(path).unwrap();
    assert_eq!([read(&answers), read(&annotated)], ["answers", "games"]);
}

#[cfg(unix)]
#[test]
fn a_killed_run_keeps_the_file_that_it_was_to_replace() {
    let (suite, games) = (data("datasets/suites/bk.epd"), data("datasets/games/miniatures.pgn"));
    let (answers, reports, annotated) =
        (file("earlier.json", b"answers"), file("reported.json", b"reports"), file("earlier.pgn", b"games"));
    for arguments in [
        &["suite", &suite, "--movetime", "100", "--json", &answers, "--force"][..],
        &["analyse", &games, "--movetime", "20", "--out", &annotated, "--json", &reports, "--force"],
    ] {
        kill(begun(arguments).0);
    }
    let read = |path: &str| fs::read_to_string(path).unwrap();
    assert_eq!([read(&answers), read(&reports), read(&annotated)], ["answers", "reports", "games"]);
    output_of(&["suite", &suite, "--depth", "1", "--json", &answers, "--force"]);
    assert!(read(&answers).contains("\"attempts\""));
    output_of(&["analyse", &games, "--nodes", "50", "--out", &annotated, "--json", &reports, "--force"]);
    assert!(read(&annotated).contains("[Event") && read(&reports).contains("\"moves\""));
}
