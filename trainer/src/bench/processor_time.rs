//! Processor time of this process and its programs, from Linux's `/proc`.

use std::time::Duration;

/// Units per second on idle cores: by processor time if known, else by wall-clock time. `used` is the processor time at
/// the start.
pub(super) fn free_rate(units: f64, elapsed: Duration, used: Option<Duration>, threads: usize) -> f64 {
    let used = processor_time().zip(used).map(|(now, before)| now.saturating_sub(before) / threads as u32);
    let seconds = used.filter(|used| !used.is_zero()).map_or(elapsed, |used| used.min(elapsed));
    units / seconds.as_secs_f64()
}

/// Ticks per second of the times under `/proc`; fixed for user space on every Linux system.
const TICKS: u64 = 100;

/// Processor time used by all threads so far; `None` on systems without Linux's `/proc`.
pub(super) fn processor_time() -> Option<Duration> {
    own_and_programs_time().map(|(own, _)| own)
}

/// Processor time used by all threads so far, and by child processes that have ended; `None` on systems without Linux's
/// `/proc`.
pub fn own_and_programs_time() -> Option<(Duration, Duration)> {
    if !cfg!(target_os = "linux") {
        return None;
    }
    let time = |ticks| Duration::from_millis(ticks * 1000 / TICKS);
    ticks_of(&std::fs::read_to_string("/proc/self/stat").ok()?).map(|(own, programs)| (time(own), time(programs)))
}

/// User plus system time from a line of `/proc/PID/stat`, of the process and of its waited-for children. The program
/// name, in parentheses, may contain any characters.
fn ticks_of(line: &str) -> Option<(u64, u64)> {
    let (_, fields) = line.rsplit_once(')')?;
    let mut times = fields.split_ascii_whitespace().skip(11).map(|field| field.parse::<u64>().ok());
    let mut two = || Some(times.next()?? + times.next()??);
    Some((two()?, two()?))
}

#[cfg(test)]
mod tests {
    use std::hint::black_box;

    use alfiere_model::random::{Purpose, derive};

    use super::*;

    #[test]
    fn times_are_found_after_any_program_name() {
        let line =
            "42 (a) b (c) S 1 42 42 0 -1 4194304 500 0 0 0 250 17 0 0 20 0 3 0 900 1000 200 18446744073709551615";
        assert_eq!(ticks_of(line), Some((267, 0)));
        assert_eq!(ticks_of("42 (a) S 1 2"), None);
    }

    #[test]
    fn work_uses_processor_time() {
        let Some(before) = processor_time() else { return };
        let mut spent = Duration::ZERO;
        let mut state = 1u64;
        for _ in 0..1000 {
            (0..1_000_000).for_each(|_| {
                state = black_box(derive(state, Purpose::Weights(0)));
            });
            spent = processor_time().unwrap_or_default().saturating_sub(before);
            if spent >= Duration::from_millis(20) {
                break;
            }
        }
        assert!(spent >= Duration::from_millis(20), "{spent:?}");
    }
}
