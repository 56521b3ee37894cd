//! Tests self-play with the real binary: reproducible games, interrupted and resumed runs, external engines.

use std::fs;
use std::io::{BufReader, Cursor, Read, stdin, stdout};
use std::process::Child;
use std::thread::sleep;
use std::time::{Duration, Instant};

use alfiere_search::engine::Engine;
use alfiere_search::uci::Session;

use crate::support::{Folder, Run, signal, wait_for};

const QUICK: &str = "--nodes 150 --seed 7 --random-plies 8";

fn datagen(folder: &Folder, options: &str) -> Run {
    folder.trainer(&format!("datagen {QUICK} {options}"))
}

#[test]
fn games_are_independent_of_threads_and_readable_by_every_command() {
    let folder = Folder::new();
    let run = datagen(&folder, "--out one.vf --games 30 --noise 0.3");
    let last = run.success().lines().last().expect("a line");
    assert!(last.starts_with("30 games, ") && last.contains(" bytes/position, "), "{last}");
    datagen(&folder, "--out two.vf --games 30 --noise 0.3 --threads 2").success();
    assert!(folder.bytes("one.vf") == folder.bytes("two.vf"));
    let rows: u64 = last[10..].split(' ').next().expect("a number").replace(',', "").parse().expect("a number");
    let size = folder.bytes("one.vf").len() as f64;
    assert!(rows > 1_000 && size / (rows as f64) < 5.0, "{last}");

    let stats = folder.trainer("stats one.vf --json -").json();
    assert_eq!((&stats["rows"], &stats["best_move_known"]), (&rows.into(), &rows.into()));
    assert_eq!(stats["results"]["unknown"], 0);
    folder.trainer("convert one.vf a.csv").success();
    let text = folder.text("a.csv");
    assert!(text.starts_with("FEN,Evaluation,Move,Result\n"));
    assert_eq!(text.lines().count() as u64, rows + 1);
    // Games with random moves begin after the last one, the others after eight plies.
    let whole = text.lines().filter(|line| line.contains(" w ") && line.contains(" 5,")).count();
    assert!((10..30).contains(&whole), "{whole}");
    folder.trainer("convert one.vf a.packed").success();
    folder.trainer("convert a.csv b.vf").success();
    folder.trainer("convert b.vf b.packed").success();
    assert!(folder.bytes("a.packed") == folder.bytes("b.packed"));
    let train = folder.trainer("train --data one.vf --net 'dual [16]' --epochs 1 --out a.nnue");
    assert!(train.success().contains("wrote a.nnue"));
}

#[test]
fn shards_and_targets_select_the_expected_games() {
    let folder = Folder::new();
    let starts = |name: &str, options: &str| {
        datagen(&folder, &format!("--out {name} {options}")).success();
        folder.trainer(&format!("convert {name} {name}.csv")).success();
        let text = folder.text(&format!("{name}.csv"));
        let first = |line: &&str| line.contains(" w KQkq") && line.contains(" 5,");
        text.lines().filter(first).map(str::to_owned).collect::<Vec<_>>()
    };
    let all = starts("all.vf", "--games 8");
    let odd = starts("odd.vf", "--games 4 --shard 1/2");
    let even = starts("even.vf", "--games 4 --shard 2/2");
    assert!(odd.iter().all(|line| !even.contains(line)) && odd.iter().chain(&even).all(|line| all.contains(line)));
    // A resumed file equals one written in a single run.
    datagen(&folder, "--out grown.vf --games 3").success();
    let run = datagen(&folder, "--out grown.vf --games 8");
    assert!(run.err.contains("resuming after 3 games"), "{}", run.err);
    assert!(folder.bytes("grown.vf") == folder.bytes("all.vf"));
    let counts = |run: &Run| run.success().split(" positions").next().map(str::to_owned);
    assert_eq!(counts(&run), counts(&datagen(&folder, "--out all.vf --games 8")));
    let run = datagen(&folder, "--out p.vf --positions 300");
    let shown = run.success().to_owned();
    let positions: u64 = shown.split(' ').nth(2).expect("a number").parse().expect("a number");
    assert!((300..800).contains(&positions), "{shown}");
}

#[test]
fn games_start_from_the_book() {
    let folder = Folder::new();
    let book = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2\nrnbqkbnr/ppp1pppp/8/3p4/3P4/8/PPP1PPPP/RNBQKBNR w KQkq - 0 2\n";
    folder.write("book.epd", book);
    let play =
        |games: u32| folder.trainer(&format!("datagen --out a.vf --nodes 100 --openings book.epd --games {games}"));
    play(2).success();
    folder.trainer("convert a.vf a.csv").success();
    let text = folder.text("a.csv");
    assert!(book.lines().all(|fen| text.contains(fen)), "{text}");
    // There is no third opening.
    play(3).refused("repeated an earlier one");
}

/// The games in the index of a file, each with the offset of its end.
fn ends(folder: &Folder, out: &str) -> Vec<u64> {
    let index = fs::read_to_string(folder.at(format!("{out}.index"))).unwrap_or_default();
    index.lines().skip(1).map(|line| line.split(' ').nth(1).expect("an end").parse().expect("a number")).collect()
}

/// Starts a run of many games, and waits until its file contains some of them.
fn start(folder: &Folder, out: &str, options: &str) -> Child {
    let child = folder.start(&format!("datagen {QUICK} --out {out} --games 100000 {options}"));
    wait_for("games", || ends(folder, out).len() >= 5);
    child
}

/// The exit code of a run that ends within a minute.
fn exit_code(child: &mut Child) -> Option<i32> {
    let begun = Instant::now();
    loop {
        if let Some(status) = child.try_wait().expect("a child") {
            return status.code();
        }
        if begun.elapsed() > Duration::from_mins(1) {
            child.kill().expect("SIGKILL");
            panic!("the run does not end");
        }
        sleep(Duration::from_millis(5));
    }
}

#[test]
fn killed_run_resumes_to_the_same_file() {
    let folder = Folder::new();
    let games = "--games 60 --threads 2";
    datagen(&folder, &format!("--out whole.vf {games}")).success();
    let whole = folder.bytes("whole.vf");
    // The target is not one of the settings: this run would take an hour.
    let mut child = start(&folder, "killed.vf", "--threads 2");
    child.kill().expect("SIGKILL");
    child.wait().expect("ended");
    let left = folder.bytes("killed.vf");
    let common = left.len().min(whole.len() - 1);
    assert!(common > 2_000 && left[..common] == whole[..common], "{} of {} bytes", left.len(), whole.len());
    // Cut off the end of the last game.
    folder.write("killed.vf", &left[..common - 3]);
    let run = datagen(&folder, &format!("--out killed.vf {games}"));
    assert!(run.err.contains("bytes of the file are unfinished games; cut off"), "{}", run.err);
    run.success();
    assert!(folder.bytes("killed.vf") == whole);
}

#[cfg(unix)]
#[test]
fn interrupted_run_ends_cleanly_and_resumes() {
    let folder = Folder::new();
    let mut child = start(&folder, "a.vf", "");
    signal(&child, "-INT");
    let mut out = String::new();
    child.stdout.take().expect("piped").read_to_string(&mut out).expect("text");
    assert_eq!(child.wait().expect("ended").code(), Some(130));
    assert!(out.contains(" games, ") && out.contains("positions/s"), "{out}");
    assert_eq!(ends(&folder, "a.vf").last(), Some(&(folder.bytes("a.vf").len() as u64)));
    let held: u32 = out.split(' ').next().and_then(|number| number.replace(',', "").parse().ok()).expect("a number");
    let resumed = |out: &str| datagen(&folder, &format!("--out {out} --games {}", held + 5));
    assert!(resumed("a.vf").err.contains("resuming after"));
    resumed("b.vf").success();
    assert!(folder.bytes("a.vf") == folder.bytes("b.vf"));
}

#[cfg(unix)]
#[test]
fn an_endless_search_ends_with_the_run() {
    let folder = Folder::new();
    let mut child = folder.start("datagen --out a.vf --games 2 --nodes 1000000000000");
    wait_for("file", || folder.at("a.vf").exists());
    // The search has begun.
    sleep(Duration::from_millis(500));
    signal(&child, "-TERM");
    assert_eq!(exit_code(&mut child), Some(130));
}

#[cfg(unix)]
#[test]
fn file_that_is_removed_is_reported() {
    let folder = Folder::new();
    let mut child = start(&folder, "removed.vf", "");
    fs::remove_file(folder.at("removed.vf")).expect("removed");
    assert_eq!(exit_code(&mut child), Some(1));
}

#[test]
fn invalid_settings_are_rejected_in_one_sentence() {
    let folder = Folder::new();
    datagen(&folder, "--out a.vf --games 1").success();
    let error_of =
        |options: &str| folder.trainer(&format!("datagen --games 2 --out a.vf {options}")).refusal().to_owned();
    let other = error_of("--nodes 150 --seed 8 --random-plies 8");
    assert!(other.contains("other settings (seed is 7, not 8)"), "{other}");
    assert!(error_of("--net none.nnue").starts_with("none.nnue: "));
    assert!(error_of("--openings none.epd").starts_with("none.epd: "));
    assert!(error_of("--noise 2").starts_with("--noise 2: expected a share"));
    assert!(error_of("--hard-nodes 9").starts_with("--hard-nodes 9: expected at least"));
    assert!(error_of("--engine 'x tc=1+1'").contains("a time control is not supported"));
    folder
        .trainer("datagen --games 2 --out b.vf --engine ./no-such-engine")
        .refused("\"no-such-engine\" in game 0: did not start");
    folder.write("c.vf", "FEN,Evaluation\n");
    folder
        .trainer("datagen --games 2 --out c.vf")
        .refused("c.vf: the file already exists, without its index c.vf.index");
}

/// If this variable is set, the engine below crashes once and removes the file that it names.
const CRASH: &str = "ALFIERE_TEST_CRASH";

/// Standard input, passed on line by line. At the tenth search, within the first game, the engine may crash.
struct Watched {
    line: Cursor<String>,
    searches: u32,
}

impl Read for Watched {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        if self.line.position() == self.line.get_ref().len() as u64 {
            let mut line = String::new();
            stdin().read_line(&mut line)?;
            self.searches += u32::from(line.starts_with("go"));
            if self.searches == 10 && std::env::var(CRASH).is_ok_and(|file| fs::remove_file(file).is_ok()) {
                std::process::abort();
            }
            self.line = Cursor::new(line);
        }
        self.line.read(buffer)
    }
}

/// Not a test: runs the real engine on this program's standard input and output, so that no other binary is needed.
#[test]
#[ignore = "speaks UCI"]
fn engine_over_pipes() {
    let input = BufReader::new(Watched { line: Cursor::default(), searches: 0 });
    Session::new(Engine::new(), stdout()).run(input).expect("it reads");
}

/// The engine above, as a value of `--engine`.
pub(crate) fn real_engine() -> String {
    let program = std::env::current_exe().expect("this test");
    let arguments = "arg=datagen::engine_over_pipes arg=--exact arg=--ignored arg=--nocapture";
    format!("'{}' name=piped {arguments} option.Hash=1", program.display())
}

#[test]
fn crashed_engine_is_named_and_its_game_repeated() {
    let folder = Folder::new();
    let engine = real_engine();
    let play = |out: &str| {
        let line = format!("datagen {QUICK} --out {out} --games 2 --engine \"{engine}\"");
        let run = Run::of(folder.command(&line).env(CRASH, folder.at("crash")).output().expect("it starts"));
        run.success();
        run.err
    };
    let calm = play("calm.vf");
    assert!(!calm.contains("crashed"), "{calm}");
    folder.write("crash", "");
    let crashed = play("crashed.vf");
    assert!(crashed.contains("engine \"piped\" crashed: ") && crashed.contains("game 0 is played again"), "{crashed}");
    assert!(folder.bytes("calm.vf") == folder.bytes("crashed.vf"));
    let text = folder.trainer("stats calm.vf").success().to_owned();
    assert!(text.contains("games             2"), "{text}");
}
