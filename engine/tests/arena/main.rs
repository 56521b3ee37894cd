//! Real matches over pipes: the engine against itself and against misbehaving engines.
#![cfg(unix)]
// In tests a failed unwrap is the error report.
#![allow(clippy::unwrap_used)]

mod faults;
mod files;
mod games;
mod tournaments;

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
