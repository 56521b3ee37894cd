//! An evaluation as a linear function of the weights, for tuning.

use alfiere_chess::board::Board;

use super::pawns::structure;
use super::term_sink::Counts;
use super::terms::WEIGHT_COUNT;
use super::{FULL_PHASE, Taper, count_all, endgame};

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
        let scale = |scale: i32| (1.0 - middlegame) * scale as f32 / endgame::FULL_SCALE as f32;
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
