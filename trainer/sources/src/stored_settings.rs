//! Settings that are stored beside files, so that files made with different ones are not mixed.

use serde_json::Value;

/// What differs between the settings found and those given, both JSON, such as `rows.min_depth is 3, not 2`.
pub(crate) fn differences(found: &str, given: &str) -> Vec<String> {
    let [found, given] = [found, given].map(|text| serde_json::from_str(text).unwrap_or_default());
    let mut differences = Vec::new();
    compare("", &found, &given, &mut differences);
    differences
}

fn compare(name: &str, found: &Value, given: &Value, differences: &mut Vec<String>) {
    if let (Value::Object(found), Value::Object(given)) = (found, given) {
        for (key, value) in given {
            let inner = if name.is_empty() { key.clone() } else { format!("{name}.{key}") };
            compare(&inner, found.get(key).unwrap_or(&Value::Null), value, differences);
        }
    } else if found != given {
        let name = if name.is_empty() { "everything" } else { name };
        differences.push(format!("{name} is {found}, not {given}"));
    }
}
