//! A GUI's side of the pipes.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// Long enough for a busy machine; only a hanging engine takes so long.
pub const PATIENCE: Duration = Duration::from_mins(1);

/// The program that was built together with this test.
pub fn own_program() -> &'static Path {
    match option_env!("CARGO_BIN_EXE_alfiere") {
        Some(path) => Path::new(path),
        None => panic!("only tests are built together with the program"),
    }
}

/// A running engine and whoever talks to it.
pub struct Gui {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Gui {
    /// The program of this build, started as a GUI starts it.
    pub fn start() -> Self {
        Self::spawn(&mut Command::new(own_program()))
    }

    /// The program, in a shell that first sets a limit: `ulimit -v` in KiB of address space.
    pub fn start_with_memory(program: impl AsRef<Path>, kibibytes: u64) -> Self {
        let script = format!("ulimit -v {kibibytes} && exec \"$0\"");
        Self::spawn(Command::new("sh").arg("-c").arg(script).arg(program.as_ref()))
    }

    /// Whatever command speaks UCI.
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

    /// Says a line.
    pub fn say(&mut self, text: &str) {
        self.say_bytes(format!("{text}\n").as_bytes()).expect("the program listens");
    }

    /// Says what need not be text; an error if nobody listens.
    pub fn say_bytes(&mut self, bytes: &[u8]) -> std::io::Result<()> {
        self.input.as_mut().expect("still open").write_all(bytes)
    }

    /// The next line, if one comes in time.
    pub fn line_within(&mut self, patience: Duration) -> Result<String, RecvTimeoutError> {
        self.lines.recv_timeout(patience)
    }

    /// Lines up to and with the first that begins so.
    pub fn until(&mut self, beginning: &str) -> Vec<String> {
        let deadline = Instant::now() + PATIENCE;
        let mut heard = Vec::new();
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            let line = self.lines.recv_timeout(left).unwrap_or_else(|_| panic!("no {beginning:?} after {heard:#?}"));
            let found = line.starts_with(beginning);
            heard.push(line);
            if found {
                return heard;
            }
        }
    }

    /// Says something and gives what is heard until the answer to `isready`.
    pub fn ask(&mut self, text: &str) -> Vec<String> {
        self.say(text);
        self.say("isready");
        let mut heard = self.until("readyok");
        heard.pop();
        heard
    }

    /// The best move, after checking that a score came just before it.
    pub fn best_move(&mut self) -> String {
        let heard = self.until("bestmove");
        let [.., info, best] = heard.as_slice() else { panic!("no info before {heard:?}") };
        assert!(info.starts_with("info depth ") && info.contains(" score "), "{info}");
        let best = best.split_whitespace().nth(1).expect("a move").to_owned();
        if best != "(none)" {
            assert!(info.contains(&format!(" pv {best}")), "{info} / {best}");
        }
        best
    }

    /// Whether there is no best move for so long; what is thought meanwhile is not kept.
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

    /// The position that the engine has in mind.
    pub fn fen(&mut self) -> String {
        let heard = self.ask("d");
        heard.iter().find_map(|line| line.strip_prefix("Fen: ")).expect("a FEN").to_owned()
    }

    /// Closes the input, after a last word if one is given, and waits.
    pub fn end(mut self, last_words: Option<&str>) -> ExitStatus {
        if let Some(words) = last_words {
            self.say(words);
        }
        self.input = None;
        self.wait()
    }

    /// Waits until the program has ended.
    pub fn wait(&mut self) -> ExitStatus {
        let deadline = Instant::now() + PATIENCE;
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
    /// A test that failed leaves no program behind.
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
