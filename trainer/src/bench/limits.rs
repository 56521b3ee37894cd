//! Peak rates of the machine, as a reference for training speeds.
//!
//! Every rate is measured with all threads of the pool busy and assumes idle cores: it is work divided by processor
//! time where the system reports that. Independent of networks.

use std::hint::black_box;
use std::time::{Duration, Instant};

use alfiere_model::multiply_add;
use rayon::prelude::*;
use serde::Serialize;

/// Floats per vector register.
const VECTOR: usize = if cfg!(target_feature = "avx512f") { 16 } else { 8 };
/// Independent chains of multiplications and additions.
const CHAINS: usize = 12;
/// Floats of a buffer larger than any cache: 64 MiB per thread.
const UNCACHED: usize = 1 << 24;

/// A machine's peak rates, over all threads.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct MachineLimits {
    pub threads: usize,
    /// Billions of floating-point operations per second, half of them multiplications.
    pub gflops: f64,
    /// Gigabytes per second read from memory.
    pub memory_read: f64,
    /// Gigabytes per second read from memory while the same amount is written.
    pub memory_update: f64,
}

impl MachineLimits {
    /// Measures the current thread pool, each rate for about `time`.
    pub fn measure(time: Duration) -> Self {
        let gflops = rate(time, Vec::new, |_| multiply(1 << 14) as u64);
        let memory_read = rate(time, || vec![1.0; UNCACHED], |table| bytes_read(table));
        let memory_update = update_rate(time, UNCACHED);
        Self { threads: rayon::current_num_threads(), gflops, memory_read, memory_update }
    }
}

/// Gigabytes per second read from a buffer of `floats` per thread while the same amount is written.
pub(super) fn update_rate(time: Duration, floats: usize) -> f64 {
    rate(time, || vec![1.0; floats], bytes_updated)
}

/// Billions of units per second over all threads. Each thread has its own table.
fn rate(time: Duration, table: impl Fn() -> Vec<f32> + Sync, work: impl Fn(&mut [f32]) -> u64 + Sync) -> f64 {
    let threads = rayon::current_num_threads();
    let mut tables: Vec<Vec<f32>> = (0..threads).into_par_iter().map(|_| table()).collect();
    let mut run = |time: Duration| -> f64 {
        let start = Instant::now();
        let each = |table: &mut Vec<f32>| {
            let mut units = 0;
            while units == 0 || start.elapsed() < time {
                units += work(table);
            }
            units as f64
        };
        tables.par_iter_mut().with_max_len(1).map(each).sum()
    };
    run(time / 10);
    let (start, used) = (Instant::now(), processor_time());
    let units = run(time);
    free_rate(units, start.elapsed(), used, threads) / 1e9
}

/// Units per second on idle cores: by processor time if known, else by wall-clock time. `used` is the processor time at
/// the start.
pub(super) fn free_rate(units: f64, elapsed: Duration, used: Option<Duration>, threads: usize) -> f64 {
    let used = processor_time().zip(used).map(|(now, before)| now.saturating_sub(before) / threads as u32);
    let seconds = used.filter(|used| !used.is_zero()).map_or(elapsed, |used| used.min(elapsed));
    units / seconds.as_secs_f64()
}

/// One step of a chain.
#[inline(always)]
#[allow(clippy::inline_always)] // A call would cost more than the step.
fn advance(chain: &mut [f32; VECTOR], factor: &[f32; VECTOR], addend: f32) {
    for (value, factor) in chain.iter_mut().zip(factor) {
        *value = multiply_add(*value, *factor, addend);
    }
}

/// Multiplies and adds in registers; returns the number of operations. The chains are separate variables because the
/// compiler keeps an array of them in memory.
#[inline(never)]
fn multiply(steps: usize) -> usize {
    let factor = black_box([0.999; VECTOR]);
    let addend = black_box(1e-3);
    macro_rules! run {
        ($($chain:ident)*) => {{
            $(let mut $chain = factor;)*
            for _ in 0..steps {
                $(advance(&mut $chain, &factor, addend);)*
            }
            black_box([$($chain),*])
        }};
    }
    let chains: [[f32; VECTOR]; CHAINS] = run!(a b c d e f g h i j k l);
    chains.as_flattened().len() * steps * 2
}

/// Reads a table; returns the number of bytes read.
#[inline(never)]
fn bytes_read(table: &[f32]) -> u64 {
    let mut sums = [0.0; 8 * VECTOR];
    for row in black_box(table).as_chunks::<{ 8 * VECTOR }>().0 {
        for (sum, value) in sums.iter_mut().zip(row) {
            *sum += value;
        }
    }
    black_box(sums);
    size_of_val(table) as u64
}

/// Adds to a table; returns the number of bytes read, which equals the number written.
#[inline(never)]
fn bytes_updated(table: &mut [f32]) -> u64 {
    let addend = black_box(1e-9);
    for value in black_box(&mut *table) {
        *value += addend;
    }
    size_of_val(table) as u64
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
    fn measured_limits_are_positive() {
        let limits = MachineLimits::measure(Duration::from_millis(20));
        assert!(
            [limits.gflops, limits.memory_read, limits.memory_update].iter().all(|&limit| limit > 0.01),
            "{limits:?}"
        );
        assert!(limits.threads == rayon::current_num_threads(), "{limits:?}");
    }

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
