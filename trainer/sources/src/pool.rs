//! Threads that take numbered tasks, whose results come in the order of their numbers.

use std::collections::BTreeMap;
use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use std::{io, thread};

use alfiere_search::platform::STACK_BYTES;
use alfiere_search::search::Control;
use thiserror::Error;

/// Time after which [`Event::Tick`] comes if nothing else does.
const TICK: Duration = Duration::from_millis(100);

#[derive(Debug, Error)]
#[error("cannot start a thread: {0}")]
pub struct ThreadError(io::Error);

pub(crate) enum Event<T, N> {
    /// The result of the next task.
    Done(u64, T),
    /// What a thread tells meanwhile.
    Note(N),
    Tick,
}

/// Tells all threads to stop.
#[derive(Default)]
pub(crate) struct Stop {
    is_set: AtomicBool,
    searches: Mutex<Vec<Arc<Control>>>,
}

impl Stop {
    pub(crate) const fn flag(&self) -> &AtomicBool {
        &self.is_set
    }

    pub(crate) fn is_set(&self) -> bool {
        self.is_set.load(Ordering::SeqCst)
    }

    /// Stops this search, too.
    pub(crate) fn watch(&self, search: &Arc<Control>) {
        self.searches.lock().unwrap_or_else(PoisonError::into_inner).push(Arc::clone(search));
        if self.is_set() {
            search.stop();
        }
    }

    fn set(&self) {
        self.is_set.store(true, Ordering::SeqCst);
        self.searches.lock().unwrap_or_else(PoisonError::into_inner).iter().for_each(|search| search.stop());
    }
}

/// A thread's access to the tasks.
pub(crate) struct Tasks<'a, T, N> {
    /// Number of the thread, from 1.
    pub(crate) thread: usize,
    pub(crate) stop: &'a Stop,
    next: &'a AtomicU64,
    end: u64,
    send: &'a dyn Fn(Event<T, N>),
}

impl<T, N> Tasks<'_, T, N> {
    /// The number of the next task; `None` if there is none, or the threads are to stop.
    pub(crate) fn next(&self) -> Option<u64> {
        if self.stop.is_set() {
            return None;
        }
        Some(self.next.fetch_add(1, Ordering::Relaxed)).filter(|&number| number < self.end)
    }

    pub(crate) fn done(&self, number: u64, result: T) {
        (self.send)(Event::Done(number, result));
    }

    pub(crate) fn note(&self, note: N) {
        (self.send)(Event::Note(note));
    }
}

/// Runs `work` on several threads. `take` receives the results in order until all are done or it breaks, and is called
/// regularly.
pub(crate) fn ordered<T: Send, N: Send, E: Send + From<ThreadError>>(
    threads: usize,
    numbers: Range<u64>,
    work: impl Fn(&Tasks<'_, T, N>) -> Result<(), E> + Sync,
    take: &mut dyn FnMut(Event<T, N>) -> Result<ControlFlow<()>, E>,
) -> Result<(), E> {
    let (stop, next, work) = (Stop::default(), AtomicU64::new(numbers.start), &work);
    thread::scope(|scope| {
        let mut run = || {
            let (sender, messages) = channel();
            for thread in 1..=threads.max(1) {
                let (sender, stop, next) = (sender.clone(), &stop, &next);
                let run = move || {
                    // The receiver is gone if the threads are to stop.
                    let send = |event| _ = sender.send(Ok(event));
                    let outcome = work(&Tasks { thread, stop, next, end: numbers.end, send: &send });
                    if let Err(error) = outcome {
                        let _ = sender.send(Err(error));
                    }
                };
                thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, run).map_err(ThreadError)?;
            }
            drop(sender);
            receive(&messages, numbers.start, take)
        };
        let outcome = run();
        stop.set();
        outcome
    })
}

fn receive<T, N, E>(
    messages: &Receiver<Result<Event<T, N>, E>>,
    mut due: u64,
    take: &mut dyn FnMut(Event<T, N>) -> Result<ControlFlow<()>, E>,
) -> Result<(), E> {
    let mut early = BTreeMap::new();
    let mut flow = take(Event::Tick)?;
    while flow.is_continue() {
        match messages.recv_timeout(TICK) {
            Ok(Ok(Event::Done(number, result))) => {
                early.insert(number, result);
                while flow.is_continue()
                    && let Some(result) = early.remove(&due)
                {
                    flow = take(Event::Done(due, result))?;
                    due += 1;
                }
            }
            Ok(Ok(event)) => flow = take(event)?,
            Ok(Err(error)) => {
                // Ctrl-C also reaches external engines, which then fail.
                flow = take(Event::Tick)?;
                if flow.is_continue() {
                    return Err(error);
                }
            }
            Err(RecvTimeoutError::Timeout) => flow = take(Event::Tick)?,
            Err(RecvTimeoutError::Disconnected) => break,
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, Error)]
    enum Failure {
        #[error(transparent)]
        Thread(#[from] ThreadError),
        #[error("a task failed")]
        Task,
    }

    /// Runs tasks of which the earlier take longer, and one fails; returns those taken until `last`.
    fn taken(last: u64, failing: u64) -> Result<Vec<u64>, Failure> {
        let mut taken = Vec::new();
        let work = |tasks: &Tasks<'_, u64, ()>| {
            while let Some(number) = tasks.next() {
                thread::sleep(Duration::from_millis(30 - number % 4 * 10));
                if number == failing {
                    return Err(Failure::Task);
                }
                tasks.done(number, number);
            }
            Ok(())
        };
        ordered(4, 3..20, work, &mut |event| {
            if let Event::Done(number, result) = event {
                assert_eq!(number, result);
                taken.push(number);
            }
            Ok(if taken.last() == Some(&last) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
        })?;
        Ok(taken)
    }

    #[test]
    fn results_come_in_order_until_the_end_or_a_failure() {
        assert_eq!(taken(100, 100).expect("all"), (3..20).collect::<Vec<_>>());
        assert_eq!(taken(9, 100).expect("some"), (3..10).collect::<Vec<_>>());
        assert!(matches!(taken(100, 12), Err(Failure::Task)));
    }
}
