//! Rows from standard input, FIFOs and other pipes.

use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::support::{Folder, Run, SAMPLE, START, sample_text, signal, wait_for};

/// `trainer` that reads what is written to it, and keeps temporary files in the folder.
fn begin(folder: &Folder, line: &str) -> Child {
    let mut command = folder.command(line);
    command.env("TMPDIR", folder.path()).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().expect("it starts")
}

fn rows() -> String {
    (0..500).fold("FEN,Evaluation\n".to_owned(), |mut text, row| {
        let _ = writeln!(text, "{},{}", START.replace(" 0 1", &format!(" 0 {}", row + 1)), row % 90);
        text
    })
}

/// Writes to it, and waits for its end.
fn feed(mut child: Child, content: &[u8]) -> Run {
    child.stdin.take().expect("a pipe").write_all(content).expect("read");
    Run::of(child.wait_with_output().expect("it ends"))
}

/// Waits until a pipe is being copied: what comes before that is checked.
fn wait_for_copy(folder: &Folder) {
    let is_copy = |name: &String| name.starts_with("trainer-") && name.contains(".part");
    wait_for("copy", || folder.names().iter().any(is_copy));
}

#[test]
fn pipes_are_read_by_every_command_and_leave_nothing() {
    let folder = Folder::new();
    let packed = fs::read(SAMPLE).expect("there");
    for line in ["stats -", "convert /dev/stdin a.packed", "train --epochs 1 --rows 2000 --out a.nnue --data -"] {
        feed(begin(&folder, line), &packed).success();
    }
    folder.trainer("convert SAMPLE b.packed").success();
    assert_eq!(folder.bytes("a.packed"), folder.bytes("b.packed"));
    assert!(!folder.names().iter().any(|name| name.contains(".part")), "{:?}", folder.names());
}

#[test]
#[cfg(unix)]
fn a_fifo_without_a_writer_ends_with_the_signal() {
    let folder = Folder::new();
    assert!(Command::new("mkfifo").arg(folder.at("rows.fifo")).status().expect("it runs").success());
    let mut child = begin(&folder, "stats rows.fifo");
    wait_for_copy(&folder);
    let started = Instant::now();
    signal(&child, "-TERM");
    assert!(!child.wait().expect("it ends").success() && started.elapsed() < Duration::from_secs(10));
    assert_eq!(folder.names(), ["rows.fifo"]);
}

#[test]
fn the_second_of_two_conversions_to_one_file_is_refused() {
    let folder = Folder::new();
    folder.write("rows.csv", rows());
    let mut first = begin(&folder, "convert - out.packed");
    let mut pipe = first.stdin.take().expect("a pipe");
    pipe.write_all(rows().as_bytes()).expect("read");
    wait_for_copy(&folder);
    folder.trainer("convert rows.csv out.packed").success();
    drop(pipe);
    Run::of(first.wait_with_output().expect("it ends")).refused("out.packed: the file already exists");
    // While one is written.
    fs::remove_file(folder.at("out.packed")).expect("removed");
    let held = fs::File::create(folder.at("out.packed.1-0.part")).expect("created");
    held.lock().expect("locked");
    folder.trainer("convert rows.csv out.packed").refused("another run is writing this file");
    drop(held);
    folder.trainer("convert rows.csv out.packed").success();
    assert_eq!(folder.names(), ["out.packed", "rows.csv"]);
}

/// The first rows of the real sample, with results that agree with their labels; every tenth result is unknown.
fn rows_with_results(count: usize) -> String {
    let text = sample_text();
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
    let folder = Folder::new();
    folder.write("rows.csv", rows_with_results(4_000));
    let run = folder.trainer("convert rows.csv rows.txt");
    assert_eq!(run.success(), "rows.txt: 3,600 rows\n");
    assert!(run.err.contains("left out 400 rows without a result"), "{}", run.err);
    let text = folder.text("rows.txt");
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
    folder.write("known.csv", known.join("\n") + "\n");
    for files in ["rows.txt rows.txt.zst", "rows.txt.zst a.packed", "known.csv b.packed"] {
        folder.trainer(&format!("convert {files}")).success();
    }
    assert!(folder.bytes("a.packed") == folder.bytes("b.packed"));
    let stats = |name: &str| folder.trainer(&format!("stats {name} --json - --no-cache")).json();
    assert_eq!(stats("rows.txt"), stats("known.csv"));
    let folds = folder.trainer("cross-validate --data rows.txt --net 'white []' --epochs 1 --folds 2");
    assert!(folds.success().contains("mean R2"));
}

#[test]
fn invalid_text_is_rejected() {
    let folder = Folder::new();
    folder.write("rows.txt", format!("{START} | 5 | 0.5\n{START} | 5 | draw\n"));
    folder
        .trainer("stats rows.txt --no-cache --strict")
        .refused("rows.txt:2: result `draw`: expected 1-0, 0-1, 1/2-1/2, White's points");
    folder.write("rows.txt", "some | thing\n");
    folder.trainer("stats rows.txt --no-cache").refused("rows.txt:1: found `some | thing`; expected a header");
    folder
        .trainer("convert SAMPLE sample.txt")
        .refused("no row has a game result, and each line `FEN | cp | result` needs one; convert to CSV instead");
    assert!(!folder.at("sample.txt").exists());
}

#[test]
fn a_conversion_is_written_to_standard_output() {
    let folder = Folder::new();
    folder.write("rows.csv", rows());
    folder.trainer("convert rows.csv b.csv").success();
    let printed = folder.trainer("convert rows.csv -");
    assert_eq!(printed.success(), folder.text("b.csv"));
    assert!(printed.err.contains("rows.csv: 500 rows"), "{}", printed.err);
    let some = begin(&folder, "convert - - --to csv --rows 3");
    assert_eq!(feed(some, rows().as_bytes()).success().lines().count(), 4);
    assert_eq!(folder.names(), ["b.csv", "rows.csv"]);
    folder.trainer("convert rows.csv - --record a.json").refused("standard output");
}

#[test]
#[cfg(unix)]
fn names_need_not_be_utf_8() {
    use std::os::unix::ffi::OsStrExt;
    let folder = Folder::new();
    let name = |bytes: &[u8]| std::ffi::OsStr::from_bytes(bytes).to_owned();
    folder.write(name(b"\xE9.csv"), rows());
    fs::copy(SAMPLE, folder.at(name(b"\xE9 games.csv.gz"))).expect("copied");
    for (line, files) in [
        ("stats", &[&b"\xE9.csv:scale=2"[..]][..]),
        ("convert --record a.json", &[b"\xE9.csv:scale=1", b"\xE9.packed", b"--interleave"]),
        ("convert --from packed", &[b"\xE9.packed", b"\xE9 2.csv.gz"]),
        (
            "train --epochs 1 --rows 3000 --no-cache --net 'dual [8]'",
            &[b"--data", b"\xE9 games.csv.gz", b"--out", b"\xE9.nnue"],
        ),
        ("check", &[b"\xE9.nnue", b"--data", b"\xE9.packed"]),
        ("label --teacher", &[b"\xE9.nnue", b"\xE9.csv", b"--out", b"\xE9 2.packed"]),
    ] {
        let mut command = folder.command(line);
        command.args(files.iter().map(|file| name(file))).stdin(Stdio::null());
        let output = command.output().expect("it starts");
        assert!(output.status.success(), "{line}: {}", String::from_utf8_lossy(&output.stderr));
    }
}
