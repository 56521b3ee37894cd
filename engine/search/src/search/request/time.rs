//! Time management: from the clock to a soft limit, checked between iterations, and a hard one, checked all the time.

use std::time::Duration;

use super::limits::{Limits, TimeLimit};
use crate::platform::Instant;
use crate::search::tunables;

/// Statistics of the last iterations, which scale the soft limit.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TimeFactors {
    /// Iterations since the best move last changed.
    pub(crate) stable_iterations: u32,
    /// How far the score has fallen since the last iterations, in centipawns; negative if it rose.
    pub(crate) score_drop: i32,
    /// How far it has fallen since the search of the move before; 0 if there is none.
    pub(crate) previous_drop: i32,
    /// Share of all nodes that went into the best move, 0 to 1.
    pub(crate) best_move_share: f64,
    /// Legal moves to choose from.
    pub(crate) choices: usize,
}

/// The two limits of one search.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TimeManager {
    start: Instant,
    nodes_per_ms: u64,
    soft: Option<Duration>,
    hard: Option<Duration>,
}

impl TimeManager {
    /// For the time of these limits; `overhead` is reserved for the GUI and the connection.
    pub(crate) fn new(limits: &Limits, overhead: Duration) -> Self {
        let (soft, hard) = match limits.time {
            TimeLimit::None => (None, None),
            TimeLimit::MoveTime(time) => (None, Some(time.saturating_sub(overhead.min(time / 2)))),
            TimeLimit::Clock { remaining, increment, moves_to_go } => {
                let (soft, hard) = shares(remaining, increment, moves_to_go, overhead);
                (Some(soft), Some(hard))
            }
        };
        Self { start: limits.start, nodes_per_ms: limits.nodes_per_ms, soft, hard }
    }

    /// Time since the search was asked for, or what `nodes` count for.
    pub(crate) fn elapsed(&self, nodes: u64) -> Duration {
        match nodes.saturating_mul(1_000_000).checked_div(self.nodes_per_ms) {
            Some(nanoseconds) => Duration::from_nanos(nanoseconds),
            None => self.start.elapsed(),
        }
    }

    /// Whether the search must end now.
    pub(crate) fn is_over(&self, nodes: u64) -> bool {
        self.hard.is_some_and(|hard| self.elapsed(nodes) >= hard)
    }

    /// Whether the scaled soft limit is reached, so that no further iteration is started.
    pub(crate) fn is_enough(&self, nodes: u64, factors: TimeFactors) -> bool {
        let Some(soft) = self.soft else { return false };
        if factors.choices == 1 {
            return true;
        }
        self.elapsed(nodes) >= soft.mul_f64(scale(factors))
    }
}

/// Time that is never planned for, because a busy machine may suspend the engine for tens of milliseconds. Short clocks
/// reserve less.
const RESERVE: Duration = Duration::from_millis(150);

fn shares(
    remaining: Duration,
    increment: Duration,
    moves_to_go: Option<u32>,
    overhead: Duration,
) -> (Duration, Duration) {
    // With almost nothing left the overhead cannot be paid in full.
    let usable = remaining.saturating_sub(overhead.min(remaining.mul_f64(0.6)));
    let (soft, most) = if let Some(moves) = moves_to_go {
        let moves = moves.clamp(1, 50);
        let fair = (usable + increment * (moves - 1)) / moves;
        if moves == 1 {
            let planned = usable.saturating_sub(RESERVE.min(remaining.mul_f64(0.25)));
            (planned.mul_f64(0.9), planned.as_secs_f64() / usable.as_secs_f64().max(1e-3))
        } else {
            (fair.mul_f64(0.8), 0.7)
        }
    } else {
        let planned = usable.saturating_sub(RESERVE.min(remaining.mul_f64(0.4)));
        // A nearly empty clock recovers only if less than the increment is spent.
        let filled = (usable.as_secs_f64() / (2.0 * RESERVE.as_secs_f64())).min(1.0);
        let own = increment.mul_f64(percent(tunables::time_increment()) * filled);
        (planned.mul_f64(percent(tunables::time_share()) / 100.0) + own, percent(tunables::time_hard_share()))
    };
    let hard = soft.mul_f64(percent(tunables::time_hard())).min(usable.mul_f64(most));
    (soft.min(hard), hard)
}

// ANCHOR: scale
/// More time when the choice is in doubt, less when it is not.
fn scale(factors: TimeFactors) -> f64 {
    let stable = factors.stable_iterations.min(8) as i32;
    let stability = percent(tunables::time_unstable() - tunables::time_stable() * stable);
    let fallen = tunables::time_drop() * factors.score_drop + tunables::time_previous_drop() * factors.previous_drop;
    let drop =
        (1.0 + percent(fallen) / 10.0).clamp(percent(tunables::time_drop_least()), percent(tunables::time_drop_most()));
    let effort = percent(tunables::time_effort()) - percent(tunables::time_effort_share()) * factors.best_move_share;
    (stability * drop * effort).clamp(percent(tunables::time_least()), percent(tunables::time_most()))
}
// ANCHOR_END: scale

fn percent(value: i32) -> f64 {
    f64::from(value) / 100.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(milliseconds: u64) -> Duration {
        Duration::from_millis(milliseconds)
    }

    #[test]
    fn never_more_than_the_clock_holds() {
        for remaining in [0, 1, 2, 5, 10, 50, 100, 1_000, 60_000, 3_600_000] {
            for increment in [0, 10, 1_000, 60_000] {
                for moves in [None, Some(0), Some(1), Some(2), Some(40), Some(1_000)] {
                    for overhead in [0, 10, 5_000] {
                        let (soft, hard) = shares(ms(remaining), ms(increment), moves, ms(overhead));
                        assert!(soft <= hard && hard <= ms(remaining), "{remaining} {increment} {moves:?} {overhead}");
                        if remaining > 2 * overhead {
                            assert!(hard + ms(overhead) <= ms(remaining));
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn a_nearly_empty_clock_fills_up_again() {
        let (overhead, increment) = (ms(10), ms(20));
        for remaining in [20, 50, 100, 150] {
            let (soft, _) = shares(ms(remaining), increment, None, overhead);
            assert!(soft < increment / 2, "{soft:?} of {remaining} ms");
        }
        let (soft, _) = shares(ms(2000), increment, None, overhead);
        assert!(soft > increment);
    }

    #[test]
    fn without_a_clock_nothing_is_over() {
        let manager = |limits: &Limits| TimeManager::new(limits, ms(10));
        assert!(!manager(&Limits::default()).is_over(0));
        assert!(manager(&Limits::move_time(ms(0))).is_over(0));
    }

    #[test]
    fn a_clock_of_nodes_does_not_know_the_time() {
        let limits = |time, nodes_per_ms| Limits { nodes_per_ms, ..Limits::move_time(ms(time)) };
        let manager = |limits: &Limits| TimeManager::new(limits, ms(0));
        assert!(manager(&limits(0, 64)).is_over(0));
        assert!(!manager(&limits(10, 64)).is_over(639) && manager(&limits(10, 64)).is_over(640));
        assert!(!manager(&limits(3_600_000, 0)).is_over(u64::MAX));
    }

    #[test]
    fn doubt_takes_more_time_than_certainty() {
        let certain = TimeFactors {
            stable_iterations: 10,
            score_drop: -20,
            previous_drop: -20,
            best_move_share: 0.9,
            choices: 20,
        };
        let doubtful =
            TimeFactors { stable_iterations: 0, score_drop: 60, previous_drop: 0, best_move_share: 0.2, choices: 20 };
        let scale = |factors| scale(factors);
        assert!(scale(certain) < 1.0 && scale(doubtful) > 1.5);
        let worse = TimeFactors { previous_drop: 40, ..certain };
        assert!(scale(worse) > scale(certain));
    }
}
