//! Progress on standard error: a bar with rate and remaining time on a terminal, otherwise regular plain lines.

use std::fmt::Display;
use std::io::IsTerminal;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::output;

/// Time between two plain lines.
const LINE_INTERVAL: Duration = Duration::from_secs(10);
/// Interval at which bars are redrawn, so that a long step does not look frozen.
const TICK: Duration = Duration::from_millis(250);

/// The progress of a task of known size, in units such as positions or bytes. Dropping it removes the bar.
#[derive(Debug)]
pub struct Progress {
    bar: ProgressBar,
    name: String,
    unit: &'static str,
    total: u64,
    done: u64,
    /// Number of units already done at the start.
    before: u64,
    begun: Instant,
    last_line: Instant,
    is_plain: bool,
}

impl Progress {
    /// Starts a progress display. `unit` is a plural, or `B` for bytes.
    pub fn new(name: &str, total: u64, unit: &'static str) -> Self {
        let is_plain = !std::io::stderr().is_terminal();
        let target = if is_plain { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr_with_hz(5) };
        let bar = ProgressBar::with_draw_target(Some(total), target);
        let template = match unit {
            "B" => "{prefix} {bar:30} {binary_bytes}/{binary_total_bytes} {binary_bytes_per_sec} eta {eta} {msg}",
            _ => "{prefix} {bar:30} {human_pos}/{human_len} {per_sec} eta {eta} {msg}",
        };
        // The template above is valid; if not, the default style is used.
        let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
        bar.set_style(style);
        bar.set_prefix(name.to_owned());
        if !is_plain {
            bar.enable_steady_tick(TICK);
        }
        let now = Instant::now();
        Self { bar, name: name.to_owned(), unit, total, done: 0, before: 0, begun: now, last_line: now, is_plain }
    }

    /// Sets the number of units done before this session, for a resumed task.
    #[must_use]
    pub fn after(mut self, before: u64) -> Self {
        self.bar.set_position(before);
        self.bar.reset_eta();
        (self.done, self.before) = (before, before);
        self
    }

    /// Adds finished units, with a message.
    pub fn advance(&mut self, units: u64, message: &str) {
        self.at(self.done + units, message);
    }

    /// Updates the number of finished units, with a message.
    pub fn at(&mut self, done: u64, message: &str) {
        self.done = done;
        if !self.is_plain {
            self.bar.set_message(message.to_owned());
            self.bar.set_position(done);
        } else if self.last_line.elapsed() >= LINE_INTERVAL {
            self.last_line = Instant::now();
            let rate = rate(self.before, done, self.begun.elapsed().as_secs_f64());
            let left = (self.total.saturating_sub(done)) as f64 / rate.max(1e-9);
            let share = 100.0 * done as f64 / self.total.max(1) as f64;
            let decimals = usize::from(rate < 10.0);
            let Self { name, unit, .. } = self;
            output::remark(format_args!("{name} {share:.0} %, {rate:.decimals$} {unit}/s, {left:.0} s left {message}"));
        }
    }

    /// Prints a message above the bar, on standard error.
    pub fn remark(&self, text: impl Display) {
        self.bar.suspend(|| output::remark(text));
    }

    /// Prints a line of results above the bar, on standard output.
    pub fn say(&self, line: impl Display) {
        self.bar.suspend(|| output::say(line));
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// Units per second of this session, excluding `before`.
fn rate(before: u64, done: u64, seconds: f64) -> f64 {
    done.saturating_sub(before) as f64 / seconds.max(1e-9)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rate_of_a_resumed_task_excludes_earlier_work() {
        assert!((rate(900, 1000, 2.0) - 50.0).abs() < 1e-9);
        assert!((rate(0, 1000, 2.0) - 500.0).abs() < 1e-9);
        let resumed = Progress::new("epoch", 1000, "positions").after(900);
        assert_eq!((resumed.before, resumed.bar.position()), (900, 900));
    }
}
