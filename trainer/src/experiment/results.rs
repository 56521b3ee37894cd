//! The finished folds of an experiment, read once for all tables and figures.

use alfiere_data::Captures;

use super::fold::FoldResult;
use super::plan::{Plan, PlannedRun};
use super::store::{Store, StoreError};

/// The finished folds of all runs.
pub struct Results<'a> {
    pub(super) plan: &'a Plan,
    finished: Vec<Vec<FoldResult>>,
    /// With the errors on rows as given first; `None` if the runs are measured in one form.
    comparable: Option<Vec<Vec<FoldResult>>>,
}

impl<'a> Results<'a> {
    /// Reads the results of a store.
    ///
    /// # Errors
    /// If a file cannot be read.
    pub fn read(store: &'a Store) -> Result<Self, StoreError> {
        let (plan, finished) = (store.plan(), store.results()?);
        let comparable = differ_in_form(&plan.runs).then(|| {
            let mut comparable = finished.clone();
            for fold in comparable.iter_mut().flatten().filter(|fold| fold.captures != Captures::Keep) {
                std::mem::swap(&mut fold.metrics, &mut fold.other_form);
                fold.captures = Captures::Keep;
                // Epochs are measured in one form only.
                fold.epochs.iter_mut().for_each(|epoch| epoch.validation = None);
            }
            comparable
        });
        Ok(Self { plan, finished, comparable })
    }

    /// Each run with its finished folds.
    pub(super) fn finished(&self) -> impl Iterator<Item = (&'a PlannedRun, &[FoldResult])> {
        self.plan.runs.iter().zip(self.finished.iter().map(Vec::as_slice))
    }

    /// The same; if the runs [differ in the form](differ_in_form) of their rows, with the errors on rows as given first.
    pub(super) fn comparable(&self) -> impl Iterator<Item = (&'a PlannedRun, &[FoldResult])> {
        self.plan.runs.iter().zip(self.comparable.as_ref().unwrap_or(&self.finished).iter().map(Vec::as_slice))
    }
}

/// True if some of the runs are measured on rows as given and others on rows with captures resolved.
pub(super) fn differ_in_form<'a>(runs: impl IntoIterator<Item = &'a PlannedRun>) -> bool {
    let mut keep = runs.into_iter().map(|run| run.settings.training.captures == Captures::Keep);
    keep.next().is_some_and(|first| keep.any(|other| other != first))
}
