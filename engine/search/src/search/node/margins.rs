//! The margins of the search: named formulas over the numbers of `tunables.rs`.

use super::facts::Node;
use super::quiescence::CheckPlies;
use crate::search::depth::Depth;
use crate::search::score::Score;
use crate::search::tunables::Tunables;

/// How much a search may prune.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum PruningMode {
    /// Hardly anything: the search is limited to a few plies.
    Cautious,
    /// All that the margins allow.
    Normal,
}

/// The amount if the condition holds, else 0.
pub(crate) fn when(condition: bool, amount: i32) -> i32 {
    if condition { amount } else { 0 }
}

impl Tunables {
    /// The mode of a search to at most `depth` plies. A search that is limited to a few plies prunes little, because time is no
    /// concern; any other search soon reaches greater depths.
    pub(crate) fn pruning_mode(&self, depth: Option<u32>) -> PruningMode {
        if depth.is_some_and(|depth| i64::from(depth) <= i64::from(self.cautious_depth())) {
            PruningMode::Cautious
        } else {
            PruningMode::Normal
        }
    }

    /// Plies of quiescence in which quiet checks are looked at.
    pub(crate) fn quiet_check_plies(&self, pruning_mode: PruningMode) -> CheckPlies {
        CheckPlies::new(match pruning_mode {
            PruningMode::Cautious => self.cautious_check_plies(),
            PruningMode::Normal => self.check_plies(),
        })
    }

    /// Static exchange to evaluation: its centipawns in those of the evaluation, which values a pawn at less than 100.
    pub(crate) fn eval_of_material(&self, material: i32) -> i32 {
        material * self.material_worth() / 64
    }

    /// Evaluation to static exchange: the inverse of [`Tunables::eval_of_material`].
    pub(crate) fn material_of_eval(&self, eval: i32) -> i32 {
        eval * 64 / self.material_worth()
    }

    /// Half the width of the first aspiration window around a score.
    pub(crate) fn aspiration_margin(&self, expected: Score) -> i32 {
        let value = expected.value().abs().min(3_000);
        self.aspiration_width() + value * value / self.aspiration_score_divisor()
    }

    /// How far below alpha an evaluation must be for quiescence to decide.
    pub(crate) fn razoring_margin(&self, depth: Depth) -> i32 {
        self.razoring_base() + self.razoring_slope() * depth.get() * depth.get()
    }

    /// How far above beta an evaluation must be to be believed without search; less when the opponent's is `falling`.
    pub(crate) fn reverse_futility_margin(&self, node: &Node<'_>, falling: bool) -> i32 {
        let slope = (self.reverse_futility_base() + node.depth.get()).min(self.reverse_futility_max())
            - when(node.entry.is_none(), self.reverse_futility_unknown());
        let spared = when(node.rising, self.reverse_futility_rising()) + when(falling, self.reverse_futility_falling());
        let by_correction = node.correction * self.reverse_futility_correction();
        (slope * (64 * node.depth.get() - spared) + by_correction) / 64
    }

    /// Plies left out after a null move, `surplus` being the evaluation above beta.
    pub(crate) fn null_reduction(&self, depth: Depth, surplus: i32) -> i32 {
        self.null_base() + depth.get() / self.null_depth_divisor() + surplus.max(0) / self.null_eval_divisor()
    }

    /// How far above beta the static evaluation must be for a null move.
    pub(crate) fn null_margin(&self, depth: Depth, rising: bool) -> i32 {
        self.null_slack() - self.null_slack_slope() * depth.get() - when(rising, self.null_rising())
    }

    /// How far above beta a capture must come out in a shallow search.
    pub(crate) fn probcut_margin_for(&self, improving: bool) -> i32 {
        self.probcut_margin() - when(improving, self.probcut_improving())
    }

    /// Plies that the search of such a capture is shallower.
    pub(crate) fn probcut_reduction_for(&self, improving: bool) -> i32 {
        if improving { self.probcut_reduction_improving() } else { self.probcut_reduction() }
    }

    /// How many moves deserve a search at this depth.
    pub(crate) fn late_move_count(&self, depth: Depth, improving: bool) -> usize {
        let count = self.late_move_base() + self.late_move_slope() * depth.get() * depth.get();
        (if improving { count / 100 } else { count / 200 }) as usize
    }

    /// What a quiet move may gain in `reduced` plies: more if the evaluation `is_above` alpha without it.
    pub(crate) fn futility_margin(&self, reduced: i32, is_above: bool) -> i32 {
        self.futility_base() + self.futility_slope() * reduced + when(is_above, self.futility_above())
    }

    /// What a capture may gain in `reduced` plies, beyond the captured piece.
    pub(crate) fn capture_futility_margin(&self, reduced: i32, history: i32) -> i32 {
        self.capture_futility_base()
            + self.capture_futility_slope() * reduced
            + history / self.capture_futility_history_divisor()
    }

    /// The history below which a quiet move is not searched.
    pub(crate) fn history_pruning_margin(&self, depth: Depth) -> i32 {
        -self.history_pruning_slope() * depth.get()
    }

    /// The exchange that a quiet move may lose.
    pub(crate) fn see_quiet_margin(&self, reduced: i32) -> i32 {
        -self.see_quiet_slope() * reduced * reduced
    }

    /// The exchange that a capture or a check may lose.
    pub(crate) fn see_capture_margin(&self, depth: Depth, history: i32) -> i32 {
        -self.see_capture_slope() * depth.get() - history / self.see_capture_history_divisor()
    }

    /// How far below the hash move all others must be for it to be singular.
    pub(crate) fn singular_margin(&self, depth: Depth, was_pv: bool) -> i32 {
        let slope = self.singular_slope() + when(was_pv, self.singular_slope_principal());
        slope * depth.get() / 64
    }

    /// How much further below all others must be for two and for three plies.
    pub(crate) fn extension_margins(&self, pv: bool, quiet: bool, tt_pv: bool) -> [i32; 2] {
        let double = self.double_extension_margin() + when(pv, self.double_extension_pv())
            - when(quiet, self.double_extension_quiet());
        let triple = self.triple_extension_margin()
            + when(pv, self.triple_extension_pv())
            + when(tt_pv, self.triple_extension_principal())
            - when(quiet, self.triple_extension_quiet());
        [double, triple]
    }

    /// The reward of a move that was best at this depth.
    pub(crate) fn history_bonus(&self, depth: Depth) -> i32 {
        (self.bonus_slope() * depth.get() + self.bonus_base()).min(self.bonus_max())
    }

    /// The reward of the hash move of a node that was cut off by its table entry.
    pub(crate) fn cutoff_bonus(&self, depth: Depth) -> i32 {
        (self.cutoff_bonus_slope() * depth.get()).min(self.cutoff_bonus_max())
    }

    /// The share of the bonus, in 64ths, that a move gets because nothing has refuted it at this depth.
    pub(crate) fn unrefuted_scale(&self, depth: Depth) -> i32 {
        (self.unrefuted_slope() * depth.get()).min(self.unrefuted_max()) - self.unrefuted_base()
    }

    /// The punishment of a move that was tried before the best.
    pub(crate) fn history_malus(&self, depth: Depth) -> i32 {
        -(self.malus_slope() * depth.get() + self.malus_base()).min(self.malus_max())
    }

    /// The punishment of hash moves in general after a multi-cut whose search had this depth.
    pub(crate) fn multi_cut_malus(&self, depth: Depth) -> i32 {
        -self.multi_cut_malus_base() - self.multi_cut_malus_slope() * depth.get()
    }

    /// The weights of the moves one to six plies back in continuation history, in 64ths.
    pub(crate) fn continuation_weights(&self) -> [i32; 6] {
        [
            self.continuation_1(),
            self.continuation_2(),
            self.continuation_3(),
            self.continuation_4(),
            self.continuation_5(),
            self.continuation_6(),
        ]
    }
}
