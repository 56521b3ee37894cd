//! Every number of the search that games could improve, one line each.
//!
//! Each technique's file has the formulas made of them. The ranges reach far enough to switch a technique off, so that what it is
//! worth can be measured by games (with the feature `tune`); without the feature the functions are constant. The file is
//! long because it is a single list, for reading from top to bottom.

macro_rules! tunables {
    ($($name:ident = $default:literal in $low:literal..=$high:literal;)*) => {
        /// The numbers of this build. They belong to the process, because a program that tunes them runs one engine.
        #[cfg(feature = "tune")]
        mod values {
            #![allow(non_upper_case_globals, reason = "each has the name of its function")]
            use std::sync::atomic::AtomicI32;
            $(pub(super) static $name: AtomicI32 = AtomicI32::new($default);)*
        }

        $(
            #[cfg(feature = "tune")]
            pub(crate) fn $name() -> i32 { values::$name.load(std::sync::atomic::Ordering::Relaxed) }
            #[cfg(not(feature = "tune"))]
            pub(crate) const fn $name() -> i32 { $default }
        )*

        /// Name, default, smallest and largest sensible value of each number of the search.
        pub const TUNABLES: &[(&str, i32, i32, i32)] = &[$((stringify!($name), $default, $low, $high),)*];

        /// Sets a number by its name; `false` if there is none of that name or the value is out of range.
        #[cfg(feature = "tune")]
        #[must_use]
        pub fn set_tunable(name: &str, value: i32) -> bool {
            match name {
                $(stringify!($name) if ($low..=$high).contains(&value) => {
                    values::$name.store(value, std::sync::atomic::Ordering::Relaxed);
                })*
                _ => return false,
            }
            true
        }
    };
}

tunables! {
    // Upcoming repetition: 1 if a move back to an earlier position assures a draw, 0 to disable
    upcoming_repetition = 1 in 0..=1;
    material_worth = 52 in 16..=128; // Futility: internal units for a centipawn of static exchange, in 64ths

    // Aspiration windows:
    aspiration_width = 2 in 1..=32000; // initial half width
    aspiration_score_divisor = 2550 in 500..=1000000; // the square of the score over this widens the window

    // Time:
    time_share = 350 in 10..=1000; // soft limit in ten-thousandths of the clock
    time_increment = 70 in 0..=120; // percentage of the increment in the soft limit
    time_hard = 400 in 100..=900; // hard limit, as a percentage of the soft limit
    time_hard_share = 40 in 5..=80; // the same, at most this percentage of the clock
    time_least = 30 in 5..=90; // smallest percentage of the soft limit
    time_most = 300 in 110..=800; // largest percentage
    time_unstable = 145 in 50..=400; // percentage of the soft limit in the iteration after a new best move
    time_stable = 9 in 0..=20; // percent less for each further iteration with the same best move, at most eight
    time_drop = 30 in 0..=200; // percent more for each ten centipawns by which the score has fallen in this search
    time_previous_drop = 20 in 0..=200; // percent more for each ten centipawns below the score of the previous search
    time_drop_least = 70 in 20..=100; // smallest percentage from the score, when it has risen
    time_drop_most = 170 in 100..=400; // largest percentage from the score, when it has fallen
    time_effort = 225 in 50..=400; // percentage if the best move has taken none of the nodes
    time_effort_share = 175 in 0..=190; // percent less if the best move has taken all of the nodes

    // Table cutoff:
    cutoff_surprise_depth = 4 in 0..=255; // up to this depth, only fail-highs at cut nodes and fail-lows at all-nodes
    // from this depth on, the entry after the hash move must not contradict the score
    cutoff_checked_depth = 7 in 1..=255;

    // Razoring:
    razoring_base = 121 in 50..=32000; // margin at depth 0
    razoring_slope = 80 in 20..=500; // margin for each ply squared

    // Reverse futility pruning:
    reverse_futility_depth = 19 in 0..=30; // only below this depth
    reverse_futility_base = 15 in 0..=160; // margin per ply, at depth 0; it grows by one for each ply of depth
    reverse_futility_max = 28 in 5..=160; // largest margin per ply
    reverse_futility_unknown = 7 in 0..=40; // margin per ply, less without a table entry
    reverse_futility_correction = 43 in 0..=256; // margin for each centipawn of correction, in 64ths
    reverse_futility_rising = 174 in 0..=512; // plies not counted when the evaluation has risen, in 64ths
    reverse_futility_falling = 21 in 0..=512; // plies not counted when the opponent's evaluation has fallen, in 64ths

    // Null move:
    null_depth = 1 in 1..=255; // minimum depth
    null_base = 7 in 2..=9; // reduction at depth 0, in plies
    null_depth_divisor = 3 in 2..=8; // plies of depth for each further ply of reduction
    null_eval_divisor = 64 in 20..=400; // centipawns above beta for each further ply of reduction
    null_slack = 91 in 0..=400; // least distance of the static evaluation above beta, at depth 0
    null_slack_slope = 3 in 0..=40; // that distance falls by this for each ply of depth
    null_rising = 12 in 0..=100; // that distance falls by this when the evaluation has risen
    null_verification_depth = 14 in 1..=255; // minimum depth at which a fail-high is verified by a search of real moves

    // `ProbCut`:
    probcut_depth = 3 in 3..=255; // minimum depth
    probcut_margin = 80 in 20..=350; // margin above beta
    probcut_improving = 21 in 0..=100; // margin, less when improving
    probcut_reduction = 3 in 1..=8; // reduction in plies
    probcut_reduction_improving = 5 in 1..=8; // reduction in plies when improving

    internal_reduction_depth = 6 in 2..=255; // Internal iterative reduction: minimum depth

    // Late move pruning:
    late_move_base = 300 in 0..=25600; // hundredths of a move searched at depth 0
    late_move_slope = 100 in 40..=200; // hundredths of a move more for each ply squared

    pruning_history_divisor = 3100 in 1000..=1000000; // Pruning of quiet moves: history for each ply of reduced depth

    // Futility pruning:
    futility_depth = 12 in -100..=20; // only below this reduced depth
    futility_base = 41 in 0..=300; // margin at depth 0
    futility_slope = 30 in 10..=200; // margin for each ply of reduced depth
    futility_above = 22 in 0..=200; // margin, more if the evaluation is above alpha

    // Futility pruning of captures:
    capture_futility_depth = 8 in -100..=20; // only below this reduced depth
    capture_futility_base = 78 in 0..=500; // margin at depth 0
    capture_futility_slope = 82 in 10..=400; // margin for each ply of reduced depth
    capture_futility_history_divisor = 23 in 5..=1000000; // history for each centipawn of margin

    history_pruning_slope = 4100 in 1000..=1000000; // History pruning: least history, below zero, for each ply

    // Static exchange pruning of quiet moves: centipawns that may be lost for each reduced ply squared
    see_quiet_slope = 11 in 4..=30000;
    // Static exchange pruning of captures and checks: centipawns that may be lost for each ply
    see_capture_slope = 85 in 40..=30000;
    see_capture_history_divisor = 63 in 10..=1000000; // Static exchange pruning of captures: history for each centipawn

    // Quiescence:
    quiescence_futility = 76 in 20..=32000; // futility margin
    quiescence_moves = 2 in 1..=255; // moves searched before the other captures are pruned
    quiescence_loss = 36 in 0..=32000; // centipawns that a capture may lose by static exchange

    // Singular extension:
    singular_depth = 6 in 4..=255; // minimum depth
    singular_entry_plies = 3 in 0..=10; // plies by which the table entry may be shallower than the search
    singular_slope = 15 in 1..=128; // margin below the stored score for each ply, in 64ths
    singular_slope_principal = 17 in 0..=128; // margin for each ply, more at former PV nodes, in 64ths

    // Double extension:
    double_extension_margin = 0 in -100..=32000; // further margin
    double_extension_pv = 51 in 0..=300; // margin, more at PV nodes
    double_extension_quiet = 38 in 0..=300; // margin, less if the hash move is quiet

    // Triple extension:
    triple_extension_margin = 17 in -100..=32000; // further margin
    triple_extension_pv = 70 in 0..=300; // margin, more at PV nodes
    triple_extension_principal = 20 in 0..=300; // margin, more at present or former PV nodes
    triple_extension_quiet = 47 in 0..=300; // margin, less if the hash move is quiet

    // Double and triple extension: margin, less for each centipawn of correction, in 64ths
    extension_correction = 43 in 0..=256;
    // Double extension: history of hash moves for each centipawn less of margin
    extension_history_divisor = 390 in 50..=1000000;
    // Negative extension: plies less for a hash move that is not singular, if its stored score reaches beta or at a cut node
    negative_extension = 3 in 0..=5;

    // Late move reductions:
    reduction_depth = 2 in 2..=255; // minimum depth
    reduction_divisor = 204 in 120..=400; // divisor of ln(depth) ln(move count), in hundredths
    reduction_base = 980 in -1000..=3000; // constant, in 1024ths of a ply
    reduction_not_improving = 394 in 0..=1024; // share of the logarithmic term added when not improving, in 1024ths
    reduction_window = 577 in 0..=2000; // less for a window as wide as that of the root, in 1024ths of a ply

    // Late move reductions and pruning: more at present or former PV nodes, in 1024ths of a ply
    pruning_principal = 930 in 0..=3000;

    // Late move reductions:
    reduction_correction = 20 in 0..=200; // less for each centipawn of correction, in 1024ths of a ply
    reduction_late = 700 in -2000..=3000; // constant that is not used for pruning, in 1024ths of a ply
    reduction_number = 65 in 0..=300; // less for each place in the move order, in 1024ths of a ply
    reduction_cut_node = 4030 in 0..=8000; // more in cut nodes, in 1024ths of a ply
    reduction_no_hash = 930 in 0..=3000; // further in cut nodes without a hash move, in 1024ths of a ply
    reduction_noisy_hash = 1080 in 0..=3000; // more if the hash move is a capture, in 1024ths of a ply
    reduction_cutoffs = 260 in 0..=3000; // more after two fail-highs of children, in 1024ths of a ply
    reduction_many_cutoffs = 1100 in 0..=3000; // further after three fail-highs of children, in 1024ths of a ply
    reduction_all_node = 1140 in 0..=3000; // further in all-nodes after two fail-highs of children, in 1024ths of a ply
    reduction_principal = 3020 in 0..=6000; // less at present or former PV nodes, in 1024ths of a ply
    reduction_pv_node = 1000 in 0..=3000; // less at PV nodes, in 1024ths of a ply
    // less at present or former PV nodes if the stored score is above alpha, in 1024ths of a ply
    reduction_entry_score = 890 in 0..=3000;
    // less at present or former PV nodes if the entry is as deep as this search, in 1024ths of a ply
    reduction_entry_depth = 820 in 0..=3000;
    // further less if such a node with so deep an entry is a cut node, in 1024ths of a ply
    reduction_entry_cut = 940 in 0..=3000;
    reduction_history_divisor = 8700 in 3000..=1000000; // history for each ply less
    reduction_gain = 15 in 0..=100; // history that counts for each centipawn of a capture

    // Reductions of first moves:
    first_no_hash = 1130 in 0..=5000; // more without a hash move, in 1024ths of a ply
    // less for the hash move after at most one fail-high of children, in 1024ths of a ply
    first_hash_move = 2180 in 0..=5000;
    first_one_ply = 5230 in 0..=100000; // above this sum, in 1024ths of a ply, the move is reduced by one ply
    first_two_plies = 5490 in 0..=100000; // above this sum, in 1024ths of a ply, the move is reduced by two plies

    // Repeated search of a reduced move:
    deeper_margin = 13 in 5..=32000; // one ply deeper if its score is above the best by more than this
    shallower_margin = 2 in -100..=100; // one ply shallower if its score is above the best by less than this

    // Hindsight:
    // least reduction of the last move that is lowered by one ply unless the opponent's evaluation has fallen
    hindsight_deeper = 3 in 1..=255;
    hindsight_reduction = 2 in 1..=255; // least reduction of the last move that can be raised by one ply
    hindsight_shallower = 41 in 20..=32000; // a reduction is raised if the sum of both sides' evaluations exceeds this

    raised_alpha_depth = 12 in 4..=64; // Reduction after alpha was raised: only below this depth
    raised_alpha_reduction = 3 in 0..=4; // Reduction after alpha was raised, in plies

    // Order of quiet moves:
    order_check = 16400 in 0..=60000; // bonus of a check, in the units of history
    order_check_loss = 36 in 0..=400; // centipawns that such a check may lose by static exchange
    order_escape = 50 in 0..=200; // bonus for each centipawn of a piece that flees from a cheaper one
    order_bad_quiet = 14000 in 1000..=1000000; // moves this far below zero are tried after the losing captures

    // Order of captures:
    order_gain = 17 in 1..=100; // bonus for each captured centipawn, in the units of history
    order_capture_loss = 37 in 10..=1000000; // score for each centipawn that a good capture may lose by static exchange

    // History:
    bonus_slope = 133 in 60..=400; // bonus per ply
    bonus_base = -80 in -300..=300; // bonus at depth 0
    bonus_max = 1490 in 600..=4000; // largest bonus
    bonus_hash = 364 in 0..=2000; // bonus, more if the best move is the hash move
    // divisor of the history of the last move; the quotient is added to the bonus of the move that refutes it
    bonus_history_divisor = 25 in 5..=1000000;
    malus_slope = 970 in 60..=2000; // malus per ply
    malus_base = -235 in -1000..=1000; // malus at depth 0
    malus_max = 2240 in 500..=4000; // largest malus
    quiet_bonus_share = 56 in 0..=192; // share of the bonus for a quiet move, in 64ths
    quiet_malus_share = 72 in 0..=192; // share of the malus for the first quiet move, in 64ths
    malus_decay = 58 in 32..=64; // factor of the malus from each quiet move to the next, in 64ths
    capture_bonus_share = 89 in 0..=192; // share of the bonus for a capture, in 64ths
    capture_malus_share = 93 in 0..=192; // share of the malus for a capture, in 64ths
    // share of the malus for the last move when it is refuted, was quiet, and was the first after any hash move, in 64ths
    refutation_share = 45 in 0..=192;
    history_kept = 45 in 0..=64; // share kept from one search to the next, in 64ths

    low_ply_share = 44 in 0..=192; // History near the root: share of the bonus, in 64ths

    // History by pawn structure:
    pawn_bonus_share = 69 in 0..=192; // share of a bonus, in 64ths
    pawn_malus_share = 29 in 0..=192; // share of a malus, in 64ths

    // Continuation history:
    continuation_share = 47 in 0..=192; // share of the bonus, in 64ths
    continuation_1 = 65 in 0..=192; // weight of the move one ply back, in 64ths
    continuation_2 = 49 in 0..=192; // weight of the move two plies back, in 64ths
    continuation_3 = 18 in 0..=192; // weight of the move three plies back, in 64ths
    continuation_4 = 31 in 0..=192; // weight of the move four plies back, in 64ths
    continuation_5 = 8 in 0..=192; // weight of the move five plies back, in 64ths
    continuation_6 = 26 in 0..=192; // weight of the move six plies back, in 64ths
    continuation_base = 47 in 0..=192; // factor of every update, in 64ths
    // added to the factor for each nearer move after which the move has a positive history, in 64ths
    continuation_consistency = 3 in 0..=32;
    continuation_constant = 73 in 0..=300; // added to every update of the row one ply back

    // History at a table cutoff:
    cutoff_bonus_slope = 112 in 0..=400; // bonus of the quiet hash move per ply
    cutoff_bonus_max = 695 in 0..=4000; // largest bonus
    cutoff_malus = 2200 in 0..=6000; // malus of the last move if it was quiet and early in the order
    cutoff_malus_moves = 4 in 0..=255; // last place in the move order that counts as early

    // History of hash moves:
    hash_move_bonus = 900 in 0..=4000; // bonus when one is best
    hash_move_malus = 750 in 0..=4000; // malus when another move is best
    multi_cut_malus_base = 420 in 0..=4000; // malus of a multi-cut at depth 0
    multi_cut_malus_slope = 110 in 0..=1000; // malus of a multi-cut for each ply of its search

    // Continuation history: bonus of a move that was better than its reduced search expected
    fail_high_bonus = 1330 in 0..=4000;

    // Last move before a fail-low:
    prior_move_slope = 59 in 0..=200; // share of the bonus per ply, in 64ths
    prior_move_max = 420 in 0..=2000; // largest share by depth, in 64ths
    prior_move_base = 241 in 0..=2000; // subtracted from the share by depth, in 64ths
    prior_move_history_divisor = 89 in 10..=1000000; // history that lowers the share by one 64th
    prior_move_late = 186 in 0..=1000; // share, more if the move came late in the order, in 64ths
    prior_move_late_moves = 9 in 0..=255; // last place in the move order that is not late
    // share, more for each of the last two static evaluations that the score is below, in 64ths
    prior_move_below_eval = 150 in 0..=1000;
    prior_move_margin = 20 in 0..=300; // margin by which the score must be below them
    prior_move_continuation_share = 66 in 0..=256; // share in continuation history, in 64ths
    prior_move_butterfly_share = 27 in 0..=256; // share in butterfly history, in 64ths
    prior_move_pawn_share = 162 in 0..=512; // share in the history by pawn structure, in 64ths
    prior_move_capture_bonus = 890 in 0..=4000; // bonus of a capture

    // History by evaluation:
    // bonus of the last quiet move for each centipawn by which its side's evaluation rose
    eval_gain_slope = 44 in 0..=200;
    eval_gain_max = 48 in 0..=1000; // largest number of centipawns that count
    eval_gain_base = 660 in -2000..=2000; // bonus of a move that left the evaluation as it was
    eval_gain_pawn_share = 76 in 0..=256; // share in the history by pawn structure, in 64ths

    // Optimism:
    optimism = 5 in 0..=100; // largest bonus of the side that is ahead at the root, in internal units
    optimism_half = 100 in 1..=1000; // score of the root that gives half the largest bonus, in internal units

    // Correction history:
    correction_pawns = 120 in 0..=512; // weight of pawn structure, in 4096ths
    correction_minors = 83 in 0..=512; // weight of kings, knights and bishops, in 4096ths
    correction_pieces = 101 in 0..=512; // weight of each side's pieces, in 4096ths
    correction_moves = 68 in 0..=512; // weight of the moves two and four plies back together with the last, in 4096ths
    correction_minors_share = 80 in 0..=192; // share of an update for kings, knights and bishops, in 64ths
    correction_pieces_share = 96 in 0..=192; // share of an update for each side's pieces, in 64ths
    // share of an update for the move four plies back together with the last, in 64ths
    correction_moves_share = 32 in 0..=192;
    correction_rate = 25 in 0..=128; // update of a node with a best move, per ply and centipawn of error, in 64ths
    correction_rate_below = 37 in 0..=128; // update of a node that failed low, per ply and centipawn of error, in 64ths
    correction_rate_multi_cut = 44 in 0..=128; // update of a multi-cut, per ply and centipawn of error, in 64ths
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
        for &(name, default, low, high) in TUNABLES {
            assert!((low..=high).contains(&default), "{name}");
        }
    }

    #[cfg(feature = "tune")]
    #[test]
    fn every_number_can_be_set_within_its_range() {
        for &(name, default, _, high) in TUNABLES {
            assert!(!set_tunable(name, high + 1) && set_tunable(name, default), "{name}");
        }
        assert!(!set_tunable("nothing", 1));
    }
}
