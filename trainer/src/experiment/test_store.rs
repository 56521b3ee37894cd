//! A store with known results, for tests.

use std::path::Path;

use super::fold::FoldResult;
use super::plan::Plan;
use super::store::Store;
use crate::metrics::Metrics;
use crate::shard::Shard;

/// A store of the sweep file `text`, in which every fold is finished, with the R² of a run and a fold.
pub(super) fn store(folder: &Path, text: &str, r2: impl Fn(usize, usize) -> f64) -> Store {
    let plan = Plan::parse(text, Path::new("some.toml"), None).expect("a plan");
    let store = Store::open(folder, plan, "data").expect("a folder");
    for task in store.plan().tasks(Shard::WHOLE) {
        let r2 = r2(task.run, task.fold);
        let metrics = Metrics { rows: 250, mse: 0.1, rmse: 0.3, mae: 0.2, r2, label_mean: 0.0, label_variance: 0.2 };
        let settings = &store.plan().runs[task.run].settings;
        let result = FoldResult {
            fold: task.fold + 1,
            training_rows: settings.training_rows.unwrap_or(1_000).min(1_000),
            inner_rows: 0,
            dropped_rows: 0,
            unit: settings.split.unit(&[]),
            selection: settings.selection,
            epoch: 1,
            metrics,
            other_form: Metrics { r2: r2 - 0.1, ..metrics },
            captures: settings.training.captures,
            training: Metrics { r2: r2 + 0.25, ..metrics },
            epochs: Vec::new(),
        };
        store.keep(task, &result).expect("kept");
    }
    store
}
