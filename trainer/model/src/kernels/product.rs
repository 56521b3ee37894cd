//! Dense matrix products: a layer's rows times its weights, and the two products of the backward pass.
//!
//! Matrices are row-major slices. A tile of the product stays in registers during one pass over the common dimension;
//! the second factor is packed into panels, so that it is read sequentially. Every element is a sum in a fixed order,
//! independent of the number of threads. Independent of layers and of burn.

use rayon::prelude::*;
use wide::f32x16;

use super::lanes::{VECTOR, multiply_add_vectors, vector_at, write_vectors};

/// Rows of a tile, limited by the number of registers.
const ROWS: usize = if cfg!(target_feature = "avx512f") { 8 } else { 6 };
/// Vectors per panel row, limited likewise.
const VECTORS: usize = if cfg!(target_feature = "avx512f") { 3 } else { 1 };
/// Columns of a panel.
const PANEL: usize = VECTORS * VECTOR;
/// Product rows per parallel task.
const RUN: usize = 128;
/// Product rows per parallel task when the first factor is transposed.
const SLAB: usize = 12 * ROWS;
/// Length of the common dimension that is summed in registers by [`transposed_product`].
const DEPTH: usize = 256;

/// A tile of a product, `W` vectors wide.
type Tile<const W: usize> = [[f32x16; W]; ROWS];

/// A second factor packed into panels of [`PANEL`] columns, each row-major; the last panel has only as many vectors as
/// needed.
pub(crate) struct Panels {
    depth: usize,
    columns: usize,
    vectors: Vec<f32x16>,
}

impl Panels {
    /// Packs a matrix `[depth][columns]`.
    pub(crate) fn new(matrix: &[f32], columns: usize) -> Self {
        let depth = matrix.len() / columns.max(1);
        Self::filled(depth, columns, |row, first| vector_at(&matrix[row * columns..(row + 1) * columns], first))
    }

    /// Packs the transpose of a matrix `[columns][depth]`.
    pub(crate) fn transposed(matrix: &[f32], columns: usize) -> Self {
        let depth = matrix.len() / columns.max(1);
        Self::filled(depth, columns, |row, first| {
            let mut values = [0.0; VECTOR];
            for (value, matrix) in values.iter_mut().zip(matrix.chunks_exact(depth).skip(first)) {
                *value = matrix[row];
            }
            f32x16::new(values)
        })
    }

    /// Packs the vectors `vector(row, first_column)`.
    fn filled(depth: usize, columns: usize, vector: impl Fn(usize, usize) -> f32x16 + Sync) -> Self {
        let mut vectors = vec![f32x16::ZERO; depth * columns.div_ceil(VECTOR)];
        vectors.par_chunks_mut((depth * VECTORS).max(1)).enumerate().for_each(|(panel, vectors)| {
            let width = vectors.len() / depth;
            for (row, vectors) in vectors.chunks_exact_mut(width).enumerate() {
                for (index, place) in vectors.iter_mut().enumerate() {
                    *place = vector(row, panel * PANEL + index * VECTOR);
                }
            }
        });
        Self { depth, columns, vectors }
    }

    /// The panels with their first column.
    fn iter(&self) -> impl Iterator<Item = (usize, &[f32x16])> {
        self.vectors.chunks((self.depth * VECTORS).max(1)).enumerate().map(|(panel, vectors)| (panel * PANEL, vectors))
    }
}

/// Writes `rows` `[count][depth]` times the matrix in `panels` to `product` `[count][columns]`. Calls
/// `finish(row_number, row)` as soon as a row of the product is complete.
pub(crate) fn multiply(rows: &[f32], panels: &Panels, product: &mut [f32], finish: impl Fn(usize, &mut [f32]) + Sync) {
    let Panels { depth, columns, .. } = *panels;
    product.par_chunks_mut(RUN * columns).zip(rows.par_chunks(RUN * depth)).enumerate().for_each(
        |(run, (product, rows))| {
            for (first, panel) in panels.iter() {
                let tiles = product.chunks_mut(ROWS * columns).zip(rows.chunks(ROWS * depth));
                for (product, rows) in tiles {
                    match panel.len() / depth {
                        1 => write_tile::<1>(rows, panel, product, columns, first),
                        2 => write_tile::<2>(rows, panel, product, columns, first),
                        _ => write_tile::<VECTORS>(rows, panel, product, columns, first),
                    }
                }
            }
            for (row, values) in product.chunks_exact_mut(columns).enumerate() {
                finish(run * RUN + row, values);
            }
        },
    );
}

/// Computes one tile of a product: at most [`ROWS`] rows and the columns of a panel starting at `first`.
fn write_tile<const W: usize>(rows: &[f32], panel: &[f32x16], product: &mut [f32], columns: usize, first: usize) {
    let panel = panel.as_chunks::<W>().0;
    let depth = panel.len();
    let last = rows.len() / depth - 1;
    // Missing rows are filled with the last row; their results are not stored.
    let rows: [&[f32]; ROWS] = std::array::from_fn(|row| &rows[row.min(last) * depth..][..depth]);
    let tile = tile_of_rows(rows, panel);
    for (sums, product) in tile.iter().zip(product.chunks_exact_mut(columns)) {
        write_vectors(sums, &mut product[first..]);
    }
}

/// Not inlined: when inlined, the compiler stores the sums at every step.
#[inline(never)]
fn tile_of_rows<const W: usize>(rows: [&[f32]; ROWS], panel: &[[f32x16; W]]) -> Tile<W> {
    let rows = rows.map(|row| &row[..panel.len()]);
    let mut tile = [[f32x16::ZERO; W]; ROWS];
    for (step, vectors) in panel.iter().enumerate() {
        for (sums, row) in tile.iter_mut().zip(rows) {
            add_scaled(sums, row[step], vectors);
        }
    }
    tile
}

/// Not inlined, for the same reason.
#[inline(never)]
fn tile_of_columns<const W: usize>(columns: &[[f32; ROWS]], panel: &[[f32x16; W]]) -> Tile<W> {
    let mut tile = [[f32x16::ZERO; W]; ROWS];
    for (factors, vectors) in columns.iter().zip(panel) {
        for (sums, factor) in tile.iter_mut().zip(factors) {
            add_scaled(sums, *factor, vectors);
        }
    }
    tile
}

#[inline(always)]
#[allow(clippy::inline_always)] // The sums must stay in registers.
fn add_scaled<const W: usize>(sums: &mut [f32x16; W], factor: f32, vectors: &[f32x16; W]) {
    let factor = f32x16::splat(factor);
    for (sum, vector) in sums.iter_mut().zip(vectors) {
        *sum = multiply_add_vectors(factor, *vector, *sum);
    }
}

/// The transpose of `left` `[count][height]` times `right` `[count][columns]`: `[height][columns]`.
pub(crate) fn transposed_product(left: &[f32], height: usize, right: &[f32], columns: usize) -> Vec<f32> {
    let right: Vec<Panels> = right.par_chunks(DEPTH * columns).map(|part| Panels::new(part, columns)).collect();
    let mut product = vec![0.0; height * columns];
    product.par_chunks_mut(SLAB * columns).enumerate().for_each(|(slab, product)| {
        let mut packed = vec![[0.0; ROWS]; DEPTH * SLAB / ROWS];
        for (left, right) in left.chunks(DEPTH * height).zip(&right) {
            let depth = right.depth;
            for (tile, packed) in packed.chunks_exact_mut(DEPTH).enumerate() {
                let first = slab * SLAB + tile * ROWS;
                for (packed, row) in packed.iter_mut().zip(left.chunks_exact(height)) {
                    let part = row.get(first..).unwrap_or_default();
                    match part.first_chunk() {
                        Some(whole) => *packed = *whole,
                        None => packed[..part.len()].copy_from_slice(part),
                    }
                }
            }
            for (first, panel) in right.iter() {
                for (product, packed) in product.chunks_mut(ROWS * columns).zip(packed.chunks_exact(DEPTH)) {
                    match panel.len() / depth {
                        1 => accumulate::<1>(packed, panel, product, columns, first),
                        2 => accumulate::<2>(packed, panel, product, columns, first),
                        _ => accumulate::<VECTORS>(packed, panel, product, columns, first),
                    }
                }
            }
        }
    });
    product
}

/// Adds to one tile of a product: at most [`ROWS`] rows and the columns of a panel starting at `first`.
fn accumulate<const W: usize>(
    packed: &[[f32; ROWS]],
    panel: &[f32x16],
    product: &mut [f32],
    columns: usize,
    first: usize,
) {
    let tile = tile_of_columns(packed, panel.as_chunks::<W>().0);
    for (sums, product) in tile.iter().zip(product.chunks_exact_mut(columns)) {
        for (vector, part) in sums.iter().zip(product[first..].chunks_mut(VECTOR)) {
            match part.first_chunk_mut() {
                Some(whole) => *whole = (f32x16::new(*whole) + *vector).to_array(),
                None => part.iter_mut().zip(vector.as_array()).for_each(|(sum, addend)| *sum += addend),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use alfiere_chess::random::mix;

    use super::*;

    fn matrix(count: usize, seed: u64) -> Vec<f32> {
        (0..count as u64).map(|index| (mix(seed + index) >> 40) as f32 / (1 << 23) as f32 - 1.0).collect()
    }

    #[test]
    fn products_match_the_definition() {
        for (count, depth, columns) in [(1, 1, 1), (8, 16, 48), (9, 5, 49), (300, 33, 17), (700, 50, 100), (3, 200, 8)]
        {
            let (rows, weights) = (matrix(count * depth, 1), matrix(depth * columns, 2));
            let expected = |row: usize, column: usize| -> f64 {
                let terms =
                    (0..depth).map(|k| f64::from(rows[row * depth + k]) * f64::from(weights[k * columns + column]));
                terms.sum()
            };
            let turned: Vec<f32> =
                (0..columns * depth).map(|index| weights[index % depth * columns + index / depth]).collect();
            for panels in [Panels::new(&weights, columns), Panels::transposed(&turned, columns)] {
                let mut found = vec![7.0; count * columns];
                multiply(&rows, &panels, &mut found, |row, values| {
                    for value in values {
                        *value += row as f32;
                    }
                });
                for (index, value) in found.iter().enumerate() {
                    let expected = expected(index / columns, index % columns) + (index / columns) as f64;
                    assert!((f64::from(*value) - expected).abs() < 1e-3, "{value}, expected {expected}");
                }
            }
        }
    }

    #[test]
    fn transposed_products_match_the_definition() {
        for (count, height, columns) in [(1, 1, 1), (256, 8, 48), (257, 9, 49), (600, 130, 20), (40, 100, 70)] {
            let (left, right) = (matrix(count * height, 3), matrix(count * columns, 4));
            let found = transposed_product(&left, height, &right, columns);
            assert_eq!(found.len(), height * columns);
            for (index, value) in found.iter().enumerate() {
                let (row, column) = (index / columns, index % columns);
                let terms =
                    (0..count).map(|k| f64::from(left[k * height + row]) * f64::from(right[k * columns + column]));
                let expected: f64 = terms.sum();
                assert!((f64::from(*value) - expected).abs() < 1e-3, "{value}, expected {expected}");
            }
        }
    }
}
