//! Checks that rows have game results if the target uses them.

use alfiere_data::Row;
use alfiere_model::Sample;
use alfiere_training::TrainingOptions;

use super::progress::remark;
use super::{CommandResult, Failure};

/// Rejects a game result share if no row has a result, and prints a message if some do not.
pub(crate) fn check(options: &TrainingOptions, rows: &[Row]) -> CommandResult {
    let known = rows.iter().filter(|row| row.label_value().result.is_some()).count();
    check_counts(options, known as u64, rows.len() as u64)
}

/// The same for `known` results of `all` rows.
pub(crate) fn check_counts(options: &TrainingOptions, known: u64, all: u64) -> CommandResult {
    if options.result_share.ends() == (0.0, 0.0) {
        return Ok(());
    }
    if known == 0 {
        return Err(Failure::new(
            "no row has a game result, so the result share cannot be used; expected a Result column (1-0, 0-1, 1/2-1/2)",
        ));
    }
    if known < all {
        let percent = 100.0 * known as f64 / all as f64;
        remark(&format!("{percent:.0} % of the rows have a game result; the others are trained on their score only"));
    }
    Ok(())
}
