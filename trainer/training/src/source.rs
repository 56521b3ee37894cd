//! Sources of training rows, read in windows that fit in memory.
//!
//! Rows in memory are a source with a single window. A source is independent of batches, and a run is independent of
//! files.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::mpsc::sync_channel;
use std::thread::Scope;

use alfiere_data::{Captures, Dataset, Row, Samples, shuffle, shuffled};
use alfiere_model::random::{Purpose, derive};

use super::evaluate::Rows;

/// Whether threads can be started.
pub(super) const HAS_THREADS: bool = !cfg!(all(target_family = "wasm", not(target_feature = "atomics")));

/// Rows of the training set, in a different order in each epoch.
pub trait RowSource: Sync {
    /// Rows per epoch.
    fn rows(&self) -> u64;

    /// Maximum number of rows per window.
    fn window_rows(&self) -> u64;

    /// Reads rows `range` of the epoch's order, which `order_seed` determines; rows within the window are in no
    /// particular order.
    fn window(&self, order_seed: u64, range: Range<u64>) -> Window<'_>;

    /// Rows near which lessons make positions.
    fn near(&self) -> Window<'_> {
        self.window(0, 0..self.rows().min(self.window_rows()))
    }
}

/// Rows that are in memory together.
#[derive(Clone, Debug)]
pub struct Window<'a> {
    samples: WindowSamples<'a>,
    /// Indices of the rows, in training order.
    pub(super) order: Cow<'a, [u32]>,
}

#[derive(Clone, Debug)]
enum WindowSamples<'a> {
    Borrowed(Samples<'a>),
    Owned(Vec<Row>),
}

impl<'a> Window<'a> {
    /// Selected rows of a set that is already in memory.
    pub fn of(rows: Rows<'a>) -> Self {
        Self { samples: WindowSamples::Borrowed(rows.samples), order: rows.picks.into() }
    }

    pub fn read(samples: Vec<Row>) -> Self {
        let order = (0..samples.len() as u32).collect();
        Self { samples: WindowSamples::Owned(samples), order }
    }

    /// A part of the rows in a random order, all of them as they are.
    pub fn in_range(mut self, order_seed: u64, range: Range<u64>) -> Self {
        if range.end - range.start < self.order.len() as u64 {
            shuffle(self.order.to_mut(), order_seed);
            self.order = self.order[range.start as usize..range.end as usize].to_vec().into();
        }
        self
    }

    /// The rows, in no particular order.
    pub fn rows(&self) -> Rows<'_> {
        Rows { samples: self.samples(), picks: &self.order }
    }

    pub(super) fn samples(&self) -> Samples<'_> {
        match &self.samples {
            WindowSamples::Borrowed(samples) => *samples,
            WindowSamples::Owned(samples) => samples.into(),
        }
    }
}

impl RowSource for Rows<'_> {
    fn rows(&self) -> u64 {
        self.picks.len() as u64
    }

    fn window_rows(&self) -> u64 {
        u64::MAX
    }

    fn window(&self, order_seed: u64, range: Range<u64>) -> Window<'_> {
        Window::of(*self).in_range(order_seed, range)
    }

    fn near(&self) -> Window<'_> {
        Window::of(*self)
    }
}

/// Rows with others beside them, in the same proportion in each window.
pub(super) struct Mixed<'a> {
    pub(super) rows: &'a dyn RowSource,
    pub(super) others: Box<dyn RowSource + 'a>,
}

/// Most rows of a window of mixed rows.
const MIXED_WINDOW: u64 = 1 << 22;

impl RowSource for Mixed<'_> {
    fn rows(&self) -> u64 {
        self.rows.rows() + self.others.rows()
    }

    fn window_rows(&self) -> u64 {
        self.rows.window_rows().min(MIXED_WINDOW)
    }

    fn window(&self, order_seed: u64, range: Range<u64>) -> Window<'_> {
        // The number of own rows among the first rows of the epoch.
        let own = |end: u64| (u128::from(end) * u128::from(self.rows.rows()) / u128::from(self.rows())) as u64;
        let own = own(range.start)..own(range.end);
        let others = range.start - own.start..range.end - own.end;
        let mut samples = Vec::with_capacity((range.end - range.start) as usize);
        if !own.is_empty() {
            let window = self.rows.window(order_seed, own);
            samples.extend(window.rows().iter());
        }
        if !others.is_empty() {
            samples.extend(self.others.window(order_seed, others).rows().iter());
        }
        Window::read(samples)
    }
}

/// Rows of a set that need not fit in memory: a window has blocks of neighbours from all over the set.
#[derive(Clone, Debug)]
pub struct Streamed<'a> {
    rows: Rows<'a>,
    given: Samples<'a>,
    /// The first pick of each block, and the end of the last one.
    blocks: Vec<usize>,
    window_rows: u64,
}

impl<'a> Streamed<'a> {
    /// The training rows `picks`, ascending, in windows of at most `window_rows`, of which two are in memory at a time: one in
    /// training, one being read.
    pub fn new(set: &'a Dataset, picks: &'a [u32], captures: Captures, window_rows: u64) -> Self {
        let starts = set.blocks.iter().map(|&first| picks.partition_point(|&pick| pick < first));
        Self {
            rows: Rows { samples: set.samples(captures)[0], picks },
            given: Samples::from(&set.rows),
            blocks: starts.chain([picks.len()]).collect(),
            window_rows,
        }
    }
}

impl RowSource for Streamed<'_> {
    fn rows(&self) -> u64 {
        self.rows.rows()
    }

    fn window_rows(&self) -> u64 {
        self.window_rows
    }

    /// The rows are in the order of the set.
    fn window(&self, order_seed: u64, range: Range<u64>) -> Window<'_> {
        let mut parts = Vec::new();
        let mut start = 0;
        for block in shuffled(self.blocks.len() as u32 - 1, order_seed) {
            let [first, last] = [block, block + 1].map(|block| self.blocks[block as usize]);
            let end = start + (last - first) as u64;
            let [from, to] = [range.start, range.end].map(|at| first + (at.clamp(start, end) - start) as usize);
            parts.push(from..to);
            start = end;
        }
        parts.sort_unstable_by_key(|part| part.start);
        let picks = parts.into_iter().flat_map(|part| &self.rows.picks[part]);
        let mut rows = Vec::with_capacity((range.end - range.start) as usize);
        rows.extend(picks.map(|&pick| self.rows.samples.row(pick)));
        Window::read(rows)
    }

    /// The first rows, as given.
    fn near(&self) -> Window<'_> {
        let count = self.rows().min(self.window_rows) as usize;
        Window::of(Rows { samples: self.given, picks: &self.rows.picks[..count] })
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

/// The windows of a run, in the order in which they are read.
pub(super) type Reading<'a> = Box<dyn Iterator<Item = Window<'a>> + 'a>;

#[derive(Clone, Copy, Debug)]
pub(super) struct ReadPlan {
    pub(super) windows: Windows,
    pub(super) seed: u64,
    /// The first epoch and window to read.
    pub(super) from: (u32, u32),
    pub(super) epochs: u32,
}

/// Reads windows and shuffles their rows into training order, where there are threads in one that is a window ahead of
/// training. The thread ends when the iterator is dropped.
pub(super) fn read_windows<'scope, 'env>(
    scope: &'scope Scope<'scope, 'env>,
    source: &'env dyn RowSource,
    plan: ReadPlan,
) -> Reading<'env> {
    let windows = plan.read(source);
    if !HAS_THREADS {
        return Box::new(windows);
    }
    // The channel has no capacity: together with the window in training, at most two windows are in memory.
    let (sender, receiver) = sync_channel(0);
    scope.spawn(move || {
        for window in windows {
            if sender.send(window).is_err() {
                return;
            }
        }
    });
    Box::new(receiver.into_iter())
}

impl ReadPlan {
    fn read(self, source: &dyn RowSource) -> impl Iterator<Item = Window<'_>> + Send {
        let Self { windows, seed, from, epochs } = self;
        let numbers = (from.0..epochs).flat_map(move |epoch| {
            let first = if epoch == from.0 { from.1 } else { 0 };
            (first..windows.count()).map(move |number| (epoch, number))
        });
        numbers.map(move |(epoch, number)| {
            let mut window = source.window(derive(seed, Purpose::Blocks(epoch)), windows.range(number));
            shuffle(window.order.to_mut(), derive(seed, Purpose::Shuffle { epoch, window: number }));
            window
        })
    }
}
