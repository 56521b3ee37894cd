//! The margins of the search: named formulas over the numbers of `tunables.rs`.

use super::{depth::Depth, quiescence::CheckPlies, tunables::Tunables};

/// How much a search may prune.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum PruningMode {
    /// Hardly anything: the search is limited to a few plies.
    Cautious,
    /// All that the margins allow.
    Normal,
}

impl Tunables {
    /// The mode of a search to at most `depth` plies. A search that is limited to a few plies prunes little, because time is no
    /// concern; any other search soon reaches greater depths.
    pub(super) fn pruning_mode(&self, depth: Option<u32>) -> PruningMode {
        if depth.is_some_and(|depth| i64::from(depth) <= i64::from(self.cautious_depth())) {
            PruningMode::Cautious
        } else {
            PruningMode::Normal
        }
    }

    /// Plies of quiescence in which quiet checks are looked at.
    pub(super) fn quiet_check_plies(&self, pruning_mode: PruningMode) -> CheckPlies {
        CheckPlies::new(match pruning_mode {
            PruningMode::Cautious => self.cautious_check_plies(),
            PruningMode::Normal => self.check_plies(),
        })
    }

    /// How far below alpha an evaluation must be for quiescence to decide.
    pub(super) fn razoring_margin(&self, depth: Depth) -> i32 {
        self.razoring_base() + self.razoring_slope() * depth.get() * depth.get()
    }

    /// How far above beta an evaluation must be to be believed without search.
    pub(super) fn reverse_futility_margin(&self, depth: Depth, improving: bool) -> i32 {
        let improving = if improving { self.reverse_futility_improving() } else { 0 };
        self.reverse_futility_slope() * depth.get() - improving
    }

    /// Plies left out after a null move, `surplus` being the evaluation above beta.
    pub(super) fn null_reduction(&self, depth: Depth, surplus: i32) -> i32 {
        let by_eval = (surplus / self.null_eval_divisor()).clamp(0, self.null_eval_max());
        self.null_base() + depth.get() / self.null_depth_divisor() + by_eval
    }

    /// How far above beta the static evaluation must be for a null move.
    pub(super) fn null_margin(&self, depth: Depth) -> i32 {
        self.null_slack() - self.null_slack_slope() * depth.get()
    }

    /// How far above beta a capture must come out in a shallow search.
    pub(super) fn probcut_margin_for(&self, improving: bool) -> i32 {
        self.probcut_margin() - if improving { self.probcut_improving() } else { 0 }
    }

    /// How many moves deserve a search at this depth.
    pub(super) fn late_move_count(&self, depth: Depth, improving: bool) -> usize {
        let count = (self.late_move_base() + self.late_move_slope() * depth.get() * depth.get()) / 100;
        (if improving { count } else { count / 2 }) as usize
    }

    /// What a quiet move may gain in `reduced` plies.
    pub(super) fn futility_margin(&self, reduced: i32) -> i32 {
        self.futility_base() + self.futility_slope() * reduced
    }

    /// What a capture may gain in `reduced` plies, beyond the captured piece.
    pub(super) fn capture_futility_margin(&self, reduced: i32) -> i32 {
        self.capture_futility_base() + self.capture_futility_slope() * reduced
    }

    /// The history below which a quiet move is not searched.
    pub(super) fn history_pruning_margin(&self, depth: Depth) -> i32 {
        -self.history_pruning_slope() * depth.get()
    }

    /// The exchange that a quiet move may lose.
    pub(super) fn see_quiet_margin(&self, reduced: i32) -> i32 {
        -self.see_quiet_slope() * reduced * reduced
    }

    /// The exchange that a capture may lose.
    pub(super) fn see_capture_margin(&self, depth: Depth) -> i32 {
        -self.see_capture_slope() * depth.get()
    }

    /// How far below the hash move all others must be for it to be singular.
    pub(super) fn singular_margin(&self, depth: Depth) -> i32 {
        self.singular_slope() * depth.get() / 16
    }

    /// The reward of a move that was best at this depth.
    pub(super) fn history_bonus(&self, depth: Depth) -> i32 {
        (self.bonus_slope() * depth.get() + self.bonus_base()).clamp(16, self.bonus_max())
    }

    /// The punishment of a move that was tried before the best.
    pub(super) fn history_malus(&self, depth: Depth) -> i32 {
        -(self.malus_slope() * depth.get()).min(self.malus_max())
    }
}
