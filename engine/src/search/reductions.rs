//! The table of late move reductions: how many plies a move is worth less by its place in the order.

use super::{depth::Depth, tunables::Tunables};

const SIZE: usize = 64;

/// Reductions in 1024ths of a ply, by depth and number of moves already searched.
pub(super) struct Reductions {
    quiet: Box<[[i16; SIZE]; SIZE]>,
    noisy: Box<[[i16; SIZE]; SIZE]>,
}

impl Reductions {
    pub(super) fn new(tunables: &Tunables) -> Self {
        Self { quiet: table(tunables.quiet_reduction()), noisy: table(tunables.noisy_reduction()) }
    }

    /// For a quiet move.
    pub(super) fn quiet(&self, depth: Depth, searched: usize) -> i32 {
        look_up(&self.quiet, depth, searched)
    }

    /// For a capture or promotion.
    pub(super) fn noisy(&self, depth: Depth, searched: usize) -> i32 {
        look_up(&self.noisy, depth, searched)
    }
}

fn look_up(table: &[[i16; SIZE]; SIZE], depth: Depth, searched: usize) -> i32 {
    i32::from(table[depth.get().clamp(0, SIZE as i32 - 1) as usize][searched.min(SIZE - 1)])
}

fn table((base, divisor): (f64, f64)) -> Box<[[i16; SIZE]; SIZE]> {
    let mut table = Box::new([[0; SIZE]; SIZE]);
    for (depth, row) in table.iter_mut().enumerate().skip(1) {
        for (searched, cell) in row.iter_mut().enumerate().skip(1) {
            *cell = (base + 1024.0 * (depth as f64).ln() * (searched as f64).ln() / divisor) as i16;
        }
    }
    table
}
