//! Which table rows a tile of positions uses, feature by feature.
//!
//! In the backward pass a feature's gradient is the sum over the positions that have it. Processed tile by tile and
//! feature by feature, the sum stays in registers, and the table's gradient is read and written once for many
//! positions.

use std::ops::Range;

use alfiere_nnue::Architecture;
use rayon::prelude::*;

/// Positions per tile: the gradients of their neurons fit in the first-level cache.
pub(crate) const TILE: usize = 64;
/// Maximum number of outputs of a narrow layer: two vectors.
pub(crate) const MAX_OUTPUTS: usize = 32;

/// True if the second layer of a clipped network is narrow enough for the kernel that computes it with the first; only that
/// kernel uses tiles.
pub(crate) fn is_narrow(architecture: &Architecture) -> bool {
    architecture.activation.has_integers() && architecture.hidden.get(1).is_some_and(|&outputs| outputs <= MAX_OUTPUTS)
}

/// The positions of each feature in a tile of a batch. Features with the same number of positions are contiguous, so that loops over positions are well
/// predicted.
#[derive(Clone, Default, Debug)]
pub(crate) struct Tile {
    /// `(positions per feature, number of features)`, in increasing order of positions.
    pub(crate) runs: Vec<(u8, u16)>,
    /// The features, run after run.
    pub(crate) features: Vec<u16>,
    /// The rows of each feature, feature by feature: `position * views + view`, with the position counted in the tile.
    pub(crate) rows: Vec<u8>,
}

/// Temporary storage for building tiles, reused between tiles.
#[derive(Default)]
struct Builder {
    /// Number of rows of each feature, later the index of its next row; 0 between tiles.
    counts: Vec<u16>,
    seen: Vec<u16>,
}

/// Builds the tiles of a batch from the features of each position, `views` per piece.
pub(super) fn fill_tiles<'a>(
    tiles: &mut Vec<Tile>,
    positions: usize,
    views: usize,
    inputs: usize,
    features: impl Fn(usize) -> &'a [u16] + Sync,
) {
    tiles.resize(positions.div_ceil(TILE), Tile::default());
    tiles.par_iter_mut().enumerate().for_each_init(Builder::default, |builder, (tile, own)| {
        let first = tile * TILE;
        own.fill(views, inputs, (first..positions.min(first + TILE)).map(&features), builder);
    });
}

impl Tile {
    /// Builds the tile from the features of its positions, `views` per piece.
    fn fill<'a>(
        &mut self,
        views: usize,
        inputs: usize,
        positions: impl Iterator<Item = &'a [u16]> + Clone,
        builder: &mut Builder,
    ) {
        let Builder { counts, seen } = builder;
        counts.resize(inputs, 0);
        seen.clear();
        let mut total = 0;
        for features in positions.clone() {
            for &feature in features {
                let count = &mut counts[usize::from(feature)];
                if *count == 0 {
                    seen.push(feature);
                }
                *count += 1;
            }
            total += features.len();
        }
        // Counting sort of the features by their number of rows, stable.
        let mut starts = [0_u16; 2 * TILE + 2];
        for &feature in &*seen {
            starts[usize::from(counts[usize::from(feature)]) + 1] += 1;
        }
        self.runs.clear();
        for rows in 1..=2 * TILE {
            if starts[rows + 1] > 0 {
                self.runs.push((rows as u8, starts[rows + 1]));
            }
            starts[rows + 1] += starts[rows];
        }
        self.features.resize(seen.len(), 0);
        for &feature in &*seen {
            let place = &mut starts[usize::from(counts[usize::from(feature)])];
            self.features[usize::from(*place)] = feature;
            *place += 1;
        }
        let mut next = 0;
        for &feature in &self.features {
            let count = &mut counts[usize::from(feature)];
            next += std::mem::replace(count, next);
        }
        self.rows.resize(total, 0);
        for (position, features) in positions.enumerate() {
            for (index, &feature) in features.iter().enumerate() {
                let place = &mut counts[usize::from(feature)];
                self.rows[usize::from(*place)] = (position * views + index % views) as u8;
                *place += 1;
            }
        }
        for &feature in &self.features {
            counts[usize::from(feature)] = 0;
        }
    }
}

/// The end index of each stack's positions.
#[derive(Clone, PartialEq, Default, Debug)]
pub(crate) struct Stacks(Vec<usize>);

impl Stacks {
    /// Creates stacks from increasing end indices.
    pub(super) fn new(ends: impl IntoIterator<Item = usize>) -> Self {
        Self(ends.into_iter().collect())
    }

    pub(crate) fn count(&self) -> usize {
        self.0.len()
    }

    /// The part of each stack inside a range of positions, counted from the start of the range.
    pub(crate) fn within(&self, range: Range<usize>) -> impl Iterator<Item = Range<usize>> {
        self.iter().map(move |own| {
            let clamped = |end: usize| end.clamp(range.start, range.end) - range.start;
            clamped(own.start)..clamped(own.end)
        })
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = Range<usize>> {
        let starts = std::iter::once(0).chain(self.0.iter().copied());
        starts.zip(&self.0).map(|(start, &end)| start..end)
    }
}

#[cfg(test)]
mod tests {
    use alfiere_chess::random::mix;

    use super::*;

    #[test]
    fn every_feature_of_every_position_is_listed_once() {
        const INPUTS: u64 = 90;
        let positions: Vec<Vec<u16>> = (0..150_u64)
            .map(|position| {
                let pieces = 2 + mix(position) % 31;
                (0..2 * pieces).map(|index| (mix(position << 8 | index) % INPUTS) as u16).collect()
            })
            .collect();
        let mut tiles = Vec::new();
        for _ in 0..2 {
            fill_tiles(&mut tiles, positions.len(), 2, INPUTS as usize, |position| &positions[position]);
        }
        for (number, positions) in positions.chunks(TILE).enumerate() {
            let mut expected: Vec<(u16, u8)> = Vec::new();
            for (position, features) in positions.iter().enumerate() {
                expected.extend(
                    features
                        .iter()
                        .zip([0, 1].into_iter().cycle())
                        .map(|(&feature, view)| (feature, (2 * position + view) as u8)),
                );
            }
            let tile = &tiles[number];
            let (mut features, mut rows, mut found) = (tile.features.iter(), tile.rows.iter(), Vec::new());
            for &(count, run) in &tile.runs {
                for &feature in features.by_ref().take(usize::from(run)) {
                    found.extend(rows.by_ref().take(usize::from(count)).map(|&row| (feature, row)));
                }
            }
            assert!(tile.runs.is_sorted() && features.next().is_none() && rows.next().is_none());
            expected.sort_unstable();
            found.sort_unstable();
            assert_eq!(found, expected, "tile {number}");
        }
    }
}
