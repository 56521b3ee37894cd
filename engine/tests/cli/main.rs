//! The real program. With invalid input: one clear sentence on standard error, a non-zero exit code, and no other
//! output.
// In tests a failed unwrap is the error report.
#![allow(clippy::unwrap_used)]

mod analysis;
#[cfg(unix)]
mod arena;
mod arguments;
mod circles;
#[path = "../common/gui.rs"]
#[allow(dead_code, unreachable_pub, reason = "this test uses a part")]
mod gui;
mod names;
mod players;
mod positions;
mod rate;
mod ratings;
#[cfg(unix)]
mod tune;

use std::fs;
use std::path::{Path, PathBuf};
#[cfg(unix)]
use std::process::Child;
use std::process::Command;

use serde_json::Value;

fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_alfiere"));
    command.args(arguments);
    command
}

/// Sends a signal such as `-INT` to a running program.
#[cfg(unix)]
fn send(signal: &str, child: &Child) {
    assert!(Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap().success());
}

/// Kills a program that is still running.
#[cfg(unix)]
fn kill(mut child: Child) {
    child.kill().unwrap();
    assert!(!child.wait().unwrap().success());
}

fn read_json(path: impl AsRef<Path>) -> Value {
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

/// What the program prints with these arguments, with which it succeeds.
fn output_of(arguments: &[&str]) -> String {
    let output = command(arguments).output().unwrap();
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// Creates a file in this test run's folder.
fn file(name: &str, content: &[u8]) -> String {
    file_in("cli", name, content)
}

/// Creates a file in a folder of its own for each group of tests, whose files may have the same names.
fn file_in(group: &str, name: &str, content: &[u8]) -> String {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(group);
    fs::create_dir_all(&folder).unwrap();
    let path = folder.join(name);
    fs::write(&path, content).unwrap();
    path.to_str().unwrap().to_owned()
}

fn data(name: &str) -> String {
    format!("{}/../{name}", env!("CARGO_MANIFEST_DIR"))
}

/// Checks that the program refuses these arguments with a sentence that has these parts. Returns what it said.
fn refused(arguments: &[&str], parts: &[&str]) -> String {
    let output = command(arguments).output().unwrap();
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.status.success(), "{arguments:?} succeeded");
    assert!(text.starts_with("error: "), "{arguments:?}: {text}");
    assert!(!text.contains("panicked") && !text.contains("RUST_BACKTRACE"), "{arguments:?}: {text}");
    for part in parts {
        assert!(text.contains(part), "{arguments:?}: expected \"{part}\" in: {text}");
    }
    text
}
