//! Real matches over pipes: the engine against itself and against misbehaving engines.
#![cfg(unix)]
// In tests a failed unwrap is the error report.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

use serde_json::Value;

/// This run's folder, without the files of earlier runs.
fn folder() -> &'static Path {
    static FOLDER: LazyLock<PathBuf> = LazyLock::new(|| {
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("arena");
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        folder
    });
    &FOLDER
}

/// Creates a UCI engine as a shell script; `body` is its reaction to `go`.
fn scripted_engine(name: &str, body: &str) -> PathBuf {
    let path = folder().join(name);
    let script = format!(
        "#!/bin/sh\nwhile read -r word rest; do case \"$word\" in uci) echo 'id name {name}'; echo uciok;; \
         isready) echo readyok;; go) {body};; quit) exit 0;; esac; done\n"
    );
    fs::write(&path, script).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    path
}

/// Plays a match and returns its JSON and its output.
fn play(name: &str, opponent: &str, arguments: &[&str]) -> (Value, String) {
    let out = folder().join(format!("{name}.json"));
    let output = Command::new(env!("CARGO_BIN_EXE_alfiere"))
        .args(["match", "--engine", "alfiere option.Hash=1", "--engine", opponent])
        .args(["--json", out.to_str().unwrap()])
        .args(arguments)
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    let json = serde_json::from_str(&fs::read_to_string(out).unwrap()).unwrap();
    (json, String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Checks that the opponent loses every game by a fault of this kind and that the reason is printed with its name.
fn loses(path: &Path, kind: &str, reason: &str, arguments: &[&str]) {
    let name = path.file_name().unwrap().to_str().unwrap();
    let (json, text) = play(name, path.to_str().unwrap(), arguments);
    assert_eq!(json["games"]["wins"], 2, "{text}");
    assert_eq!(json["players"][1]["faults"][kind], 2, "{text}");
    assert_eq!(json["players"][0]["faults"], serde_json::json!({"illegal": 0, "time": 0, "crashes": 0}), "{text}");
    assert!(text.contains(&format!("{name} {reason}")), "{text}");
}

const QUICK: [&str; 4] = ["--nodes", "50", "--games", "2"];

#[test]
fn illegal_moves_lose() {
    loses(&scripted_engine("cheat", "echo bestmove e2e5"), "illegal", "illegal move \"e2e5\"", &QUICK);
    loses(&scripted_engine("mute", "echo bestmove"), "illegal", "illegal move \"\"", &QUICK);
}

#[test]
fn an_engine_that_rejects_its_network_does_not_play() {
    let program = env!("CARGO_BIN_EXE_alfiere");
    let output = Command::new(program)
        .args(["match", "--engine", "alfiere option.Hash=1", "--engine"])
        .arg(format!("{program} name=mine net=/nowhere/none.nnue"))
        .args(QUICK)
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success(), "{errors}");
    assert!(errors.contains("mine") && errors.contains("EvalFile: /nowhere/none.nnue"), "{errors}");
}

#[test]
fn a_match_does_not_start_with_rejected_options() {
    let play = |engine: &str| {
        let program = env!("CARGO_BIN_EXE_alfiere");
        let mut command = Command::new(program);
        command.args(["match", "--engine", "alfiere option.Hash=1", "--engine", engine]).args(QUICK);
        command.output().unwrap()
    };
    for (engine, reason) in [
        ("alfiere name=b player=bogus", "option Player: expected one of nnue"),
        ("alfiere name=b elo=99999", "option UCI_Elo: expected a number from 600 to 2800, found '99999'"),
        ("alfiere name=b option.Hash=lots", "option Hash: expected a number from 1"),
        ("alfiere name=b option.OwnBook=maybe", "option OwnBook: expected true or false, found 'maybe'"),
        ("alfiere name=b option.SyzygyPath=/nowhere", "option SyzygyPath: cannot read the folder /nowhere"),
    ] {
        let output = play(engine);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && errors.contains(reason), "{engine}: {errors}");
    }
    let tables = concat!(env!("CARGO_MANIFEST_DIR"), "/../datasets/syzygy");
    let output = play(&format!("alfiere name=b option.SyzygyPath={tables}"));
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn a_suite_continues_after_crashes_and_illegal_moves() {
    let suite = folder().join("faults.epd");
    fs::write(
        &suite,
        "4k3/8/8/8/8/8/8/4K2R w K - bm O-O; id \"one\";\n".repeat(3) + "7k/6Q1/6K1/8/8/8/8/8 b - - bm #-1;\n",
    )
    .unwrap();
    for (name, body, fault) in
        [("solver-cheat", "echo bestmove e1e8", "e1e8"), ("solver-quitter", "exit 3", "exit status: 3")]
    {
        let (solver, out) = (scripted_engine(name, body), folder().join(format!("{name}.json")));
        let output = Command::new(env!("CARGO_BIN_EXE_alfiere"))
            .args(["suite", suite.to_str().unwrap(), "--depth", "1", "--engine", solver.to_str().unwrap()])
            .args(["--json", out.to_str().unwrap()])
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        assert!(text.contains("no legal move") && text.contains("no answer to 3 positions"), "{text}");
        assert_eq!(text.lines().last(), Some("solved 0/3"), "{text}");
        let json: Value = serde_json::from_str(&fs::read_to_string(&out).unwrap()).unwrap();
        assert!(json["attempts"][2]["fault"].as_str().unwrap().contains(fault), "{json}");
    }
}

#[test]
fn a_crashed_engine_loses_and_is_restarted() {
    loses(&scripted_engine("quitter", "exit 3"), "crashes", "crashed: exit status: 3", &QUICK);
}

#[test]
fn waiting_times_have_limits() {
    let endless = ["match", "--engine", "alfiere", "--engine", "alfiere", "--nodes", "1", "--patience"];
    let output = Command::new(env!("CARGO_BIN_EXE_alfiere")).args(endless).arg(u64::MAX.to_string()).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn hanging_engines_lose() {
    let arguments = [&QUICK[..], &["--patience", "1"]].concat();
    loses(&scripted_engine("sleeper", ":"), "crashes", "hangs", &arguments);
}

#[test]
fn late_moves_lose_on_time() {
    let late = scripted_engine("late", "sleep 0.7; echo bestmove e7e5");
    let arguments = ["--games", "2", "--nodes", "50"];
    let name = late.file_name().unwrap().to_str().unwrap();
    let (json, text) = play(name, &format!("{} tc=0.2", late.display()), &arguments);
    assert_eq!(json["players"][1]["faults"]["time"], 2, "{text}");
    assert!(text.contains("late lost on time"), "{text}");
}

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
fn anchors_set_the_scale_of_a_tournament() {
    let engines =
        ["--engine", "alfiere", "--engine", "alfiere name=other", "--engine", "alfiere name=weak player=random"];
    let quick = ["--nodes", "60", "--games", "4", "--anchor", "other=2000±30"];
    let (json, text, _) = tournament("anchored", &[&engines[..], &quick].concat());
    let table = json["table"].as_array().unwrap();
    let row = table.iter().find(|row| row["name"] == "other").unwrap();
    assert!((row["elo"].as_f64().unwrap() - 2000.0).abs() < 0.1, "{text}");
    assert!((row["error_95"].as_f64().unwrap() - 30.0).abs() < 0.1, "{text}");
    assert!(table.last().unwrap()["elo"].as_f64().unwrap() < 1900.0, "{text}");
}

#[test]
fn the_wdl_model_is_fitted_on_the_games_of_a_match() {
    let (pgn, out) = (folder().join("chances.pgn"), folder().join("fitted.json"));
    let book = format!("{}/../datasets/openings/noob_3moves_1000.epd", env!("CARGO_MANIFEST_DIR"));
    let arguments = ["--nodes", "100", "--games", "100", "--openings", &book, "--pgn", pgn.to_str().unwrap()];
    let (json, _) = play("chances", "alfiere name=other option.Hash=1 nodes=130", &arguments);
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

/// Plays a tournament and returns its JSON, its output, and the White player, Black player and opening of each game in
/// file order.
fn tournament(name: &str, arguments: &[&str]) -> (Value, String, Vec<[String; 3]>) {
    let (out, pgn) = (folder().join(format!("{name}.json")), folder().join(format!("{name}.pgn")));
    let book = format!("{}/../datasets/openings/noob_3moves_1000.epd", env!("CARGO_MANIFEST_DIR"));
    let output = Command::new(env!("CARGO_BIN_EXE_alfiere"))
        .args(["match", "--openings", &book, "--max-plies", "120"])
        .args(["--json", out.to_str().unwrap(), "--pgn", pgn.to_str().unwrap()])
        .args(arguments)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let json = serde_json::from_str(&fs::read_to_string(out).unwrap()).unwrap();
    let text = fs::read_to_string(pgn).unwrap();
    let tags = |game: &str| {
        ["White", "Black", "FEN"].map(|tag| {
            let line = game.lines().find(|line| line.starts_with(&format!("[{tag} "))).unwrap();
            line.split('"').nth(1).unwrap().to_owned()
        })
    };
    let games = text.split("[Event ").skip(1).map(tags).collect();
    (json, String::from_utf8_lossy(&output.stdout).into_owned(), games)
}

/// The openings of the games with these colours, in order.
fn openings<'a>(games: &'a [[String; 3]], white: &str, black: &str) -> Vec<&'a str> {
    let mut fens: Vec<&str> =
        games.iter().filter(|game| game[0] == white && game[1] == black).map(|game| game[2].as_str()).collect();
    fens.sort_unstable();
    fens
}

#[test]
fn a_round_robin_uses_the_same_openings_for_all_pairings() {
    let engines = ["--engine", "alfiere name=able", "--engine", "alfiere", "--engine", "alfiere player=random"];
    let quick = ["--nodes", "60", "--games", "4", "--concurrency", "2"];
    let (json, text, games) = tournament("robin", &[&engines[..], &quick].concat());
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
        let path = folder().join(format!("robin-{number}.json"));
        let one: Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
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
    let engines = ["--gauntlet", "--engine", "alfiere", "--engine", "alfiere name=other", "--engine"];
    let quick = [quitter.to_str().unwrap(), "--nodes", "50", "--games", "2"];
    let (json, text, games) = tournament("gauntlet", &[&engines[..], &quick].concat());
    assert!(games.len() == 4 && games.iter().all(|game| game[..2].contains(&"alfiere".to_owned())), "{games:?}");
    assert_eq!(json["end"], "complete", "{text}");
    let crashes = [0, 1, 2].map(|player| json["players"][player]["faults"]["crashes"].as_u64().unwrap());
    assert_eq!(crashes, [0, 0, 2], "{text}");
    assert_eq!(json["matches"][1]["games"]["wins"], 2, "{text}");
    assert!(json["table"].as_array().unwrap().iter().any(|row| row["against"].as_array().unwrap()[0].is_null()));
}

#[test]
fn sprt_needs_two_engines() {
    let output = Command::new(env!("CARGO_BIN_EXE_alfiere"))
        .args(["match", "--engine", "alfiere", "--engine", "alfiere", "--engine", "alfiere"])
        .args(["--nodes", "10", "--games", "2", "--sprt", "0", "5"])
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && errors.contains("--sprt tests two engines, found 3 --engine"), "{errors}");
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
fn games_are_appended_to_an_existing_file() {
    let pgn = folder().join("added.pgn");
    let torn = "[Event \"earlier\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Qh5 Ke7 3. Qxe5# 1-0\n\n[Event \"torn\"]\n\n1. d4";
    fs::write(&pgn, torn).unwrap();
    let arguments = ["--nodes", "50", "--games", "2", "--max-plies", "10", "--pgn", pgn.to_str().unwrap()];
    play("added", "alfiere name=other option.Hash=1", &arguments);
    let text = fs::read_to_string(&pgn).unwrap();
    assert!(text.starts_with(&format!("{torn}\n\n[Event ")), "{text}");
    // Engines that cannot start leave the file unchanged.
    let output = Command::new(env!("CARGO_BIN_EXE_alfiere"))
        .args(["match", "--engine", "alfiere", "--engine", "/no/such/engine", "--nodes", "50", "--games", "2"])
        .args(["--pgn", pgn.to_str().unwrap()])
        .output()
        .unwrap();
    assert!(!output.status.success());
    assert_eq!(fs::read_to_string(&pgn).unwrap(), text);
}

#[test]
fn ctrl_c_keeps_the_score() {
    let out = folder().join("stopped.json");
    let child = Command::new(env!("CARGO_BIN_EXE_alfiere"))
        .args([
            "match",
            "--engine",
            "alfiere",
            "--engine",
            "alfiere name=other",
            "--movetime",
            "20",
            "--games",
            "100000",
        ])
        .args(["--max-plies", "12", "--json", out.to_str().unwrap()])
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    std::thread::sleep(std::time::Duration::from_secs(3));
    let interrupt = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(interrupt.success());
    let output = child.wait_with_output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(130), "{text}");
    assert!(text.contains("stopped before the end"), "{text}");
    assert!(text.lines().last().unwrap().starts_with("Elo: "), "{text}");
    let json: Value = serde_json::from_str(&fs::read_to_string(out).unwrap()).unwrap();
    assert_eq!(json["end"], "stopped");
    assert_eq!(json["players"][0]["faults"]["crashes"], 0);
}

#[test]
fn a_killed_match_continues_with_the_same_games() {
    let command = |name: &str, more: &[&str]| {
        let file = |end: &str| folder().join(format!("{name}.{end}")).to_str().unwrap().to_owned();
        let mut command = Command::new(env!("CARGO_BIN_EXE_alfiere"));
        command
            .args(["match", "--engine", "alfiere option.Hash=1", "--engine", "alfiere name=other option.Hash=2"])
            .args([
                "--nodes",
                "3000",
                "--games",
                "12",
                "--max-plies",
                "40",
                "--pgn",
                &file("pgn"),
                "--json",
                &file("json"),
            ])
            .args(["--openings", concat!(env!("CARGO_MANIFEST_DIR"), "/../datasets/openings/8moves_v3_200.pgn")])
            .args(more);
        command
    };
    let read = |name: &str| fs::read_to_string(folder().join(name)).unwrap();
    assert!(command("whole", &[]).output().unwrap().status.success());
    let mut child = command("killed", &[]).stdout(std::process::Stdio::null()).spawn().unwrap();
    let journal = folder().join("killed.pgn.match");
    let finished = || fs::read_to_string(&journal).map_or(0, |text| text.lines().count().saturating_sub(1));
    while finished() < 3 {
        assert!(child.try_wait().unwrap().is_none(), "the match ended before it was killed");
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    let second = command("killed", &["--resume"]).output().unwrap();
    assert!(String::from_utf8_lossy(&second.stderr).contains("another match is writing its games here"));
    child.kill().unwrap();
    child.wait().unwrap();
    let so_far: Value = serde_json::from_str(&read("killed.json")).unwrap();
    assert_eq!(so_far["end"], "running");
    // An incomplete line, as after a kill.
    fs::OpenOptions::new().append(true).open(&journal).unwrap().write_all(b"{\"game\":{\"enc").unwrap();

    for (more, reason) in [
        (&[][..], "continue it with --resume"),
        (&["--resume", "--seed", "9"], "the match was started with --seed 1, now 9"),
    ] {
        let output = command("killed", more).output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && errors.contains(reason), "{errors}");
    }
    let output = command("killed", &["--resume"]).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(!journal.exists());
    let [whole, killed]: [Value; 2] =
        ["whole.json", "killed.json"].map(|name| serde_json::from_str(&read(name)).unwrap());
    for key in ["games", "white", "black", "pentanomial", "endings", "end", "claim"] {
        assert_eq!(whole[key], killed[key], "{key}");
    }
    // Thinking times differ, moves do not.
    let games = |name: &str| {
        let text = read(name);
        let moves = |game: &str| game.split(['{', '}']).step_by(2).flat_map(str::split_whitespace).collect::<String>();
        let mut games: Vec<String> = text.split("\n\n").skip(1).step_by(2).map(moves).collect();
        games.sort();
        games
    };
    assert!(games("whole.pgn").len() == 12 && games("whole.pgn") == games("killed.pgn"), "different games");
}

#[test]
fn games_that_could_not_be_written_are_played_again() {
    let pgn = folder().join("limited.pgn");
    let journal = folder().join("limited.pgn.match");
    let arguments = format!(
        "{} match --engine alfiere --engine alfiere --each option.Hash=1 --nodes 50 --games 8 --max-plies 60 --pgn {} --resume",
        env!("CARGO_BIN_EXE_alfiere"),
        pgn.display()
    );
    let shell = |prefix: &str| Command::new("sh").args(["-c", &format!("{prefix}{arguments}")]).output().unwrap();
    let games = || fs::read_to_string(&pgn).unwrap().matches("[Event ").count();
    // No file may have more than 8 blocks, 4 or 8 KiB; without the signal for that, writing fails.
    let limited = shell("trap '' XFSZ; ulimit -f 8; exec ");
    let output = String::from_utf8_lossy(&limited.stdout);
    assert!(!limited.status.success() && output.contains("games are no longer written"), "{output}");
    assert!(games() < 8 && journal.exists(), "{} games", games());
    let resumed = shell("exec ");
    assert!(resumed.status.success(), "{}", String::from_utf8_lossy(&resumed.stderr));
    let text = fs::read_to_string(&pgn).unwrap();
    let mut rounds: Vec<&str> = text.lines().filter(|line| line.starts_with("[Round ")).collect();
    rounds.sort_unstable();
    rounds.dedup();
    assert!(rounds.len() == 8 && !journal.exists(), "{rounds:?}");
}

#[test]
fn a_pgn_file_that_is_removed_is_reported() {
    let pgn = folder().join("removed.pgn");
    let mut child = Command::new(env!("CARGO_BIN_EXE_alfiere"))
        .args(["match", "--engine", "alfiere option.Hash=1", "--engine", "alfiere option.Hash=1", "--nodes", "2000"])
        .args(["--games", "8", "--max-plies", "60", "--pgn", pgn.to_str().unwrap()])
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    while fs::metadata(&pgn).map_or(0, |file| file.len()) == 0 {
        assert!(child.try_wait().unwrap().is_none(), "the match ended before its file was removed");
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    fs::remove_file(&pgn).unwrap();
    let output = child.wait_with_output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && errors.contains("removed.pgn: the file was removed"), "{errors}");
}
