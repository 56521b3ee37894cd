//! Late move reductions: how many plies less a move is looked at, by its place in the order and by what is known of it.

use super::{depth::Depth, tunables::Tunables};

const SIZE: usize = 64;

/// Reductions in 1024ths of a ply, by depth and number of moves already searched.
pub(super) struct Reductions {
    quiet: Box<[[i16; SIZE]; SIZE]>,
    noisy: Box<[[i16; SIZE]; SIZE]>,
}

impl Reductions {
    pub(super) fn new(tunables: &Tunables) -> Self {
        Self {
            quiet: table(tunables.reduction_quiet_base(), tunables.reduction_quiet_divisor()),
            noisy: table(tunables.reduction_noisy_base(), tunables.reduction_noisy_divisor()),
        }
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

fn table(base: i32, divisor: i32) -> Box<[[i16; SIZE]; SIZE]> {
    let (base, divisor) = (f64::from(base), f64::from(divisor) / 100.0);
    let mut table = Box::new([[0; SIZE]; SIZE]);
    for (depth, row) in table.iter_mut().enumerate().skip(1) {
        for (searched, cell) in row.iter_mut().enumerate().skip(1) {
            *cell = (base + 1024.0 * (depth as f64).ln() * (searched as f64).ln() / divisor) as i16;
        }
    }
    table
}

/// What the search knows of a late move when it chooses how deep to look at it.
#[allow(clippy::struct_excessive_bools, reason = "a list of independent facts, each named")]
#[derive(Clone, Copy, Debug)]
pub(super) struct MoveFacts {
    pub(super) cut_node: bool,
    pub(super) principal: bool,
    pub(super) not_improving: bool,
    pub(super) noisy_hash_move: bool,
    pub(super) gives_check: bool,
    pub(super) killer: bool,
    pub(super) many_cutoffs_below: bool,
    pub(super) history: i32,
}

impl MoveFacts {
    /// What lengthens (if positive) or shortens the reduction, in 1024ths of a ply.
    pub(super) fn adjustment(&self, tunables: &Tunables) -> i32 {
        let when = |condition: bool, amount: i32| if condition { amount } else { 0 };
        when(self.cut_node, tunables.reduction_cut_node())
            + when(self.noisy_hash_move, tunables.reduction_noisy_hash())
            + when(self.not_improving, tunables.reduction_not_improving())
            + when(self.many_cutoffs_below, tunables.reduction_cutoffs())
            - when(self.principal, tunables.reduction_principal())
            - when(self.gives_check, tunables.reduction_check())
            - when(self.killer, tunables.reduction_killer())
            - self.history * 1024 / tunables.reduction_history_divisor()
    }
}
