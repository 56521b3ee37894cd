//! Expands a sweep file: its axes (lists and variants) and the combinations to run.

use serde::{Deserialize, Serialize};
use toml::{Table, Value};

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

/// Formats a value for a label.
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
