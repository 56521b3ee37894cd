//! The folder of an experiment: its plan and all finished folds.
//!
//! | file | contents |
//! |---|---|
//! | `plan.json` | the runs with their settings and seeds, the fingerprint of the data, and the program's version, saved before the first run starts |
//! | `runs/ID/fold-N.json` | a finished fold |
//! | `runs/ID/fold-N.checkpoint` | the state of an unfinished fold |
//!
//! Files are written atomically, so an interrupted experiment leaves only finished folds and usable checkpoints.

use std::io::Write;
use std::path::{Path, PathBuf};

use alfiere_data::{DataError, atomic};
use alfiere_sources::shard::Shard;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::fold::FoldResult;
use super::plan::{Plan, Task};
use crate::VERSION;

const PLAN: &str = "plan.json";

#[derive(Clone, PartialEq, Debug)]
pub struct Store {
    folder: PathBuf,
    plan: Plan,
}

#[derive(Serialize, Deserialize)]
struct SavedPlan {
    fingerprint: String,
    /// Early versions did not store it.
    #[serde(default = "unknown_version")]
    version: String,
    plan: Plan,
}

impl SavedPlan {
    /// Fails unless results of this folder may be mixed with those of the other plan: same data, same version.
    fn check_mixing(&self, folder: &Path, other: &Self) -> Result<(), StoreError> {
        let folder = folder.to_path_buf();
        if self.fingerprint != other.fingerprint {
            return Err(StoreError::Other { folder, what: "data" });
        }
        if self.version != other.version {
            let (found, expected) = (self.version.clone(), other.version.clone());
            return Err(StoreError::Version { folder, found, expected });
        }
        Ok(())
    }
}

fn unknown_version() -> String {
    "unknown".to_owned()
}

#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    #[error(transparent)]
    Write(#[from] DataError),
    #[error("{path}: {source}")]
    Io { path: PathBuf, source: std::io::Error },
    #[error("{path}: {problem}")]
    Content { path: PathBuf, problem: String },
    #[error("{folder} has files but no experiment; choose another folder")]
    Foreign { folder: PathBuf },
    #[error("{folder} holds results of other {what}; choose another folder")]
    Other { folder: PathBuf, what: &'static str },
    #[error(
        "{folder} holds results of program version {found}, expected {expected}; choose another folder, or use that version"
    )]
    Version { folder: PathBuf, found: String, expected: String },
}

impl Store {
    /// Opens or creates a folder for a plan. Results with the same data are kept, so finished folds are not run again
    /// even if the plan has changed.
    ///
    /// # Errors
    /// If the folder cannot be written, holds results of other data or of another version of the program, or files but no
    /// experiment.
    pub fn open(folder: &Path, plan: Plan, fingerprint: &str) -> Result<Self, StoreError> {
        Self::create(folder, SavedPlan { fingerprint: fingerprint.to_owned(), version: VERSION.to_owned(), plan })
    }

    fn create(folder: &Path, saved: SavedPlan) -> Result<Self, StoreError> {
        let path = folder.join(PLAN);
        let is_used = std::fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_some());
        if is_used && !path.exists() {
            return Err(StoreError::Foreign { folder: folder.to_path_buf() });
        }
        let runs = folder.join("runs");
        std::fs::create_dir_all(&runs).map_err(|source| StoreError::Io { path: runs, source })?;
        if path.exists() {
            read_plan(&path)?.check_mixing(folder, &saved)?;
        }
        write(&path, &saved)?;
        Ok(Self { folder: folder.to_path_buf(), plan: saved.plan })
    }

    /// Merges the folders written by shards: copies every finished fold of `parts` to `folder`, which may be one of
    /// them.
    ///
    /// # Errors
    /// If a part cannot be read or has a different plan, data or version, or if the folder cannot be written.
    pub fn merge(folder: &Path, parts: &[PathBuf]) -> Result<Self, StoreError> {
        let own = folder.join(PLAN);
        let mut first: Option<SavedPlan> = if own.exists() { Some(read_plan(&own)?) } else { None };
        for part in parts {
            let saved = read_plan(&part.join(PLAN))?;
            match &first {
                Some(first) => {
                    saved.check_mixing(part, first)?;
                    if !has_same_runs(&first.plan, &saved.plan) {
                        return Err(StoreError::Other { folder: part.clone(), what: "runs" });
                    }
                }
                None => first = Some(saved),
            }
        }
        let Some(saved) = first else {
            let source = std::io::Error::new(std::io::ErrorKind::NotFound, "no experiment is here");
            return Err(StoreError::Io { path: own, source });
        };
        let store = Self::create(folder, saved)?;
        for part in parts {
            let part = Self { folder: part.clone(), plan: store.plan.clone() };
            for task in store.plan.tasks(Shard::WHOLE) {
                if let (None, Some(result)) = (store.result(task)?, part.result(task)?) {
                    store.keep(task, &result)?;
                }
            }
        }
        Ok(store)
    }

    pub const fn plan(&self) -> &Plan {
        &self.plan
    }

    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The result of a fold; `None` if it is not finished.
    ///
    /// # Errors
    /// If its file cannot be read.
    pub fn result(&self, task: Task) -> Result<Option<FoldResult>, StoreError> {
        let path = self.path(task, "json");
        if !path.exists() {
            return Ok(None);
        }
        read(&path).map(Some).map_err(with_hint("delete the file to run this fold again"))
    }

    /// All finished folds of each run, in plan order.
    ///
    /// # Errors
    /// If a file cannot be read.
    pub fn results(&self) -> Result<Vec<Vec<FoldResult>>, StoreError> {
        let folds = |(run, planned): (usize, &super::PlannedRun)| {
            let all = (0..planned.settings.all_folds()).map(|fold| self.result(Task { run, fold }));
            all.filter_map(Result::transpose).collect()
        };
        self.plan.runs.iter().enumerate().map(folds).collect()
    }

    /// Stores a finished fold and deletes its checkpoint.
    ///
    /// # Errors
    /// If the folder cannot be written.
    pub fn keep(&self, task: Task, result: &FoldResult) -> Result<(), StoreError> {
        self.make_folder(task)?;
        write(&self.path(task, "json"), result)?;
        // A remaining checkpoint is harmless: finished folds are looked up first.
        let _ = std::fs::remove_file(self.path(task, "checkpoint"));
        Ok(())
    }

    /// Path of a fold's checkpoint.
    ///
    /// # Errors
    /// If its folder cannot be created.
    pub fn checkpoint(&self, task: Task) -> Result<PathBuf, StoreError> {
        self.make_folder(task)?;
        Ok(self.path(task, "checkpoint"))
    }

    fn make_folder(&self, task: Task) -> Result<(), StoreError> {
        let path = self.run_folder(task);
        std::fs::create_dir_all(&path).map_err(|source| StoreError::Io { path, source })
    }

    fn run_folder(&self, task: Task) -> PathBuf {
        self.folder.join("runs").join(&self.plan.runs[task.run].id)
    }

    fn path(&self, task: Task, extension: &str) -> PathBuf {
        self.run_folder(task).join(format!("fold-{}.{extension}", task.fold + 1))
    }
}

/// True if both plans have the same runs, ignoring the numbers of threads.
fn has_same_runs(one: &Plan, other: &Plan) -> bool {
    one.runs.iter().map(|run| &run.id).eq(other.runs.iter().map(|run| &run.id))
}

/// Reads the plan of a folder, possibly written by an earlier version with different settings.
fn read_plan(path: &Path) -> Result<SavedPlan, StoreError> {
    read(path).map_err(with_hint("choose another folder"))
}

/// Adds a hint to an error about invalid file contents.
fn with_hint(hint: &str) -> impl Fn(StoreError) -> StoreError {
    move |error| match error {
        StoreError::Content { path, problem } => StoreError::Content { path, problem: format!("{problem}; {hint}") },
        other => other,
    }
}

fn read<T: DeserializeOwned>(path: &Path) -> Result<T, StoreError> {
    let text = std::fs::read_to_string(path).map_err(|source| StoreError::Io { path: path.to_path_buf(), source })?;
    serde_json::from_str(&text).map_err(|error| content(path, &error))
}

fn write(path: &Path, value: &impl Serialize) -> Result<(), StoreError> {
    let text = serde_json::to_string_pretty(value).map_err(|error| content(path, &error))?;
    Ok(atomic::write(path, |file| file.write_all(text.as_bytes()))?)
}

fn content(path: &Path, error: &serde_json::Error) -> StoreError {
    StoreError::Content { path: path.to_path_buf(), problem: error.to_string() }
}

#[cfg(test)]
mod tests {
    use super::super::test_store;
    use super::*;

    #[test]
    fn results_of_another_version_are_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let [old, new] = ["old", "new"].map(|name| folder.path().join(name));
        let store = |folder: &Path| test_store::store(folder, "data = ['a']\n[run]\nfolds = 2\n", |_, _| 0.3);
        let (plan, path) = (store(&old).plan, old.join(PLAN));
        store(&new);
        let text = std::fs::read_to_string(&path).expect("a plan");
        for (line, found) in [("\"version\": \"0.9.0\",", "0.9.0"), ("", "unknown")] {
            let earlier = text.replace(&format!("\"version\": {VERSION:?},"), line);
            let sentence = &format!("version {found}, expected {VERSION}");
            assert_ne!(earlier, text);
            std::fs::write(&path, earlier).expect("written");
            let refused = Store::open(&old, plan.clone(), "data").expect_err("another version").to_string();
            assert!(refused.contains(sentence), "{refused}");
            let refused = Store::merge(&new, std::slice::from_ref(&old)).expect_err("another version").to_string();
            assert!(refused.contains(sentence), "{refused}");
            // The tables of a folder can still be written.
            assert_eq!(Store::merge(&old, &[]).expect("one version").results().expect("results").len(), 1);
        }
    }
}
