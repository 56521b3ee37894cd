//! The two clocks of a game, and which of them runs since when.

use std::time::{Duration, Instant};

use alfiere_chess::game::{Clock, TimeControl};
use alfiere_chess::types::Color;

/// Both sides' clocks; the one of the side to move runs, or none does.
#[derive(Clone, Copy, Debug)]
pub(super) struct GameClock {
    clocks: [Clock; 2],
    since: Option<Instant>,
}

impl GameClock {
    /// Full clocks that do not run yet.
    pub(super) fn new(control: TimeControl) -> Self {
        Self { clocks: [Clock::new(control); 2], since: None }
    }

    /// A side's clock as it stood when the side to move began to think.
    pub(super) fn of(&self, side: Color) -> Clock {
        self.clocks[side.index()]
    }

    /// Whether the side to move is losing time.
    pub(super) fn runs(&self) -> bool {
        self.since.is_some()
    }

    /// What a side has left.
    pub(super) fn left(&self, side: Color, to_move: Color, now: Instant) -> Duration {
        let used = if side == to_move { self.used(now) } else { Duration::ZERO };
        self.of(side).remaining().saturating_sub(used)
    }

    fn used(&self, now: Instant) -> Duration {
        self.since.map_or(Duration::ZERO, |since| now.saturating_duration_since(since))
    }

    /// The side to move has moved; the other's clock runs from now on, if any does.
    pub(super) fn press(&mut self, side: Color, runs_on: bool, now: Instant) {
        if self.runs() {
            let used = self.used(now);
            self.clocks[side.index()].spend(used);
        }
        self.since = runs_on.then_some(now);
    }

    /// The game is over: the clocks show what was left.
    pub(super) fn stop(&mut self, side: Color, now: Instant) {
        let used = self.used(now);
        self.clocks[side.index()].take(used);
        self.since = None;
    }

    /// The game goes on from a moment that is past: what was left then runs from now.
    pub(super) fn resume(&mut self, now: Instant) {
        if self.runs() {
            self.since = Some(now);
        }
    }
}
