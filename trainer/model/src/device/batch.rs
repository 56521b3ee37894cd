//! The positions of a step on a card, and the lists by which its kernels add without atomic operations.

use std::ops::Range;

use rayon::prelude::*;

use super::card::{Buffer, Card};
use super::kernels::dense::{GROUP_NUMBERS, ROWS};
use super::kernels::first_layer::RUN_NUMBERS;
use crate::batch::SparseBatch;
use crate::hints::Hints;

/// Positions of a part: the gradients of their accumulators fit in a card's cache, and their numbers in 16 bits.
const PART: usize = 512;
/// The most output buckets, with room for the end of the last.
const BUCKET_STARTS: usize = 257;

/// The positions of a step.
#[derive(Debug)]
pub struct DeviceBatch {
    positions: usize,
    /// The features as [`SparseBatch`] lists them, two in a word.
    pub(super) features: Buffer,
    /// Each position's number of pieces, 256 times its bucket and 65,536 times its input for the side to move.
    pub(super) heads: Buffer,
    pub(super) targets: Buffer,
    /// Groups of positions for the sums of dense layers, and for the gradients of their weights.
    pub(super) tiles: Buffer,
    pub(super) parts: Buffer,
    /// The first part of each bucket.
    pub(super) part_starts: Buffer,
    pub(super) table: TableLists,
    /// The targets of hints `[positions][neurons]`, their number and the weight of their loss.
    pub(super) hints: Option<(Buffer, usize, f32)>,
}

/// Where the rows of the first layer's table are active.
#[derive(Debug)]
pub(super) struct TableLists {
    /// Accumulators counted in their part, two in a word: run after run.
    pub(super) rows: Buffer,
    /// [`RUN_NUMBERS`] for each row and part in which it is active.
    pub(super) runs: Buffer,
    /// The first slot of each row: the slots of a row are adjacent.
    pub(super) starts: Buffer,
}

impl DeviceBatch {
    /// Sends a batch. The positions of a bucket should be adjacent.
    pub(crate) fn new(batch: &SparseBatch, hints: Option<&Hints>, card: &Card) -> Self {
        let heads: Vec<u32> = (0..batch.len()).map(|position| head(batch, position)).collect();
        let parts = groups(batch, PART);
        let starts = (0..BUCKET_STARTS).map(|bucket| before(&parts, bucket) as u32);
        Self {
            positions: batch.len(),
            features: card.half_words(batch.feature_lists()),
            heads: card.words(&heads),
            targets: card.floats(batch.targets()),
            tiles: card.words(groups(batch, ROWS).as_flattened()),
            part_starts: card.words(&starts.collect::<Vec<_>>()),
            parts: card.words(parts.as_flattened()),
            table: Lists::new(batch).send(card),
            hints: hints.map(|hints| {
                let targets = hints.targets(batch);
                (card.floats(&targets), targets.len() / batch.len(), hints.weight())
            }),
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.positions
    }
}

impl TableLists {
    /// Number of runs, which is the number of slots.
    pub(super) fn slots(&self) -> usize {
        self.runs.len() / RUN_NUMBERS
    }
}

fn head(batch: &SparseBatch, position: usize) -> u32 {
    let found = batch.position(position);
    (found.features.len() / batch.views() + (found.bucket << 8) + (usize::from(found.side_input) << 16)) as u32
}

/// Groups of at most `size` positions of one bucket: the first, how many, and their bucket.
fn groups(batch: &SparseBatch, size: usize) -> Vec<[u32; GROUP_NUMBERS]> {
    let mut groups: Vec<[u32; GROUP_NUMBERS]> = Vec::new();
    for position in 0..batch.len() {
        let bucket = batch.bucket(position) as u32;
        match groups.last_mut() {
            Some([_, count, own]) if *own == bucket && *count < size as u32 => *count += 1,
            _ => groups.push([position as u32, 1, bucket]),
        }
    }
    groups
}

/// Number of groups of lower buckets.
fn before(groups: &[[u32; GROUP_NUMBERS]], bucket: usize) -> usize {
    groups.iter().filter(|group| (group[2] as usize) < bucket).count()
}

/// [`TableLists`] before they are sent.
struct Lists {
    rows: Vec<u16>,
    runs: Vec<[u32; RUN_NUMBERS]>,
    starts: Vec<u32>,
}

/// The lists of one part, and each active row of the table with the end of its run.
#[derive(Default)]
struct PartLists {
    rows: Vec<u16>,
    runs: Vec<(u32, u32)>,
}

impl Lists {
    fn new(batch: &SparseBatch) -> Self {
        let (views, inputs) = (batch.views(), batch.inputs().count());
        let firsts: Vec<usize> = (0..batch.len()).step_by(PART).collect();
        let parts: Vec<PartLists> = firsts
            .par_iter()
            .map_init(
                || vec![0; inputs + 1],
                |counts, &first| PartLists::new(batch, first..batch.len().min(first + PART), counts),
            )
            .collect();
        // The slots of each row, the biases' included.
        let mut starts = vec![0; inputs + 2];
        for &(row, _) in parts.iter().flat_map(|part| &part.runs) {
            starts[row as usize + 1] += 1;
        }
        for row in 0..=inputs {
            starts[row + 1] += starts[row];
        }
        let mut next = starts.clone();
        let mut runs = Vec::with_capacity(starts[inputs + 1] as usize);
        let mut rows = Vec::with_capacity(parts.iter().map(|part| part.rows.len()).sum::<usize>() + 1);
        for (part, first) in parts.iter().zip(firsts) {
            let (base, mut start) = (rows.len() as u32, 0);
            for &(row, end) in &part.runs {
                runs.push([next[row as usize], (first * views) as u32, base + start, base + end]);
                next[row as usize] += 1;
                start = end;
            }
            rows.extend_from_slice(&part.rows);
        }
        if rows.len() % 2 == 1 {
            rows.push(0);
        }
        Self { rows, runs, starts }
    }

    fn send(&self, card: &Card) -> TableLists {
        TableLists {
            rows: card.half_words(&self.rows),
            runs: card.words(self.runs.as_flattened()),
            starts: card.words(&self.starts),
        }
    }
}

impl PartLists {
    /// Sorts the accumulators of these positions by their active rows; `counts` has a 0 for each row of the table, before and
    /// afterwards.
    fn new(batch: &SparseBatch, positions: Range<usize>, counts: &mut [u32]) -> Self {
        let mut lists = Self::default();
        let mut total = 0;
        each_active(batch, positions.clone(), |row, _| {
            if counts[row] == 0 {
                lists.runs.push((row as u32, 0));
            }
            counts[row] += 1;
            total += 1;
        });
        let mut end = 0;
        for (row, run_end) in &mut lists.runs {
            // From here on the place of the row's next entry.
            let count = std::mem::replace(&mut counts[*row as usize], end);
            end += count;
            *run_end = end;
        }
        lists.rows.resize(total, 0);
        each_active(batch, positions, |row, accumulator| {
            lists.rows[counts[row] as usize] = accumulator;
            counts[row] += 1;
        });
        for &(row, _) in &lists.runs {
            counts[row as usize] = 0;
        }
        lists
    }
}

/// Calls `take` with each active row of the table and the accumulator, counted from the first position's.
fn each_active(batch: &SparseBatch, positions: Range<usize>, mut take: impl FnMut(usize, u16)) {
    let (views, inputs) = (batch.views(), batch.inputs());
    for (index, number) in positions.enumerate() {
        let (position, first) = (batch.position(number), (index * views) as u16);
        for piece in position.features.chunks_exact(views) {
            for (accumulator, &feature) in (first..).zip(piece) {
                take(usize::from(feature), accumulator);
            }
        }
        if position.side_input {
            take(inputs.side_to_move(), first);
        }
        for accumulator in first..first + views as u16 {
            take(inputs.count(), accumulator);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Objective;
    use crate::test_batches::batch;
    use crate::test_samples::samples;

    #[test]
    fn lists_have_each_active_row_once_in_every_part() {
        for text in ["dual [8] x8 kings=4", "white [8]"] {
            let batch = batch(&text.parse().expect("valid"), Objective::ClippedCentipawns, &samples(PART + 300, 1));
            let lists = Lists::new(&batch);
            let rows = batch.inputs().count() + 1;
            assert_eq!((lists.starts.len(), lists.starts[rows] as usize), (rows + 1, lists.runs.len()));
            let mut listed = Vec::new();
            for &[slot, first, start, end] in &lists.runs {
                let row = lists.starts.partition_point(|&start| start <= slot) - 1;
                listed.extend((start..end).map(|at| (row, first as usize + usize::from(lists.rows[at as usize]))));
            }
            let mut expected = Vec::new();
            for first in 0..batch.len() {
                let take = |row, view| expected.push((row, first * batch.views() + usize::from(view)));
                each_active(&batch, first..first + 1, take);
            }
            listed.sort_unstable();
            expected.sort_unstable();
            assert!(listed == expected, "{text}");
            let mut slots: Vec<u32> = lists.runs.iter().map(|run| run[0]).collect();
            slots.sort_unstable();
            assert!(slots.into_iter().eq(0..lists.runs.len() as u32), "{text}: each slot has a run");
        }
    }
}
