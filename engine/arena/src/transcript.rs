//! Logs of the lines sent to and received from an engine, for debugging.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use std::sync::OnceLock;
use std::time::Instant;

/// The direction of a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Direction {
    /// Sent to the program.
    Sent,
    /// Received from the program.
    Received,
}

/// An append-only log: `SECONDS PROCESS > LINE` for lines sent to a process, `<` for lines received.
///
/// Several engines and processes may share a file: each line is one append.
#[derive(Debug)]
pub struct Transcript {
    file: File,
    process: u32,
}

impl Transcript {
    /// Opens the file for appending; the process number is set by [`Self::of_process`].
    ///
    /// # Errors
    /// If the file cannot be opened.
    pub fn open(path: &Path) -> io::Result<Self> {
        time_origin();
        Ok(Self { file: OpenOptions::new().append(true).create(true).open(path)?, process: 0 })
    }

    /// The same file, for the process with this number.
    #[must_use]
    pub fn of_process(self, process: u32) -> Self {
        Self { process, ..self }
    }

    /// Appends a line with its time. Write errors are ignored, so that they do not disturb the game.
    pub fn add(&mut self, direction: Direction, line: &str, at: Instant) {
        let arrow = if direction == Direction::Sent { '>' } else { '<' };
        let seconds = at.saturating_duration_since(time_origin()).as_secs_f64();
        let _ = self.file.write_all(format!("{seconds:.4} {} {arrow} {line}\n", self.process).as_bytes());
    }

    /// A second handle of the same file.
    ///
    /// # Errors
    /// If the system cannot duplicate the handle.
    pub fn try_clone(&self) -> io::Result<Self> {
        Ok(Self { file: self.file.try_clone()?, process: self.process })
    }
}

/// The origin of the seconds, common to all logs of a run.
fn time_origin() -> Instant {
    static ORIGIN: OnceLock<Instant> = OnceLock::new();
    *ORIGIN.get_or_init(Instant::now)
}
