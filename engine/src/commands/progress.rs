//! Progress of long commands: a bar with rate and remaining time on a terminal, otherwise periodic lines; and Ctrl-C.

use std::fmt::Display;
use std::io::{ErrorKind, IsTerminal, Write};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use super::{CommandResult, Failure};

/// Interval of lines without a terminal.
const LINE_INTERVAL: Duration = Duration::from_secs(10);
/// Interval at which bars are redrawn, so that a long step does not look frozen.
const TICK: Duration = Duration::from_millis(250);

pub(crate) struct Progress {
    bar: Option<ProgressBar>,
    unit: &'static str,
    done: u64,
    /// Steps done in an earlier run; they do not count for the rate.
    skipped: u64,
    total: u64,
    started: Instant,
    last_line: Instant,
}

impl Progress {
    /// Starts at 0 of `total` steps; `unit` is a plural.
    pub(crate) fn new(total: u64, unit: &'static str) -> Self {
        let bar = std::io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::new(total);
            let template =
                format!("[{{elapsed}}] {{bar:30}} {{pos}}/{{len}} {unit}, {{per_sec}}, {{eta}} left {{msg}}");
            // The template is constant and valid; otherwise the default style is used.
            if let Ok(style) = ProgressStyle::with_template(&template) {
                bar.set_style(style);
            }
            bar.enable_steady_tick(TICK);
            bar
        });
        Self { bar, unit, done: 0, skipped: 0, total, started: Instant::now(), last_line: Instant::now() }
    }

    /// Adds steps done in an earlier run.
    pub(crate) fn skip(&mut self, steps: u64) {
        self.done += steps;
        self.skipped += steps;
        if let Some(bar) = &self.bar {
            bar.set_position(self.done);
            bar.reset_eta();
        }
    }

    /// Adds finished steps; `message` is a short status.
    pub(crate) fn advance(&mut self, steps: u64, message: &str) {
        self.done += steps;
        if let Some(bar) = &self.bar {
            bar.set_position(self.done);
            bar.set_message(message.to_owned());
        } else if self.last_line.elapsed() >= LINE_INTERVAL {
            self.last_line = Instant::now();
            let elapsed = self.started.elapsed().as_secs_f64();
            let rate = (self.done - self.skipped) as f64 / elapsed;
            let left = (self.total.saturating_sub(self.done)) as f64 / rate;
            let (done, total, unit) = (self.done, self.total, self.unit);
            let _ = writeln!(std::io::stderr(), "{done}/{total} {unit}, {rate:.1}/s, {left:.0} s left {message}");
        }
    }

    pub(crate) fn print(&self, line: impl Display) {
        let print = || say(line);
        match &self.bar {
            Some(bar) => bar.suspend(print),
            None => print(),
        }
    }

    pub(crate) fn finish(self) {
        if let Some(bar) = self.bar {
            bar.finish_and_clear();
        }
    }
}

/// Progress through several files, in compressed bytes because the number of games is unknown before reading.
pub(crate) struct FileProgress {
    progress: Progress,
    /// Bytes read so far, counted by the reader.
    bytes: Arc<AtomicU64>,
    shown: u64,
}

impl FileProgress {
    const BYTES_PER_STEP: u64 = 1024;

    /// Starts before the first file; files that cannot be read count as empty.
    pub(crate) fn new(files: &[PathBuf]) -> Self {
        let length = |path: &PathBuf| std::fs::metadata(path).map_or(0, |data| data.len());
        let total = files.iter().map(length).sum::<u64>() / Self::BYTES_PER_STEP;
        Self { progress: Progress::new(total, "KiB"), bytes: Arc::default(), shown: 0 }
    }

    /// The counter that the reader of the files increases.
    pub(crate) fn bytes(&self) -> Arc<AtomicU64> {
        Arc::clone(&self.bytes)
    }

    /// Shows the bytes read so far; `message` is a short status.
    pub(crate) fn update(&mut self, message: &str) {
        let read = self.bytes.load(Ordering::Relaxed) / Self::BYTES_PER_STEP;
        self.progress.advance(read - self.shown, message);
        self.shown = read;
    }

    pub(crate) fn finish(self) {
        self.progress.finish();
    }
}

/// Why results could not be printed.
static PRINT_ERROR: OnceLock<String> = OnceLock::new();

/// Prints a line to standard output; a closed pipe (`| head`) is not an error.
pub(crate) fn say(line: impl Display) {
    if let Err(error) = writeln!(std::io::stdout(), "{line}")
        && error.kind() != ErrorKind::BrokenPipe
    {
        PRINT_ERROR.get_or_init(|| error.to_string());
    }
}

/// Whether everything that [`say`] was given could be printed.
///
/// # Errors
/// If standard output is a file on a full disk, for example.
pub(crate) fn all_said() -> CommandResult {
    PRINT_ERROR.get().map_or(Ok(()), |error| Err(Failure::new(format!("standard output: {error}"))))
}

/// A flag that is set by Ctrl-C. To be called at most once per run.
pub(crate) fn interrupt_flag() -> Result<Arc<AtomicBool>, Failure> {
    let flag = Arc::new(AtomicBool::new(false));
    let shared = Arc::clone(&flag);
    let mut presses = 0;
    ctrlc::set_handler(move || {
        presses += 1;
        shared.store(true, Ordering::Relaxed);
        if presses > 1 {
            #[allow(clippy::exit)] // The second Ctrl-C exits at once.
            std::process::exit(130);
        }
    })?;
    Ok(flag)
}
