//! Checks the files that `OpenBench` reads. `scripts/test-openbench` builds as it does.

use serde_json::Value;

#[test]
fn the_configuration_is_complete() {
    let text = include_str!("../../../openbench/Alfiere.json");
    let config: Value = serde_json::from_str(text).expect("JSON");
    assert_eq!(config["private"], Value::Bool(false));
    assert!(config["nps"].as_u64().is_some_and(|nps| nps > 0));
    assert_eq!(config["source"], env!("CARGO_PKG_REPOSITORY"));
    assert_eq!(config["build"]["compilers"], serde_json::json!(["cargo"]));
    let folder = config["build"]["path"].as_str().expect("a folder");
    assert!(std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(folder).join("Makefile").is_file());
    for kind in ["test_presets", "tune_presets", "datagen_presets"] {
        let presets = config[kind].as_object().expect("presets");
        assert!(presets.contains_key("default"), "{kind}");
        for (name, preset) in presets {
            let options = preset.get("both_options").or(preset.get("dev_options"));
            for option in options.and_then(Value::as_str).unwrap_or_default().split_whitespace() {
                let (option, value) = option.split_once('=').expect("NAME=VALUE");
                assert!(matches!(option, "Threads" | "Hash") && value.parse::<u32>().is_ok(), "{name}: {option}");
            }
        }
    }
}
