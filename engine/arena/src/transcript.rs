//! What a match's programs are told and say, line by line in a file, for looking at what went wrong.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use std::sync::OnceLock;
use std::time::Instant;

/// Who says a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Speaker {
    /// The match, to the program.
    Match,
    /// The program.
    Program,
}

/// A file that lines are added to: `SECONDS PROCESS > LINE` for what a process is told, `<` for what it says.
///
/// Several programs, and several processes of one, may write to the same file: each line is one write at the file's end.
#[derive(Debug)]
pub struct Transcript {
    file: File,
    process: u32,
}

impl Transcript {
    /// Goes on with this file, for a process that is yet to be named.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn open(path: &Path) -> io::Result<Self> {
        beginning();
        Ok(Self { file: OpenOptions::new().append(true).create(true).open(path)?, process: 0 })
    }

    /// The same file, for the process of this number.
    #[must_use]
    pub fn of_process(self, process: u32) -> Self {
        Self { process, ..self }
    }

    /// Adds a line that was said at this moment. A game is worth more than its transcript: what cannot be written is lost.
    pub fn add(&mut self, speaker: Speaker, line: &str, at: Instant) {
        let direction = if speaker == Speaker::Match { '>' } else { '<' };
        let seconds = at.saturating_duration_since(beginning()).as_secs_f64();
        let _ = self.file.write_all(format!("{seconds:.4} {} {direction} {line}\n", self.process).as_bytes());
    }

    /// A second hand on the same file.
    ///
    /// # Errors
    /// If the system gives no further handle.
    pub fn try_clone(&self) -> io::Result<Self> {
        Ok(Self { file: self.file.try_clone()?, process: self.process })
    }
}

/// From when seconds are counted: one moment for all transcripts of a run.
fn beginning() -> Instant {
    static BEGINNING: OnceLock<Instant> = OnceLock::new();
    *BEGINNING.get_or_init(Instant::now)
}
