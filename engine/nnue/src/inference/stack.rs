//! The accumulators of the current line, updated lazily.
//!
//! The search pushes the changes of each move and pops them again. An evaluation walks back to the nearest computed
//! accumulator and applies the changes since, or refreshes if that is less work. Nothing is allocated once the stack
//! has reached its depth.
//!
//! With king-relative inputs, a king move may change the orientation of its view: that view is refreshed from the
//! [cache](RefreshCache), and the other view is updated as usual. Where inputs depend on attacks, a move changes those of
//! other pieces too: positions are then compared as [snapshots](Snapshot).
//!
//! The side-to-move input is not in the accumulators: it would change with every move. Its column is added on
//! activation, to the same sum.

use alfiere_chess::board::Board;
use alfiere_chess::types::{Color, Piece, Square};
use arrayvec::ArrayVec;

use crate::inference::chunks::I16x32;
use crate::inference::head::{HeadInput, Scratch};
use crate::inference::network::Network;
use crate::inference::packed::Packed;
use crate::inference::snapshot::{Change, Snapshot};
use crate::inference::viewpoint::{Delta, RefreshCache, Viewpoint};
use crate::shape::features::feature_index;
use crate::shape::relations::Relations;

/// Depth for which room is made at the start.
const INITIAL_DEPTH: usize = 256;

/// Accumulators of a line of positions, from the root to the current one.
///
/// The position it was last [reset](Self::reset) to, followed by the moves pushed since, must be the one that
/// [`evaluate`](Self::evaluate) is given; otherwise the value is wrong (nothing worse).
#[derive(Clone, Debug)]
pub struct AccumulatorStack {
    entries: Vec<Entry>,
    /// `[entry][view][row_chunks]`.
    values: Vec<I16x32>,
    layout: Layout,
    scratch: Scratch,
    cache: RefreshCache,
    /// The positions of computed entries, where a move changes the inputs of other pieces too.
    snapshots: Vec<Snapshot>,
}

/// One position of the line.
#[derive(Clone, Debug, Default)]
struct Entry {
    /// What led here from the position before.
    delta: Delta,
    /// Per view, whether the accumulator is that of this position.
    is_computed: [bool; 2],
}

/// Which network the values belong to, and how they lie.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Layout {
    network: u64,
    views: usize,
    row_chunks: usize,
}

impl Layout {
    fn of(network: &Network) -> Self {
        let views = network.architecture().views();
        Self { network: network.identity(), views, row_chunks: network.packed().row_chunks() }
    }

    fn entry_chunks(self) -> usize {
        self.views * self.row_chunks
    }
}

impl AccumulatorStack {
    /// A stack for a network, at a root that is not computed yet.
    pub fn new(network: &Network) -> Self {
        let layout = Layout::of(network);
        let mut entries = Vec::with_capacity(INITIAL_DEPTH);
        entries.push(Entry::default());
        Self {
            entries,
            values: vec![I16x32::ZERO; INITIAL_DEPTH * layout.entry_chunks()],
            layout,
            scratch: network.packed().scratch(),
            cache: cache(network),
            snapshots: Vec::new(),
        }
    }

    /// Starts a new line; the root is computed at the first evaluation.
    pub fn reset(&mut self, _root: &Board) {
        self.entries.clear();
        self.entries.push(Entry::default());
    }

    /// A move was played that changed this; for a null move, `Delta::default()`.
    #[inline]
    pub fn push(&mut self, delta: Delta) {
        self.entries.push(Entry { delta, is_computed: [false; 2] });
    }

    /// The last move was taken back. At the root, nothing happens.
    #[inline]
    pub fn pop(&mut self) {
        if self.entries.len() > 1 {
            self.entries.pop();
        }
    }

    /// Moves pushed since the root.
    pub fn depth(&self) -> usize {
        self.entries.len() - 1
    }

    /// The value of the current position in centipawns, from the side to move's view.
    ///
    /// If the network differs from the last call, everything is recomputed.
    #[inline]
    pub fn evaluate(&mut self, network: &Network, board: &Board) -> i32 {
        let side_to_move = board.side_to_move();
        let bucket = network.architecture().output_buckets.bucket(board.occupied().count());
        let sum = match network.packed() {
            Packed::Linear(layer) => {
                let view = if network.architecture().is_dual() { side_to_move } else { Color::White };
                let inputs = &network.architecture().inputs;
                let orientation = inputs.orientation(view, board.king(view));
                let relations = Relations::on(board, inputs);
                let column = if view == side_to_move { layer.weights[[inputs.side_to_move(), bucket]] } else { 0 };
                pieces(board).fold(layer.bias[bucket].wrapping_add(column), |sum, (piece, square)| {
                    let input = orientation.input(feature_index(view, piece, square));
                    sum.wrapping_add(layer.weights[[inputs.of_state(relations.state(square)) + input, bucket]])
                })
            }
            Packed::Layered { accumulator, head } => {
                self.fit(network);
                let top = self.entries.len() - 1;
                let inputs = &network.architecture().inputs;
                if inputs.has_attacks() {
                    self.snapshots.resize(self.snapshots.len().max(self.entries.len()), Snapshot::default());
                    self.snapshots[top] = Snapshot::new(board, inputs);
                }
                let mut views = ArrayVec::<Color, 2>::new();
                if self.layout.views == 2 {
                    views.extend([side_to_move, !side_to_move]);
                } else {
                    views.push(Color::White);
                }
                let mut change = None;
                for &view in &views {
                    self.compute(Viewpoint::new(network, accumulator, view, board), board, &mut change);
                }
                let layout = self.layout;
                let values = &self.values[top * layout.entry_chunks()..][..layout.entry_chunks()];
                let input = |view: &Color| HeadInput {
                    accumulator: &values[view_index(layout, *view) * layout.row_chunks..][..layout.row_chunks],
                    column: accumulator.side_to_move_column(*view == side_to_move),
                };
                let inputs: ArrayVec<HeadInput<'_>, 2> = views.iter().map(input).collect();
                head.evaluate(network.kernels(), &inputs, bucket, &mut self.scratch)
            }
        };
        network.to_centipawns(side_to_move, sum)
    }

    /// Makes room for the whole line, and forgets the values of another network.
    #[inline]
    fn fit(&mut self, network: &Network) {
        let layout = Layout::of(network);
        if layout != self.layout {
            self.layout = layout;
            self.scratch = network.packed().scratch();
            self.cache = cache(network);
            self.entries.iter_mut().for_each(|entry| entry.is_computed = [false; 2]);
        }
        let needed = self.entries.len() * layout.entry_chunks();
        if self.values.len() < needed {
            self.values.resize(needed.max(INITIAL_DEPTH * layout.entry_chunks()), I16x32::ZERO);
        }
    }

    /// Brings one view's accumulator of the current position up to date.
    #[inline]
    fn compute(&mut self, viewpoint: Viewpoint<'_>, board: &Board, change: &mut Option<(usize, Change)>) {
        let index = view_index(self.layout, viewpoint.color);
        let top = self.entries.len() - 1;
        if self.entries[top].is_computed[index] {
            return;
        }
        match self.nearest_computed(viewpoint, index, board.occupied().count() as usize) {
            Some(known) if viewpoint.inputs.has_attacks() => self.shift(viewpoint, index, known, change),
            Some(known) => (known + 1..=top).for_each(|entry| self.update(viewpoint, index, entry)),
            None => self.refresh(viewpoint, index, board),
        }
    }

    // ANCHOR: nearest
    /// The last position whose accumulator is known, unless the view was turned since or the way from there is longer
    /// than a fresh start.
    fn nearest_computed(&self, viewpoint: Viewpoint<'_>, index: usize, fresh_rows: usize) -> Option<usize> {
        let mut rows = 0;
        for (number, entry) in self.entries.iter().enumerate().rev() {
            if entry.is_computed[index] {
                return Some(number);
            }
            // Each step costs its rows and one more for reading and writing the accumulator itself.
            rows += entry.delta.len() + 1;
            if rows > fresh_rows || viewpoint.is_turned_by(&entry.delta) {
                return None;
            }
        }
        None
    }
    // ANCHOR_END: nearest

    /// Computes an entry from the one before it.
    #[inline]
    fn update(&mut self, viewpoint: Viewpoint<'_>, index: usize, entry: usize) {
        let layout = self.layout;
        let kernels = viewpoint.kernels;
        let (before, after) = self.values.split_at_mut(entry * layout.entry_chunks());
        let source = &before[(entry - 1) * layout.entry_chunks() + index * layout.row_chunks..][..layout.row_chunks];
        let target = &mut after[index * layout.row_chunks..][..layout.row_chunks];
        let rows = &viewpoint.layer.rows;
        let input = |(piece, square): (Piece, Square)| viewpoint.input(piece, square);
        let delta = &self.entries[entry].delta;
        // One pass over the accumulator, whatever the move.
        match (delta.added.as_slice(), delta.removed.as_slice()) {
            (&[a], &[r]) => kernels.update(target, source, rows, [a].map(input), [r].map(input)),
            (&[a], &[r, s]) => kernels.update(target, source, rows, [a].map(input), [r, s].map(input)),
            (&[a, b], &[r, s]) => kernels.update(target, source, rows, [a, b].map(input), [r, s].map(input)),
            // The null move changes nothing; the rest no move does, but a caller may invent it.
            (&[], &[]) => target.copy_from_slice(source),
            (&[a], &[]) => kernels.update(target, source, rows, [a].map(input), []),
            (&[], &[r]) => kernels.update(target, source, rows, [], [r].map(input)),
            (&[a, b], &[]) => kernels.update(target, source, rows, [a, b].map(input), []),
            (&[], &[r, s]) => kernels.update(target, source, rows, [], [r, s].map(input)),
            (&[a, b], &[r]) => kernels.update(target, source, rows, [a, b].map(input), [r].map(input)),
            _ => unreachable!("a delta holds at most two pieces either way"),
        }
        self.entries[entry].is_computed[index] = true;
    }

    /// Computes the current position from an earlier one; `change` is what the other view found, and from which entry.
    fn shift(&mut self, viewpoint: Viewpoint<'_>, index: usize, known: usize, change: &mut Option<(usize, Change)>) {
        let layout = self.layout;
        let top = self.entries.len() - 1;
        let (before, after) = self.values.split_at_mut(top * layout.entry_chunks());
        let source = &before[known * layout.entry_chunks() + index * layout.row_chunks..][..layout.row_chunks];
        let target = &mut after[index * layout.row_chunks..][..layout.row_chunks];
        let change = match change {
            Some((from, change)) if *from == known => &*change,
            _ => &change.insert((known, self.snapshots[top].change_from(&self.snapshots[known]))).1,
        };
        viewpoint.shift(target, source, change);
        self.entries[top].is_computed[index] = true;
    }

    /// Computes the current position from its pieces.
    fn refresh(&mut self, viewpoint: Viewpoint<'_>, index: usize, board: &Board) {
        let layout = self.layout;
        let top = self.entries.len() - 1;
        let target = &mut self.values[top * layout.entry_chunks() + index * layout.row_chunks..][..layout.row_chunks];
        let now = match self.snapshots.get(top) {
            Some(&now) if viewpoint.inputs.has_attacks() => now,
            _ => Snapshot::new(board, viewpoint.inputs),
        };
        self.cache.refresh(viewpoint, index, now, target);
        self.entries[top].is_computed[index] = true;
    }
}

/// What refreshes of a network start from.
fn cache(network: &Network) -> RefreshCache {
    match network.packed() {
        Packed::Linear(_) => RefreshCache::default(),
        Packed::Layered { accumulator, .. } => {
            let architecture = network.architecture();
            RefreshCache::new(accumulator, &architecture.inputs, architecture.views())
        }
    }
}

/// Which of an entry's accumulators is this view's.
#[inline]
fn view_index(layout: Layout, view: Color) -> usize {
    if layout.views == 2 { view.index() } else { 0 }
}

fn pieces(board: &Board) -> impl Iterator<Item = (Piece, Square)> {
    Piece::ALL
        .into_iter()
        .flat_map(|piece| board.colored(piece.color(), piece.kind()).into_iter().map(move |square| (piece, square)))
}
