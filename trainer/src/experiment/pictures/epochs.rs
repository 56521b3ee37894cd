//! R² by epoch.

use alfiere_data::metrics::mean_and_deviation;

use super::colors::colors_of;
use super::finished::{Finished, common};
use super::words::{best_of, conditions, in_words};
use super::{CONSTANT_R2, MAX_CURVES};
use crate::experiment::fold::FoldResult;
use crate::experiment::plan::{Plan, PlannedRun};
use crate::experiment::selection::EpochSelection;
use crate::figures::{Curve, CurveKind, Curves};

/// Means over the folds by epoch, for the best runs.
pub(super) fn by_epoch(plan: &Plan, best: &[Finished<'_>]) -> Curves {
    let shown = &best[..best.len().min(MAX_CURVES)];
    let has_training_r2 = shown
        .iter()
        .all(|(run, folds)| has_training_r2(plan, run) && folds.iter().all(|fold| fold.metrics.label_variance > 0.0));
    let mut curves = Vec::new();
    for ((run, folds), color) in shown.iter().zip(colors_of(shown)) {
        let epochs = folds.iter().map(|fold| fold.epochs.len()).min().unwrap_or(0);
        let curve = |kind: CurveKind, value: &dyn Fn(&FoldResult, usize) -> Option<f64>| {
            let point = |epoch: usize| {
                let values: Option<Vec<f64>> = folds.iter().map(|fold| value(fold, epoch)).collect();
                Some(((epoch + 1) as f64, mean_and_deviation(&values?)?.0))
            };
            let name = if shown.len() > 1 { in_words(plan, shown, run) } else { String::new() };
            Curve { name, color, kind, points: (0..epochs).filter_map(point).collect() }
        };
        curves.push(curve(CurveKind::Validation, &|fold, epoch| {
            fold.epochs[epoch].validation.map(|validation| validation.metrics.r2)
        }));
        if has_training_r2 {
            curves.push(curve(CurveKind::Training, &|fold, epoch| {
                Some(1.0 - fold.epochs[epoch].training_loss / fold.metrics.label_variance)
            }));
        }
    }
    let validation = common(shown, |settings| settings.selection)
        .map_or("the held-out fold, or with select=inner a tenth of the training side", rows_of_epochs);
    Curves {
        title: plan.title.clone(),
        subtitle: format!(
            "{}{}; mean of the folds; validation: {validation}; training: during the epoch, with dropout",
            best_of(shown, best.len()),
            conditions(shown),
        ),
        x_label: "epoch".to_owned(),
        y_label: "R²".to_owned(),
        curves,
        mark: None,
        baseline: Some(("constant predictor, R² = 0".to_owned(), CONSTANT_R2)),
    }
}

/// True if the training loss can be converted to R²: it is the squared error in clipped centipawns, over rows of the
/// same source as the validation rows, whose label variance therefore applies.
pub(super) fn has_training_r2(plan: &Plan, run: &PlannedRun) -> bool {
    let learns_extra = !plan.extra.is_empty() && run.settings.extra_rows != Some(0);
    run.settings.training.loss_is_clipped_mse() && !learns_extra
}

/// The rows that the loss and R² of an epoch are measured on.
const fn rows_of_epochs(selection: EpochSelection) -> &'static str {
    match selection {
        EpochSelection::Last => "the held-out fold",
        EpochSelection::Inner => "the tenth of the training side that selects the epoch",
    }
}
