//! Options, arguments and files that are invalid; the files that `OpenBench` reads.

use std::fs;
use std::path::PathBuf;

use serde_json::Value;

use crate::{command, data, file, output_of, refused};

#[test]
fn options_are_a_table_of_markdown() {
    let table = output_of(&["options"]);
    for row in ["| `Hash` | 1 to 33554432 | `16` | ", "| `UCI_Elo` | 600 to 2800 | `1500` | "] {
        assert!(table.lines().any(|line| line.starts_with(row)), "{table}");
    }
}

#[test]
fn every_help_text_has_an_example() {
    let commands = [
        "analyse",
        "bench",
        "book",
        "eval",
        "genfens",
        "match",
        "options",
        "perft",
        "positions",
        "rate",
        "ratings",
        "suite",
    ];
    for command in commands.into_iter().chain(cfg!(feature = "play").then_some("play")) {
        let text = output_of(&[command, "--help"]);
        assert!(text.contains(&format!("alfiere {command}")), "{command}: {text}");
        // Examples are to be copied, so none is wrapped.
        let lines: Vec<&str> =
            text.lines().skip_while(|line| !line.starts_with("Example")).take_while(|line| !line.is_empty()).collect();
        for pair in lines.windows(2).filter(|pair| pair[0].starts_with("  ") && !pair[0].ends_with('\\')) {
            assert!(pair[1].contains("alfiere "), "{command}: {pair:?}");
        }
    }
}

#[test]
fn the_manual_has_a_page_for_each_command_and_completions() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("manual");
    output_of(&["manual", path.to_str().unwrap()]);
    let text = |name: &str| fs::read_to_string(path.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
    assert!(text("alfiere.1").contains("alfiere\\-match(1)") && text("alfiere-match.1").contains("\\-\\-sprt"));
    for completion in ["alfiere.bash", "_alfiere", "alfiere.fish", "_alfiere.ps1", "alfiere.elv"] {
        assert!(text(completion).contains("gauntlet"), "{completion}");
    }
    #[cfg(target_os = "linux")]
    {
        fs::remove_file(path.join("alfiere.bash")).unwrap();
        std::os::unix::fs::symlink("/dev/full", path.join("alfiere.bash")).unwrap();
        refused(&["manual", path.to_str().unwrap()], &["manual", "No space left"]);
    }
    let occupied = file("no-folder", b"");
    refused(&["manual", &occupied], &[&occupied]);
}

#[test]
fn unknown_commands_options_and_values_are_rejected() {
    refused(&["dance"], &["dance"]);
    refused(&["perft", "3", "--fast"], &["--fast"]);
    refused(&["perft", "many"], &["many"]);
    refused(&["perft"], &["DEPTH"]);
    refused(&["suite", &data("datasets/suites/eret.epd")], &["--depth"]);
    refused(&["suite", &data("datasets/suites/eret.epd"), "--depth", "0"], &["0"]);
    refused(&["suite", "x.epd", "--depth", "1,x"], &["invalid value 'x'"]);
}

#[test]
fn invalid_positions_are_reported_with_the_field() {
    refused(&["perft", "1", "--fen", "8/8/8/8/8/8/8/8 w - - 0 1"], &["king"]);
    refused(&["eval", "--fen", "not a fen"], &["FEN"]);
    refused(&["eval", "--fen", "4k3/8/8/8/8/8/8/4K2R w Q - 0 1"], &["castling"]);
}

#[test]
fn missing_empty_and_invalid_files_are_reported() {
    refused(&["suite", "/no/such.epd", "--depth", "1"], &["/no/such.epd"]);
    refused(&["perft", "--suite", "/no/such.epd"], &["/no/such.epd"]);
    let empty = file("empty", b"");
    refused(&["suite", &empty, "--depth", "1"], &["no position"]);
    let bad_move = file("bad.epd", b"4k3/8/8/8/8/8/8/4K2R w K - bm O-O;\n4k3/8/8/8/8/8/8/4K2R w K - bm Qh5;\n");
    refused(&["suite", &bad_move, "--depth", "1", "--strict"], &["bad.epd, line 2", "Qh5"]);
    let only_bad = file("only_bad.epd", b"4k3/8/8/8/8/8/8/4K2R w K - bm Qh5;\n");
    refused(&["suite", &only_bad, "--depth", "1"], &["only_bad.epd, line 1", "Qh5"]);
    let binary = file("binary.epd", &[0, 159, 146, 150, 10, 7]);
    refused(&["suite", &binary, "--depth", "1"], &["line 1", "expected a position"]);
    let torn = file("torn.epd.gz", &[0x1f, 0x8b, 8, 0, 0]);
    refused(&["suite", &torn, "--depth", "1"], &["torn.epd.gz"]);
    let nowhere = ["suite", &data("datasets/suites/bk.epd"), "--depth", "1", "--json", "/no/such.json"];
    refused(&nowhere, &["/no/such.json"]);
    let wrong = file("wrong.epd", b"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D1 20 ;D2 401\n");
    refused(&["perft", "--suite", &wrong], &["1 of 2 counts differ"]);
}

#[test]
fn damaged_networks_are_rejected() {
    let whole = fs::read(data("nets/default.nnue")).unwrap();
    let torn = file("torn.nnue", &whole[..whole.len() / 2]);
    let mut altered = whole.clone();
    altered[whole.len() / 2] ^= 1;
    let altered = file("altered.nnue", &altered);
    let other = file("other.nnue", b"this is no network at all, only a sentence that goes on for a while");
    for net in [torn, altered, other, "/no/such.nnue".to_owned()] {
        refused(&["eval", "--net", &net], &[&net]);
        refused(&["suite", &data("datasets/suites/bk.epd"), "--depth", "1", "--net", &net], &[&net]);
    }
}

#[test]
fn invalid_match_arguments_are_rejected() {
    let limit = ["--nodes", "10", "--games", "2"];
    let play = |arguments: &[&str], parts: &[&str]| {
        refused(&[&["match"], arguments, &limit].concat(), parts);
    };
    play(&["--engine", "alfiere"], &["at least two engines"]);
    play(&["--engine", "alfiere", "--engine", "/no/such/engine"], &["/no/such/engine", "did not start"]);
    play(&["--engine", "alfiere", "--engine", "alfiere hue=3"], &["hue"]);
    play(&["--engine", "alfiere", "--engine", "alfiere option.Nonsense=3"], &["Nonsense"]);
    play(&["--engine", "alfiere", "--engine", "alfiere", "--sprt", "5", "0"], &["E0 smaller than E1"]);
    play(&["--engine", "alfiere", "--engine", "alfiere", "--openings", "/no/book.pgn"], &["/no/book.pgn"]);
    play(&["--engine", "alfiere", "--engine", "alfiere", "--anchor", "alfiere=1"], &["--anchor", "alfiere ratings"]);
    let three = ["--engine", "alfiere", "--engine", "alfiere", "--engine", "alfiere"];
    play(&[&three[..], &["--anchor", "alfiere-4=1"]].concat(), &["alfiere-4", "the players are alfiere, alfiere-2"]);
    play(&[&three[..], &["--anchor", "alfiere"]].concat(), &["\"alfiere\": expected NAME=ELO"]);
    play(&["--engine", "alfiere", "--engine", "alfiere", "--syzygy", "/no/tables"], &["/no/tables"]);
    let book = file("bad.pgn", b"[Event \"x\"]\n\n1. Ke3 *\n");
    play(&["--engine", "alfiere", "--engine", "alfiere", "--openings", &book], &["bad.pgn, line 3", "Ke3"]);
}

/// The arguments of a short match of an engine with this description.
fn play<'a>(engine: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let rounds = ["--nodes", "1", "--games", "2", "--force"];
    [&["match", "--engine", engine, "--engine", "alfiere"], more, &rounds].concat()
}

#[test]
fn outputs_never_overwrite_inputs() {
    let epd: &[u8] = b"8/8/8/8/8/8/1k6/K1R5 w - - bm Rb1+;\n";
    let pgn: &[u8] = b"1. e4 e5 2. Nf3 *\n";
    let (suite, games) = (file("kept.epd", epd), file("kept.pgn", pgn));
    let again = format!("{}/../cli/kept.epd", PathBuf::from(&suite).parent().unwrap().display());
    for arguments in [
        &["suite", &suite, "--depth", "1", "--json", &again][..],
        &["match", "--engine", "alfiere", "--engine", "alfiere", "--nodes", "1", "--games", "2", "--openings", &suite]
            .into_iter()
            .chain(["--pgn", &suite])
            .collect::<Vec<_>>(),
        &["positions", &games, "--out", &games],
        &["ratings", &games, "--json", &games],
        &["book", "make", &suite, &games, &again],
    ] {
        refused(arguments, &["kept.", "this is the input", "expected another file"]);
    }
    assert_eq!(fs::read(&suite).unwrap(), epd);
    assert_eq!(fs::read(&games).unwrap(), pgn);
    // Files that the descriptions of engines name, and files whose names have numbers.
    let net = file("kept.nnue", &fs::read(data("nets/default.nnue")).unwrap());
    let with_net = format!("alfiere net={net}");
    let logged = format!("alfiere log={net}");
    let curves = file("kept-1.pgn", pgn);
    let stem = curves.replace("-1.pgn", ".pgn");
    for arguments in [
        play(&with_net, &["--json", &net]),
        play(&with_net, &["--pgn", &net]),
        play(&with_net, &["--engine", &logged]),
        play(&with_net, &["--engine", "alfiere", "--openings", &curves, "--json", &stem]),
        vec!["suite", &suite, "--depth", "1", "--engine", &with_net, "--json", &net, "--force"],
    ] {
        refused(&arguments, &["kept", "this is the input", "expected another file"]);
    }
    assert_eq!(fs::read(&curves).unwrap(), pgn);
    let notes = file("notes.txt", b"my notes");
    refused(&play(&with_net, &["--pgn", &notes]), &["notes.txt", "expected PGN"]);
    let journal = file("noted.pgn.match", b"my notes");
    refused(
        &play(&with_net, &["--pgn", journal.strip_suffix(".match").unwrap()]),
        &["noted.pgn.match", "expected the journal"],
    );
    assert_eq!(fs::read(&net).unwrap(), fs::read(data("nets/default.nnue")).unwrap());
    let one = file("one.out", b"");
    refused(
        &["analyse", &games, "--nodes", "10", "--out", &one, "--json", &one],
        &["one.out", "another result", "expected a file for each"],
    );
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_standard_output_is_an_error_and_a_closed_standard_error_is_not() {
    let run = |out: &str, errors: &str, arguments: &[&str]| {
        let device = |path: &str| fs::File::options().write(true).open(path).unwrap();
        command(arguments).stdout(device(out)).stderr(device(errors)).status().unwrap().code()
    };
    assert_eq!(run("/dev/null", "/dev/null", &["perft", "1"]), Some(0));
    assert_eq!(run("/dev/full", "/dev/null", &["perft", "1"]), Some(1));
    assert_eq!(run("/dev/null", "/dev/full", &["perft", "1", "--fen", "none"]), Some(1), "no panic");
}

#[cfg(unix)]
#[test]
fn names_that_are_no_utf_8_are_read_and_written() {
    use std::os::unix::ffi::OsStrExt;
    let name =
        PathBuf::from(file("games.pgn", b"1. e4 e5 *\n")).with_file_name(std::ffi::OsStr::from_bytes(b"g\xFF.pgn"));
    fs::write(&name, b"1. e4 e5 *\n").unwrap();
    let json = file("named.json", b"");
    let output = command(&["analyse", "--nodes", "5", "--json", &json]).arg(&name).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(fs::read_to_string(&json).unwrap().contains("g\u{FFFD}.pgn"));
}

#[test]
fn the_configuration_is_complete() {
    let text = include_str!("../../../openbench/Alfiere.json");
    let config: Value = serde_json::from_str(text).expect("JSON");
    assert_eq!(config["private"], Value::Bool(false));
    assert!(config["nps"].as_u64().is_some_and(|nps| nps > 0));
    assert_eq!(config["source"], env!("CARGO_PKG_REPOSITORY"));
    assert_eq!(config["build"]["compilers"], serde_json::json!(["cargo"]));
    let folder = config["build"]["path"].as_str().expect("a folder");
    assert!(std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(folder).join("Makefile").is_file());
    for kind in ["test_presets", "tune_presets", "datagen_presets"] {
        let presets = config[kind].as_object().expect("presets");
        assert!(presets.contains_key("default"), "{kind}");
        for (name, preset) in presets {
            let options = preset.get("both_options").or(preset.get("dev_options"));
            for option in options.and_then(Value::as_str).unwrap_or_default().split_whitespace() {
                let (option, value) = option.split_once('=').expect("NAME=VALUE");
                assert!(matches!(option, "Threads" | "Hash") && value.parse::<u32>().is_ok(), "{name}: {option}");
            }
        }
    }
}
