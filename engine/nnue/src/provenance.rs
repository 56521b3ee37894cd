//! Where a network comes from: carried in its file, read by people and by `check` commands, of no effect on play.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The longest provenance a file may hold.
pub(super) const MAX_PROVENANCE_BYTES: usize = 1 << 20;

/// What a network was trained on, how, and how well; stored as JSON in its file.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Provenance {
    /// Fingerprint of the training data; empty if there was none.
    pub data_fingerprint: String,
    /// The trainer's whole configuration.
    pub configuration: Value,
    /// Seed of the run.
    pub seed: u64,
    /// Figures by name, such as the R² on the validation split.
    pub metrics: BTreeMap<String, Value>,
    /// Anything else.
    #[serde(flatten)]
    pub free: BTreeMap<String, Value>,
}

impl Provenance {
    /// Provenance that is one remark.
    pub fn note(text: &str) -> Self {
        Self::default().with("note", text)
    }

    /// Adds a figure; one that is not finite becomes `null`.
    pub fn with_metric(mut self, name: &str, value: f64) -> Self {
        self.metrics.insert(name.to_owned(), Value::from(value));
        self
    }

    /// Adds a free field; a name that one of the fixed fields has is kept apart by an underscore.
    pub fn with(mut self, name: &str, value: impl Into<Value>) -> Self {
        let taken = ["data_fingerprint", "configuration", "seed", "metrics"].contains(&name);
        let name = if taken { format!("{name}_") } else { name.to_owned() };
        self.free.insert(name, value.into());
        self
    }
}
