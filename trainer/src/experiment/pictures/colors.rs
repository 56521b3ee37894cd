//! The colours of runs, the same in every figure.

use alfiere_data::SplitBy;

use super::finished::Finished;

/// Palette indices of runs: those split by games are blue, then related colours, those split by rows vermilion, then
/// related colours, in every figure.
pub(super) fn colors(splits: impl IntoIterator<Item = SplitBy>) -> Vec<usize> {
    let mut used: Vec<usize> = Vec::new();
    for split in splits {
        let own = match split {
            SplitBy::Games => [0, 2, 4, 6, 5, 3],
            SplitBy::Rows => [1, 3, 5, 6, 4, 2],
        };
        used.push(own.into_iter().find(|color| !used.contains(color)).unwrap_or(own[0]));
    }
    used
}

pub(super) fn colors_of(runs: &[Finished<'_>]) -> Vec<usize> {
    colors(runs.iter().map(|(run, _)| run.settings.split))
}
