//! The rows of an experiment and their split into folds.

use std::ops::Range;

use alfiere_data::shuffle;
use alfiere_data::{
    Captures, DataError, Dataset, Folds, Game, GameOrder, HASH_VERSION, HeldOutUnit, INNER_PARTS, Row, Samples, Split,
    SplitBy, SplitError, fingerprints,
};
use xxhash_rust::xxh3::Xxh3;

use super::settings::{RunSettings, UnknownGames};

/// Rows that are split into folds, followed by extra rows used only for training.
#[derive(PartialEq, Debug)]
pub struct ExperimentData {
    /// All rows; those that are split come first. The games are theirs.
    pub dataset: Dataset,
    pub split_rows: usize,
    pub fingerprint: String,
}

impl ExperimentData {
    /// Combines a set to be split into folds and a set used only for training.
    ///
    /// # Errors
    /// If there are too many rows.
    pub fn new(split: Dataset, extra: Option<Dataset>) -> Result<Self, DataError> {
        let mut fingerprint = format!("{} split by hash version {HASH_VERSION} in both forms", fingerprint_of(&split));
        if split.files.iter().any(|file| file.order == GameOrder::Board) {
            fingerprint += " in games told apart by the board";
        }
        let mut dataset = split;
        let split_rows = dataset.rows.len();
        if let Some(extra) = extra {
            fingerprint.extend(["; extra ", &fingerprint_of(&extra)]);
            dataset.append(&extra)?;
        }
        Ok(Self { dataset, split_rows, fingerprint })
    }

    /// Number of rows that are never held out.
    pub fn extra_rows(&self) -> usize {
        self.dataset.rows.len() - self.split_rows
    }

    /// The unit that is assigned to folds.
    pub fn unit(&self, split: SplitBy) -> HeldOutUnit {
        split.unit(&self.dataset.games)
    }

    /// Checks that a run's folds can be formed: a sweep checks all runs before the first one starts.
    ///
    /// # Errors
    /// As [`ExperimentData::split`].
    pub fn check(&self, settings: &RunSettings) -> Result<(), SplitError> {
        if settings.split == SplitBy::Games && settings.unknown_games == UnknownGames::Refused {
            let unknown = self.dataset.games.iter().filter(|game| game.anchor.is_none());
            let rows = unknown.map(|game| game.rows.len()).sum();
            if rows > 0 {
                return Err(SplitError::UnknownGames { rows });
            }
        }
        Folds::check(self.split_rows, &self.dataset.games, settings.split, settings.folds)
    }

    /// The training and validation rows of a fold, reduced to the run's limits.
    ///
    /// # Errors
    /// If there are fewer games (or rows) than folds.
    pub fn split(&self, settings: &RunSettings, fold: usize) -> Result<Split, SplitError> {
        let rows = &self.dataset.rows[..self.split_rows];
        let folds = Folds::new(rows, &self.dataset.games, settings.split, settings.folds, settings.split_seed)?;
        let extra = settings.extra_rows.unwrap_or(usize::MAX).min(self.extra_rows());
        let forms = self.dataset.samples(Captures::Keep);
        let mut split = folds.with_rows_of_no_fold(extra).split(forms, fold);
        if let Some(limit) = settings.training_rows {
            self.thin(&mut split.training, settings, limit);
        }
        if let Some(limit) = settings.validation_rows {
            self.thin(&mut split.validation, settings, limit);
        }
        Ok(split)
    }

    /// Splits a fold's training side again: its validation side are the inner rows, which select the epoch. When
    /// splitting by games, no position of an inner row remains in training.
    ///
    /// # Errors
    /// If the training side has too few games (or rows).
    pub fn inner_split(&self, settings: &RunSettings, training: &[u32]) -> Result<Split, SplitError> {
        let of = |rows: Samples<'_>| -> Vec<Row> { training.iter().map(|&pick| *rows.row(pick)).collect() };
        let [rows, resolved] = self.dataset.samples(Captures::Keep).map(of);
        let of_folds = training.partition_point(|&pick| (pick as usize) < self.split_rows);
        let mut start = 0;
        let games = self.dataset.games.iter().filter_map(|game| {
            let end = start + training[start..of_folds].partition_point(|&pick| pick < game.rows.end);
            let places = start as u32..end as u32;
            start = end;
            (!places.is_empty()).then_some(Game { rows: places, anchor: game.anchor })
        });
        let games: Vec<Game> = games.collect();
        let folds = Folds::new(&rows[..of_folds], &games, settings.split, INNER_PARTS, settings.split_seed)?;
        let mut split =
            folds.with_rows_of_no_fold(rows.len() - of_folds).split([&rows, &resolved].map(Samples::from), 0);
        for place in split.training.iter_mut().chain(&mut split.validation) {
            *place = training[*place as usize];
        }
        Ok(split)
    }

    /// Reduces the split rows among `picks` to `limit`: whole games (except the last) in an order determined by the
    /// seed, so that a smaller limit keeps a subset of a larger one. Extra rows are all kept.
    fn thin(&self, picks: &mut Vec<u32>, settings: &RunSettings, limit: usize) {
        let mut is_picked = vec![false; self.split_rows];
        picks
            .iter()
            .filter(|&&pick| (pick as usize) < self.split_rows)
            .for_each(|&pick| is_picked[pick as usize] = true);
        let mut units: Vec<Range<u32>> = match settings.split {
            SplitBy::Games => self.dataset.games.iter().flat_map(Game::units).collect(),
            SplitBy::Rows => (0..self.split_rows as u32).map(|row| row..row + 1).collect(),
        };
        shuffle(&mut units, settings.split_seed);
        let kept = units.into_iter().flatten().filter(|&row| is_picked[row as usize]).take(limit);
        let mut kept: Vec<u32> = kept.collect();
        kept.sort_unstable();
        kept.extend(picks.iter().filter(|&&pick| pick as usize >= self.split_rows));
        *picks = kept;
    }
}

/// The files and their number of rows; if a filter removed rows, also a hash of the remaining ones.
fn fingerprint_of(set: &Dataset) -> String {
    let print = format!("{} rows {}", fingerprints(&set.files), set.rows.len());
    if set.filtered.total() == 0 {
        return print;
    }
    let mut hash = Xxh3::new();
    set.rows.iter().for_each(|row| hash.update(&row.to_bytes()));
    format!("{print} filtered {:016x}", hash.digest())
}

#[cfg(test)]
mod tests {
    use alfiere_data::{DataFile, Filter, LoadOptions, sample, write_packed};
    use alfiere_training::TrainingOptions;

    use super::*;
    use crate::experiment::EpochSelection;

    fn settings(split: SplitBy) -> RunSettings {
        let selection = EpochSelection::Inner;
        RunSettings { selection, split, split_seed: 3, ..RunSettings::new(TrainingOptions::default(), 4) }
    }

    fn set() -> ExperimentData {
        let rows = sample::rows(1_500);
        // The extra rows share their first 500 positions with the split rows.
        ExperimentData::new(Dataset::from_rows(rows[..1_000].to_vec()), Some(Dataset::from_rows(rows[500..].to_vec())))
            .expect("few rows")
    }

    #[test]
    fn extra_rows_are_only_used_for_training() {
        let set = set();
        assert_eq!((set.split_rows, set.extra_rows()), (1_000, 1_000));
        let mut held = Vec::new();
        for fold in 0..4 {
            let split = set.split(&settings(SplitBy::Games), fold).expect("enough games");
            held.extend(split.validation.iter().copied());
            let keys: Vec<u64> =
                split.validation.iter().map(|&row| set.dataset.rows[row as usize].symmetric_key()).collect();
            assert!(split.training.iter().all(|&row| !keys.contains(&set.dataset.rows[row as usize].symmetric_key())));
            assert!(split.dropped > 0, "the copies of held-out positions are dropped");
            assert!(split.training.iter().filter(|&&row| row >= 1_000).count() > 500);
        }
        held.sort_unstable();
        assert!(held.into_iter().eq(0..1_000));
        let none = RunSettings { extra_rows: Some(0), ..settings(SplitBy::Games) };
        let split = set.split(&none, 0).expect("enough games");
        assert!(split.training.iter().all(|&row| row < 1_000));
    }

    #[test]
    fn inner_rows_are_whole_games_disjoint_from_training_and_validation() {
        let set = set();
        for (split, limit) in [(SplitBy::Games, None), (SplitBy::Rows, None), (SplitBy::Games, Some(500))] {
            let settings = RunSettings { training_rows: limit, ..settings(split) };
            let outer = set.split(&settings, 1).expect("enough games");
            let inner = set.inner_split(&settings, &outer.training).expect("enough games");
            let mut all = [&inner.training[..], &inner.validation].concat();
            all.sort_unstable();
            assert_eq!(all.len() + inner.dropped, outer.training.len());
            assert!(all.iter().all(|row| outer.training.binary_search(row).is_ok()));
            let of_folds = outer.training.iter().filter(|&&row| row < 1_000).count();
            let share = inner.validation.len() as f64 / of_folds as f64;
            assert!((0.05..0.2).contains(&share), "{share}");
            assert!(inner.validation.iter().all(|&row| row < 1_000), "extra rows are never held out");
            assert!(inner.training.iter().any(|&row| row >= 1_000), "extra rows are trained on");
            if split == SplitBy::Rows {
                continue;
            }
            let key = |&row: &u32| set.dataset.rows[row as usize].symmetric_key();
            let held: Vec<u64> = inner.validation.iter().chain(&outer.validation).map(key).collect();
            assert!(inner.training.iter().all(|row| !held.contains(&key(row))));
            assert!(inner.dropped > 0, "copies of inner positions among the extra rows are dropped");
            for game in &set.dataset.games {
                let of = |rows: &[u32]| rows.iter().filter(|row| game.rows.contains(row)).count();
                assert!(of(&inner.training) == 0 || of(&inner.validation) == 0);
            }
        }
        let few = RunSettings { training_rows: Some(20), ..settings(SplitBy::Games) };
        let outer = set.split(&few, 1).expect("enough games");
        assert!(matches!(set.inner_split(&few, &outer.training), Err(SplitError::TooFew { sides: 10, .. })));
    }

    #[test]
    fn different_filters_with_equal_row_counts_have_different_fingerprints() {
        let rows = sample::rows(300);
        let folder = tempfile::tempdir().expect("a folder");
        let file = DataFile::new(folder.path().join("rows.packed"));
        write_packed(&file.path, &rows).expect("written");
        let left_out = |centipawns: u32| {
            let filter = Filter { max_centipawns: Some(centipawns), ..Filter::default() };
            let options = LoadOptions { filter, ..LoadOptions::default() };
            let mut set = Dataset::load(std::slice::from_ref(&file), &options, &mut ()).expect("rows");
            set.rows = set.rows[..5].to_vec().into();
            ExperimentData::new(set, None).expect("few rows").fingerprint
        };
        assert_ne!(left_out(20), left_out(200));
        assert_eq!(left_out(20), left_out(20));
    }

    #[test]
    fn limits_keep_nested_subsets_of_each_side() {
        let set = set();
        for split in [SplitBy::Games, SplitBy::Rows] {
            let cut = |limit| {
                let settings = RunSettings {
                    training_rows: Some(limit),
                    validation_rows: Some(50),
                    extra_rows: Some(0),
                    ..settings(split)
                };
                set.split(&settings, 1).expect("enough games")
            };
            let (small, large, whole) = (cut(100), cut(300), set.split(&settings(split), 1).expect("enough games"));
            assert_eq!((small.training.len(), large.training.len(), small.validation.len()), (100, 300, 50));
            assert!(small.training.iter().all(|row| large.training.binary_search(row).is_ok()));
            assert!(large.training.iter().all(|row| whole.training.binary_search(row).is_ok()));
            assert!(small.validation.iter().all(|row| whole.validation.binary_search(row).is_ok()));
        }
    }
}
