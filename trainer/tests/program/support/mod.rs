//! Runs the real binary.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The start position.
pub(crate) const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// A hundred thousand rows of games.
pub(crate) const SAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../datasets/kaggle/sample.csv.gz");

/// The output of a run.
pub(crate) struct Run {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

/// The command that runs `trainer` with these arguments in a folder. Networks start from random weights, unless a test names
/// another start: a first lesson for a small shape takes minutes.
pub(crate) fn command(folder: &Path, arguments: &[&str]) -> Command {
    let start: &[&str] = match arguments {
        ["train" | "cross-validate", rest @ ..] if !rest.contains(&"--start") => &["--start", "random"],
        _ => &[],
    };
    let mut command = Command::new(env!("CARGO_BIN_EXE_trainer"));
    command.current_dir(folder).args(arguments).args(start);
    command
}

/// Runs it.
pub(crate) fn trainer(folder: &Path, arguments: &[&str]) -> Run {
    let Output { status, stdout, stderr } = command(folder, arguments).output().expect("it starts");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    Run { code: status.code(), out: text(stdout), err: text(stderr) }
}

impl Run {
    /// The error message of a failed run: exit code 1 and a last line `error: ...` without a panic.
    pub(crate) fn refusal(&self) -> &str {
        assert_eq!(self.code, Some(1), "{}", self.err);
        assert!(!self.err.contains("panicked"), "{}", self.err);
        let last = self.err.lines().last().unwrap_or_default();
        last.strip_prefix("error: ").unwrap_or_else(|| panic!("no error message: {}", self.err))
    }

    /// Fails unless the run failed with an error message that contains this part.
    pub(crate) fn refused(&self, part: &str) {
        assert!(self.refusal().contains(part), "{part} is missing in {}", self.err);
    }

    /// Standard output of a successful run.
    pub(crate) fn success(&self) -> &str {
        assert_eq!(self.code, Some(0), "{}", self.err);
        &self.out
    }
}

/// Path of a file in `datasets/`.
pub(crate) fn dataset(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../datasets").join(name)
}

/// A path as a command-line argument.
pub(crate) fn argument(path: &Path) -> &str {
    path.to_str().expect("UTF-8")
}
