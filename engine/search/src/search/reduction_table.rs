//! The table of base reductions for late move reductions, by depth and move count.

use super::depth::Depth;
use super::tunables::Tunables;

const SIZE: usize = 64;

/// Base reductions in 1024ths of a ply, by depth and number of moves already searched.
pub(super) struct Reductions {
    curves: [Curve; 2],
    quiet: Box<[[i16; SIZE]; SIZE]>,
    noisy: Box<[[i16; SIZE]; SIZE]>,
}

/// `base + depth's logarithm * number's logarithm / divisor`
#[derive(Clone, Copy, PartialEq, Eq)]
struct Curve {
    base: i32,
    divisor: i32,
}

impl Reductions {
    /// The table for `tunables`; reuses `made` if it has the same parameters, because a search may visit only ten
    /// nodes.
    pub(super) fn of(tunables: &Tunables, made: Option<Self>) -> Self {
        let curves = [
            Curve { base: tunables.reduction_quiet_base(), divisor: tunables.reduction_quiet_divisor() },
            Curve { base: tunables.reduction_noisy_base(), divisor: tunables.reduction_noisy_divisor() },
        ];
        made.filter(|made| made.curves == curves).unwrap_or_else(|| {
            let [quiet, noisy] = curves.map(table);
            Self { curves, quiet, noisy }
        })
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

fn table(curve: Curve) -> Box<[[i16; SIZE]; SIZE]> {
    let (base, divisor) = (f64::from(curve.base), f64::from(curve.divisor) / 100.0);
    let logarithms: [f64; SIZE] = std::array::from_fn(|number| (number as f64).ln());
    let mut table = Box::new([[0; SIZE]; SIZE]);
    for (depth, row) in table.iter_mut().enumerate().skip(1) {
        for (searched, cell) in row.iter_mut().enumerate().skip(1) {
            *cell = (base + 1024.0 * logarithms[depth] * logarithms[searched] / divisor) as i16;
        }
    }
    table
}
