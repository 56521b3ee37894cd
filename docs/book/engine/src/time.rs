//! Chapter 5: how long to think.

use std::time::Duration;

/// Reserved for the pipe to the GUI and a busy machine.
const OVERHEAD: Duration = Duration::from_millis(10);

/// When to end a search.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The last depth in plies.
    pub depth: i32,
    /// The most positions.
    pub nodes: u64,
    /// After this time no iteration starts.
    pub soft: Option<Duration>,
    /// After this time the search stops within an iteration.
    pub hard: Option<Duration>,
}

impl Limits {
    /// Until stopped.
    pub const NONE: Self = Self { depth: 64, nodes: u64::MAX, soft: None, hard: None };

    // ANCHOR: clock
    /// A share of the clock: about thirty more moves are expected, and most of the increment comes back.
    pub fn clock(remaining: Duration, increment: Duration) -> Self {
        let usable = remaining.saturating_sub(OVERHEAD.min(remaining / 2));
        let share = usable / 30 + increment.mul_f64(0.7);
        Self { soft: Some((share / 2).min(usable / 4)), hard: Some((share * 3).min(usable / 2)), ..Self::NONE }
    }
    // ANCHOR_END: clock

    /// A fixed time for this move.
    pub fn move_time(time: Duration) -> Self {
        Self { hard: Some(time.saturating_sub(OVERHEAD.min(time / 2))), ..Self::NONE }
    }
}
