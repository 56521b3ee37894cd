//! Counts the positions of finished games by score, material and result.

use std::collections::BTreeMap;

use alfiere_chess::game::Points;

use crate::eval::Material;

/// How often games were won, drawn and lost from positions with the same score and material.
#[derive(Clone, Default, Debug)]
pub struct OutcomeCounts {
    cells: BTreeMap<(Material, i32), [u64; 3]>,
}

/// All positions with one score and one amount of material.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cell {
    /// The score in internal units.
    pub score: i32,
    /// Both sides' material.
    pub material: Material,
    /// Games won, drawn and lost by the side that the score belongs to.
    pub results: [u64; 3],
}

impl OutcomeCounts {
    /// Counts a position and the result of its game, both from the same side's view.
    pub fn add(&mut self, score: i32, material: Material, points: Points) {
        let results = self.cells.entry((material, score)).or_default();
        results[match points {
            Points::Win => 0,
            Points::Draw => 1,
            Points::Loss => 2,
        }] += 1;
    }

    /// What was counted, by material and score.
    pub fn cells(&self) -> impl Iterator<Item = Cell> {
        self.cells.iter().map(|(&(material, score), &results)| Cell { score, material, results })
    }

    /// Positions that ended in each result.
    pub fn results(&self) -> [u64; 3] {
        self.cells().fold([0; 3], |sums, cell| std::array::from_fn(|result| sums[result] + cell.results[result]))
    }

    /// All positions.
    pub fn positions(&self) -> u64 {
        self.results().iter().sum()
    }
}
