//! The files of an improvement.

use std::io::Write;
use std::path::{Path, PathBuf};

use alfiere_data::{DataError, atomic};
use alfiere_nnue::Network;
use serde_json::Value;

use super::error::ImproveError;
use super::settings::ImproveSettings;

/// The folder of an improvement.
#[derive(Clone, Debug)]
pub struct Folder {
    path: PathBuf,
}

impl Folder {
    /// The folder of the improvement of this network: `NAME.improve` beside it.
    pub fn beside(network: &Path) -> Self {
        Self { path: network.with_extension("improve") }
    }

    /// A folder of any name.
    pub fn at(path: &Path) -> Self {
        Self { path: path.to_path_buf() }
    }

    /// Its path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The record, one line for each round.
    pub fn record(&self) -> PathBuf {
        self.path.join("record.jsonl")
    }

    /// The record of the latest training.
    pub fn training_record(&self) -> PathBuf {
        self.path.join("training.run.jsonl")
    }

    /// The accepted network of a round; that of round 0 is the start.
    pub fn network(&self, round: u32) -> PathBuf {
        self.path.join(format!("network-{round:04}.nnue"))
    }

    /// The network of a round before its match.
    pub(super) fn candidate(&self, round: u32) -> PathBuf {
        self.path.join(format!("candidate-{round:04}.nnue"))
    }

    /// The common name of the row files of a round.
    pub(super) fn rows(&self, round: u32) -> PathBuf {
        self.path.join(format!("rows-{round:04}.packed"))
    }

    /// Creates the folder with its settings and start network, or checks that those in it are the same.
    pub(super) fn open(&self, settings: &ImproveSettings, start: &Network) -> Result<(), ImproveError> {
        let path = self.path.join("settings.json");
        let text =
            serde_json::to_string_pretty(settings).map_err(|error| DataError::io(&path, "write it", error.into()))?;
        if !path.exists() {
            std::fs::create_dir_all(&self.path).map_err(|source| DataError::io(&self.path, "create it", source))?;
            start.save(self.network(0))?;
            return Ok(atomic::write(&path, |file| writeln!(file, "{text}"))?);
        }
        let found = std::fs::read_to_string(&path).map_err(|source| DataError::io(&path, "read it", source))?;
        let [found, given] = [found, text].map(|text| serde_json::from_str::<Value>(&text).unwrap_or_default());
        let mut differences = Vec::new();
        compare("", &found, &given, &mut differences);
        if differences.is_empty() {
            return Ok(());
        }
        Err(ImproveError::OtherSettings { path, differences: differences.join(", ") })
    }
}

/// Adds the settings that differ, such as `rows.min_depth is 3, not 2`.
fn compare(name: &str, found: &Value, given: &Value, differences: &mut Vec<String>) {
    if let (Value::Object(found), Value::Object(given)) = (found, given) {
        for (key, value) in given {
            let inner = if name.is_empty() { key.clone() } else { format!("{name}.{key}") };
            compare(&inner, found.get(key).unwrap_or(&Value::Null), value, differences);
        }
    } else if found != given {
        differences.push(format!("{name} is {found}, not {given}"));
    }
}
