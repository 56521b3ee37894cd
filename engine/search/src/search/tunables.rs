//! Every number of the search that games could improve, one line each.
//!
//! Each technique's file has the formulas made of them. The ranges reach far enough to switch a technique off, so that what it is
//! worth can be measured by games (with the feature `tune`); without the feature the numbers are constants. The file is
//! long because it is a single list, for reading from top to bottom.

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
            $($(#[$group])* pub(crate) fn $name(&self) -> i32 { self.$name })*

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
            $($(#[$group])* #[inline] pub(crate) const fn $name(&self) -> i32 { $default })*

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
    /// Futility: the evaluation's centipawns per centipawn of static exchange, in 64ths.
    material_worth = 52 in 16..=128;
    /// Aspiration windows: half width at first.
    aspiration_width = 2 in 1..=32000;
    /// Aspiration windows: wider the farther the score is from a draw, by its square over this.
    aspiration_score_divisor = 2550 in 500..=1000000;

    /// Time: percent of the soft limit when another move has just become the best.
    time_unstable = 145 in 50..=400;
    /// Time: percent less for each of up to eight iterations with the same best move.
    time_stable = 9 in 0..=20;
    /// Time: percent more for ten centipawns that the score has fallen.
    time_drop = 30 in 0..=200;
    /// Time: percent more for ten centipawns below the score of the move before.
    time_previous_drop = 20 in 0..=200;
    /// Time: the least percentage for the score, when it has risen.
    time_drop_least = 70 in 20..=100;
    /// Time: the largest percentage for the score.
    time_drop_most = 170 in 100..=400;
    /// Time: percent, if the best move has taken none of the nodes.
    time_effort = 225 in 50..=400;
    /// Time: percent less if it has taken all of them.
    time_effort_share = 175 in 0..=190;

    /// Table cutoff: up to this depth it must be of the kind that the node's type lets expect.
    cutoff_surprise_depth = 4 in 0..=255;
    /// Table cutoff: from this depth on, the entry after the hash move must not contradict it.
    cutoff_checked_depth = 7 in 1..=255;

    /// Razoring: base margin.
    razoring_base = 121 in 50..=32000;
    /// Razoring: per ply squared.
    razoring_slope = 80 in 20..=500;

    /// Reverse futility pruning: only below this depth.
    reverse_futility_depth = 19 in 0..=30;
    /// Reverse futility pruning: per ply, at depth 0; one more for each ply.
    reverse_futility_base = 15 in 0..=160;
    /// Reverse futility pruning: per ply, the most.
    reverse_futility_max = 28 in 5..=160;
    /// Reverse futility pruning: less per ply if the table did not know the position.
    reverse_futility_unknown = 7 in 0..=40;
    /// Reverse futility pruning: more where correction history changes the evaluation, in 64ths of that.
    reverse_futility_correction = 43 in 0..=256;
    /// Reverse futility pruning: plies that count less when the evaluation has risen, in 64ths.
    reverse_futility_rising = 174 in 0..=512;
    /// Reverse futility pruning: plies that count less when the opponent's has fallen, in 64ths.
    reverse_futility_falling = 21 in 0..=512;

    /// Null move: minimum depth.
    null_depth = 1 in 1..=255;
    /// Null move: plies skipped at any depth.
    null_base = 7 in 2..=9;
    /// Null move: one more ply of reduction for each of these plies of depth.
    null_depth_divisor = 3 in 2..=8;
    /// Null move: one more ply of reduction for each of these centipawns above beta.
    null_eval_divisor = 64 in 20..=400;
    /// Null move: how far above beta the static evaluation must be, at depth 0.
    null_slack = 91 in 0..=400;
    /// Null move: how much of that a ply takes away.
    null_slack_slope = 3 in 0..=40;
    /// Null move: less when the evaluation has risen.
    null_rising = 12 in 0..=100;
    /// Null move: minimum depth at which its success is verified by a search without it.
    null_verification_depth = 14 in 1..=255;

    /// `ProbCut`: minimum depth.
    probcut_depth = 3 in 3..=255;
    /// `ProbCut`: above beta.
    probcut_margin = 80 in 20..=350;
    /// `ProbCut`: less when improving.
    probcut_improving = 21 in 0..=100;
    /// `ProbCut`: plies less than the full search.
    probcut_reduction = 3 in 1..=8;
    /// `ProbCut`: the same when improving.
    probcut_reduction_improving = 5 in 1..=8;

    /// Internal iterative reduction: minimum depth.
    internal_reduction_depth = 6 in 2..=255;

    /// Late move pruning: moves searched at depth 0, in hundredths.
    late_move_base = 300 in 0..=25600;
    /// Late move pruning: more for depth squared, in hundredths.
    late_move_slope = 100 in 40..=200;

    /// Pruning of quiet moves: history that is worth a ply of reduced depth.
    pruning_history_divisor = 3100 in 1000..=1000000;

    /// Futility pruning: only below this reduced depth.
    futility_depth = 12 in -100..=20;
    /// Futility pruning: at depth 0.
    futility_base = 41 in 0..=300;
    /// Futility pruning: per ply of reduced depth.
    futility_slope = 30 in 10..=200;
    /// Futility pruning: more if the evaluation is above alpha.
    futility_above = 22 in 0..=200;

    /// Futility pruning of captures: only below this reduced depth.
    capture_futility_depth = 8 in -100..=20;
    /// Futility pruning of captures: at depth 0.
    capture_futility_base = 78 in 0..=500;
    /// Futility pruning of captures: per ply of reduced depth.
    capture_futility_slope = 82 in 10..=400;
    /// Futility pruning of captures: history that is worth a centipawn.
    capture_futility_history_divisor = 23 in 5..=1000000;

    /// History pruning: per ply.
    history_pruning_slope = 4100 in 1000..=1000000;

    /// Static exchange pruning of quiet moves: per reduced ply squared.
    see_quiet_slope = 11 in 4..=30000;
    /// Static exchange pruning of captures and checks: per ply.
    see_capture_slope = 85 in 40..=30000;
    /// Static exchange pruning of captures: history that is worth a centipawn.
    see_capture_history_divisor = 63 in 10..=1000000;

    /// Quiescence: plies in which quiet checks are searched.
    check_plies = 0 in 0..=3;
    /// Quiescence: the same in a cautious search.
    cautious_check_plies = 2 in 0..=3;
    /// Quiescence: futility above the stand-pat score.
    quiescence_futility = 76 in 20..=32000;
    /// Quiescence: moves searched before the rest of the captures are left out.
    quiescence_moves = 2 in 1..=255;
    /// Quiescence: the exchange that a capture may lose.
    quiescence_loss = 36 in 0..=32000;

    /// Singular extension: minimum depth.
    singular_depth = 6 in 4..=255;
    /// Singular extension: plies by which the entry of the hash move may be shallower.
    singular_entry_plies = 3 in 0..=10;
    /// Singular extension: below the stored score, per ply, in 64ths.
    singular_slope = 15 in 1..=128;
    /// Singular extension: further below where a principal variation once went.
    singular_slope_principal = 17 in 0..=128;
    /// Singular extension: further below for two plies.
    double_extension_margin = 0 in -100..=32000;
    /// Singular extension: the same, more on the principal variation.
    double_extension_pv = 51 in 0..=300;
    /// Singular extension: the same, less if the hash move is quiet.
    double_extension_quiet = 38 in 0..=300;
    /// Singular extension: further below for three plies.
    triple_extension_margin = 17 in -100..=32000;
    /// Singular extension: the same, more on the principal variation.
    triple_extension_pv = 70 in 0..=300;
    /// Singular extension: the same, more where it once went.
    triple_extension_principal = 20 in 0..=300;
    /// Singular extension: the same, less if the hash move is quiet.
    triple_extension_quiet = 47 in 0..=300;
    /// Singular extension: less where correction history changes the evaluation, in 64ths of that.
    extension_correction = 43 in 0..=256;
    /// Singular extension: what of the history of hash moves counts as a centipawn for two plies.
    extension_history_divisor = 390 in 50..=1000000;
    /// Singular extension: plies less when it is not singular and beta is near.
    negative_extension = 3 in 0..=5;

    /// Late move reductions: minimum depth.
    reduction_depth = 2 in 2..=255;
    /// Late move reductions: divisor of ln(depth) ln(moves), in hundredths.
    reduction_divisor = 204 in 120..=400;
    /// Late move reductions: constant, in 1024ths of a ply.
    reduction_base = 980 in -1000..=3000;
    /// Late move reductions: that much more when not improving, in 1024ths of what depth and move count give.
    reduction_not_improving = 394 in 0..=1024;
    /// Late move reductions: less where the window is as wide as at the root, in 1024ths of a ply.
    reduction_window = 577 in 0..=2000;
    /// Pruning: that much more where a principal variation once went, in 1024ths of a ply.
    pruning_principal = 930 in 0..=3000;
    /// Late move reductions: less where the evaluation is corrected by a centipawn, in 1024ths.
    reduction_correction = 20 in 0..=200;
    /// Late move reductions: constant that pruning does not know, in 1024ths.
    reduction_late = 700 in -2000..=3000;
    /// Late move reductions: less for each move before, in 1024ths.
    reduction_number = 65 in 0..=300;
    /// Late move reductions: more in an expected cut node, in 1024ths.
    reduction_cut_node = 4030 in 0..=8000;
    /// Late move reductions: more still there without a hash move, in 1024ths.
    reduction_no_hash = 930 in 0..=3000;
    /// Late move reductions: more when the hash move is a capture, in 1024ths.
    reduction_noisy_hash = 1080 in 0..=3000;
    /// Late move reductions: more after two fail-highs below, in 1024ths.
    reduction_cutoffs = 260 in 0..=3000;
    /// Late move reductions: more still after three, in 1024ths.
    reduction_many_cutoffs = 1100 in 0..=3000;
    /// Late move reductions: more after two fail-highs below if no move is expected to raise alpha, in 1024ths.
    reduction_all_node = 1140 in 0..=3000;
    /// Late move reductions: less where a principal variation once went, in 1024ths.
    reduction_principal = 3020 in 0..=6000;
    /// Late move reductions: less on the principal variation, in 1024ths.
    reduction_pv_node = 1000 in 0..=3000;
    /// Late move reductions: less there if the stored score is above alpha, in 1024ths.
    reduction_entry_score = 890 in 0..=3000;
    /// Late move reductions: less there if the entry is as deep as this search, in 1024ths.
    reduction_entry_depth = 820 in 0..=3000;
    /// Late move reductions: less still for that in an expected cut node, in 1024ths.
    reduction_entry_cut = 940 in 0..=3000;
    /// Late move reductions: history that is worth a ply.
    reduction_history_divisor = 8700 in 3000..=1000000;
    /// Late move reductions: history per centipawn that a capture gains.
    reduction_gain = 15 in 0..=100;
    /// Reductions of first moves: more without a hash move, in 1024ths.
    first_no_hash = 1130 in 0..=5000;
    /// Reductions of first moves: less for the hash move, unless moves below have failed high, in 1024ths.
    first_hash_move = 2180 in 0..=5000;
    /// Reductions of first moves: what makes one ply, in 1024ths.
    first_one_ply = 5230 in 0..=100000;
    /// Reductions of first moves: what makes two, in 1024ths.
    first_two_plies = 5490 in 0..=100000;
    /// Re-search deeper: above alpha.
    deeper_margin = 13 in 5..=32000;
    /// Re-search shallower: below this above alpha.
    shallower_margin = 2 in -100..=100;
    /// Hindsight: a move reduced by this much at least was reduced too much if the opponent is not worse now.
    hindsight_deeper = 3 in 1..=255;
    /// Hindsight: smallest reduction that can be too little.
    hindsight_reduction = 2 in 1..=255;
    /// Hindsight: a reduced move is reduced by one more ply if both sides' evaluations add up to this.
    hindsight_shallower = 41 in 20..=32000;
    /// Plies less once alpha is raised: only below this depth.
    raised_alpha_depth = 12 in 4..=64;
    /// Plies less once alpha is raised.
    raised_alpha_reduction = 3 in 0..=4;

    /// Order of quiet moves: for a check that loses hardly anything, in the units of history.
    order_check = 16400 in 0..=60000;
    /// Order of quiet moves: the exchange that such a check may lose.
    order_check_loss = 36 in 0..=400;
    /// Order of quiet moves: for each centipawn of a piece that flees from a cheaper one, in the units of history.
    order_escape = 50 in 0..=200;
    /// Order of quiet moves: how far below zero a move is tried after the losing captures.
    order_bad_quiet = 14000 in 1000..=1000000;
    /// Order of captures: for each centipawn that is captured, in the units of history.
    order_gain = 17 in 1..=100;
    /// Order of captures: the part of its score that a good capture may lose by static exchange.
    order_capture_loss = 37 in 10..=1000000;

    /// History: bonus per ply.
    bonus_slope = 133 in 60..=400;
    /// History: bonus at depth 0.
    bonus_base = -80 in -300..=300;
    /// History: largest bonus.
    bonus_max = 1490 in 600..=4000;
    /// History: more for the hash move.
    bonus_hash = 364 in 0..=2000;
    /// History: what of the history of the move before is added to the bonus of its refutation.
    bonus_history_divisor = 25 in 5..=1000000;
    /// History: malus per ply.
    malus_slope = 970 in 60..=2000;
    /// History: malus at depth 0.
    malus_base = -235 in -1000..=1000;
    /// History: largest malus.
    malus_max = 2240 in 500..=4000;
    /// History: share of the bonus for a quiet move, in 64ths.
    quiet_bonus_share = 56 in 0..=192;
    /// History: share of the malus for the first quiet move, in 64ths.
    quiet_malus_share = 72 in 0..=192;
    /// History: what the malus of each quiet move is of that of the move before it, in 64ths.
    malus_decay = 58 in 32..=64;
    /// History: share of the bonus for a capture, in 64ths.
    capture_bonus_share = 89 in 0..=192;
    /// History: share of the malus for a capture, in 64ths.
    capture_malus_share = 93 in 0..=192;
    /// History: share of the malus for the first quiet move of the node above, when it is refuted, in 64ths.
    refutation_share = 45 in 0..=192;
    /// History: what is kept of it from one search to the next, in 64ths.
    history_kept = 45 in 0..=64;
    /// History near the root: share of the bonus, in 64ths.
    low_ply_share = 44 in 0..=192;
    /// History by pawn structure: share of a bonus, in 64ths.
    pawn_bonus_share = 69 in 0..=192;
    /// History by pawn structure: share of a malus, in 64ths.
    pawn_malus_share = 29 in 0..=192;
    /// Continuation history: share of the bonus, in 64ths.
    continuation_share = 47 in 0..=192;
    /// Continuation history: weight of the move one ply back, in 64ths.
    continuation_1 = 65 in 0..=192;
    /// Continuation history: two plies back.
    continuation_2 = 49 in 0..=192;
    /// Continuation history: three plies back.
    continuation_3 = 18 in 0..=192;
    /// Continuation history: four plies back.
    continuation_4 = 31 in 0..=192;
    /// Continuation history: five plies back.
    continuation_5 = 8 in 0..=192;
    /// Continuation history: six plies back.
    continuation_6 = 26 in 0..=192;
    /// Continuation history: factor of every update, in 64ths.
    continuation_base = 47 in 0..=192;
    /// Continuation history: added to that for each nearer move after which this one has done well.
    continuation_consistency = 3 in 0..=32;
    /// Continuation history: added to every update one ply back.
    continuation_constant = 73 in 0..=300;
    /// History at a table cutoff: bonus of the quiet hash move per ply.
    cutoff_bonus_slope = 112 in 0..=400;
    /// History at a table cutoff: the largest.
    cutoff_bonus_max = 695 in 0..=4000;
    /// History at a table cutoff: malus of an early quiet move before.
    cutoff_malus = 2200 in 0..=6000;
    /// History at a table cutoff: the last place in the move order that gets this malus.
    cutoff_malus_moves = 4 in 0..=255;
    /// History of hash moves: bonus when one is best.
    hash_move_bonus = 900 in 0..=4000;
    /// History of hash moves: malus when another move is best.
    hash_move_malus = 750 in 0..=4000;
    /// History of hash moves: malus of a multi-cut.
    multi_cut_malus_base = 420 in 0..=4000;
    /// History of hash moves: more for each ply of its search.
    multi_cut_malus_slope = 110 in 0..=1000;
    /// Continuation history of a move that was better than its reduced search expected.
    fail_high_bonus = 1330 in 0..=4000;
    /// History of a move that nothing refuted: share of the bonus per ply, in 64ths.
    unrefuted_slope = 59 in 0..=200;
    /// History of a move that nothing refuted: largest share by depth.
    unrefuted_max = 420 in 0..=2000;
    /// History of a move that nothing refuted: subtracted from that.
    unrefuted_base = 241 in 0..=2000;
    /// History of a move that nothing refuted: history that takes one 64th of the bonus away.
    unrefuted_history_divisor = 89 in 10..=1000000;
    /// History of a move that nothing refuted: more if it came late, in 64ths.
    unrefuted_late = 186 in 0..=1000;
    /// History of a move that nothing refuted: the last place in the move order that is not late.
    unrefuted_late_moves = 9 in 0..=255;
    /// History of a move that nothing refuted: more, in 64ths, for each side whose evaluation the score is below by the margin.
    unrefuted_below_eval = 150 in 0..=1000;
    /// History of a move that nothing refuted: that margin.
    unrefuted_margin = 20 in 0..=300;
    /// History of a move that nothing refuted: share in continuation history, in 64ths.
    unrefuted_continuation_share = 66 in 0..=256;
    /// History of a move that nothing refuted: share in butterfly history, in 64ths.
    unrefuted_butterfly_share = 27 in 0..=256;
    /// History of a move that nothing refuted: share in the history by pawn structure, in 64ths.
    unrefuted_pawn_share = 162 in 0..=512;
    /// History of a capture that nothing refuted.
    unrefuted_capture_bonus = 890 in 0..=4000;
    /// History by evaluation: for the quiet move before, per centipawn by which it has raised its side's evaluation.
    eval_gain_slope = 44 in 0..=200;
    /// History by evaluation: most centipawns that count.
    eval_gain_max = 48 in 0..=1000;
    /// History by evaluation: for a move that has not changed it.
    eval_gain_base = 660 in -2000..=2000;
    /// History by evaluation: share in the history by pawn structure, in 64ths.
    eval_gain_pawn_share = 76 in 0..=256;

    /// Evaluation: how much more is expected of the side that is better at the root, in centipawns.
    optimism = 5 in 0..=100;
    /// Evaluation: the root's score at which half of that is expected, in centipawns.
    optimism_half = 100 in 1..=1000;

    /// Correction of the evaluation: by pawn structure, in 4096ths of a centipawn.
    correction_pawns = 120 in 0..=512;
    /// Correction of the evaluation: by kings, knights and bishops.
    correction_minors = 83 in 0..=512;
    /// Correction of the evaluation: by each side's pieces.
    correction_pieces = 101 in 0..=512;
    /// Correction of the evaluation: by the moves two and four plies back with the last.
    correction_moves = 68 in 0..=512;
    /// Correction of the evaluation: share of what is learnt by kings, knights and bishops, in 64ths.
    correction_minors_share = 80 in 0..=192;
    /// Correction of the evaluation: the same by each side's pieces.
    correction_pieces_share = 96 in 0..=192;
    /// Correction of the evaluation: the same by the move four plies back with the last.
    correction_moves_share = 32 in 0..=192;
    /// Correction of the evaluation: what is learnt from a node with a best move, per ply and centipawn, in 64ths.
    correction_rate = 25 in 0..=128;
    /// Correction of the evaluation: the same from a node whose score is below alpha.
    correction_rate_below = 37 in 0..=128;
    /// Correction of the evaluation: the same from several moves above beta.
    correction_rate_multi_cut = 44 in 0..=128;
}

/// The amount if the condition holds, else 0: for sums of margins.
pub(crate) fn when(condition: bool, amount: i32) -> i32 {
    if condition { amount } else { 0 }
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
