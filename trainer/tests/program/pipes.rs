//! Rows from standard input, FIFOs and other pipes.

use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::support::{SAMPLE, START, trainer};

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
