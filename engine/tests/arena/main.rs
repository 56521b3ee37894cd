//! Real matches over pipes: the engine against itself and against misbehaving engines.
#![cfg(unix)]
// In tests a failed unwrap is the error report.
#![allow(clippy::unwrap_used)]

mod faults;
mod files;
mod games;

use std::fs;
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

/// The program with these arguments, separated by spaces; what is between `'` is one argument.
fn alfiere(arguments: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_alfiere"));
    for (index, part) in arguments.split('\'').enumerate() {
        if index % 2 == 1 {
            command.arg(part)
        } else {
            command.args(part.split_whitespace())
        };
    }
    command
}

/// What a command that succeeds prints.
fn output_of(command: &mut Command) -> String {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn error_of(command: &mut Command) -> String {
    let output = command.output().unwrap();
    assert!(!output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    String::from_utf8(output.stderr).unwrap()
}

fn read_json(path: &Path) -> Value {
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

fn data(name: &str) -> String {
    format!("{}/../datasets/{name}", env!("CARGO_MANIFEST_DIR"))
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
fn play(name: &str, opponent: &str, arguments: &str) -> (Value, String) {
    let out = folder().join(format!("{name}.json"));
    let engines = format!("match --engine 'alfiere option.Hash=1' --engine '{opponent}' --json '{}'", out.display());
    let text = output_of(&mut alfiere(&format!("{engines} {arguments}")));
    (read_json(&out), text)
}

/// Checks that the opponent loses every game by a fault of this kind and that the reason is printed with its name.
fn loses(path: &Path, kind: &str, reason: &str, arguments: &str) {
    let name = path.file_name().unwrap().to_str().unwrap();
    let (json, text) = play(name, path.to_str().unwrap(), arguments);
    assert_eq!(json["games"]["wins"], 2, "{text}");
    assert_eq!(json["players"][1]["faults"][kind], 2, "{text}");
    assert_eq!(json["players"][0]["faults"], serde_json::json!({"illegal": 0, "time": 0, "crashes": 0}), "{text}");
    assert!(text.contains(&format!("{name} {reason}")), "{text}");
}

const QUICK: &str = "--nodes 50 --games 2";
