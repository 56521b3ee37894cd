//! The raw form of a sweep file: the `[run]` table, with the names of the command-line options.

use alfiere_data::SplitBy;
use alfiere_nnue::{Architecture, ArchitectureError};
use alfiere_sources::start_network::{StartNetworkError, recipe};
use alfiere_training::{ConfigError, Rows, Start, TrainingConfig, TrainingOptions};
use serde::{Deserialize, Serialize};
use toml::{Table, Value};

use super::data::ExperimentData;
use super::keys::run_keys;
use super::settings::{EpochSelection, PatienceWithoutInner, RunSettings, UnknownGames};
use crate::stated_options::StatedOptions;

/// One combination of values, named like their command-line options.
#[derive(Clone, PartialEq, Debug, Deserialize)]
pub(super) struct RawRun {
    perspective: Option<String>,
    hidden: Option<Vec<usize>>,
    activation: Option<String>,
    buckets: Option<String>,
    /// King buckets of the inputs, 0 for plain inputs.
    kings: Option<usize>,
    #[serde(default)]
    select: EpochSelection,
    folds: Option<usize>,
    repeats: Option<usize>,
    /// `None` splits games, or positions where games are unknown.
    split: Option<SplitBy>,
    split_seed: Option<u64>,
    training_rows: Option<usize>,
    validation_rows: Option<usize>,
    extra_rows: Option<usize>,
    /// The options of the training, and unknown names.
    #[serde(flatten)]
    training: Table,
}

#[derive(Debug, thiserror::Error)]
pub(super) enum RawError {
    #[error(transparent)]
    Architecture(#[from] ArchitectureError),
    #[error(transparent)]
    Config(#[from] ConfigError),
    #[error(transparent)]
    Start(#[from] StartNetworkError),
    #[error(transparent)]
    Patience(#[from] PatienceWithoutInner),
    #[error("{0}")]
    Option(String),
    #[error("{name} is {found}, expected at least {least}")]
    TooFew { name: &'static str, found: usize, least: usize },
}

impl RawRun {
    /// The settings; those that are not stated follow from the rows, once they are known.
    pub(super) fn settings(self, set: Option<&ExperimentData>) -> Result<RunSettings, RawError> {
        let known = run_keys();
        if let Some(key) = self.training.keys().find(|key| !known.contains(key)) {
            return Err(RawError::Option(format!("unknown setting `{key}`, expected one of {}", known.join(", "))));
        }
        let table = Value::Table(self.training.clone());
        let stated: StatedOptions = table.try_into().map_err(|error| RawError::Option(one_line(&error)))?;
        let rows = set.map_or(0, |set| set.split_rows as u64);
        let from = stated.start.clone().unwrap_or(Start::EMBEDDED);
        let parts = [&self.perspective, &self.activation, &self.buckets].into_iter().any(Option::is_some);
        let shape = if parts || self.hidden.is_some() || self.kings.is_some() {
            // Parts of a shape are those of a simple one.
            let simple = || TrainingOptions::for_rows(rows, Start::Random).architecture;
            Some(self.architecture(&stated.net.clone().unwrap_or_else(simple))?)
        } else {
            stated.net.clone()
        };
        let (others, mut start) = recipe(from, shape.as_ref(), rows)?;
        let architecture = others.architecture.clone();
        let mut training = TrainingOptions { architecture, ..stated.options(others) };
        if let (Some(start), Some(set)) = (&mut start, set) {
            let picks: Vec<u32> = (0..set.split_rows as u32).collect();
            let rows = Rows { samples: set.dataset.samples(training.captures)[0], picks: &picks };
            start.fit(&mut training.objective, !stated.has_no_scale(), rows);
        }
        let training = TrainingConfig::new(training)?.options().clone();
        let training_seed = training.seed;
        let folds = self.folds.unwrap_or(5);
        let least = [
            ("folds", Some(folds), 2),
            ("repeats", self.repeats, 1),
            ("training_rows", self.training_rows, 1),
            ("validation_rows", self.validation_rows, 1),
        ];
        for (name, found, least) in least {
            if let Some(found) = found.filter(|&found| found < least) {
                return Err(RawError::TooFew { name, found, least });
            }
        }
        let settings = RunSettings {
            training,
            selection: self.select,
            folds,
            split: self.split.unwrap_or_default(),
            unknown_games: if self.split.is_some() { UnknownGames::Refused } else { UnknownGames::Positions },
            split_seed: self.split_seed.unwrap_or(training_seed),
            repeats: self.repeats.unwrap_or(1),
            training_rows: self.training_rows,
            validation_rows: self.validation_rows,
            extra_rows: self.extra_rows,
        };
        settings.check()?;
        Ok(settings)
    }

    /// The architecture `net` with the separately named parts replaced.
    fn architecture(&self, net: &Architecture) -> Result<Architecture, ArchitectureError> {
        let hidden = self.hidden.as_ref();
        let hidden =
            hidden.map(|widths| format!("[{}]", widths.iter().map(usize::to_string).collect::<Vec<_>>().join(",")));
        // The text form starts with "perspective [hidden] activation buckets", with hidden widths without spaces.
        let mut parts: Vec<String> = net.to_string().split(' ').map(str::to_owned).collect();
        for (part, given) in parts.iter_mut().zip([&self.perspective, &hidden, &self.activation, &self.buckets]) {
            if let Some(given) = given {
                part.clone_from(given);
            }
        }
        if let Some(buckets) = self.kings {
            parts.retain(|part| !part.starts_with("kings="));
            parts.extend((buckets > 0).then(|| format!("kings={buckets}")));
        }
        parts.join(" ").parse()
    }
}

/// Name of the axis formed by the variants.
const VARIANT: &str = "variant";
/// Maximum number of runs per file; more is probably a mistake.
const MAX_RUNS: usize = 10_000;

/// The settings common to all runs, and the axes.
pub(super) struct Choices {
    fixed: Table,
    pub(super) axes: Vec<Choice>,
}

/// An axis and the settings of each of its values.
pub(super) struct Choice {
    key: String,
    values: Vec<(String, Table)>,
}

impl Choice {
    /// The axis as stored in a plan.
    pub(super) fn axis(&self) -> Axis {
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
    pub(super) fn combination(&self, place: &[usize]) -> Table {
        let mut table = self.fixed.clone();
        for (axis, &index) in self.axes.iter().zip(place) {
            table.extend(axis.values[index].1.clone());
        }
        table
    }

    /// Describes the values of a combination; `None` if nothing is varied.
    pub(super) fn label(&self, place: &[usize], design: Design) -> Option<String> {
        let is_shown = |index: usize| design == Design::Grid || index > 0;
        let parts = self.axes.iter().zip(place).filter(|&(_, &index)| is_shown(index)).map(|(axis, &index)| {
            let text = &axis.values[index].0;
            if axis.key == VARIANT { text.clone() } else { format!("{}={text}", axis.key) }
        });
        let parts: Vec<String> = parts.collect();
        match (parts.is_empty(), self.axes.is_empty()) {
            (_, true) => None,
            (true, false) => Some("base".to_owned()),
            (false, false) => Some(parts.join(" ")),
        }
    }
}

/// Splits a `[run]` table with lists, and its variants, into common settings and axes.
pub(super) fn choices(run: &Table, variants: &[Table]) -> Result<Choices, String> {
    let mut choices = Choices { fixed: Table::new(), axes: Vec::new() };
    for (key, value) in run {
        // `hidden` takes a list as its value; a list of lists is an axis.
        let list = value.as_array().filter(|list| key != "hidden" || list.iter().any(Value::is_array));
        let Some(list) = list else {
            choices.fixed.insert(key.clone(), value.clone());
            continue;
        };
        if matches!(key.as_str(), "seed" | "split_seed") {
            return Err(format!(
                "`{key}` is a list, but a seed is no setting to choose; `repeats = {}` repeats each run with as many seeds \
                 and takes means over them",
                list.len()
            ));
        }
        if list.is_empty() {
            return Err(format!("`{key}` is an empty list; expected a value or a list of values"));
        }
        let value = |value: &Value| (text_of(value), Table::from_iter([(key.clone(), value.clone())]));
        choices.axes.push(Choice { key: key.clone(), values: list.iter().map(value).collect() });
    }
    let mut values = Vec::new();
    for variant in variants {
        let mut settings = variant.clone();
        let Some(Value::String(name)) = settings.remove("name") else {
            return Err("a `[[variant]]` has no name; expected `name = \"...\"`".to_owned());
        };
        let name = words(&name);
        // Figures group results by variant name, so names must be unique.
        if values.iter().any(|(known, _)| *known == name) {
            return Err(format!("two variants are named `{name}`; variant names must be unique"));
        }
        values.push((name, settings));
    }
    if !values.is_empty() {
        choices.axes.push(Choice { key: VARIANT.to_owned(), values });
    }
    Ok(choices)
}

fn text_of(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(items) => format!("[{}]", items.iter().map(text_of).collect::<Vec<_>>().join(",")),
        Value::Integer(number) => number.to_string(),
        Value::Float(number) => number.to_string(),
        other => other.to_string(),
    }
}

/// The combinations of a design, with the last axis varying fastest.
pub(super) fn combinations(axes: &[Choice], design: Design) -> Result<Vec<Vec<usize>>, String> {
    let sizes: Vec<usize> = axes.iter().map(|axis| axis.values.len()).collect();
    let count = match design {
        Design::Grid => sizes.iter().try_fold(1usize, |count, &size| count.checked_mul(size)),
        Design::OneAtATime => Some(1 + sizes.iter().map(|size| size - 1).sum::<usize>()),
    };
    if count.is_none_or(|count| count > MAX_RUNS) {
        return Err(format!("its lists form more than {MAX_RUNS} runs"));
    }
    let base = vec![0; sizes.len()];
    if design == Design::OneAtATime {
        let mut combinations = vec![base.clone()];
        for (axis, &size) in sizes.iter().enumerate() {
            combinations.extend((1..size).map(|value| {
                let mut place = base.clone();
                place[axis] = value;
                place
            }));
        }
        return Ok(combinations);
    }
    let mut combinations = vec![Vec::new()];
    for &size in &sizes {
        let longer = |place: &Vec<usize>| {
            (0..size).map(|value| place.iter().copied().chain([value]).collect()).collect::<Vec<Vec<usize>>>()
        };
        combinations = combinations.iter().flat_map(longer).collect();
    }
    Ok(combinations)
}

/// Joins a text into one line.
pub(super) fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Which combinations are run.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Design {
    #[default]
    Grid,
    /// The first value of each axis, and all combinations that differ from it in exactly one axis.
    OneAtATime,
}

/// A setting that is varied.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Axis {
    /// Name of the setting in the sweep file.
    pub key: String,
    /// Its values, in file order.
    pub values: Vec<AxisValue>,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct AxisValue {
    /// The value as shown in labels.
    pub text: String,
    pub number: Option<f64>,
}

pub(super) fn one_line(error: &toml::de::Error) -> String {
    words(error.message())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn separately_named_parts_replace_those_of_net() {
        let architecture_of = |text: &str| {
            let run: RawRun = serde_json::from_str(text).expect("known names");
            run.settings(None)
                .map(|settings| settings.training.architecture)
                .map(|architecture| architecture.to_string())
                .map_err(|error| error.to_string())
        };
        let net = |rest: &str| architecture_of(&format!(r#"{{"net": "dual [512] x8 kings=4"{rest}}}"#));
        assert_eq!(net(""), Ok("dual [512] crelu x8 kings=4".to_owned()));
        assert_eq!(net(r#", "kings": 8, "hidden": [64, 8]"#), Ok("dual [64,8] crelu x8 kings=8".to_owned()));
        assert_eq!(net(r#", "kings": 0, "buckets": "x1""#), Ok("dual [512] crelu x1".to_owned()));
        let stacked =
            |rest: &str| architecture_of(&format!(r#"{{"net": "dual [512,16] pairwise kings=4 x8 stacks"{rest}}}"#));
        assert_eq!(stacked(""), Ok("dual [512,16] crelu x8 stacks pairwise kings=4".to_owned()));
        assert_eq!(
            stacked(r#", "kings": 0, "hidden": [64, 8]"#),
            Ok("dual [64,8] crelu x8 stacks pairwise".to_owned())
        );
        assert!(net(r#", "perspective": "white""#).expect_err("one view").contains("need the perspective `dual`"));
    }
}
