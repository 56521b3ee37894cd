//! Every number of the search that games could improve, one line each.
//!
//! The formulas made of them are in `margins.rs`. The ranges reach far enough to switch a technique off, so that what it is
//! worth can be measured by games (with the feature `tune`); without the feature the numbers are constants.

macro_rules! tunables {
    ($($(#[$group:meta])* $name:ident = $default:literal in $low:literal..=$high:literal;)*) => {
        /// The numbers; [`Tunables::default`] is what plays.
        #[cfg(feature = "tune")]
        #[derive(Clone, PartialEq, Eq, Debug)]
        pub struct Tunables { $($name: i32,)* }

        #[cfg(feature = "tune")]
        impl Default for Tunables {
            fn default() -> Self {
                Self { $($name: $default,)* }
            }
        }

        #[cfg(feature = "tune")]
        impl Tunables {
            $($(#[$group])* pub(super) fn $name(&self) -> i32 { self.$name })*

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

        /// The numbers, which are constants in this build.
        #[cfg(not(feature = "tune"))]
        #[derive(Clone, PartialEq, Eq, Default, Debug)]
        pub struct Tunables {}

        #[cfg(not(feature = "tune"))]
        #[allow(clippy::unused_self, reason = "with the feature `tune` the numbers are fields")]
        impl Tunables {
            $($(#[$group])* #[inline] pub(super) const fn $name(&self) -> i32 { $default })*

            /// Sets none: constants cannot be set.
            #[must_use]
            pub fn set(&mut self, _name: &str, _value: i32) -> bool {
                false
            }
        }

        impl Tunables {
            /// Name, default, smallest and largest sensible value of each.
            pub const ALL: &'static [(&'static str, i32, i32, i32)] =
                &[$((stringify!($name), $default, $low, $high),)*];
        }
    };
}

tunables! {
    /// Fixed depths up to which hardly anything is pruned.
    cautious_depth = 4 in 0..=20;
    /// Upcoming repetition: 1 if a move back to an earlier position assures a draw.
    upcoming_repetition = 1 in 0..=1;
    /// Improving: 1 if an evaluation of beta or more counts as such whatever it was before.
    improving_at_beta = 1 in 0..=1;
    /// Aspiration windows: half width at first.
    aspiration_width = 18 in 3..=32000;

    /// Razoring: maximum depth.
    razoring_depth = 3 in 0..=8;
    /// Razoring: base margin.
    razoring_base = 250 in 50..=600;
    /// Razoring: per ply squared.
    razoring_slope = 232 in 20..=500;

    /// Reverse futility pruning: maximum depth.
    reverse_futility_depth = 8 in 0..=14;
    /// Reverse futility pruning: per ply.
    reverse_futility_slope = 72 in 20..=160;
    /// Reverse futility pruning: less when improving.
    reverse_futility_improving = 38 in 0..=160;

    /// Null move: minimum depth.
    null_depth = 1 in 1..=255;
    /// Null move: plies skipped at any depth.
    null_base = 4 in 2..=6;
    /// Null move: one more ply of reduction for each of these plies of depth.
    null_depth_divisor = 4 in 2..=8;
    /// Null move: one more ply of reduction for each of these centipawns above beta.
    null_eval_divisor = 168 in 30..=400;
    /// Null move: most plies more for the evaluation.
    null_eval_max = 3 in 0..=8;
    /// Null move: how far above beta the static evaluation must be, at depth 0.
    null_slack = 170 in 0..=400;
    /// Null move: how much of that a ply takes away.
    null_slack_slope = 17 in 0..=40;

    /// `ProbCut`: minimum depth.
    probcut_depth = 5 in 3..=255;
    /// `ProbCut`: above beta.
    probcut_margin = 184 in 30..=350;
    /// `ProbCut`: less when improving.
    probcut_improving = 41 in 0..=100;

    /// Internal iterative reduction: minimum depth.
    internal_reduction_depth = 4 in 2..=255;

    /// Late move pruning: moves searched at depth 0, in hundredths.
    late_move_base = 736 in 100..=25600;
    /// Late move pruning: more for depth squared, in hundredths.
    late_move_slope = 133 in 40..=200;

    /// Pruning near the leaves: history that is worth a ply of reduced depth.
    pruning_history_divisor = 10980 in 1000..=1000000;

    /// Futility pruning: maximum reduced depth.
    futility_depth = 9 in -1..=14;
    /// Futility pruning: at depth 0.
    futility_base = 85 in 0..=300;
    /// Futility pruning: per ply of reduced depth.
    futility_slope = 63 in 20..=200;

    /// Futility pruning of captures: maximum reduced depth.
    capture_futility_depth = 6 in -1..=14;
    /// Futility pruning of captures: at depth 0.
    capture_futility_base = 289 in 30..=500;
    /// Futility pruning of captures: per ply of reduced depth.
    capture_futility_slope = 202 in 30..=400;

    /// History pruning: maximum depth.
    history_pruning_depth = 5 in 0..=14;
    /// History pruning: per ply.
    history_pruning_slope = 5900 in 1000..=8000;

    /// Static exchange pruning of quiet moves: per reduced ply squared.
    see_quiet_slope = 25 in 8..=30000;
    /// Static exchange pruning of captures: per ply.
    see_capture_slope = 112 in 40..=30000;

    /// Quiescence: plies in which quiet checks are searched.
    check_plies = 0 in 0..=3;
    /// Quiescence: the same in a cautious search.
    cautious_check_plies = 2 in 0..=3;
    /// Quiescence: futility above the stand-pat score.
    quiescence_futility = 129 in 20..=32000;

    /// Quiescence: moves searched before the rest of the captures are left out.
    quiescence_moves = 3 in 1..=255;

    /// Singular extension: minimum depth.
    singular_depth = 6 in 4..=255;
    /// Singular extension: below the stored score, per ply, in sixteenths.
    singular_slope = 25 in 4..=48;
    /// Singular extension: further below for two plies.
    double_extension_margin = 24 in 0..=32000;
    /// Singular extension: further below for three plies, if the hash move is quiet.
    triple_extension_margin = 91 in 0..=32000;
    /// Singular extension: multi-cut at a node where several moves beat beta (1) or not (0).
    multi_cut = 1 in 0..=1;
    /// Singular extension: plies less when the hash move beats beta but is not singular.
    negative_extension_beta = 2 in 0..=3;
    /// Singular extension: plies less when it is not singular in an expected cut node.
    negative_extension_cut = 1 in 0..=3;
    /// Check extension: maximum depth.
    check_extension_depth = 2 in 0..=255;

    /// Late move reductions: minimum depth.
    reduction_depth = 2 in 2..=255;
    /// Late move reductions of quiet moves: constant, in 1024ths of a ply.
    reduction_quiet_base = 1070 in 0..=2000;
    /// Late move reductions of quiet moves: divisor of ln(depth) ln(moves), in hundredths.
    reduction_quiet_divisor = 241 in 120..=400;
    /// Late move reductions of noisy moves: constant, in 1024ths of a ply.
    reduction_noisy_base = 129 in 0..=2000;
    /// Late move reductions of noisy moves: divisor, in hundredths.
    reduction_noisy_divisor = 319 in 150..=600;
    /// Late move reductions: history that is worth a ply.
    reduction_history_divisor = 11416 in 3000..=1000000;
    /// Late move reductions: more in an expected cut node, in 1024ths.
    reduction_cut_node = 1515 in 0..=3000;
    /// Late move reductions: more still there without a hash move, in 1024ths.
    reduction_no_hash = 947 in 0..=3000;
    /// Late move reductions: less where a principal variation once went, in 1024ths.
    reduction_principal = 1147 in 0..=3000;
    /// Late move reductions: more when not improving, in 1024ths.
    reduction_not_improving = 995 in 0..=2000;
    /// Late move reductions: more when the hash move is a capture, in 1024ths.
    reduction_noisy_hash = 846 in 0..=2000;
    /// Late move reductions: less for a move that gives check, in 1024ths.
    reduction_check = 1132 in 0..=2500;
    /// Late move reductions: less for killers, in 1024ths.
    reduction_killer = 848 in 0..=2500;
    /// Late move reductions: more after many fail-highs below, in 1024ths.
    reduction_cutoffs = 886 in 0..=2500;
    /// Re-search deeper: above alpha.
    deeper_margin = 43 in 5..=32000;
    /// Re-search shallower, if hardly better than the best so far (1), or not (0).
    shallower = 1 in 0..=1;
    /// Hindsight: a move reduced by this much at least was reduced too much if the opponent is not worse now.
    hindsight_deeper = 3 in 1..=255;
    /// Hindsight: a reduced move is reduced by one more ply if both sides' evaluations add up to this.
    hindsight_shallower = 92 in 20..=32000;
    /// Plies less once alpha is raised: only below this depth.
    raised_alpha_depth = 12 in 2..=64;

    /// Order of quiet moves: butterfly history, in 64ths.
    order_butterfly = 58 in 0..=256;
    /// Order of quiet moves: butterfly history knows which squares are attacked (1) or not (0).
    order_threats = 1 in 0..=1;
    /// Order of quiet moves: history by pawn structure, in 64ths.
    order_pawn = 41 in 0..=256;
    /// Order of quiet moves: as an answer to the move before, in 64ths.
    order_continuation_1 = 60 in 0..=256;
    /// Order of quiet moves: as a continuation of the move two plies back, in 64ths.
    order_continuation_2 = 63 in 0..=256;
    /// Order of quiet moves: the same four plies back, in 64ths.
    order_continuation_4 = 46 in 0..=256;
    /// Order of quiet moves: the same six plies back, in 64ths.
    order_continuation_6 = 33 in 0..=256;
    /// Order of captures: history, in 64ths.
    order_capture = 61 in 0..=256;
    /// Order of quiet moves: for a check that loses hardly anything, in the units of history.
    order_check = 25519 in 0..=60000;
    /// Order of quiet moves: the exchange that such a check may lose.
    order_check_loss = 69 in 0..=400;
    /// Order of captures: for a check, in eighths of a centipawn.
    order_capture_check = 1297 in 0..=60000;
    /// Killer moves: first (1), both (2) or none (0).
    killers = 2 in 0..=2;
    /// Counter move: tried after the killers (1) or not (0).
    counter_moves = 1 in 0..=1;

    /// History: bonus per ply.
    bonus_slope = 259 in 60..=400;
    /// History: bonus at depth 0.
    bonus_base = -1 in -300..=300;
    /// History: largest bonus.
    bonus_max = 1800 in 600..=4000;
    /// History: more for the hash move.
    bonus_hash = 219 in 0..=2000;
    /// History: malus per ply.
    malus_slope = 196 in 60..=500;
    /// History: largest malus.
    malus_max = 1500 in 500..=4000;
    /// History: share of the bonus, in 64ths, for the quiet move after which no answer reached alpha.
    fail_low_share = 42 in 0..=128;
    /// History: for the quiet move before, by how much it has raised its side's evaluation, per centipawn.
    eval_gain_slope = 16 in 0..=100;
    /// History: the largest of these.
    eval_gain_max = 1109 in 0..=4000;

    /// Evaluation: how much more is expected of the side that is better at the root, in centipawns.
    optimism = 5 in 0..=100;

    /// Correction of the evaluation: by pawn structure, in 128ths.
    correction_pawns = 71 in 0..=256;
    /// Correction of the evaluation: by kings, knights and bishops, in 128ths.
    correction_minors = 73 in 0..=256;
    /// Correction of the evaluation: by each side's pieces, in 128ths.
    correction_pieces = 123 in 0..=256;
    /// Correction of the evaluation: by the last two moves, in 128ths.
    correction_moves = 71 in 0..=256;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_default_is_in_its_range() {
        for &(name, default, low, high) in Tunables::ALL {
            assert!((low..=high).contains(&default), "{name}");
        }
    }

    #[cfg(feature = "tune")]
    #[test]
    fn every_number_can_be_set_within_its_range() {
        let mut tunables = Tunables::default();
        for &(name, default, _, high) in Tunables::ALL {
            assert!(tunables.set(name, high), "{name}");
            assert!(!tunables.set(name, high + 1), "{name}");
            assert!(tunables.set(name, default), "{name}");
        }
        assert_eq!(tunables, Tunables::default());
        assert!(!tunables.set("nothing", 1));
    }
}
