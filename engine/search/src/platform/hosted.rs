//! Time, random numbers and signals from the host, where there is no operating system: WebAssembly.
//!
//! Threads are the standard library's, in modules for WASI with threads only: there the host starts them.

use std::io;
use std::ops::Add;
use std::sync::OnceLock;
use std::time::Duration;

#[derive(Clone, Copy, Debug)]
pub struct Host {
    /// Milliseconds since a fixed moment; never goes backwards.
    pub now: fn() -> f64,
    /// A seed that differs each time the program runs.
    pub entropy: fn() -> u64,
    /// The signals to the running search; called every few hundred nodes.
    pub signals: fn() -> Signals,
    /// Sleeps for some milliseconds, or until a signal arrives.
    pub rest: fn(),
    pub processors: fn() -> usize,
}

/// The signals that a running search has received since it began.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Signals {
    /// `stop`: end the search and report the best move.
    pub stop: bool,
    /// `ponderhit`: the expected move was played.
    pub ponder_hit: bool,
}

static HOST: OnceLock<Host> = OnceLock::new();

impl Host {
    /// Uses this host from now on; a second call has no effect. Without a host, time stands still, seeds are equal, and a
    /// search that waits for a stop ends at once.
    pub fn install(self) {
        let _ = HOST.set(self);
    }
}

/// An instant of the host's clock.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Instant(Duration);

impl Instant {
    pub fn now() -> Self {
        let milliseconds = HOST.get().map_or(0.0, |host| (host.now)());
        Self(Duration::from_secs_f64(milliseconds.clamp(0.0, 1e15) / 1000.0))
    }

    pub fn elapsed(&self) -> Duration {
        Self::now().saturating_duration_since(*self)
    }

    /// Time since `earlier`; zero if it is later.
    pub fn saturating_duration_since(&self, earlier: Self) -> Duration {
        self.0.saturating_sub(earlier.0)
    }
}

impl Add<Duration> for Instant {
    type Output = Self;

    fn add(self, time: Duration) -> Self {
        Self(self.0.saturating_add(time))
    }
}

/// A seed that differs in each run of the program.
pub(crate) fn entropy() -> u64 {
    HOST.get().map_or(1, |host| (host.entropy)())
}

pub(crate) fn signals() -> Signals {
    HOST.get().map_or(Signals { stop: true, ponder_hit: false }, |host| (host.signals)())
}

pub(crate) fn rest() {
    if let Some(host) = HOST.get() {
        (host.rest)();
    }
}

/// The number of processors that this module may use: 1 without threads.
pub(crate) fn processors() -> usize {
    if cfg!(target_os = "wasi") { HOST.get().map_or(1, |host| (host.processors)().max(1)) } else { 1 }
}

/// The largest number of threads that may be asked for.
pub(crate) fn max_threads() -> usize {
    processors()
}

/// A search that is over: there is no background.
pub(crate) struct Background<T>(T);

#[expect(clippy::unnecessary_wraps, reason = "elsewhere it may have panicked")]
impl<T> Background<T> {
    pub(crate) fn join(self) -> Option<T> {
        Some(self.0)
    }
}

/// Runs a search to its end.
#[expect(clippy::unnecessary_wraps, reason = "elsewhere there may be no thread")]
pub(crate) fn in_background<T>(search: impl FnOnce() -> T) -> io::Result<Background<T>> {
    Ok(Background(search()))
}

/// Runs a search to its end: the program's own stack is large enough.
#[expect(clippy::unnecessary_wraps, reason = "elsewhere there may be no thread")]
pub(crate) fn on_large_stack<T>(search: impl FnOnce() -> T) -> io::Result<T> {
    Ok(search())
}
