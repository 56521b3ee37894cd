//! Sources of training rows, read in windows that fit in memory.
//!
//! Rows in memory are a source with a single window. A source is independent of batches, and a run is independent of
//! files.

use std::ops::Range;
use std::sync::mpsc::sync_channel;
use std::thread::Scope;

use alfiere_data::{Captures, DataError, Row, StreamedSet, resolve_rows};
use alfiere_data::{shuffle, shuffled};
use alfiere_model::Sample;
use alfiere_model::random::{Purpose, derive};

use super::evaluate::Rows;

/// Whether threads can be started.
pub(super) const HAS_THREADS: bool = !cfg!(all(target_family = "wasm", not(target_feature = "atomics")));

/// Rows of the training set, in a different order in each epoch.
pub trait RowSource<S>: Sync {
    /// Rows per epoch.
    fn rows(&self) -> u64;

    /// Maximum number of rows per window.
    fn window_rows(&self) -> u64;

    /// Reads rows `range` of the epoch's order, which `order_seed` determines; rows within the window are in no
    /// particular order.
    ///
    /// # Errors
    /// If the rows cannot be read.
    fn window(&self, order_seed: u64, range: Range<u64>) -> Result<Window<'_, S>, DataError>;
}

/// Rows that are in memory together.
#[derive(Clone, Debug)]
pub struct Window<'a, S> {
    samples: Samples<'a, S>,
    /// Indices of the rows, in training order.
    pub(super) order: Vec<u32>,
}

#[derive(Clone, Debug)]
enum Samples<'a, S> {
    Borrowed(&'a [S]),
    Owned(Vec<S>),
}

impl<'a, S> Window<'a, S> {
    /// Selected rows of a set that is already in memory.
    pub fn of(rows: Rows<'a, S>) -> Self {
        Self { samples: Samples::Borrowed(rows.samples), order: rows.picks.to_vec() }
    }

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

/// A streamed data set and the size of its windows.
#[derive(Clone, Copy, Debug)]
pub struct Streamed<'a> {
    pub set: &'a StreamedSet,
    /// Maximum number of rows per window. Two windows are in memory at a time: one in training, one being read.
    pub window_rows: u64,
    /// Whether the captures of a window's rows are resolved when it is read; rows are never dropped.
    pub captures: Captures,
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
        let rows = self.set.read_window(&order, range)?;
        Ok(Window::read(if self.captures == Captures::Resolve { resolve_rows(&rows) } else { rows }))
    }
}

/// How an epoch is divided into windows; all but the last hold whole batches.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Windows {
    rows: u64,
    batch: u64,
    batches: u64,
}

impl Windows {
    pub(super) fn new(rows: u64, window_rows: u64, batch_size: usize) -> Self {
        let batch = batch_size as u64;
        let batches = if window_rows < rows { window_rows / batch } else { rows.div_ceil(batch) };
        Self { rows, batch, batches: batches.max(1) }
    }

    /// Number of windows per epoch.
    pub(super) fn count(self) -> u32 {
        self.rows.div_ceil(self.batches * self.batch) as u32
    }

    /// The window that contains batch `batch` of the epoch, and the index of the batch within it.
    pub(super) fn locate(self, batch: u64) -> (u32, usize) {
        ((batch / self.batches) as u32, (batch % self.batches) as usize)
    }

    pub(super) fn range(self, window: u32) -> Range<u64> {
        let start = u64::from(window) * self.batches * self.batch;
        start..(start + self.batches * self.batch).min(self.rows)
    }
}

/// The windows of a run, in the order in which they are read; an error is the last item.
pub(super) type Reading<'a, S> = Box<dyn Iterator<Item = Result<Window<'a, S>, DataError>> + 'a>;

/// What is read.
#[derive(Clone, Copy, Debug)]
pub(super) struct ReadPlan {
    pub(super) windows: Windows,
    /// Seed of the row order.
    pub(super) seed: u64,
    /// The first epoch and window to read.
    pub(super) from: (u32, u32),
    pub(super) epochs: u32,
}

/// Reads windows and shuffles their rows into training order, where there are threads in one that is a window ahead of
/// training. The thread ends when the iterator is dropped or after an error.
pub(super) fn read_windows<'scope, 'env, S: Sample>(
    scope: &'scope Scope<'scope, 'env>,
    source: &'env dyn RowSource<S>,
    plan: ReadPlan,
) -> Reading<'env, S> {
    let windows = plan.read(source);
    if !HAS_THREADS {
        return Box::new(windows);
    }
    // The channel has no capacity: together with the window in training, at most two windows are in memory.
    let (sender, receiver) = sync_channel(0);
    scope.spawn(move || {
        for window in windows {
            let is_end = window.is_err();
            if sender.send(window).is_err() || is_end {
                return;
            }
        }
    });
    Box::new(receiver.into_iter())
}

impl ReadPlan {
    fn read<S: Sample>(
        self,
        source: &dyn RowSource<S>,
    ) -> impl Iterator<Item = Result<Window<'_, S>, DataError>> + Send {
        let Self { windows, seed, from, epochs } = self;
        let numbers = (from.0..epochs).flat_map(move |epoch| {
            let first = if epoch == from.0 { from.1 } else { 0 };
            (first..windows.count()).map(move |number| (epoch, number))
        });
        numbers.map(move |(epoch, number)| {
            let mut window = source.window(derive(seed, Purpose::Blocks(epoch)), windows.range(number))?;
            shuffle(&mut window.order, derive(seed, Purpose::Shuffle { epoch, window: number }));
            Ok(window)
        })
    }
}
