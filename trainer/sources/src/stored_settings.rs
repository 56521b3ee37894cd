//! Settings that are stored beside files, so that files made with different ones are not mixed.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use alfiere_data::{DataError, atomic};
use serde::Serialize;
use serde_json::Value;
use thiserror::Error;

#[derive(Debug, Error)]
pub enum StoredSettingsError {
    #[error(transparent)]
    Data(#[from] DataError),
    #[error("{}: this was started with other settings ({differences}); give the same options, or another name", path.display())]
    Other { path: PathBuf, differences: String },
}

/// Stores the settings of new files, or checks that those stored are the same.
pub(crate) fn store_or_check(path: &Path, settings: &impl Serialize, is_new: bool) -> Result<(), StoredSettingsError> {
    let fail = |source| DataError::io(path, "use it", source);
    let text = serde_json::to_string_pretty(settings).map_err(|error| fail(error.into()))?;
    if is_new {
        return Ok(atomic::write(path, |file| writeln!(file, "{text}"))?);
    }
    check(path, &fs::read_to_string(path).map_err(fail)?, &text)
}

/// Fails if the settings found in a file are not those given, both JSON; tells what differs, such as `rows.min_depth is 3, not 2`.
pub(crate) fn check(path: &Path, found: &str, given: &str) -> Result<(), StoredSettingsError> {
    let parse = |text| {
        let fail = |error| DataError::io(path, "read its settings", io::Error::from(error));
        serde_json::from_str::<Value>(text).map_err(fail)
    };
    let mut differences = Vec::new();
    compare("", &parse(found)?, &parse(given)?, &mut differences);
    if differences.is_empty() {
        return Ok(());
    }
    Err(StoredSettingsError::Other { path: path.to_path_buf(), differences: differences.join(", ") })
}

fn compare(name: &str, found: &Value, given: &Value, differences: &mut Vec<String>) {
    if let Value::Object(given) = given {
        for (key, value) in given {
            let inner = if name.is_empty() { key.clone() } else { format!("{name}.{key}") };
            compare(&inner, &found[key], value, differences);
        }
    } else if found != given {
        differences.push(format!("{name} is {found}, not {given}"));
    }
}
