//! Mixes files: games, or single rows where games are unknown, are drawn at random from all files at the same time.
//!
//! Each file is read by its own thread, a few batches ahead. A file is drawn with the probability of its share of the
//! rows that are still to come, so all files end together.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::mpsc::{Receiver, sync_channel};

use alfiere_chess::random::Random;

use super::Conversion;
use super::inputs::{FirstPass, Input};
use crate::dataset::LoadObserver;
use crate::error::DataError;
use crate::row_batcher::{BATCH_ROWS, OnRows, ReadProgress};
use crate::rows::row::Row;
use crate::splits::games::GameOrder;

/// Passes the rows of all files to `on_rows`, mixed.
pub(super) fn interleave(
    job: &Conversion<'_>,
    first_pass: &FirstPass,
    seed: u64,
    observer: &mut dyn LoadObserver,
    on_rows: &mut OnRows<'_>,
) -> Result<(), DataError> {
    let (mut inputs, mut rows, mut first) = (Vec::new(), Vec::new(), 0);
    for (file, summary) in job.inputs.iter().zip(&first_pass.inputs) {
        let limit = job.read.limit.map(|_| summary.file.report.rows as usize);
        let repeats = first_pass.repeats.as_ref().map(|repeats| (repeats, first));
        let end = first + summary.passed;
        rows.push(summary.passed - repeats.map_or(0, |(repeats, first)| repeats.count(first..end)));
        inputs.push(Input { job, file, limit, repeats });
        first = end;
    }
    observer.step("all files together");
    std::thread::scope(|scope| {
        let (mut sources, mut threads) = (Vec::new(), Vec::new());
        for (number, input) in inputs.into_iter().enumerate() {
            let path = input.file.path.as_path();
            let (sender, receiver) = sync_channel(1);
            threads.push(scope.spawn(move || {
                input.stream(&mut |_| ControlFlow::Continue(()), &mut |rows| {
                    let stopped = || DataError::Stopped { path: path.to_path_buf() };
                    if rows.is_empty() { Ok(()) } else { sender.send(rows.to_vec()).map_err(|_| stopped()) }
                })
            }));
            sources.push(Source {
                path,
                rows: receiver,
                batch: Vec::new(),
                next: 0,
                order: first_pass.inputs[number].file.order,
                left: rows[number],
            });
        }
        let mixed = draw_all(&mut sources, seed, observer, on_rows);
        // A thread that still has rows to send stops when the receiver of its rows is dropped.
        drop(sources);
        for (number, thread) in threads.into_iter().enumerate() {
            match thread.join() {
                Ok(Ok(summary)) => first_pass.check_unchanged(number, &summary)?,
                Ok(Err(DataError::Stopped { .. })) => {}
                Ok(Err(error)) => return Err(error),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        mixed
    })
}

/// A file that is being read.
struct Source<'a> {
    path: &'a Path,
    rows: Receiver<Vec<Row>>,
    batch: Vec<Row>,
    /// Index of the next row in `batch`.
    next: usize,
    order: GameOrder,
    /// Number of rows that are still to come.
    left: u64,
}

impl Source<'_> {
    /// The next row; `None` at the end of the file.
    fn peek(&mut self) -> Option<Row> {
        if self.next == self.batch.len() {
            self.batch = self.rows.recv().ok()?;
            self.next = 0;
        }
        self.batch.get(self.next).copied()
    }

    /// Appends the next game to `mixed`, or the next row where games are unknown.
    fn draw(&mut self, mixed: &mut Vec<Row>) -> Result<(), DataError> {
        let begin = mixed.len();
        let mut before = None;
        while let Some(row) = self.peek() {
            if before.is_some_and(|before| self.order.begins_game(&before, &row)) {
                break;
            }
            mixed.push(row);
            self.next += 1;
            before = Some(row);
        }
        let drawn = (mixed.len() - begin) as u64;
        self.left = self.left.saturating_sub(drawn);
        if drawn == 0 { Err(DataError::Changed { path: self.path.to_path_buf() }) } else { Ok(()) }
    }
}

fn draw_all(
    sources: &mut [Source<'_>],
    seed: u64,
    observer: &mut dyn LoadObserver,
    on_rows: &mut OnRows<'_>,
) -> Result<(), DataError> {
    let mut random = Random::for_part(seed, 0);
    let total: u64 = sources.iter().map(|source| source.left).sum();
    let mut mixed = Vec::with_capacity(2 * BATCH_ROWS);
    loop {
        let left = sources.iter().map(|source| source.left).sum();
        let mut number = random.below(left);
        let drawn = sources.iter_mut().find(|source| {
            let is_drawn = number < source.left;
            number = number.saturating_sub(source.left);
            is_drawn
        });
        let Some(source) = drawn else { break };
        source.draw(&mut mixed)?;
        if mixed.len() >= BATCH_ROWS {
            on_rows(&mixed)?;
            mixed.clear();
            let done = total.saturating_sub(left);
            if observer.progress(ReadProgress::of_rows(done, total)).is_break() {
                return Err(DataError::Stopped { path: source.path.to_path_buf() });
            }
        }
    }
    on_rows(&mixed)
}
