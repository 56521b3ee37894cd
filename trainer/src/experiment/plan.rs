//! What a sweep's file asks for: the data, and every run with its settings.
//!
//! In `[run]` a value may be a list: an [`Axis`]. A `[[variant]]` gives several settings at once a name; all variants
//! together are one more axis. A grid runs every combination; one at a time starts from the first value of each axis and
//! changes one of them.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use toml::{Table, Value};
use xxhash_rust::xxh3::xxh3_64;

use crate::data::{DataFile, Filter};

use super::raw::{RawError, RawRun};
use super::settings::RunSettings;

/// The name of the axis that variants make.
const VARIANT: &str = "variant";
/// The most runs that a file may ask for: more is a slip of the pen.
const MAX_RUNS: usize = 10_000;

/// Which combinations are run.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Design {
    /// All of them.
    #[default]
    Grid,
    /// The first value of each axis, and all that differ from it in one axis.
    OneAtATime,
}

/// A setting that is varied.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Axis {
    /// The setting's name in the file.
    pub key: String,
    /// Its values in the file's order.
    pub values: Vec<AxisValue>,
}

/// One value of an axis.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct AxisValue {
    /// As a label shows it.
    pub text: String,
    /// As a number, where it is one.
    pub number: Option<f64>,
}

/// One run of a plan.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct PlannedRun {
    /// Tells its settings from all others: a hash of them.
    pub id: String,
    /// What is varied, as `dropout=0.1 split=games`; one at a time only what differs from the first run, which is
    /// `base`; the plan's title where nothing is varied.
    pub label: String,
    /// For each axis, which of its values.
    pub place: Vec<usize>,
    /// How it is run.
    pub settings: RunSettings,
}

/// A sweep.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Plan {
    /// What is studied.
    pub title: String,
    /// Rows that are dealt to folds.
    pub data: Vec<DataFile>,
    /// Rows to learn from that are never held out.
    pub extra: Vec<DataFile>,
    /// Which rows of all files are left out.
    pub filter: Filter,
    /// At most this many rows of `data`, from their front.
    pub rows: Option<usize>,
    /// What is varied, by name; variants last.
    pub axes: Vec<Axis>,
    /// The runs.
    pub runs: Vec<PlannedRun>,
}

/// One fold of one run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Task {
    /// Index among the plan's runs.
    pub run: usize,
    /// Which fold, from 0.
    pub fold: usize,
}

/// A part of a sweep's folds: those whose number leaves `index` when divided by `count`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shard {
    index: usize,
    count: usize,
}

impl Shard {
    /// All folds.
    pub const WHOLE: Self = Self { index: 0, count: 1 };
}

impl std::str::FromStr for Shard {
    type Err = String;

    /// Reads `2/5`: the second of five parts.
    fn from_str(text: &str) -> Result<Self, String> {
        let numbers = text.split_once('/').and_then(|(i, n)| Some((i.parse().ok()?, n.parse().ok()?)));
        match numbers {
            Some((index, count)) if (1..=count).contains(&index) => Ok(Self { index: index - 1, count }),
            _ => Err(format!("shard `{text}`; expected I/N with I from 1 to N, as in 2/5")),
        }
    }
}

/// Why a sweep's file is refused.
#[derive(Debug, thiserror::Error)]
pub enum PlanError {
    /// It cannot be read.
    #[error("{path}: cannot read it: {source}")]
    Read {
        /// Which file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// It is no TOML, or has unknown parts.
    #[error("{path}: {problem}")]
    Syntax {
        /// Which file.
        path: PathBuf,
        /// What and where.
        problem: String,
    },
    /// A combination that cannot be run.
    #[error("{path}: run `{label}`: {problem}")]
    Run {
        /// Which file.
        path: PathBuf,
        /// Which combination.
        label: String,
        /// What is wrong with it.
        problem: String,
    },
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
    design: Design,
    #[serde(default)]
    filter: Filter,
    #[serde(default)]
    run: Table,
    #[serde(default)]
    variant: Vec<Table>,
}

impl Plan {
    /// Reads a sweep's file. Data files are looked for beside it.
    ///
    /// # Errors
    /// The file cannot be read, has an unknown setting, or asks for a run that is out of limits.
    pub fn load(path: &Path) -> Result<Self, PlanError> {
        let text =
            std::fs::read_to_string(path).map_err(|source| PlanError::Read { path: path.to_path_buf(), source })?;
        Self::parse(&text, path)
    }

    /// A plan from the text of the file at `path`.
    ///
    /// # Errors
    /// As [`Plan::load`].
    pub fn parse(text: &str, path: &Path) -> Result<Self, PlanError> {
        let syntax = |problem: String| PlanError::Syntax { path: path.to_path_buf(), problem };
        let raw: RawPlan = toml::from_str(text).map_err(|error| syntax(one_line(&error, Some(text))))?;
        let folder = path.parent().unwrap_or(Path::new(""));
        let files = |names: &[String]| -> Result<Vec<DataFile>, PlanError> {
            names.iter().map(|name| name.parse::<DataFile>().map_err(syntax).map(|file| beside(file, folder))).collect()
        };
        let (data, extra) = (files(&raw.data)?, files(&raw.extra)?);
        if data.is_empty() {
            return Err(syntax("`data` names no file".to_owned()));
        }
        let stem = path.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
        let title = raw.title.clone().unwrap_or(stem);
        let choices = choices(&raw).map_err(syntax)?;
        let axes = choices.axes.iter().map(Choice::axis).collect();
        let mut runs: Vec<PlannedRun> = Vec::new();
        for place in places(&choices.axes, raw.design).map_err(syntax)? {
            let table = choices.combination(&place);
            let label = choices.label(&place, raw.design).unwrap_or_else(|| title.clone());
            let refused = |problem: String| PlanError::Run { path: path.to_path_buf(), label: label.clone(), problem };
            let raw: RawRun =
                Value::Table(table).try_into().map_err(|error: toml::de::Error| refused(one_line(&error, None)))?;
            let settings = raw.settings().map_err(|error: RawError| refused(error.to_string()))?;
            let id = run_id(&settings).map_err(|error| refused(error.to_string()))?;
            if runs.iter().all(|run| run.id != id) {
                runs.push(PlannedRun { id, label, place, settings });
            }
        }
        Ok(Self { title, data, extra, filter: raw.filter, rows: raw.rows, axes, runs })
    }

    /// A plan of a single run.
    ///
    /// # Errors
    /// The settings cannot be written down, which those of a checked configuration always can.
    pub fn single(title: &str, settings: RunSettings) -> Result<Self, serde_json::Error> {
        let id = run_id(&settings)?;
        let run = PlannedRun { id, label: title.to_owned(), place: Vec::new(), settings };
        let (data, extra, filter) = (Vec::new(), Vec::new(), Filter::default());
        Ok(Self { title: title.to_owned(), data, extra, filter, rows: None, axes: Vec::new(), runs: vec![run] })
    }

    /// Every fold of every run that belongs to a shard, in order.
    pub fn tasks(&self, shard: Shard) -> Vec<Task> {
        let folds = |(run, planned): (usize, &PlannedRun)| {
            (0..planned.settings.folds).map(move |fold| Task { run, fold }).collect::<Vec<_>>()
        };
        let all = self.runs.iter().enumerate().flat_map(folds);
        all.enumerate().filter(|(index, _)| index % shard.count == shard.index).map(|(_, task)| task).collect()
    }
}

/// A hash of all that changes a run's result.
fn run_id(settings: &RunSettings) -> Result<String, serde_json::Error> {
    Ok(format!("{:016x}", xxh3_64(serde_json::to_string(&settings.without_threads())?.as_bytes())))
}

/// A file's place, when its name is relative to a folder.
fn beside(file: DataFile, folder: &Path) -> DataFile {
    DataFile { path: folder.join(&file.path), scale: file.scale }
}

/// A message of the TOML reader in one line, with the line of the file where it is known.
fn one_line(error: &toml::de::Error, text: Option<&str>) -> String {
    let message = error.message().split_whitespace().collect::<Vec<_>>().join(" ");
    match (error.span(), text) {
        (Some(span), Some(text)) => {
            format!("line {}: {message}", text[..span.start.min(text.len())].matches('\n').count() + 1)
        }
        _ => message,
    }
}

/// What may be chosen: settings that are the same in all runs, and axes.
struct Choices {
    fixed: Table,
    axes: Vec<Choice>,
}

/// An axis with what each of its values sets.
struct Choice {
    key: String,
    values: Vec<(String, Table)>,
}

impl Choice {
    fn axis(&self) -> Axis {
        let value = |(text, table): &(String, Table)| {
            let number = match table.get(&self.key) {
                Some(Value::Integer(number)) => Some(*number as f64),
                Some(Value::Float(number)) => Some(*number),
                _ => None,
            };
            AxisValue { text: text.clone(), number }
        };
        Axis { key: self.key.clone(), values: self.values.iter().map(value).collect() }
    }
}

impl Choices {
    /// All settings of a combination; a variant's settings override those of `[run]`.
    fn combination(&self, place: &[usize]) -> Table {
        let mut table = self.fixed.clone();
        for (axis, &index) in self.axes.iter().zip(place) {
            table.extend(axis.values[index].1.clone());
        }
        table
    }

    /// What is special about a combination; `None` where nothing is varied.
    fn label(&self, place: &[usize], design: Design) -> Option<String> {
        let is_said = |index: usize| design == Design::Grid || index > 0;
        let said = self.axes.iter().zip(place).filter(|&(_, &index)| is_said(index)).map(|(axis, &index)| {
            let text = &axis.values[index].0;
            if axis.key == VARIANT { text.clone() } else { format!("{}={text}", axis.key) }
        });
        let said: Vec<String> = said.collect();
        match (said.is_empty(), self.axes.is_empty()) {
            (_, true) => None,
            (true, false) => Some("base".to_owned()),
            (false, false) => Some(said.join(" ")),
        }
    }
}

fn choices(raw: &RawPlan) -> Result<Choices, String> {
    let mut choices = Choices { fixed: Table::new(), axes: Vec::new() };
    for (key, value) in &raw.run {
        // Hidden widths are a list themselves; a list of lists of them is an axis.
        let list = value.as_array().filter(|list| key != "hidden" || list.iter().any(Value::is_array));
        let Some(list) = list else {
            choices.fixed.insert(key.clone(), value.clone());
            continue;
        };
        if list.is_empty() {
            return Err(format!("`{key}` is an empty list; expected a value or a list of values"));
        }
        let value = |value: &Value| (text_of(value), Table::from_iter([(key.clone(), value.clone())]));
        choices.axes.push(Choice { key: key.clone(), values: list.iter().map(value).collect() });
    }
    let mut values = Vec::new();
    for variant in &raw.variant {
        let mut settings = variant.clone();
        let Some(Value::String(name)) = settings.remove("name") else {
            return Err("a `[[variant]]` has no name; expected `name = \"...\"`".to_owned());
        };
        values.push((name, settings));
    }
    if !values.is_empty() {
        choices.axes.push(Choice { key: VARIANT.to_owned(), values });
    }
    Ok(choices)
}

/// A value as a label shows it.
fn text_of(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(items) => format!("[{}]", items.iter().map(text_of).collect::<Vec<_>>().join(",")),
        Value::Integer(number) => number.to_string(),
        Value::Float(number) => number.to_string(),
        other => other.to_string(),
    }
}

/// The combinations of a design, the last axis changing fastest.
fn places(axes: &[Choice], design: Design) -> Result<Vec<Vec<usize>>, String> {
    let sizes: Vec<usize> = axes.iter().map(|axis| axis.values.len()).collect();
    let count = match design {
        Design::Grid => sizes.iter().try_fold(1usize, |count, &size| count.checked_mul(size)),
        Design::OneAtATime => Some(1 + sizes.iter().map(|size| size - 1).sum::<usize>()),
    };
    if count.is_none_or(|count| count > MAX_RUNS) {
        return Err(format!("its lists make more than {MAX_RUNS} runs"));
    }
    let base = vec![0; sizes.len()];
    if design == Design::OneAtATime {
        let mut places = vec![base.clone()];
        for (axis, &size) in sizes.iter().enumerate() {
            places.extend((1..size).map(|value| {
                let mut place = base.clone();
                place[axis] = value;
                place
            }));
        }
        return Ok(places);
    }
    let mut places = vec![Vec::new()];
    for &size in &sizes {
        let longer = |place: &Vec<usize>| {
            (0..size).map(|value| place.iter().copied().chain([value]).collect()).collect::<Vec<Vec<usize>>>()
        };
        places = places.iter().flat_map(longer).collect();
    }
    Ok(places)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(text: &str) -> Result<Plan, String> {
        Plan::parse(text, Path::new("folder/some.toml")).map_err(|error| error.to_string())
    }

    #[test]
    fn a_grid_has_every_combination() {
        let plan = plan(
            "data = ['a.csv', 'b.csv:scale=1.3']\n[run]\nnet = 'white [8]'\nepochs = 2\ndropout = [0.1, 0.2]\n\
             hidden = [[16, 8], [32]]\nsplit = ['games', 'rows']\n",
        )
        .expect("a plan");
        assert_eq!((plan.title.as_str(), plan.runs.len(), plan.axes.len()), ("some", 8, 3));
        assert_eq!(plan.data[1], DataFile { path: PathBuf::from("folder/b.csv"), scale: 1.3 });
        assert_eq!(plan.runs[0].label, "dropout=0.1 hidden=[16,8] split=games");
        assert_eq!(plan.runs[7].place, [1, 1, 1]);
        let last = &plan.runs[7].settings;
        assert_eq!(last.training.architecture.to_string(), "white [32] crelu x1");
        assert_eq!((last.training.epochs, last.folds), (2, 5));
        assert_eq!(plan.axes[0].values[1], AxisValue { text: "0.2".to_owned(), number: Some(0.2) });
    }

    #[test]
    fn one_at_a_time_changes_one_axis_of_the_first() {
        let plan = plan(
            "data = ['a.csv']\ndesign = 'one-at-a-time'\n[run]\nlr = [0.001, 0.01]\nflips = [true, false]\n\
             [[variant]]\nname = 'plain'\n[[variant]]\nname = 'win chance'\nloss = 'sigmoid'\nscale = 300\n",
        )
        .expect("a plan");
        let labels: Vec<&str> = plan.runs.iter().map(|run| run.label.as_str()).collect();
        let expected = ["base", "flips=false", "lr=0.01", "win chance"];
        assert_eq!(labels, expected);
        assert_eq!(plan.runs[3].settings.training.objective.output_scale(), 300.0);
    }

    #[test]
    fn a_run_is_known_by_what_changes_its_result() {
        let id = |run: &str| plan(&format!("data = ['a.csv']\n[run]\n{run}\n")).expect("a plan").runs[0].id.clone();
        assert_eq!(id("threads = 1"), id("threads = 2"));
        assert_ne!(id("seed = 1"), id("seed = 2"));
        // The same value twice is one run.
        assert_eq!(plan("data = ['a.csv']\n[run]\nlr = [0.1, 0.1]").expect("a plan").runs.len(), 1);
    }

    #[test]
    fn what_cannot_be_run_is_named() {
        let refusal = |text: &str| plan(text).expect_err("refused");
        assert!(refusal("data = []").contains("names no file"));
        assert!(refusal("data = ['a']\nfoo = 1").contains("line 2: unknown field `foo`"));
        assert!(refusal("data = ['a']\n[run]\ndropuot = 0.1").contains("unknown field `dropuot`"));
        assert!(refusal("data = ['a']\n[run]\ndropout = [0.1, 2]").contains("run `dropout=2`: dropout is 2"));
        assert!(refusal("data = ['a']\n[run]\nlr = []").contains("empty list"));
        assert!(refusal("data = ['a']\n[run]\nfolds = 1").contains("folds is 1, expected at least 2"));
        assert!(refusal("data = ['a']\n[run]\nhidden = [[0]]").contains("0 neurons"));
        assert!(refusal("data = ['a']\n[[variant]]\nlr = 1").contains("no name"));
        assert!(refusal("data = [").contains("line 1"));
    }

    #[test]
    fn shards_share_all_tasks() {
        let plan = plan("data = ['a.csv']\n[run]\nfolds = 3\nlr = [0.1, 0.2, 0.3]\n").expect("a plan");
        let all = plan.tasks(Shard::WHOLE);
        assert_eq!((all.len(), all[4]), (9, Task { run: 1, fold: 1 }));
        let part = |text: &str| plan.tasks(text.parse().expect("a shard"));
        let mut joined = [part("1/4"), part("2/4"), part("3/4"), part("4/4")].concat();
        joined.sort_by_key(|task| (task.run, task.fold));
        assert_eq!(joined, all);
        assert!("0/3".parse::<Shard>().is_err() && "4/3".parse::<Shard>().is_err() && "2".parse::<Shard>().is_err());
    }
}
