//! A sweep's plan: the data, and every run with its settings.
//!
//! In `[run]` a value may be a list, which forms an [`Axis`]. A `[[variant]]` names several settings at once; all
//! variants together form one more axis. A grid runs every combination; a one-at-a-time design starts from the first
//! value of each axis and changes one axis at a time.

use std::path::{Path, PathBuf};

use alfiere_data::{ColumnNames, DataFile, Filter, LabelMeaning, LabelUnit, LabelView};
use alfiere_sources::shard::Shard;
use serde::{Deserialize, Serialize};
use toml::{Table, Value};
use xxhash_rust::xxh3::xxh3_64;

use super::data::ExperimentData;
use super::raw::{Axis, Choice, Design, RawError, RawRun, choices, combinations, one_line, words};
use super::settings::{EpochSelection, RunSettings};
use crate::stated_options::command_line;

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct PlannedRun {
    /// Identifier of the run: a hash of its settings.
    pub id: String,
    /// The values of the varied settings, such as `dropout=0.1 split=games`. In a one-at-a-time design only the
    /// difference from the first run, which is `base`; the plan's title if nothing is varied.
    pub label: String,
    /// For each axis, the index of its value.
    pub place: Vec<usize>,
    pub settings: RunSettings,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Plan {
    pub title: String,
    /// Files whose rows are split into folds.
    pub data: Vec<DataFile>,
    /// Files of extra training rows, which are never held out.
    pub extra: Vec<DataFile>,
    pub filter: Filter,
    /// Maximum number of rows read from the start of `data`.
    pub rows: Option<usize>,
    #[serde(default, skip_serializing_if = "ColumnNames::is_empty")]
    pub columns: ColumnNames,
    /// The varied settings by name; variants last.
    pub axes: Vec<Axis>,
    pub runs: Vec<PlannedRun>,
}

/// One fold of one run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Task {
    pub run: usize,
    /// Index of the fold among those of all repeats, from 0.
    pub fold: usize,
}

#[derive(Debug, thiserror::Error)]
pub enum PlanError {
    #[error("{path}: cannot read it: {source}")]
    Read { path: PathBuf, source: std::io::Error },
    #[error("{path}: {problem}")]
    Syntax { path: PathBuf, problem: String },
    #[error("{path}: run `{label}`: {problem}")]
    Run { path: PathBuf, label: String, problem: String },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawPlan {
    title: Option<String>,
    data: Vec<String>,
    #[serde(default)]
    extra: Vec<String>,
    rows: Option<usize>,
    #[serde(default)]
    columns: ColumnNames,
    /// The view and unit of the labels of all files.
    #[serde(default)]
    labels: LabelView,
    #[serde(default)]
    unit: LabelUnit,
    #[serde(default)]
    design: Design,
    #[serde(default)]
    filter: Filter,
    #[serde(default)]
    run: Table,
    #[serde(default)]
    variant: Vec<Table>,
}

impl Plan {
    /// Reads a sweep file. Data files are resolved relative to it. `select` overrides the value in its `[run]` table. Settings
    /// that are not stated follow from the rows, once they are known.
    ///
    /// # Errors
    /// If the file cannot be read, has an unknown setting, or contains a run with a setting out of range.
    pub fn load(path: &Path, select: Option<EpochSelection>, set: Option<&ExperimentData>) -> Result<Self, PlanError> {
        let text =
            std::fs::read_to_string(path).map_err(|source| PlanError::Read { path: path.to_path_buf(), source })?;
        Self::parse(&text, path, select, set)
    }

    /// Parses the text of a sweep file at `path`.
    ///
    /// # Errors
    /// As [`Plan::load`].
    pub fn parse(
        text: &str,
        path: &Path,
        select: Option<EpochSelection>,
        set: Option<&ExperimentData>,
    ) -> Result<Self, PlanError> {
        let syntax = |problem: String| PlanError::Syntax { path: path.to_path_buf(), problem };
        let mut raw: RawPlan = toml::from_str(text).map_err(|error| syntax(with_line(&error, text)))?;
        let folder = path.parent().unwrap_or(Path::new(""));
        let labels = LabelMeaning { view: raw.labels, unit: raw.unit };
        let files = |names: &[String]| -> Result<Vec<DataFile>, PlanError> {
            names
                .iter()
                .map(|name| {
                    DataFile::parse(name.as_ref())
                        .map_err(syntax)
                        .map(|file| DataFile { labels, ..resolve(&file, folder) })
                })
                .collect()
        };
        let (data, extra) = (files(&raw.data)?, files(&raw.extra)?);
        if data.is_empty() {
            return Err(syntax("`data` lists no file".to_owned()));
        }
        if raw.rows == Some(0) {
            return Err(syntax("`rows` is 0, expected at least 1".to_owned()));
        }
        let stem = path.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
        // Labels are one line, for tables, figures and messages.
        let title = raw.title.as_deref().map(words).filter(|title| !title.is_empty()).unwrap_or(stem);
        if let Some(selection) = select {
            raw.run.insert("select".to_owned(), Value::String(selection.name().to_owned()));
        }
        let choices = choices(&raw.run, &raw.variant).map_err(syntax)?;
        let axes = choices.axes.iter().map(Choice::axis).collect();
        let mut runs: Vec<PlannedRun> = Vec::new();
        for place in combinations(&choices.axes, raw.design).map_err(syntax)? {
            let table = choices.combination(&place);
            let label = choices.label(&place, raw.design).unwrap_or_else(|| title.clone());
            let invalid = |problem: String| PlanError::Run { path: path.to_path_buf(), label: label.clone(), problem };
            let raw: RawRun =
                Value::Table(table).try_into().map_err(|error: toml::de::Error| invalid(one_line(&error)))?;
            let settings = raw.settings(set).map_err(|error: RawError| invalid(error.to_string()))?;
            if select.is_some_and(|selection| selection != settings.selection) {
                return Err(invalid("its variant sets `select`; omit --select".to_owned()));
            }
            let id = run_id(&settings).map_err(|error| invalid(error.to_string()))?;
            if runs.iter().all(|run| run.id != id) {
                runs.push(PlannedRun { id, label, place, settings });
            }
        }
        Ok(Self { title, data, extra, filter: raw.filter, rows: raw.rows, columns: raw.columns, axes, runs })
    }

    /// A plan with a single run.
    ///
    /// # Errors
    /// If the settings cannot be serialised, which never happens for valid settings.
    pub fn single(title: &str, settings: RunSettings) -> Result<Self, serde_json::Error> {
        let id = run_id(&settings)?;
        let run = PlannedRun { id, label: title.to_owned(), place: Vec::new(), settings };
        let (title, data, extra) = (title.to_owned(), Vec::new(), Vec::new());
        let (filter, columns) = (Filter::default(), ColumnNames::default());
        Ok(Self { title, data, extra, filter, rows: None, columns, axes: Vec::new(), runs: vec![run] })
    }

    /// What the other settings are where the effect of one is measured, to follow "difference".
    pub(super) fn other_settings(&self) -> &'static str {
        let is_one_at_a_time = self.runs.iter().all(|run| run.place.iter().filter(|&&value| value > 0).count() <= 1);
        match self.axes.iter().filter(|axis| axis.values.len() > 1).count() {
            0 | 1 => "",
            _ if is_one_at_a_time => ", all other settings as in the first run",
            _ => ", averaged over the other settings",
        }
    }

    /// All folds of all runs that belong to a shard, in order.
    pub fn tasks(&self, shard: Shard) -> Vec<Task> {
        let folds = |(run, planned): (usize, &PlannedRun)| {
            (0..planned.settings.all_folds()).map(move |fold| Task { run, fold }).collect::<Vec<_>>()
        };
        let all = self.runs.iter().enumerate().flat_map(folds);
        all.enumerate().filter(|(index, _)| shard.takes(*index)).map(|(_, task)| task).collect()
    }
}

/// The options that all runs have in common, in words; of a shape that differs, the parts that do not.
pub fn common_options<'a>(runs: impl IntoIterator<Item = &'a PlannedRun>) -> String {
    let mut runs = runs.into_iter().map(|run| command_line(&run.settings.training));
    let Some(mut common) = runs.next() else { return String::new() };
    for options in runs {
        common.retain_mut(|words| {
            let other = options.iter().find(|other| other[0] == words[0]);
            if words[0] != "--net" {
                return other == Some(words);
            }
            let parts = other.map_or("", |other| &other[1]);
            let same = words[1].split(' ').filter(|part| parts.split(' ').any(|other| other == *part));
            words[1] = same.collect::<Vec<_>>().join(" ");
            true
        });
    }
    common.retain(|words| words[0] != "--seed");
    common.iter().map(|words| words.join(" ").trim_start_matches('-').to_owned()).collect::<Vec<_>>().join(", ")
}

/// A hash of all settings that affect a run's result.
fn run_id(settings: &RunSettings) -> Result<String, serde_json::Error> {
    Ok(format!("{:016x}", xxh3_64(serde_json::to_string(&settings.without_threads())?.as_bytes())))
}

/// Resolves a relative file name against a folder.
fn resolve(file: &DataFile, folder: &Path) -> DataFile {
    DataFile { path: folder.join(&file.path), ..file.clone() }
}

/// Formats a TOML error as one line, with the line number if known.
fn with_line(error: &toml::de::Error, text: &str) -> String {
    let line = |start: usize| text[..start.min(text.len())].matches('\n').count() + 1;
    error.span().map_or_else(String::new, |span| format!("line {}: ", line(span.start))) + &one_line(error)
}

#[cfg(test)]
mod tests {
    use alfiere_model::Objective;

    use super::*;
    use crate::experiment::AxisValue;

    fn plan(text: &str) -> Result<Plan, String> {
        Plan::parse(text, Path::new("folder/some.toml"), None, None).map_err(|error| error.to_string())
    }

    #[test]
    fn grid_has_every_combination() {
        let plan = plan(
            "data = ['a.csv', 'b.csv:scale=1.3']\n[run]\nnet = 'white [8]'\nepochs = 2\ndropout = [0.1, 0.2]\n\
             hidden = [[16, 8], [32]]\nsplit = ['games', 'rows']\n",
        )
        .expect("a plan");
        assert_eq!((plan.title.as_str(), plan.runs.len(), plan.axes.len()), ("some", 8, 3));
        assert_eq!(plan.data[1], DataFile { scale: 1.3, ..DataFile::new("folder/b.csv") });
        assert_eq!(plan.runs[0].label, "dropout=0.1 hidden=[16,8] split=games");
        assert_eq!(plan.runs[7].place, [1, 1, 1]);
        let last = &plan.runs[7].settings;
        assert_eq!(last.training.architecture.to_string(), "white [32] crelu x1");
        assert_eq!((last.training.epochs, last.folds), (2, 5));
        assert_eq!(plan.axes[0].values[1], AxisValue { text: "0.2".to_owned(), number: Some(0.2) });
    }

    #[test]
    fn meaning_of_labels_is_that_of_every_file() {
        let plan = plan("data = ['a.csv']\nextra = ['b.csv:scale=2']\nlabels = 'side-to-move'\nunit = 'pawns'\n")
            .expect("a plan");
        let labels = LabelMeaning { view: LabelView::SideToMove, unit: LabelUnit::Pawns };
        assert_eq!([plan.data[0].labels, plan.extra[0].labels], [labels; 2]);
        let saved = serde_json::to_value(&plan).expect("JSON");
        assert_eq!(
            (&saved["data"][0]["labels"]["view"], &saved["data"][0]["labels"]["unit"]),
            (&"side-to-move".into(), &"pawns".into())
        );
    }

    #[test]
    fn labels_are_one_line() {
        let plan =
            plan("\u{feff}title = \"two\\nlines\"\ndata = ['a']\n[[variant]]\nname = \"a\\n b\"\n").expect("a plan");
        assert_eq!((plan.title.as_str(), plan.runs[0].label.as_str()), ("two lines", "a b"));
    }

    #[test]
    fn one_at_a_time_changes_one_axis_of_the_first_run() {
        let plan = plan(
            "data = ['a.csv']\ndesign = 'one-at-a-time'\n[run]\nlr = [0.001, 0.01]\nflips = [true, false]\n\
             [[variant]]\nname = 'plain'\n[[variant]]\nname = 'win chance'\nloss = 'sigmoid'\nscale = 300\n",
        )
        .expect("a plan");
        let labels: Vec<&str> = plan.runs.iter().map(|run| run.label.as_str()).collect();
        let expected = ["base", "flips=false", "lr=0.01", "win chance"];
        assert_eq!(labels, expected);
        assert_eq!(plan.runs[3].settings.training.objective, Objective::Sigmoid { scale: 300.0, power: 2.0 });
    }

    #[test]
    fn run_id_depends_on_all_settings_that_affect_the_result() {
        let id = |run: &str| plan(&format!("data = ['a.csv']\n[run]\n{run}\n")).expect("a plan").runs[0].id.clone();
        assert_eq!(id("threads = 1"), id("threads = 2"));
        assert_ne!(id("seed = 1"), id("seed = 2"));
        assert_ne!(id("repeats = 2"), id(""));
        assert_eq!(id("repeats = 1"), id(""));
        assert_ne!(id("select = 'last'"), id("select = 'inner'"));
        assert_eq!(id("select = 'last'"), id(""));
        // A repeated value gives a single run.
        assert_eq!(plan("data = ['a.csv']\n[run]\nlr = [0.1, 0.1]").expect("a plan").runs.len(), 1);
    }

    #[test]
    fn command_line_overrides_the_selection_of_the_file() {
        let selected = |text: &str| {
            let plan = Plan::parse(text, Path::new("some.toml"), Some(EpochSelection::Inner), None);
            plan.map(|plan| plan.runs.iter().map(|run| run.settings.selection).collect::<Vec<_>>())
        };
        let one = vec![EpochSelection::Inner];
        assert_eq!(selected("data = ['a']\n[run]\npatience = 3").expect("a plan"), one);
        assert_eq!(selected("data = ['a']\n[run]\nselect = ['last', 'inner']").expect("a plan"), one);
        let variant = "data = ['a']\n[[variant]]\nname = 'b'\nselect = 'last'";
        assert!(selected(variant).expect_err("invalid").to_string().contains("run `b`: its variant sets `select`"));
    }

    #[test]
    fn invalid_plans_are_rejected_with_the_reason() {
        let error_of = |text: &str| plan(text).expect_err("invalid");
        assert!(error_of("data = []").contains("lists no file"));
        assert!(error_of("data = ['a']\nfoo = 1").contains("line 2: unknown field `foo`"));
        assert!(error_of("data = ['a']\n[run]\ndropuot = 0.1").contains("unknown setting `dropuot`"));
        assert!(
            error_of("data = ['a']\n[run]\nstart = 'random'\ndropout = [0.1, 2]")
                .contains("run `dropout=2`: dropout is 2")
        );
        assert!(error_of("data = ['a']\n[run]\nlr = []").contains("empty list"));
        assert!(error_of("data = ['a']\n[run]\nseed = [1, 2, 3]").contains("`repeats = 3` repeats each run"));
        assert!(error_of("data = ['a']\n[run]\nrepeats = 0").contains("repeats is 0"));
        assert!(error_of("data = ['a']\n[run]\npatience = 3").contains("patience requires `select` inner"));
        assert!(error_of("data = ['a']\n[run]\nselect = 'best'").contains("unknown variant `best`"));
        assert!(error_of("data = ['a']\n[run]\nfolds = 1").contains("folds is 1, expected at least 2"));
        assert!(error_of("data = ['a']\n[run]\nhidden = [[0]]").contains("0 neurons"));
        assert!(error_of("data = ['a']\n[[variant]]\nlr = 1").contains("no name"));
        assert!(
            error_of("data = ['a']\n[[variant]]\nname = 'b'\n[[variant]]\nname = 'b'\nlr = 0.1")
                .contains("are named `b`")
        );
        assert!(error_of("data = [").contains("line 1"));
    }

    #[test]
    fn shards_partition_all_tasks() {
        let plan = plan("data = ['a.csv']\n[run]\nfolds = 3\nlr = [0.1, 0.2, 0.3]\n").expect("a plan");
        let all = plan.tasks(Shard::WHOLE);
        assert_eq!((all.len(), all[4]), (9, Task { run: 1, fold: 1 }));
        let part = |text: &str| plan.tasks(text.parse().expect("a shard"));
        let mut joined = [part("1/4"), part("2/4"), part("3/4"), part("4/4")].concat();
        joined.sort_by_key(|task| (task.run, task.fold));
        assert_eq!(joined, all);
    }
}
