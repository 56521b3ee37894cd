//! Search limits of an engine: time controls and fixed limits, with their command-line notation.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use serde::{Serialize, Serializer};
use thiserror::Error;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Limit {
    Clock(TimeControl),
    Nodes(u64),
    /// A fixed depth in plies per move.
    Depth(u32),
    MoveTime(Duration),
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Clock(control) => write!(f, "{control}"),
            Self::Nodes(nodes) => write!(f, "{nodes} nodes"),
            Self::Depth(depth) => write!(f, "depth {depth}"),
            Self::MoveTime(time) => write!(f, "{} ms/move", time.as_millis()),
        }
    }
}

impl Serialize for Limit {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// A time control: base time for a number of moves (or the whole game), and an increment per move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TimeControl {
    /// Moves per period, after which the base time is added again; `None` for the whole game.
    pub moves: Option<u32>,
    pub base: Duration,
    pub increment: Duration,
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(moves) = self.moves {
            write!(f, "{moves}/")?;
        }
        write!(f, "{}+{}", self.base.as_secs_f64(), self.increment.as_secs_f64())
    }
}

#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("time control \"{text}\": expected [MOVES/]SECONDS[+INCREMENT], such as 8+0.08 or 40/60")]
pub struct TimeControlError {
    text: String,
}

impl FromStr for TimeControl {
    type Err = TimeControlError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let error = || TimeControlError { text: text.to_owned() };
        let seconds = |part: &str| {
            let value: f64 = part.parse().map_err(|_| error())?;
            Duration::try_from_secs_f64(value).map_err(|_| error())
        };
        let (moves, rest) = match text.split_once('/') {
            Some((moves, rest)) => {
                (Some(moves.parse::<u32>().ok().filter(|&moves| moves > 0).ok_or_else(error)?), rest)
            }
            None => (None, text),
        };
        let (base, increment) = rest.split_once('+').unwrap_or((rest, "0"));
        let control = Self { moves, base: seconds(base)?, increment: seconds(increment)? };
        if control.base.is_zero() { Err(error()) } else { Ok(control) }
    }
}

/// The remaining time of one side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Clock {
    control: TimeControl,
    remaining: Duration,
    moves_to_go: Option<u32>,
}

impl Clock {
    pub fn new(control: TimeControl) -> Self {
        Self { control, remaining: control.base, moves_to_go: control.moves }
    }

    pub fn remaining(&self) -> Duration {
        self.remaining
    }

    pub fn increment(&self) -> Duration {
        self.control.increment
    }

    /// Moves until the base time is added again.
    pub fn moves_to_go(&self) -> Option<u32> {
        self.moves_to_go
    }

    /// Subtracts the time of a move and adds the increment or a new period. Overstepping within the runner's tolerance
    /// counts as zero time left.
    pub fn spend(&mut self, used: Duration) {
        self.remaining = self.remaining.saturating_sub(used) + self.control.increment;
        if let Some(left) = self.moves_to_go {
            self.moves_to_go = if left == 1 {
                self.remaining += self.control.base;
                self.control.moves
            } else {
                Some(left - 1)
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_usual_notations() {
        let control: TimeControl = "8+0.08".parse().expect("valid");
        assert_eq!(
            control,
            TimeControl { moves: None, base: Duration::from_secs(8), increment: Duration::from_millis(80) }
        );
        assert_eq!(control.to_string(), "8+0.08");
        let control: TimeControl = "40/60".parse().expect("valid");
        assert_eq!((control.moves, control.base.as_secs()), (Some(40), 60));
        for bad in ["", "8+", "x", "-1+0", "0/5", "0+0", "nan", "inf+1"] {
            assert!(bad.parse::<TimeControl>().is_err(), "{bad}");
        }
    }

    #[test]
    fn the_clock_adds_increments_and_new_periods() {
        let mut clock = Clock::new("2/10+1".parse().expect("valid"));
        clock.spend(Duration::from_secs(4));
        assert_eq!((clock.remaining().as_secs(), clock.moves_to_go()), (7, Some(1)));
        clock.spend(Duration::from_secs(2));
        assert_eq!((clock.remaining().as_secs(), clock.moves_to_go()), (16, Some(2)));
    }
}
