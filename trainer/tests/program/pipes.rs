//! Rows from standard input, FIFOs and other pipes.

use std::fmt::Write as _;
use std::fs;
use std::io::{Read, Write as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::support::{SAMPLE, START, dataset, trainer};

/// `trainer` that reads what is written to it, and keeps temporary files in the folder.
fn begin(folder: &Path, arguments: &[&str]) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_trainer"));
    command.current_dir(folder).env("TMPDIR", folder).args(arguments);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts")
}

fn rows() -> String {
    (0..500).fold("FEN,Evaluation\n".to_owned(), |mut text, row| {
        let _ = writeln!(text, "{},{}", START.replace(" 0 1", &format!(" 0 {}", row + 1)), row % 90);
        text
    })
}

/// The names of the files in a folder.
fn files(folder: &Path) -> Vec<String> {
    let names = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("listed").file_name());
    let mut names: Vec<String> = names.map(|name| name.to_string_lossy().into_owned()).collect();
    names.sort_unstable();
    names
}

/// Waits until a pipe is being copied: what comes before that is checked.
fn wait_for_copy(folder: &Path) {
    while !files(folder).iter().any(|name| name.starts_with("trainer-") && name.contains(".part")) {
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn pipes_are_read_by_every_command_and_leave_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let packed = fs::read(SAMPLE).expect("there");
    let train = ["train", "--start", "random", "--epochs", "1", "--rows", "2000", "--out", "a.nnue"];
    for arguments in
        [&["stats", "-"][..], &["convert", "/dev/stdin", "a.packed"], &[&train[..], &["--data", "-"]].concat()]
    {
        let mut child = begin(folder.path(), arguments);
        child.stdin.take().expect("a pipe").write_all(&packed).expect("read");
        let output = child.wait_with_output().expect("it ends");
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    }
    let from_file = trainer(folder.path(), &["convert", SAMPLE, "b.packed"]);
    from_file.success();
    let read = |name: &str| fs::read(folder.path().join(name)).expect("there");
    assert_eq!(read("a.packed"), read("b.packed"));
    assert!(!files(folder.path()).iter().any(|name| name.contains(".part")), "{:?}", files(folder.path()));
}

#[test]
#[cfg(unix)]
fn a_fifo_without_a_writer_ends_with_the_signal() {
    let folder = tempfile::tempdir().expect("a folder");
    assert!(Command::new("mkfifo").arg(folder.path().join("rows.fifo")).status().expect("it runs").success());
    let mut child = begin(folder.path(), &["stats", "rows.fifo"]);
    wait_for_copy(folder.path());
    let started = Instant::now();
    assert!(Command::new("kill").arg(child.id().to_string()).status().expect("it runs").success());
    assert!(!child.wait().expect("it ends").success() && started.elapsed() < Duration::from_secs(10));
    assert_eq!(files(folder.path()), ["rows.fifo"]);
}

#[test]
fn the_second_of_two_conversions_to_one_file_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("rows.csv"), rows()).expect("written");
    let mut first = begin(folder.path(), &["convert", "-", "out.packed"]);
    let mut pipe = first.stdin.take().expect("a pipe");
    pipe.write_all(rows().as_bytes()).expect("read");
    wait_for_copy(folder.path());
    trainer(folder.path(), &["convert", "rows.csv", "out.packed"]).success();
    drop(pipe);
    let output = first.wait_with_output().expect("it ends");
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && error.contains("out.packed: the file already exists"), "{error}");
    // While one is written.
    fs::remove_file(folder.path().join("out.packed")).expect("removed");
    let held = fs::File::create(folder.path().join("out.packed.1-0.part")).expect("created");
    held.lock().expect("locked");
    trainer(folder.path(), &["convert", "rows.csv", "out.packed"]).refused("another run is writing this file");
    drop(held);
    trainer(folder.path(), &["convert", "rows.csv", "out.packed"]).success();
    assert_eq!(files(folder.path()), ["out.packed", "rows.csv"]);
}

/// The first rows of the real sample, with results that agree with their labels; every tenth result is unknown.
fn rows_with_results(count: usize) -> String {
    let file = fs::File::open(dataset("kaggle/sample.csv.gz")).expect("the sample");
    let mut text = String::new();
    flate2::read::GzDecoder::new(file).read_to_string(&mut text).expect("text");
    let rows = text.lines().skip(1).take(count).enumerate().map(|(index, line)| {
        let label = line.split(',').nth(1).expect("a label");
        let result = match (index % 10, label.trim_start_matches('#').chars().next()) {
            (9, _) => "*",
            (_, Some('+')) => "1-0",
            (_, Some('-')) => "0-1",
            _ => "1/2-1/2",
        };
        format!("{line},{result}\n")
    });
    format!("FEN,Evaluation,Result\n{}", rows.collect::<String>())
}

#[test]
fn text_of_other_trainers_round_trips() {
    let folder = tempfile::tempdir().expect("a folder");
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).expect("a file");
    fs::write(folder.path().join("rows.csv"), rows_with_results(4_000)).expect("written");
    let run = trainer(folder.path(), &["convert", "rows.csv", "rows.txt"]);
    assert_eq!(run.success(), "rows.txt: 3,600 rows\n");
    assert!(run.err.contains("left out 400 rows without a result"), "{}", run.err);
    let text = read("rows.txt");
    assert_eq!(
        text.lines().next(),
        Some("rnbqk2r/pppp1ppp/5n2/2b1p3/2B1P3/2N4P/PPPP1PP1/R1BQK1NR b KQkq - 0 4 | -68 | 0.0")
    );
    for line in text.lines() {
        let fields: Vec<&str> = line.split(" | ").collect();
        let value: i32 = fields[1].parse().expect("centipawns");
        assert_eq!(fields[2], ["0.0", "0.5", "1.0"][(value.signum() + 1) as usize], "{line}");
    }
    assert!(text.lines().any(|line| line.contains(" | 3199")), "no mate among them");

    // The text is read like the CSV, including mates and results.
    let known: Vec<&str> = rows_with_results(4_000).leak().lines().filter(|line| !line.ends_with('*')).collect();
    fs::write(folder.path().join("known.csv"), known.join("\n") + "\n").expect("written");
    for (from, to) in [("rows.txt", "rows.txt.zst"), ("rows.txt.zst", "a.packed"), ("known.csv", "b.packed")] {
        trainer(folder.path(), &["convert", from, to]).success();
    }
    let bytes = |name: &str| fs::read(folder.path().join(name)).expect("a file");
    assert!(bytes("a.packed") == bytes("b.packed"));
    let stats = |name: &str| trainer(folder.path(), &["stats", name, "--json", "-", "--no-cache"]).success().to_owned();
    assert_eq!(stats("rows.txt"), stats("known.csv"));
    let train = ["cross-validate", "--data", "rows.txt", "--net", "white []", "--epochs", "1", "--folds", "2"];
    assert!(trainer(folder.path(), &train).success().contains("mean R2"));
}

#[test]
fn invalid_text_is_rejected() {
    let folder = tempfile::tempdir().expect("a folder");
    let error_of = |content: &str| {
        fs::write(folder.path().join("rows.txt"), content).expect("written");
        trainer(folder.path(), &["stats", "rows.txt", "--no-cache", "--strict"]).refusal().to_owned()
    };
    let good = format!("{START} | 5 | 0.5\n");
    for (bad, sentence) in [
        ("8/8 | 5 | 0.5\n", "rows.txt:2: illegal FEN: expected 4 to 6 FEN fields, found 1 (found `8/8 | 5 | 0.5`)"),
        (&format!("{START} | 5\n"), "rows.txt:2: expected a result in field 3, found 2 field(s)"),
        (
            &format!("{START} | 5.5 | 0.5\n"),
            "rows.txt:2: evaluation `5.5`: expected centipawns such as +56, without decimals",
        ),
        (&format!("{START} | 5 | draw\n"), "rows.txt:2: result `draw`: expected 1-0, 0-1, 1/2-1/2, White's points"),
        ("rnbqkbnr/pp", "rows.txt:2: the file ends in the middle of a line"),
    ] {
        let found = error_of(&format!("{good}{bad}"));
        assert!(found.starts_with(sentence), "{found}");
    }
    assert!(error_of("some | thing\n").starts_with("rows.txt:1: found `some | thing`; expected a header"));
    let run = trainer(folder.path(), &["convert", SAMPLE, "sample.txt"]);
    assert!(
        run.refusal()
            .ends_with("no row has a game result, and each line `FEN | cp | result` needs one; convert to CSV instead"),
        "{}",
        run.err
    );
    assert!(!Path::exists(&folder.path().join("sample.txt")));
}

#[test]
fn a_conversion_is_written_to_standard_output() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("rows.csv"), rows()).expect("written");
    trainer(folder.path(), &["convert", "rows.csv", "b.csv"]).success();
    let written = fs::read_to_string(folder.path().join("b.csv")).expect("there");
    let printed = trainer(folder.path(), &["convert", "rows.csv", "-"]);
    assert_eq!(printed.success(), written);
    assert!(printed.err.contains("rows.csv: 500 rows"), "{}", printed.err);
    let mut child = begin(folder.path(), &["convert", "-", "-", "--to", "csv", "--rows", "3"]);
    child.stdin.take().expect("a pipe").write_all(rows().as_bytes()).expect("read");
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.stdout.split(|&byte| byte == b'\n').count(), 5);
    assert_eq!(files(folder.path()), ["b.csv", "rows.csv"]);
    trainer(folder.path(), &["convert", "rows.csv", "-", "--record", "a.json"]).refused("standard output");
}

#[test]
#[cfg(unix)]
fn names_need_not_be_utf_8() {
    use std::os::unix::ffi::OsStrExt;
    let folder = tempfile::tempdir().expect("a folder");
    let name = |bytes: &[u8]| std::ffi::OsStr::from_bytes(bytes).to_owned();
    fs::write(folder.path().join(name(b"\xE9.csv")), rows()).expect("written");
    fs::copy(SAMPLE, folder.path().join(name(b"\xE9 games.csv.gz"))).expect("copied");
    for (words, files) in [
        ("stats", &[&b"\xE9.csv:scale=2"[..]][..]),
        ("convert --record a.json", &[b"\xE9.csv:scale=1", b"\xE9.packed", b"--interleave"]),
        ("convert --from packed", &[b"\xE9.packed", b"\xE9 2.csv.gz"]),
        (
            "train --start random --epochs 1 --rows 3000 --no-cache --net",
            &[b"dual [8]", b"--data", b"\xE9 games.csv.gz", b"--out", b"\xE9.nnue"],
        ),
        ("check", &[b"\xE9.nnue", b"--data", b"\xE9.packed"]),
        ("label --teacher", &[b"\xE9.nnue", b"\xE9.csv", b"--out", b"\xE9 2.packed"]),
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_trainer"));
        command.current_dir(folder.path()).args(words.split(' ')).args(files.iter().map(|file| name(file)));
        let output = command.stdin(Stdio::null()).output().expect("it starts");
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{words}: {error}");
    }
}
