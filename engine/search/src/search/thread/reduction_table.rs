//! The table of base reductions for late move reductions, by depth and move count.

use crate::search::depth::Depth;
use crate::search::tunables::Tunables;

const SIZE: usize = 64;

/// Reductions in 1024ths of a ply, by depth and position in the move order.
pub(crate) struct Reductions {
    divisor: i32,
    table: Box<[[i16; SIZE]; SIZE]>,
}

impl Reductions {
    /// The table for `tunables`; reuses `made` if it is the same, because a search may visit only ten nodes.
    pub(crate) fn of(tunables: &Tunables, made: Option<Self>) -> Self {
        let divisor = tunables.reduction_divisor();
        made.filter(|made| made.divisor == divisor).unwrap_or_else(|| Self { divisor, table: table(divisor) })
    }

    /// For a depth and the position of a move in the order.
    pub(crate) fn at(&self, depth: Depth, number: usize) -> i32 {
        i32::from(self.table[depth.get().clamp(0, SIZE as i32 - 1) as usize][number.min(SIZE - 1)])
    }
}

/// Depth's logarithm times the number's logarithm.
fn table(divisor: i32) -> Box<[[i16; SIZE]; SIZE]> {
    let logarithms: [f64; SIZE] = std::array::from_fn(|number| (number as f64).ln());
    let mut table = Box::new([[0; SIZE]; SIZE]);
    for (depth, row) in table.iter_mut().enumerate().skip(1) {
        for (number, cell) in row.iter_mut().enumerate().skip(1) {
            *cell = (1024.0 * logarithms[depth] * logarithms[number] / (f64::from(divisor) / 100.0)) as i16;
        }
    }
    table
}
