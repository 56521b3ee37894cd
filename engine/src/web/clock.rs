//! The two clocks of a game.

use std::time::{Duration, Instant};

use alfiere_chess::game::{Clock, TimeControl};
use alfiere_chess::types::Color;

/// Both sides' clocks; at most the one of the side to move runs.
#[derive(Clone, Copy, Debug)]
pub(super) struct GameClock {
    clocks: [Clock; 2],
    since: Option<Instant>,
}

impl GameClock {
    /// Full clocks that are stopped.
    pub(super) fn new(control: TimeControl) -> Self {
        Self { clocks: [Clock::new(control); 2], since: None }
    }

    /// A side's clock at the start of the current move.
    pub(super) fn of(&self, side: Color) -> Clock {
        self.clocks[side.index()]
    }

    /// Whether the clock of the side to move runs.
    pub(super) fn runs(&self) -> bool {
        self.since.is_some()
    }

    /// Remaining time of a side.
    pub(super) fn left(&self, side: Color, to_move: Color, now: Instant) -> Duration {
        let used = if side == to_move { self.used(now) } else { Duration::ZERO };
        self.of(side).remaining().saturating_sub(used)
    }

    fn used(&self, now: Instant) -> Duration {
        self.since.map_or(Duration::ZERO, |since| now.saturating_duration_since(since))
    }

    /// Ends the move of the side to move; the other clock starts if `runs_on`.
    pub(super) fn press(&mut self, side: Color, runs_on: bool, now: Instant) {
        if self.runs() {
            let used = self.used(now);
            self.clocks[side.index()].spend(used);
        }
        self.since = runs_on.then_some(now);
    }

    /// Stops the clocks at the end of the game.
    pub(super) fn stop(&mut self, side: Color, now: Instant) {
        let used = self.used(now);
        self.clocks[side.index()].take(used);
        self.since = None;
    }

    /// Continues an earlier state of the clocks from `now`.
    pub(super) fn resume(&mut self, now: Instant) {
        if self.runs() {
            self.since = Some(now);
        }
    }
}
