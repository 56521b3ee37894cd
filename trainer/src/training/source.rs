//! Where the rows of an epoch come from: windows of rows that are in memory together.
//!
//! Rows in memory are a source with one window. A source knows nothing of batches, and a run nothing of files.

use std::ops::Range;
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread::Scope;

use crate::data::{DataError, Row, StreamedSet};
use crate::model::Sample;
use crate::model::random::{Purpose, derive, shuffle, shuffled};

use super::evaluate::Rows;

/// Rows that each epoch learns from, in an order of its own.
pub trait RowSource<S>: Sync {
    /// Rows of an epoch.
    fn rows(&self) -> u64;

    /// The most rows of a window.
    fn window_rows(&self) -> u64;

    /// The window with rows `range` of the order that the seed decides; rows within it come in any order.
    ///
    /// # Errors
    /// The rows cannot be read.
    fn window(&self, order_seed: u64, range: Range<u64>) -> Result<Window<'_, S>, DataError>;
}

/// Rows that are in memory together.
#[derive(Clone, Debug)]
pub struct Window<'a, S> {
    samples: Samples<'a, S>,
    /// The rows to learn from, in the order in which they are learnt.
    pub(super) order: Vec<u32>,
}

#[derive(Clone, Debug)]
enum Samples<'a, S> {
    Borrowed(&'a [S]),
    Owned(Vec<S>),
}

impl<'a, S> Window<'a, S> {
    /// Some rows of a set that stays in memory.
    pub fn of(rows: Rows<'a, S>) -> Self {
        Self { samples: Samples::Borrowed(rows.samples), order: rows.picks.to_vec() }
    }

    /// Rows that were read for this window.
    pub fn read(samples: Vec<S>) -> Self {
        let order = (0..samples.len() as u32).collect();
        Self { samples: Samples::Owned(samples), order }
    }

    pub(super) fn samples(&self) -> &[S] {
        match &self.samples {
            Samples::Borrowed(samples) => samples,
            Samples::Owned(samples) => samples,
        }
    }
}

impl<S: Sample> RowSource<S> for Rows<'_, S> {
    fn rows(&self) -> u64 {
        self.picks.len() as u64
    }

    fn window_rows(&self) -> u64 {
        u64::MAX
    }

    fn window(&self, _order_seed: u64, _range: Range<u64>) -> Result<Window<'_, S>, DataError> {
        Ok(Window::of(*self))
    }
}

/// A streamed set, and how much of it is in memory together.
#[derive(Clone, Copy, Debug)]
pub struct Streamed<'a> {
    /// The set.
    pub set: &'a StreamedSet,
    /// The most rows of a window. Two windows are in memory: one is learnt while the next is read.
    pub window_rows: u64,
}

impl RowSource<Row> for Streamed<'_> {
    fn rows(&self) -> u64 {
        self.set.training_rows()
    }

    fn window_rows(&self) -> u64 {
        self.window_rows
    }

    fn window(&self, order_seed: u64, range: Range<u64>) -> Result<Window<'_, Row>, DataError> {
        let order = shuffled(self.set.block_count(), order_seed);
        Ok(Window::read(self.set.read_window(&order, range)?))
    }
}

/// How an epoch is cut into windows, all of whole batches but for the last.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Windows {
    rows: u64,
    batch: u64,
    /// Batches of a window.
    batches: u64,
}

impl Windows {
    pub(super) fn new(rows: u64, window_rows: u64, batch_size: usize) -> Self {
        let batch = batch_size as u64;
        let batches = if window_rows < rows { window_rows / batch } else { rows.div_ceil(batch) };
        Self { rows, batch, batches: batches.max(1) }
    }

    /// Windows of an epoch.
    pub(super) fn count(self) -> u32 {
        self.rows.div_ceil(self.batches * self.batch) as u32
    }

    /// The window with a batch of the epoch, and which of its batches that is.
    pub(super) fn place(self, batch: u64) -> (u32, usize) {
        ((batch / self.batches) as u32, (batch % self.batches) as usize)
    }

    /// The rows of a window.
    pub(super) fn range(self, window: u32) -> Range<u64> {
        let start = u64::from(window) * self.batches * self.batch;
        start..(start + self.batches * self.batch).min(self.rows)
    }
}

/// The windows of a run as they are read.
pub(super) type Reading<'a, S> = Receiver<Result<Window<'a, S>, DataError>>;

/// What of a run is to be read.
#[derive(Clone, Copy, Debug)]
pub(super) struct ReadPlan {
    /// How its epochs are cut.
    pub(super) windows: Windows,
    /// Decides the order of the rows.
    pub(super) seed: u64,
    /// The epoch to begin with, and which of its windows.
    pub(super) from: (u32, u32),
    /// Epochs of the whole run.
    pub(super) epochs: u32,
}

/// Starts a thread that reads window after window, each while the one before it is learnt, and brings their rows into
/// the order in which they are learnt. Dropping the receiver ends it, and so does an error.
pub(super) fn read_windows<'scope, 'env, S: Sample>(
    scope: &'scope Scope<'scope, 'env>,
    source: &'env dyn RowSource<S>,
    course: ReadPlan,
) -> Reading<'env, S> {
    let ReadPlan { windows, seed, from, epochs } = course;
    // Nothing waits in the channel: with the window that is learnt and the one that is read, two are in memory.
    let (sender, receiver) = sync_channel(0);
    scope.spawn(move || {
        for epoch in from.0..epochs {
            let first = if epoch == from.0 { from.1 } else { 0 };
            for number in first..windows.count() {
                let mut window = source.window(derive(seed, Purpose::Blocks(epoch)), windows.range(number));
                if let Ok(window) = &mut window {
                    shuffle(&mut window.order, derive(seed, Purpose::Shuffle { epoch, window: number }));
                }
                let is_end = window.is_err();
                if sender.send(window).is_err() || is_end {
                    return;
                }
            }
        }
    });
    receiver
}
