//! Runs the real binary in a temporary folder.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

/// The start position.
pub(crate) const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// A hundred thousand rows of games.
pub(crate) const SAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../datasets/kaggle/sample.csv.gz");

/// A temporary folder, in which the program runs.
pub(crate) struct Folder(TempDir);

impl Folder {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().expect("a folder"))
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    pub(crate) fn at(&self, name: impl AsRef<Path>) -> PathBuf {
        self.path().join(name)
    }

    pub(crate) fn bytes(&self, name: &str) -> Vec<u8> {
        fs::read(self.at(name)).expect(name)
    }

    pub(crate) fn text(&self, name: &str) -> String {
        fs::read_to_string(self.at(name)).expect(name)
    }

    pub(crate) fn json(&self, name: &str) -> Value {
        serde_json::from_str(&self.text(name)).expect(name)
    }

    pub(crate) fn write(&self, name: impl AsRef<Path>, content: impl AsRef<[u8]>) {
        fs::write(self.at(name), content).expect("written");
    }

    /// The names of its files, sorted.
    pub(crate) fn names(&self) -> Vec<String> {
        let names = fs::read_dir(self.path()).expect("a folder").map(|entry| entry.expect("listed").file_name());
        let mut names: Vec<String> = names.map(|name| name.into_string().expect("UTF-8")).collect();
        names.sort_unstable();
        names
    }

    /// The command that runs `trainer` with the [words] of a line here. Networks start from random weights, unless a test
    /// names another start: a first lesson for a small shape takes minutes.
    pub(crate) fn command(&self, line: &str) -> Command {
        let words = words(line);
        let starts = matches!(words.first().map(String::as_str), Some("train" | "cross-validate"));
        let start: &[&str] =
            if starts && !words.iter().any(|word| word == "--start") { &["--start", "random"] } else { &[] };
        let mut command = Command::new(env!("CARGO_BIN_EXE_trainer"));
        command.current_dir(self.path()).args(words).args(start);
        command
    }

    /// Runs it to its end.
    pub(crate) fn trainer(&self, line: &str) -> Run {
        Run::of(self.command(line).output().expect("it starts"))
    }

    /// Starts it with pipes.
    pub(crate) fn start(&self, line: &str) -> Child {
        let mut command = self.command(line);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts")
    }
}

/// The words of a command line; those in quotes stay together. At the start of a word, `SAMPLE` stands for the file of
/// [`SAMPLE`], and `@` for the folder of the repository.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut rest = line.trim();
    while let Some(first) = rest.chars().next() {
        let (word, after) = match first {
            '\'' | '"' => rest[1..].split_once(first).expect("a closing quote"),
            _ => rest.split_once(' ').unwrap_or((rest, "")),
        };
        words.push(match (word.strip_prefix("SAMPLE"), word.strip_prefix('@')) {
            (Some(end), _) => SAMPLE.to_owned() + end,
            (_, Some(path)) => format!("{}/../{path}", env!("CARGO_MANIFEST_DIR")),
            _ => word.to_owned(),
        });
        rest = after.trim_start();
    }
    words
}

/// Fails unless a text has all these parts.
pub(crate) fn has_parts(text: &str, parts: &[impl AsRef<str> + std::fmt::Debug]) {
    let missing: Vec<_> = parts.iter().filter(|part| !text.contains(part.as_ref())).collect();
    assert!(missing.is_empty(), "{missing:?} are missing in\n{text}");
}

/// Sends a signal, such as `-INT` for Ctrl-C.
pub(crate) fn signal(child: &Child, name: &str) {
    assert!(Command::new("kill").args([name, &child.id().to_string()]).status().expect("kill").success());
}

/// Waits for a condition, long enough for a busy machine.
pub(crate) fn wait_for(what: &str, mut is_there: impl FnMut() -> bool) {
    let start = Instant::now();
    while !is_there() {
        assert!(start.elapsed() < Duration::from_mins(2), "no {what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// The output of a run.
pub(crate) struct Run {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Run {
    pub(crate) fn of(output: Output) -> Self {
        let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
        Self { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
    }

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

    /// The JSON that a successful run has printed.
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(self.success()).expect("JSON")
    }
}

/// Path of a file in `datasets/`.
pub(crate) fn dataset(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../datasets").join(name)
}

/// The sample as text.
pub(crate) fn sample_text() -> String {
    let mut text = String::new();
    flate2::read::GzDecoder::new(fs::File::open(SAMPLE).expect("the sample")).read_to_string(&mut text).expect("text");
    text
}

/// A path as a command-line argument.
pub(crate) fn argument(path: &Path) -> &str {
    path.to_str().expect("UTF-8")
}
