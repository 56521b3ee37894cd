//! One block of a pairwise layer: its 8-bit weights, its accumulators and its pair products.

// A call per row would cost more than the row; measured: these are not always inlined without the attribute.
#![allow(clippy::inline_always)]

use wide::{f32x16, i8x32, i16x32};

use super::super::lanes::Columns;
use super::super::table::pack;
use super::{NEURONS, PAIRS, SCALE};

/// The neurons of a block in one view, clipped to 0..=255: first halves, then their partners.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(32))]
pub(crate) struct ClippedRow(pub(super) [u8; NEURONS]);

impl ClippedRow {
    pub(crate) const ZERO: Self = Self([0; NEURONS]);

    /// One half as floats, 0 to 255.
    #[inline(always)]
    fn half(&self, half: usize) -> f32x16 {
        f32x16::new(std::array::from_fn(|pair| f32::from(self.0[half * PAIRS + pair])))
    }

    /// Both halves as floats, 0 to 255.
    #[inline(always)]
    pub(super) fn halves(&self) -> [f32x16; 2] {
        [self.half(0), self.half(1)]
    }
}

/// Weights of a block, rounded to the engine's 8-bit integers.
pub(super) struct ByteTable {
    rows: Vec<i8x32>,
    bias: i16x32,
    /// The bias plus the weights of the side-to-move input.
    with_side: i16x32,
}

impl ByteTable {
    /// Block `block` of a `[inputs][width]` table and its bias. Weights outside the 8-bit range are clipped; training
    /// keeps them inside.
    pub(super) fn new(table: &[f32], bias: &[f32], block: usize) -> Self {
        let width = bias.len();
        let rows: Vec<i8x32> = pack(table, width, Columns::Halves, block)
            .iter()
            .map(|row| i8x32::new(std::array::from_fn(|lane| (row.at(lane) * SCALE).round() as i8)))
            .collect();
        let bias = Columns::Halves.read(bias, block);
        let bias = i16x32::new(std::array::from_fn(|lane| (bias.at(lane) * SCALE).round() as i16));
        let side = rows.last().copied().unwrap_or(i8x32::ZERO);
        Self { rows, bias, with_side: bias + i16x32::from_i8x32(side) }
    }

    /// Computes the clipped accumulators of `V` views; `features` holds all views of each piece. The side-to-move input
    /// applies to the first view only.
    #[inline(always)]
    pub(super) fn accumulate<const V: usize>(&self, features: &[u16], side_input: bool) -> [ClippedRow; V] {
        let mut sums = [self.bias; V];
        if side_input {
            sums[0] = self.with_side;
        }
        for piece in features.as_chunks::<V>().0 {
            for view in 0..V {
                sums[view] += i16x32::from_i8x32(self.rows[usize::from(piece[view])]);
            }
        }
        let (low, high) = (i16x32::splat(0), i16x32::splat(255));
        sums.map(|sum| {
            let clipped = sum.max(low).min(high).to_array();
            ClippedRow(std::array::from_fn(|lane| clipped[lane] as u8))
        })
    }
}

/// The second-layer weights of one block, in both orders.
pub(super) struct SecondWeights<const V: usize> {
    /// `[view][pair][output]`, outputs padded with zeros to whole vectors.
    pub(super) by_pair: [[[f32x16; 2]; PAIRS]; V],
    /// `[view][output]`, one vector of pairs each.
    pub(super) by_output: [Vec<f32x16>; V],
}

impl<const V: usize> SecondWeights<V> {
    /// The weights of block `block` for one stack; `weight(view, pair, output)` reads a weight, with the pair counted
    /// over the whole row.
    pub(super) fn new(block: usize, pairs: usize, outputs: usize, weight: impl Fn(usize, usize, usize) -> f32) -> Self {
        let at = |view: usize, lane: usize, output: usize| {
            let pair = block * PAIRS + lane;
            if pair < pairs && output < outputs { weight(view, pair, output) } else { 0.0 }
        };
        Self {
            by_pair: std::array::from_fn(|view| {
                std::array::from_fn(|lane| {
                    std::array::from_fn(|half| {
                        f32x16::new(std::array::from_fn(|output| at(view, lane, half * PAIRS + output)))
                    })
                })
            }),
            by_output: std::array::from_fn(|view| {
                (0..outputs).map(|output| f32x16::new(std::array::from_fn(|lane| at(view, lane, output)))).collect()
            }),
        }
    }
}
