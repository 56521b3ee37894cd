//! Where the counts of terms go: into a sum of weights, when the engine plays, or into a list, when weights are fitted or shown.
//!
//! The evaluation is written once, over [`TermSink`]; so both are the same evaluation.

use alfiere_chess::types::Color;

use super::pair::Pair;
use super::weights::{WEIGHT_COUNT, Weights};

/// Takes the counts of terms.
pub(super) trait TermSink {
    /// `count` more of the term whose weight stands at `place`, for `side`.
    fn add(&mut self, side: Color, place: usize, count: i32);
}

/// The sum of counts times weights, by side.
pub(super) struct Sum<'a> {
    weights: &'a Weights,
    pub(super) sides: [Pair; 2],
}

impl<'a> Sum<'a> {
    pub(super) fn new(weights: &'a Weights) -> Self {
        Self { weights, sides: [Pair::default(); 2] }
    }
}

// ANCHOR: sum
impl TermSink for Sum<'_> {
    #[inline]
    fn add(&mut self, side: Color, place: usize, count: i32) {
        self.sides[side.index()] += self.weights.pair(place) * count;
    }
}
// ANCHOR_END: sum

/// The counts themselves, by side and place.
pub(super) struct Counts(pub(super) Box<[[i16; WEIGHT_COUNT]; 2]>);

impl Counts {
    pub(super) fn new() -> Self {
        Self(Box::new([[0; WEIGHT_COUNT]; 2]))
    }
}

impl TermSink for Counts {
    fn add(&mut self, side: Color, place: usize, count: i32) {
        self.0[side.index()][place] += count as i16;
    }
}
