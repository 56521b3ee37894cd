//! Progress of long commands: a bar with rate and time left on a terminal, plain lines now and then elsewhere.

use std::fmt::Display;
use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

/// How often a line is printed where there is no terminal.
const LINE_INTERVAL: Duration = Duration::from_secs(10);
/// Bars are redrawn by themselves, so that a long step does not look like a standstill.
const TICK: Duration = Duration::from_millis(250);

/// How far a command is.
pub(crate) struct Progress {
    bar: Option<ProgressBar>,
    unit: &'static str,
    done: u64,
    /// Steps that were done before this run; they do not count for the rate.
    skipped: u64,
    total: u64,
    started: Instant,
    last_line: Instant,
}

impl Progress {
    /// Nothing done yet of `total` steps, called by this plural.
    pub(crate) fn new(total: u64, unit: &'static str) -> Self {
        let bar = std::io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::new(total);
            let template =
                format!("[{{elapsed}}] {{bar:30}} {{pos}}/{{len}} {unit}, {{per_sec}}, {{eta}} left {{msg}}");
            // The template is fixed text: the default bar would do if it were refused.
            if let Ok(style) = ProgressStyle::with_template(&template) {
                bar.set_style(style);
            }
            bar.enable_steady_tick(TICK);
            bar
        });
        Self { bar, unit, done: 0, skipped: 0, total, started: Instant::now(), last_line: Instant::now() }
    }

    /// Steps that were done in an earlier run.
    pub(crate) fn skip(&mut self, steps: u64) {
        self.done += steps;
        self.skipped += steps;
        if let Some(bar) = &self.bar {
            bar.set_position(self.done);
            bar.reset_eta();
        }
    }

    /// Some more steps are done; `message` says how it goes.
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

    /// Prints a line of results above the bar.
    pub(crate) fn print(&self, line: impl Display) {
        let print = || say(line);
        match &self.bar {
            Some(bar) => bar.suspend(print),
            None => print(),
        }
    }

    /// Takes the bar away.
    pub(crate) fn finish(self) {
        if let Some(bar) = self.bar {
            bar.finish_and_clear();
        }
    }
}

/// Prints a line on standard output; a reader that has gone away (`| head`) is no reason to fail.
pub(crate) fn say(line: impl Display) {
    let _ = writeln!(std::io::stdout(), "{line}");
}
