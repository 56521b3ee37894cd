//! A store with known results, for tests.

use std::path::Path;

use alfiere_data::metrics::Metrics;
use alfiere_data::{Captures, HeldOutUnit};
use alfiere_sources::shard::Shard;
use alfiere_training::{EpochRecord, Validation};

use super::fold::FoldResult;
use super::plan::Plan;
use super::settings::EpochSelection;
use super::store::Store;

/// A fold of 1000 training and 250 validation rows with this R².
pub(super) fn fold_result(fold: usize, r2: f64) -> FoldResult {
    let metrics = Metrics { rows: 250, mse: 0.1, rmse: 0.3, mae: 0.2, r2, label_mean: 0.0, label_variance: 0.2 };
    let validation = Some(Validation { loss: 0.1, metrics });
    let epoch = EpochRecord {
        phase: 0,
        epoch: 1,
        learning_rate: 1e-3,
        training_loss: 0.1,
        validation,
        is_best: true,
        seconds: 0.0,
        positions_per_second: 1.0,
    };
    FoldResult {
        fold,
        training_rows: 1_000,
        inner_rows: 0,
        dropped_rows: 0,
        unit: HeldOutUnit::Games,
        selection: EpochSelection::Last,
        epoch: 1,
        metrics,
        other_form: Metrics { r2: r2 - 0.1, ..metrics },
        captures: Captures::Resolve,
        training: Metrics { r2: r2 + 0.25, ..metrics },
        epochs: vec![epoch],
    }
}

/// A store of the sweep file `text`, in which every fold is finished, with the R² of a run and a fold.
pub(super) fn store(folder: &Path, text: &str, r2: impl Fn(usize, usize) -> f64) -> Store {
    let text = text.replacen("[run]\n", "[run]\nstart = 'random'\nloss = 'report'\n", 1);
    let plan = Plan::parse(&text, Path::new("some.toml"), None, None).expect("a plan");
    let store = Store::open(folder, plan, "data").expect("a folder");
    for task in store.plan().tasks(Shard::WHOLE) {
        let settings = &store.plan().runs[task.run].settings;
        let training_rows = settings.training_rows.unwrap_or(1_000).min(1_000);
        let (unit, selection) = (settings.split.unit(&[]), settings.selection);
        let result = fold_result(task.fold + 1, r2(task.run, task.fold));
        let captures = settings.training.captures;
        let result = FoldResult { training_rows, unit, selection, captures, ..result };
        store.keep(task, &result).expect("kept");
    }
    store
}
