//! Where the counts of terms go: into a sum of weights, when the engine plays, or into a list, when weights are fitted or shown.
//!
//! The evaluation is written once, over [`TermSink`]; so both are the same evaluation.

use alfiere_chess::board::Board;
use alfiere_chess::types::Color;

use super::pair::Pair;
use super::pawns::structure;
use super::weights::{WEIGHT_COUNT, Weights};
use super::{FULL_PHASE, FULL_SCALE, Taper, count_all};

// ANCHOR: sink
/// Takes the counts of terms.
pub(super) trait TermSink {
    /// `count` more of the term whose weight stands at `place`, for `side`.
    fn add(&mut self, side: Color, place: usize, count: i32);
}
// ANCHOR_END: sink

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

/// The coefficient of one weight: White's count minus Black's.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Coefficient {
    /// The weight's place, below [`WEIGHT_COUNT`].
    pub place: u16,
    /// White's count minus Black's; never 0.
    pub count: i16,
}

/// A position's evaluation as a linear function of the weights.
#[derive(Clone, PartialEq, Debug)]
pub struct ClassicalTrace {
    /// The weights that matter, by place.
    pub coefficients: Vec<Coefficient>,
    /// The middlegame's share, 0 to 1.
    pub middlegame: f32,
    /// The endgame's share when its value is White's, and when it is Black's.
    pub endgame: [f32; 2],
}

impl ClassicalTrace {
    /// Of a position, independent of the side to move.
    pub fn of(board: &Board) -> Self {
        let counts = counts(board);
        let coefficients = (0..WEIGHT_COUNT)
            .map(|place| Coefficient { place: place as u16, count: counts.0[0][place] - counts.0[1][place] })
            .filter(|coefficient| coefficient.count != 0)
            .collect();
        let taper = Taper::of(board);
        let middlegame = taper.phase as f32 / FULL_PHASE as f32;
        let scale = |scale: i32| (1.0 - middlegame) * scale as f32 / FULL_SCALE as f32;
        Self { coefficients, middlegame, endgame: taper.scales.map(scale) }
    }

    /// Centipawns from White's side with these weights, middlegame and endgame of each place.
    pub fn value(&self, weights: &[[f32; 2]]) -> f32 {
        let [mut middlegame, mut endgame] = [0.0; 2];
        for &Coefficient { place, count } in &self.coefficients {
            let [first, second] = weights[usize::from(place)];
            middlegame += first * f32::from(count);
            endgame += second * f32::from(count);
        }
        middlegame * self.middlegame + endgame * self.endgame_share(endgame)
    }

    /// The factor of an endgame value of this sign: the endgame's share times its scale.
    fn endgame_share(&self, endgame: f32) -> f32 {
        self.endgame[usize::from(endgame <= 0.0)]
    }
}

pub(super) fn counts(board: &Board) -> Counts {
    let mut counts = Counts::new();
    let facts = structure(board, &mut counts);
    count_all(board, facts, &mut counts);
    counts
}
