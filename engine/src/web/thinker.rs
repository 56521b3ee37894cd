//! The search thread of a game: takes the next task, searches it, and stops if it is no longer needed.
//!
//! There are two engines, created on first use and dropped when idle: the opponent as configured, and one for
//! evaluations and hints, which is always the network at full strength.

use std::io;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender, TryRecvError};
use std::time::Duration;

use alfiere_search::engine::{Engine, Settings};
use alfiere_search::eval::NetworkChoice;
use alfiere_search::search::{Reporter, SearchResult};

use super::state::{Goal, SharedState, Task};

/// Idle time after which the engines are dropped to free their memory.
const IDLE: Duration = Duration::from_mins(2);
/// Interval at which a running search is checked for an unexpected end.
const CHECK_INTERVAL: Duration = Duration::from_millis(500);
/// Hash table size of the evaluating engine in MiB; its searches are short.
const ANALYSIS_HASH_MIB: usize = 4;

/// Messages to the thread.
pub(super) enum Signal {
    /// The game has changed.
    Changed,
    /// The search with this number is finished.
    Finished(u64, SearchResult),
    /// The game was dropped.
    Closed,
}

/// Configuration of a game's engines.
#[derive(Clone)]
pub(super) struct EngineConfig {
    /// The opponent's settings.
    pub(super) opponent: Settings,
    /// The network of both engines.
    pub(super) network: NetworkChoice,
}

impl EngineConfig {
    /// Starts the thread; messages to the returned sender wake it.
    ///
    /// # Errors
    /// If the thread cannot be started.
    pub(super) fn start(self, shared: Arc<SharedState>) -> io::Result<Sender<Signal>> {
        let (sender, signals) = mpsc::channel();
        let mut thinker = Thinker {
            config: self,
            shared,
            sender: sender.clone(),
            signals,
            opponent: None,
            analysis: None,
            number: 0,
        };
        std::thread::Builder::new().name("game".to_owned()).spawn(move || thinker.run())?;
        Ok(sender)
    }

    fn engine(&self, settings: Settings) -> Engine {
        let mut engine = Engine::new();
        engine.configure(settings);
        if let NetworkChoice::Loaded(_) = self.network {
            engine.set_network(self.network.clone());
        }
        engine
    }
}

struct Thinker {
    config: EngineConfig,
    shared: Arc<SharedState>,
    /// Cloned into searches, which report through it.
    sender: Sender<Signal>,
    signals: Receiver<Signal>,
    opponent: Option<Engine>,
    analysis: Option<Engine>,
    /// The number of the last search; results of earlier ones are ignored.
    number: u64,
}

/// Whether the thread continues.
enum Next {
    Go,
    End,
}

impl Thinker {
    fn run(&mut self) {
        loop {
            let next = match self.shared.next_task() {
                Some(task) => self.search(&task),
                None => self.wait(),
            };
            if let Next::End = next {
                return;
            }
        }
    }

    /// Waits for a message.
    fn wait(&mut self) -> Next {
        match self.signals.recv_timeout(IDLE) {
            Ok(Signal::Changed | Signal::Finished(..)) => Next::Go,
            Ok(Signal::Closed) | Err(RecvTimeoutError::Disconnected) => Next::End,
            Err(RecvTimeoutError::Timeout) => {
                self.opponent = None;
                self.analysis = None;
                Next::Go
            }
        }
    }

    fn search(&mut self, task: &Task) -> Next {
        self.number += 1;
        let (config, number) = (&self.config, self.number);
        let (slot, settings) = match task.goal {
            Goal::Move => (&mut self.opponent, config.opponent.clone()),
            Goal::Hint(_) | Goal::Evaluate(_) => {
                (&mut self.analysis, Settings { hash_mib: ANALYSIS_HASH_MIB, analysis: true, ..Settings::default() })
            }
        };
        let engine = slot.get_or_insert_with(|| config.engine(settings));
        engine.set_position(task.position.clone());
        let report = Report { number, sender: self.sender.clone() };
        if let Err(error) = engine.go(task.limits.clone(), report) {
            self.shared.fail(&error.to_string());
            return Next::Go;
        }
        loop {
            match self.signals.recv_timeout(CHECK_INTERVAL) {
                Ok(Signal::Finished(finished, outcome)) if finished == number => {
                    engine.wait();
                    self.shared.answer(task, &outcome);
                    return Next::Go;
                }
                Ok(Signal::Finished(..)) => {}
                Ok(Signal::Closed) | Err(RecvTimeoutError::Disconnected) => return Next::End,
                Ok(Signal::Changed) if self.shared.needs(task) => {}
                Err(RecvTimeoutError::Timeout) if engine.is_searching() && self.shared.needs(task) => {}
                Ok(Signal::Changed) => {
                    engine.finish();
                    return Next::Go;
                }
                Err(RecvTimeoutError::Timeout) => {
                    let is_dead = !engine.is_searching();
                    engine.finish();
                    match LateSignal::of(self.signals.try_recv(), number) {
                        LateSignal::Answer(outcome) => self.shared.answer(task, &outcome),
                        LateSignal::End => return Next::End,
                        LateSignal::Nothing if is_dead => self.shared.fail("a search ended unexpectedly"),
                        LateSignal::Nothing => {}
                    }
                    return Next::Go;
                }
            }
        }
    }
}

/// A signal that came while its search was being ended.
enum LateSignal {
    Answer(SearchResult),
    End,
    Nothing,
}

impl LateSignal {
    fn of(signal: Result<Signal, TryRecvError>, number: u64) -> Self {
        match signal {
            Ok(Signal::Finished(finished, outcome)) if finished == number => Self::Answer(outcome),
            Ok(Signal::Closed) | Err(TryRecvError::Disconnected) => Self::End,
            Ok(Signal::Changed | Signal::Finished(..)) | Err(TryRecvError::Empty) => Self::Nothing,
        }
    }
}

/// Sends the end of a search to the thread.
struct Report {
    number: u64,
    sender: Sender<Signal>,
}

impl Reporter for Report {
    fn finished(&mut self, outcome: &SearchResult) {
        // The receiver is closed if the game was dropped.
        let _ = self.sender.send(Signal::Finished(self.number, outcome.clone()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alfiere_search::search::Score;

    #[test]
    fn a_game_that_is_closed_while_its_search_ends_ends_its_thread() {
        let outcome = SearchResult {
            best: None,
            ponder: None,
            score: Score::DRAW,
            depth: 1,
            nodes: 1,
            time: IDLE,
            variation: vec![],
        };
        assert!(matches!(LateSignal::of(Ok(Signal::Closed), 3), LateSignal::End));
        assert!(matches!(LateSignal::of(Err(TryRecvError::Disconnected), 3), LateSignal::End));
        assert!(matches!(LateSignal::of(Ok(Signal::Finished(3, outcome.clone())), 3), LateSignal::Answer(_)));
        assert!(matches!(LateSignal::of(Ok(Signal::Finished(2, outcome)), 3), LateSignal::Nothing));
        assert!(matches!(LateSignal::of(Err(TryRecvError::Empty), 3), LateSignal::Nothing));
    }
}
