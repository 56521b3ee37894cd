//! The gradient of a layer's weights, in the layout of the kernel that computed it.

use std::ops::Range;

use super::lanes::{Columns, LANES, Lanes, blocks};

/// How the gradient of a matrix `[rows][width]` is laid out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum GradientLayout {
    /// Like the matrix.
    Rows,
    /// `[blocks][rows][LANES]`, the columns of a block together.
    Blocks {
        /// Columns of the matrix.
        width: usize,
        /// Which columns form a block.
        columns: Columns,
    },
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct WeightGradient<'a> {
    values: &'a [f32],
    layout: GradientLayout,
}

impl<'a> WeightGradient<'a> {
    pub(crate) fn new(values: &'a [f32], layout: GradientLayout) -> Self {
        Self { values, layout }
    }

    /// A gradient laid out like its matrix.
    pub(crate) fn rows(values: &'a [f32]) -> Self {
        Self::new(values, GradientLayout::Rows)
    }

    pub(crate) fn len(self) -> usize {
        match self.layout {
            GradientLayout::Rows => self.values.len(),
            GradientLayout::Blocks { width, .. } => self.values.len() / (blocks(width) * LANES) * width,
        }
    }

    /// The greatest number of weights up to `limit` that [`Self::part`] can read together, at least one row.
    pub(crate) fn part_length(self, limit: usize) -> usize {
        match self.layout {
            GradientLayout::Rows => limit,
            GradientLayout::Blocks { width, .. } => (limit / width).max(1) * width,
        }
    }

    /// The gradients of some weights, of whole rows. `buffer` holds them where the layout differs from the matrix.
    pub(crate) fn part<'b>(self, weights: Range<usize>, buffer: &'b mut Vec<f32>) -> &'b [f32]
    where
        'a: 'b,
    {
        let GradientLayout::Blocks { width, columns } = self.layout else { return &self.values[weights] };
        let rows = self.len() / width;
        buffer.resize(weights.len(), 0.0);
        for (row, target) in (weights.start / width..).zip(buffer.chunks_exact_mut(width)) {
            for block in 0..blocks(width) {
                let start = (block * rows + row) * LANES;
                columns.write(&Lanes::from_row(&self.values[start..start + LANES], 0), target, block);
            }
        }
        buffer
    }
}
