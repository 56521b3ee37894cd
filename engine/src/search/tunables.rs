//! Every number of the search that games could improve, one line each, and the margins made of them.
//!
//! The search asks for margins by name; only this file knows the formulas.

use super::{depth::Depth, quiescence::CheckPlies};

macro_rules! tunables {
    ($($(#[$group:meta])* $name:ident = $default:literal in $low:literal..=$high:literal;)*) => {
        /// The numbers; [`Tunables::default`] is what plays.
        #[derive(Clone, PartialEq, Eq, Debug)]
        pub struct Tunables { $($(#[$group])* $name: i32,)* }

        impl Default for Tunables {
            fn default() -> Self {
                Self { $($name: $default,)* }
            }
        }

        impl Tunables {
            /// Name, default, smallest and largest sensible value of each.
            pub const ALL: &'static [(&'static str, i32, i32, i32)] =
                &[$((stringify!($name), $default, $low, $high),)*];

            /// Sets one by name; `false` if there is none of that name or the value is out of range.
            #[must_use]
            pub fn set(&mut self, name: &str, value: i32) -> bool {
                match name {
                    $(stringify!($name) if ($low..=$high).contains(&value) => self.$name = value,)*
                    _ => return false,
                }
                true
            }
        }
    };
}

tunables! {
    /// Fixed depths up to which hardly anything is pruned.
    cautious_depth = 4 in 0..=20;
    /// Aspiration windows: half width at first.
    aspiration_width = 14 in 5..=60;
    /// Reverse futility pruning: per ply.
    reverse_futility_slope = 75 in 30..=160;
    /// Reverse futility pruning: less when improving.
    reverse_futility_improving = 60 in 0..=160;
    /// Reverse futility pruning: deepest.
    reverse_futility_depth = 8 in 3..=14;
    /// Razoring: per ply squared, above a constant.
    razoring_base = 250 in 100..=600;
    /// Razoring: per ply squared.
    razoring_slope = 200 in 50..=500;
    /// Null move: plies skipped at any depth.
    null_base = 4 in 2..=6;
    /// Null move: one ply more for so many plies of depth.
    null_depth_divisor = 4 in 2..=8;
    /// Null move: one ply more for so many centipawns above beta.
    null_eval_divisor = 200 in 80..=400;
    /// Null move: how far the static evaluation may be below beta, at depth 0.
    null_slack = 150 in 0..=400;
    /// Null move: how much of the slack a ply takes away.
    null_slack_slope = 18 in 0..=40;
    /// `ProbCut`: above beta.
    probcut_margin = 180 in 80..=350;
    /// Futility pruning: at depth 0.
    futility_base = 110 in 30..=300;
    /// Futility pruning: per ply of reduced depth.
    futility_slope = 95 in 30..=200;
    /// Futility pruning: deepest reduced depth.
    futility_depth = 9 in 3..=14;
    /// Futility pruning of captures: at depth 0.
    capture_futility_base = 260 in 100..=500;
    /// Futility pruning of captures: per ply of reduced depth.
    capture_futility_slope = 220 in 80..=400;
    /// Late move pruning: moves searched at depth 0, in hundredths.
    late_move_base = 400 in 100..=900;
    /// Late move pruning: more for depth squared, in hundredths.
    late_move_slope = 100 in 40..=200;
    /// Static exchange pruning of quiet moves: per reduced ply squared.
    see_quiet_slope = 24 in 8..=60;
    /// Static exchange pruning of captures: per ply.
    see_capture_slope = 110 in 40..=200;
    /// History pruning: per ply.
    history_pruning_slope = 3400 in 1000..=8000;
    /// Quiescence: plies in which quiet checks are looked at.
    check_plies = 0 in 0..=3;
    /// Quiescence: the same in a cautious search.
    cautious_check_plies = 2 in 0..=3;
    /// Quiescence: futility above the stand-pat score.
    quiescence_futility = 170 in 50..=400;
    /// Singular extension: below the stored score, per ply, in sixteenths.
    singular_slope = 20 in 8..=48;
    /// Singular extension: further below for two plies.
    double_extension_margin = 18 in 0..=60;
    /// Late move reductions of quiet moves: constant, in 1024ths of a ply.
    reduction_quiet_base = 800 in 0..=2000;
    /// Late move reductions of quiet moves: divisor of ln(depth) ln(moves), in hundredths.
    reduction_quiet_divisor = 230 in 120..=400;
    /// Late move reductions of noisy moves: constant, in 1024ths of a ply.
    reduction_noisy_base = 100 in 0..=2000;
    /// Late move reductions of noisy moves: divisor, in hundredths.
    reduction_noisy_divisor = 330 in 150..=600;
    /// Late move reductions: history that is worth a ply.
    reduction_history_divisor = 9000 in 3000..=20000;
    /// Late move reductions: more in an expected cut node, in 1024ths.
    reduction_cut_node = 1500 in 0..=3000;
    /// Late move reductions: less where a principal variation once went, in 1024ths.
    reduction_principal = 1100 in 0..=3000;
    /// Late move reductions: more when not improving, in 1024ths.
    reduction_not_improving = 700 in 0..=2000;
    /// Late move reductions: more when the hash move is a capture, in 1024ths.
    reduction_noisy_hash = 900 in 0..=2000;
    /// Late move reductions: less for a move that gives check, in 1024ths.
    reduction_check = 1024 in 0..=2500;
    /// Late move reductions: less for killers, in 1024ths.
    reduction_killer = 900 in 0..=2500;
    /// Late move reductions: more after many fail-highs below, in 1024ths.
    reduction_cutoffs = 900 in 0..=2500;
    /// Re-search deeper: above alpha.
    deeper_margin = 45 in 10..=150;
    /// History: bonus per ply.
    bonus_slope = 170 in 60..=400;
    /// History: bonus at depth 0.
    bonus_base = -60 in -300..=300;
    /// History: largest bonus.
    bonus_max = 1800 in 600..=4000;
    /// History: malus per ply.
    malus_slope = 180 in 60..=500;
    /// History: largest malus.
    malus_max = 1500 in 500..=4000;
}

impl Tunables {
    /// Plies of quiescence in which quiet checks are looked at.
    pub(super) fn quiet_check_plies(&self, care: Care) -> CheckPlies {
        CheckPlies::new(match care {
            Care::Cautious => self.cautious_check_plies,
            Care::Normal => self.check_plies,
        })
    }

    /// How careful a search to at most `depth` plies is. Who asks for a few plies wants them looked at, not skipped, and the
    /// time for it is no concern; any other search soon leaves such depths behind.
    pub(super) fn care(&self, depth: Option<u32>) -> Care {
        if depth.is_some_and(|depth| i64::from(depth) <= i64::from(self.cautious_depth)) {
            Care::Cautious
        } else {
            Care::Normal
        }
    }

    /// Half the width of the first aspiration window, in centipawns.
    pub(super) fn aspiration_width(&self) -> i32 {
        self.aspiration_width
    }

    /// The deepest at which reverse futility is trusted.
    pub(super) fn reverse_futility_depth(&self) -> Depth {
        Depth::plies(self.reverse_futility_depth)
    }

    /// How far above beta an evaluation must be to be believed without search.
    pub(super) fn reverse_futility_margin(&self, depth: Depth, trend: Trend) -> i32 {
        let improving = if trend == Trend::Improving { self.reverse_futility_improving } else { 0 };
        self.reverse_futility_slope * depth.get() - improving
    }

    /// How far below alpha an evaluation must be for quiescence to decide.
    pub(super) fn razoring_margin(&self, depth: Depth) -> i32 {
        self.razoring_base + self.razoring_slope * depth.get() * depth.get()
    }

    /// Plies left out after a null move, `surplus` being the evaluation above beta.
    pub(super) fn null_reduction(&self, depth: Depth, surplus: i32) -> i32 {
        self.null_base + depth.get() / self.null_depth_divisor + (surplus / self.null_eval_divisor).clamp(0, 3)
    }

    /// How far below beta the static evaluation may be for a null move.
    pub(super) fn null_slack(&self, depth: Depth) -> i32 {
        self.null_slack_slope * depth.get() - self.null_slack
    }

    /// How far above beta a capture must come out in a shallow search.
    pub(super) fn probcut_margin(&self, trend: Trend) -> i32 {
        self.probcut_margin - if trend == Trend::Improving { 50 } else { 0 }
    }

    /// The deepest reduced depth at which futility is trusted.
    pub(super) fn futility_depth(&self) -> i32 {
        self.futility_depth
    }

    /// What a quiet move may gain in `reduced` plies.
    pub(super) fn futility_margin(&self, reduced: i32) -> i32 {
        self.futility_base + self.futility_slope * reduced
    }

    /// What a capture may gain in `reduced` plies, beyond the captured piece.
    pub(super) fn capture_futility_margin(&self, reduced: i32) -> i32 {
        self.capture_futility_base + self.capture_futility_slope * reduced
    }

    /// How many moves deserve a search at this depth.
    pub(super) fn late_move_count(&self, depth: Depth, trend: Trend) -> usize {
        let count = (self.late_move_base + self.late_move_slope * depth.get() * depth.get()) / 100;
        (if trend == Trend::Improving { count } else { count / 2 }) as usize
    }

    /// The exchange that a quiet move may lose.
    pub(super) fn see_quiet_margin(&self, reduced: i32) -> i32 {
        -self.see_quiet_slope * reduced * reduced
    }

    /// The exchange that a capture may lose.
    pub(super) fn see_capture_margin(&self, depth: Depth) -> i32 {
        -self.see_capture_slope * depth.get()
    }

    /// The history below which a quiet move is not searched.
    pub(super) fn history_pruning_margin(&self, depth: Depth) -> i32 {
        -self.history_pruning_slope * depth.get()
    }

    /// What a capture in quiescence may gain beyond the captured piece.
    pub(super) fn quiescence_futility(&self) -> i32 {
        self.quiescence_futility
    }

    /// How far below the hash move all others must be for it to be singular.
    pub(super) fn singular_margin(&self, depth: Depth) -> i32 {
        self.singular_slope * depth.get() / 16
    }

    /// How much further below for an extension by two plies.
    pub(super) fn double_extension_margin(&self) -> i32 {
        self.double_extension_margin
    }

    /// How far above alpha a reduced search must come out to be repeated deeper.
    pub(super) fn deeper_margin(&self) -> i32 {
        self.deeper_margin
    }

    /// The reward of a move that was best at this depth.
    pub(super) fn history_bonus(&self, depth: Depth) -> i32 {
        (self.bonus_slope * depth.get() + self.bonus_base).clamp(16, self.bonus_max)
    }

    /// The punishment of a move that was tried before the best.
    pub(super) fn history_malus(&self, depth: Depth) -> i32 {
        -(self.malus_slope * depth.get()).min(self.malus_max)
    }

    /// What is known about a late move that lengthens or shortens its search, in 1024ths of a ply.
    pub(super) fn reduction_adjustment(&self, facts: &MoveFacts) -> i32 {
        let when = |condition: bool, amount: i32| if condition { amount } else { 0 };
        when(facts.cut_node, self.reduction_cut_node)
            + when(facts.noisy_hash_move, self.reduction_noisy_hash)
            + when(facts.not_improving, self.reduction_not_improving)
            + when(facts.many_cutoffs_below, self.reduction_cutoffs)
            - when(facts.principal, self.reduction_principal)
            - when(facts.gives_check, self.reduction_check)
            - when(facts.killer, self.reduction_killer)
            - facts.history * 1024 / self.reduction_history_divisor
    }

    /// Base and divisor of the reduction of quiet moves, for the table of reductions.
    pub(super) fn quiet_reduction(&self) -> (f64, f64) {
        (f64::from(self.reduction_quiet_base), f64::from(self.reduction_quiet_divisor) / 100.0)
    }

    /// Base and divisor of the reduction of noisy moves.
    pub(super) fn noisy_reduction(&self) -> (f64, f64) {
        (f64::from(self.reduction_noisy_base), f64::from(self.reduction_noisy_divisor) / 100.0)
    }
}

/// Whether the side to move stands better than at its last turns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Trend {
    Improving,
    NotImproving,
}

/// How much an iteration may prune.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Care {
    /// Hardly anything: one of the first iterations, which cost nothing and set the order of all that follow.
    Cautious,
    /// Whatever is not worth its time.
    Normal,
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_default_is_in_its_range_and_can_be_set() {
        let mut tunables = Tunables::default();
        for &(name, default, low, high) in Tunables::ALL {
            assert!((low..=high).contains(&default), "{name}");
            assert!(tunables.set(name, high), "{name}");
            assert!(!tunables.set(name, high + 1), "{name}");
            assert!(tunables.set(name, default), "{name}");
        }
        assert_eq!(tunables, Tunables::default());
        assert!(!tunables.set("nothing", 1));
    }
}
