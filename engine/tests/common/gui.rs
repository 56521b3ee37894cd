//! The GUI side of a UCI connection.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// A generous timeout: only a hanging engine reaches it.
pub const TIMEOUT: Duration = Duration::from_mins(1);

pub fn own_program() -> &'static Path {
    match option_env!("CARGO_BIN_EXE_alfiere") {
        Some(path) => Path::new(path),
        None => panic!("only tests are built together with the program"),
    }
}

/// A running engine with its pipes.
pub struct Gui {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Gui {
    /// Starts the program of this build.
    pub fn start() -> Self {
        Self::spawn(&mut Command::new(own_program()))
    }

    /// Starts a program with an address space limit in KiB (`ulimit -v`).
    pub fn start_with_memory(program: impl AsRef<Path>, kibibytes: u64) -> Self {
        let script = format!("ulimit -v {kibibytes} && exec \"$0\"");
        Self::spawn(Command::new("sh").arg("-c").arg(script).arg(program.as_ref()))
    }

    pub fn spawn(command: &mut Command) -> Self {
        let mut child =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the program can be started");
        let input = child.stdin.take();
        let mut output = BufReader::new(child.stdout.take().expect("piped"));
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            let mut bytes = Vec::new();
            while matches!(output.read_until(b'\n', &mut bytes), Ok(count) if count > 0) {
                let line = String::from_utf8_lossy(&bytes).trim_end_matches('\n').to_owned();
                bytes.clear();
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        Self { child, input, lines }
    }

    /// Memory that the program uses, in MiB.
    #[cfg(target_os = "linux")]
    pub fn resident_mebibytes(&self) -> usize {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).expect("it runs");
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).expect("Linux says it");
        line.trim().trim_end_matches(" kB").parse::<usize>().expect("a number") / 1024
    }

    pub fn say(&mut self, text: &str) {
        self.say_bytes(format!("{text}\n").as_bytes()).expect("the program reads its input");
    }

    /// Sends bytes that need not be text; fails if the pipe is closed.
    pub fn say_bytes(&mut self, bytes: &[u8]) -> std::io::Result<()> {
        self.input.as_mut().expect("still open").write_all(bytes)
    }

    /// The next line, unless the time is up.
    pub fn line_within(&mut self, timeout: Duration) -> Result<String, RecvTimeoutError> {
        self.lines.recv_timeout(timeout)
    }

    /// Reads lines up to and including the first with this prefix.
    pub fn until(&mut self, prefix: &str) -> Vec<String> {
        let deadline = Instant::now() + TIMEOUT;
        let mut output = Vec::new();
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            let line = self.lines.recv_timeout(left).unwrap_or_else(|_| panic!("no {prefix:?} after {output:#?}"));
            let found = line.starts_with(prefix);
            output.push(line);
            if found {
                return output;
            }
        }
    }

    /// Sends a command and returns the output up to `readyok`.
    pub fn ask(&mut self, text: &str) -> Vec<String> {
        self.say(text);
        self.say("isready");
        let mut output = self.until("readyok");
        output.pop();
        output
    }

    /// Starts a search that ends by itself, and reads up to `bestmove`.
    pub fn search(&mut self, go: &str) -> Vec<String> {
        self.say(go);
        self.until("bestmove")
    }

    /// The move of such a search, before which there must be a score.
    pub fn best_move(&mut self, go: &str) -> String {
        let output = self.search(go);
        let [.., info, best] = output.as_slice() else { panic!("no info before {output:?}") };
        assert!(info.starts_with("info depth ") && info.contains(" score "), "{info}");
        let best = best.split_whitespace().nth(1).expect("a move").to_owned();
        if best != "(none)" {
            assert!(info.contains(&format!(" pv {best}")), "{info} / {best}");
        }
        best
    }

    /// Whether no `bestmove` arrives for this time; other output is dropped.
    pub fn is_silent_for(&mut self, milliseconds: u64) -> bool {
        let deadline = Instant::now() + Duration::from_millis(milliseconds);
        loop {
            match self.lines.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                Ok(line) if line.starts_with("info") => {}
                Ok(_) => return false,
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => return true,
            }
        }
    }

    pub fn fen(&mut self) -> String {
        let output = self.ask("d");
        output.iter().find_map(|line| line.strip_prefix("Fen: ")).expect("a FEN").to_owned()
    }

    /// Closes the input, optionally after a last line, and waits for the exit.
    pub fn end(mut self, last_words: Option<&str>) -> ExitStatus {
        if let Some(words) = last_words {
            self.say(words);
        }
        self.close();
        self.wait()
    }

    pub fn close(&mut self) {
        self.input = None;
    }

    pub fn wait(&mut self) -> ExitStatus {
        let deadline = Instant::now() + TIMEOUT;
        loop {
            if let Some(status) = self.child.try_wait().expect("a child") {
                return status;
            }
            assert!(Instant::now() < deadline, "the program does not end");
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

impl Drop for Gui {
    /// Ends the program, which must succeed. After a failed test or `close` it is killed, so that none is left behind.
    fn drop(&mut self) {
        if self.input.is_some() && !std::thread::panicking() {
            let _ = self.say_bytes(b"quit\n");
            assert!(self.wait().success(), "the program ended with an error");
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
