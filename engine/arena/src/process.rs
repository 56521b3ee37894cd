//! A child process with line-based pipes. Every line has its time of arrival, and every wait has a deadline. Lines can be
//! logged.
//!
//! Independent of protocols. One thread reads the program's output, so that a line's time is that of its arrival.
//! Another thread writes, because a program that does not read its input would block the writer. Line lengths and
//! queues are bounded: a program that writes too fast is blocked, as by a slow terminal.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::{Duration, Instant};

use thiserror::Error;

use super::spec::PlayerSpec;

/// Interval at which a wait checks whether the match was stopped.
const STOP_POLL: Duration = Duration::from_millis(50);
/// Time that a program has to exit after the quit command.
const EXIT_TIMEOUT: Duration = Duration::from_millis(500);

/// Maximum number of queued lines per direction.
const QUEUE: usize = 1024;
/// Maximum length of a line in bytes; the rest of a longer line is dropped.
const MAX_LINE_BYTES: usize = 1 << 14;

#[derive(Debug, Error)]
pub(crate) enum PipeError {
    #[error("no answer in time")]
    Timeout,
    #[error("the program ended ({0})")]
    Closed(String),
    #[error("stopped")]
    Stopped,
}

/// A line and its time of arrival.
#[derive(Clone, Debug)]
pub struct OutputLine {
    /// The text without the line end; control characters, which a terminal would execute, are spaces.
    pub text: String,
    /// When the reading thread received it.
    pub at: Instant,
}

/// A running program; dropping it ends the program.
#[derive(Debug)]
pub(crate) struct Process {
    child: Child,
    /// Channel to the writing thread; `None` after the quit command.
    input: Option<SyncSender<Vec<u8>>>,
    lines: Receiver<OutputLine>,
    /// A line that arrived after its deadline.
    late: Option<OutputLine>,
    transcript: Option<Transcript>,
    quit_command: &'static str,
}

impl Process {
    /// Starts an engine in its folder, with its log if it has one. `quit_command` is the command that ends it.
    ///
    /// It runs in its own process group, so that Ctrl-C in the terminal stops the match and not the engines.
    pub(crate) fn spawn(spec: &PlayerSpec, quit_command: &'static str) -> io::Result<Self> {
        let mut command = Command::new(&spec.program);
        command.args(&spec.arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        if let Some(folder) = &spec.folder {
            command.current_dir(folder);
        }
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        // Opened before the program starts, so that an error leaves no running program.
        let log = spec.log.as_deref().map(open_log).transpose()?;
        let mut child = command.spawn()?;
        let transcript = log.map(|file| Transcript { file: Arc::new(file), process: child.id() });
        let heard = transcript.clone();
        let missing_pipe = || io::Error::other("no pipe");
        let (input, orders) = sync_channel(QUEUE);
        let (sender, lines) = sync_channel(QUEUE);
        let (stdin, stdout) =
            (child.stdin.take().ok_or_else(missing_pipe)?, child.stdout.take().ok_or_else(missing_pipe)?);
        thread::spawn(move || write_lines(stdin, &orders));
        thread::spawn(move || {
            read_lines(stdout, |line| {
                if let Some(transcript) = &heard {
                    transcript.add('<', &line.text, line.at);
                }
                sender.send(line).is_ok()
            });
        });
        Ok(Self { child, input: Some(input), lines, late: None, transcript, quit_command })
    }

    /// Sends a line to the program without waiting until it is read. Fails if too many lines are queued.
    pub(crate) fn send(&mut self, line: impl AsRef<[u8]>) -> Result<(), PipeError> {
        let line = line.as_ref();
        if let Some(transcript) = &self.transcript {
            transcript.add('>', &String::from_utf8_lossy(line), Instant::now());
        }
        match self.input.as_ref().map(|input| input.try_send([line, b"\n"].concat())) {
            Some(Ok(())) => Ok(()),
            Some(Err(TrySendError::Full(_))) => Err(PipeError::Timeout),
            Some(Err(TrySendError::Disconnected(_))) | None => Err(self.closed()),
        }
    }

    /// The next line, if it arrives before the deadline.
    pub(crate) fn read(&mut self, deadline: Instant, stop: &AtomicBool) -> Result<OutputLine, PipeError> {
        loop {
            if stop.load(Ordering::Relaxed) {
                return Err(PipeError::Stopped);
            }
            let left = deadline.saturating_duration_since(Instant::now());
            let received = self.late.take().map_or_else(|| self.lines.recv_timeout(left.min(STOP_POLL)), Ok);
            match received {
                Ok(line) if line.at <= deadline => return Ok(line),
                Ok(line) => {
                    self.late = Some(line);
                    return Err(PipeError::Timeout);
                }
                Err(RecvTimeoutError::Disconnected) => return Err(self.closed()),
                Err(RecvTimeoutError::Timeout) if left <= STOP_POLL => return Err(PipeError::Timeout),
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// Discards all lines received so far.
    pub(crate) fn discard_pending(&mut self) {
        let now = Instant::now();
        self.late = None;
        while self.lines.try_recv().is_ok_and(|line| line.at < now) {}
    }

    fn closed(&mut self) -> PipeError {
        PipeError::Closed(
            self.wait(EXIT_TIMEOUT).map_or_else(|| "it closed its pipe".to_owned(), |status| status.to_string()),
        )
    }

    fn wait(&mut self, timeout: Duration) -> Option<ExitStatus> {
        let deadline = Instant::now() + timeout;
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => return Some(status),
                Ok(None) if Instant::now() < deadline => thread::sleep(Duration::from_millis(5)),
                _ => return None,
            }
        }
    }
}

/// Writes lines until the channel or the pipe is closed.
fn write_lines(mut pipe: ChildStdin, lines: &Receiver<Vec<u8>>) {
    // One write per line, because each write wakes the program.
    while lines.recv().is_ok_and(|line| pipe.write_all(&line).and_then(|()| pipe.flush()).is_ok()) {}
}

/// Reads lines with their time of arrival until the pipe is closed or `take` returns false.
fn read_lines(pipe: ChildStdout, mut take: impl FnMut(OutputLine) -> bool) {
    let mut reader = BufReader::new(pipe);
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        let at_most = (&mut reader).take(MAX_LINE_BYTES as u64).read_until(b'\n', &mut bytes);
        if !at_most.is_ok_and(|count| count > 0) {
            return;
        }
        let at = Instant::now();
        if bytes.len() == MAX_LINE_BYTES && !bytes.ends_with(b"\n") && reader.skip_until(b'\n').is_err() {
            return;
        }
        let text = String::from_utf8_lossy(&bytes).trim_end().replace(char::is_control, " ");
        if !take(OutputLine { text, at }) {
            return;
        }
    }
}

impl Drop for Process {
    /// Sends the quit command, and kills the program if it does not exit.
    fn drop(&mut self) {
        let _ = self.send(self.quit_command);
        self.input = None;
        if self.wait(EXIT_TIMEOUT).is_none() {
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }
}

/// An append-only log: `SECONDS PROCESS > LINE` for lines sent to a process, `<` for lines received.
///
/// Several engines and processes may share a file: each line is one append.
#[derive(Clone, Debug)]
struct Transcript {
    file: Arc<File>,
    process: u32,
}

impl Transcript {
    /// Appends a line with its time. Write errors are ignored, so that they do not disturb the game.
    fn add(&self, arrow: char, line: &str, at: Instant) {
        let seconds = at.saturating_duration_since(time_origin()).as_secs_f64();
        let _ = (&*self.file).write_all(format!("{seconds:.4} {} {arrow} {line}\n", self.process).as_bytes());
    }
}

fn open_log(path: &Path) -> io::Result<File> {
    time_origin();
    let failed = |error| io::Error::other(format!("its log {}: {error}", path.display()));
    OpenOptions::new().append(true).create(true).open(path).map_err(failed)
}

/// The origin of the seconds, common to all logs of a run.
fn time_origin() -> Instant {
    static ORIGIN: OnceLock<Instant> = OnceLock::new();
    *ORIGIN.get_or_init(Instant::now)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn spec(script: &str) -> PlayerSpec {
        PlayerSpec { program: "sh".into(), arguments: vec!["-c".into(), script.into()], ..PlayerSpec::default() }
    }

    fn shell(script: &str) -> Process {
        Process::spawn(&spec(script), "quit").expect("sh starts")
    }

    #[test]
    fn lines_timeouts_and_the_end_are_distinguished() {
        let stop = AtomicBool::new(false);
        let mut process = shell("read a; echo got $a; sleep 0.3; exit 3");
        process.send("this").expect("open");
        let line = process.read(Instant::now() + Duration::from_secs(5), &stop).expect("a line");
        assert_eq!(line.text, "got this");
        let soon = Instant::now() + Duration::from_millis(20);
        assert!(matches!(process.read(soon, &stop), Err(PipeError::Timeout)));
        let later = Instant::now() + Duration::from_secs(5);
        match process.read(later, &stop) {
            Err(PipeError::Closed(how)) => assert!(how.contains('3'), "{how}"),
            other => panic!("{other:?}"),
        }
        stop.store(true, Ordering::Relaxed);
        assert!(matches!(process.read(later, &stop), Err(PipeError::Stopped)));
    }

    #[test]
    fn the_transcript_has_both_directions() {
        let folder = tempfile::tempdir().expect("a folder");
        let log = folder.path().join("talk.txt");
        for _ in 0..2 {
            let spec = PlayerSpec { log: Some(log.clone()), ..spec("read a; echo got $a; read b") };
            let mut process = Process::spawn(&spec, "quit").expect("sh starts");
            process.send("this").expect("open");
            process.read(Instant::now() + Duration::from_secs(5), &AtomicBool::new(false)).expect("a line");
        }
        let text = std::fs::read_to_string(&log).expect("written");
        let logged: Vec<&str> = text.lines().filter_map(|line| line.splitn(3, ' ').nth(2)).collect();
        assert_eq!(logged, ["> this", "< got this", "> quit", "> this", "< got this", "> quit"]);
        let nowhere = PlayerSpec { log: Some(folder.path().to_owned()), ..spec("true") };
        let error = Process::spawn(&nowhere, "quit").expect_err("a folder is no file").to_string();
        assert!(error.contains("its log"), "{error}");
    }

    #[test]
    fn endless_output_does_not_extend_a_deadline() {
        let stop = AtomicBool::new(false);
        for script in ["while :; do echo info string busy; done", "while :; do printf xxxxxxxxxxxxxxxx; done", "yes"] {
            let mut process = shell(script);
            let started = Instant::now();
            let deadline = started + Duration::from_millis(200);
            let end = loop {
                match process.read(deadline, &stop) {
                    Ok(line) => assert!(line.text.len() <= MAX_LINE_BYTES),
                    Err(end) => break end,
                }
            };
            assert!(matches!(end, PipeError::Timeout), "{script}: {end}");
            process.discard_pending();
            assert!(started.elapsed() < Duration::from_secs(2), "{script}: {:?}", started.elapsed());
        }
    }

    #[test]
    fn control_characters_are_spaces() {
        let mut process = shell(r"printf 'bestmove \033[2J\007e2e4\r\n'");
        let line = process.read(Instant::now() + Duration::from_secs(5), &AtomicBool::new(false)).expect("a line");
        assert_eq!(line.text, "bestmove  [2J e2e4");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn long_lines_that_nobody_reads_use_little_memory() {
        let resident_mebibytes = || {
            let pages = std::fs::read_to_string("/proc/self/statm").expect("Linux");
            pages.split(' ').nth(1).and_then(|pages| pages.parse::<usize>().ok()).expect("a number") / 256
        };
        let before = resident_mebibytes();
        let process = shell("line=$(head -c 1000000 /dev/zero | tr '\\0' x); while :; do echo \"$line\"; done");
        thread::sleep(Duration::from_secs(2));
        let grown = resident_mebibytes().saturating_sub(before);
        assert!(grown < 100, "{grown} MiB");
        drop(process);
    }

    #[test]
    fn a_program_that_does_not_read_does_not_block() {
        let mut process = shell("sleep 60");
        let started = Instant::now();
        let refused = (0..2 * QUEUE).find_map(|_| process.send("position ".repeat(100)).err());
        assert!(matches!(refused, Some(PipeError::Timeout)), "{refused:?}");
        drop(process);
        assert!(started.elapsed() < Duration::from_secs(3));
    }

    #[test]
    fn a_program_that_does_not_quit_is_killed() {
        let started = Instant::now();
        drop(shell("trap '' TERM; while :; do sleep 1; done"));
        assert!(started.elapsed() < Duration::from_secs(3));
    }
}
