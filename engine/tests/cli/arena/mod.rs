//! Real matches over pipes: the engine against itself and against misbehaving engines.

mod faults;
mod files;
mod games;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

use serde_json::Value;

use crate::{output_of, read_json};

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

/// The arguments of a command line, separated by spaces; what is between `'` is one argument.
fn words(line: &str) -> Vec<&str> {
    let parts = line.split('\'').enumerate();
    parts.flat_map(|(at, part)| if at % 2 == 1 { vec![part] } else { part.split_whitespace().collect() }).collect()
}

fn alfiere(arguments: &str) -> Command {
    crate::command(&words(arguments))
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
    let text = output_of(&words(&format!("{engines} {arguments}")));
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
