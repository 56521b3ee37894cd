//! Tests sweeps with the real binary: interrupted, resumed, sharded and merged.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::support::trainer;

/// The sample of real rows in the repository.
fn sample() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../datasets/kaggle/sample.csv.gz")
}

/// Writes a sweep file with these lines in its `[run]` table.
fn sweep_file(folder: &Path, run: &str) {
    let sample = sample();
    let data = sample.display();
    let text = format!(
        "title = \"a test\"\ndata = ['{data}']\nrows = 6000\n[run]\nstart = \"random\"\nnet = \"dual [16]\"\nbatch = 256\nfolds = 2\n{run}\n"
    );
    std::fs::write(folder.join("test.toml"), text).expect("written");
}

/// The lines of a CSV without its last column (seconds), sorted.
fn without_seconds(path: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(path).expect("a table");
    let mut lines: Vec<String> =
        text.lines().map(|line| line.rsplit_once(',').expect("columns").0.to_owned()).collect();
    lines.sort();
    lines
}

const GRID: &str = "epochs = 2\ndropout = [0.0, 0.2]\nsplit = [\"games\", \"rows\"]";

#[test]
fn sweep_writes_rows_tables_and_figures_and_runs_nothing_twice() {
    let folder = tempfile::tempdir().expect("a folder");
    sweep_file(folder.path(), GRID);
    let run = trainer(folder.path(), &["sweep", "test.toml", "--out", "out", "--no-cache"]);
    let last = run.success().lines().last().expect("a last line");
    assert!(last.starts_with("best R2 ") && last.contains(" folds 2 dropout="), "{last}");
    assert!(last.ends_with(" split=games"), "{last}");
    let out = folder.path().join("out");
    let rows = without_seconds(&out.join("results.csv"));
    assert_eq!(rows.len(), 1 + 4 * 2, "a head and a row for each fold of each run");
    assert_eq!(without_seconds(&out.join("curves.csv")).len(), 1 + 4 * 2 * 2);
    for name in ["r2-by-dropout", "r2-by-epoch"] {
        let svg = std::fs::read_to_string(out.join(format!("figures/{name}.svg"))).expect("a picture");
        assert!(svg.contains("a test") && svg.contains("constant predictor"), "{name}");
    }
    let summary = std::fs::read_to_string(out.join("summary.csv")).expect("a summary");
    let means: Vec<f64> =
        summary.lines().skip(1).map(|line| line.split(',').nth(4).expect("R2").parse().expect("a number")).collect();
    let json = std::fs::read(out.join("summary.json")).expect("a summary");
    let json: serde_json::Value = serde_json::from_slice(&json).expect("JSON");
    let train = json["train"].as_str().expect("a command");
    assert!(train.starts_with("trainer train --data ") && train.contains(" --net 'dual [16] "), "{train}");
    let play = json["train_to_play"].as_str().expect("the runs start from nothing");
    let text = std::fs::read_to_string(out.join("summary.md")).expect("a summary");
    assert!(text.contains(&format!("{train}\n```\n")) && text.ends_with(&format!("{play}\n```\n")), "{text}");
    assert!(std::fs::read_to_string(out.join("summary.tex")).expect("a summary").contains("{minus best} & "));
    let effects = std::fs::read_to_string(out.join("effects.csv")).expect("effects");
    assert!(effects.starts_with("setting,value,against_first,"), "{effects}");
    assert!(means.len() == 4 && means.chunks(2).all(|of_one_split| of_one_split[0] >= of_one_split[1]), "{summary}");
    assert_eq!(rows.iter().filter(|row| row.contains(",last,2,")).count(), 8, "{rows:?}");
    let again = trainer(folder.path(), &["sweep", "test.toml", "--out", "out", "--no-cache"]);
    again.success();
    assert!(
        again.err.contains("8 of 8 folds are already finished") && !again.err.contains("  epoch "),
        "{}",
        again.err
    );
    // A different selection gives a separate result.
    let inner = ["sweep", "test.toml", "--out", "out", "--no-cache", "--select", "inner"];
    let inner = trainer(folder.path(), &inner);
    assert!(inner.success().contains("Selected epoch, inner: ") && !inner.out.contains("last:"), "{}", inner.out);
    assert!(!inner.err.contains("already finished"), "{}", inner.err);
    let rows = without_seconds(&out.join("results.csv"));
    assert!(rows.len() == 9 && rows.iter().filter(|row| row.contains(",inner,")).count() == 8, "{rows:?}");
    let svg = std::fs::read_to_string(out.join("figures/r2-by-dropout.svg")).expect("a picture");
    assert!(svg.contains("selected on inner rows"), "{svg}");
    // A folder must not mix results of different data.
    trainer(folder.path(), &["sweep", "test.toml", "--out", "out", "--no-cache", "--rows", "5000"])
        .refused("other data");
    // Results without the selection of their epoch are rejected too.
    let plan = std::fs::read_to_string(out.join("plan.json")).expect("a plan");
    let earlier: Vec<&str> = plan.lines().filter(|line| !line.contains("\"selection\"")).collect();
    std::fs::write(out.join("plan.json"), earlier.join("\n")).expect("written");
    let failed = trainer(folder.path(), &["sweep", "test.toml", "--out", "out", "--no-cache"]);
    failed.refused("missing field `selection`");
    assert!(failed.err.contains("choose another folder"), "{}", failed.err);
}

#[test]
fn a_sweep_and_a_cross_validation_of_one_setting_agree() {
    let folder = tempfile::tempdir().expect("a folder");
    let sample = sample();
    let text = format!(
        "data = [{sample:?}]\nrows = 3000\n[run]\nstart = 'random'\nnet = 'dual [8]'\nepochs = 1\nfolds = 2\nrepeats = 2\nseed = 5\n"
    );
    std::fs::write(folder.path().join("one.toml"), text).expect("written");
    let sweep = trainer(folder.path(), &["sweep", "one.toml", "--out", "out", "--no-cache"]);
    let r2 = |line: Option<&str>| {
        line.expect("a last line").split_once("R2 ").expect("R2").1.split(" folds 4").next().map(str::to_owned)
    };
    let options =
        ["--start", "random", "--net", "dual [8]", "--epochs", "1", "--folds", "2", "--repeats", "2", "--seed", "5"];
    let folds = trainer(
        folder.path(),
        &[&["cross-validate", "--data", &sample.display().to_string(), "--rows", "3000", "--no-cache"][..], &options]
            .concat(),
    );
    assert_eq!(r2(sweep.success().lines().last()), r2(folds.success().lines().last()));
}

/// The engine has integers for clipped networks only.
#[test]
fn relu_and_tanh_are_measured_but_not_made() {
    let folder = tempfile::tempdir().expect("a folder");
    let sample = sample();
    let text = format!(
        "data = [{sample:?}]\nrows = 2000\n[run]\nstart = 'random'\nhidden = [[8], [8, 4]]\nactivation = ['relu', 'tanh', 'crelu']\n\
         epochs = 2\nbatch = 64\nfolds = 2\n"
    );
    std::fs::write(folder.path().join("one.toml"), text).expect("written");
    let sweep = trainer(folder.path(), &["sweep", "one.toml", "--out", "out", "--no-cache"]);
    let said = sweep.success();
    for shape in ["dual [8] relu", "dual [8] tanh", "dual [8,4] relu", "dual [8,4] tanh"] {
        let results = std::fs::read_to_string(folder.path().join("out/plan.json")).expect("a plan");
        assert!(results.contains(shape), "{shape}: {results}");
    }
    let train = said.lines().find(|line| line.starts_with("trainer train")).expect("a command");
    assert!(train.contains("crelu"), "{train}");
    let options = ["--rows", "2000", "--no-cache", "--start", "random", "--out", "a.nnue", "--net"];
    for (shape, more) in [("dual [8] relu", &[][..]), ("dual [8,4] tanh", &["--epochs", "1"])] {
        let train = trainer(
            folder.path(),
            &[&["train", "--data", &sample.display().to_string()][..], &options, &[shape], more].concat(),
        );
        assert_eq!(train.code, Some(1), "{}", train.err);
        assert!(
            train.err.contains("have no integers") && train.err.contains("trainer cross-validate"),
            "{}",
            train.err
        );
    }
    assert!(!folder.path().join("a.nnue").exists());
}

#[test]
fn merged_shards_equal_a_single_run() {
    let folder = tempfile::tempdir().expect("a folder");
    sweep_file(folder.path(), GRID);
    trainer(folder.path(), &["sweep", "test.toml", "--out", "whole", "--no-cache"]).success();
    for part in ["1", "2", "3"] {
        let (out, shard) = (format!("part-{part}"), format!("{part}/3"));
        // Shards may run on machines with different numbers of cores.
        let arguments = ["sweep", "test.toml", "--out", &out, "--shard", &shard, "--no-cache", "--threads", part];
        trainer(folder.path(), &arguments).success();
    }
    let two = trainer(folder.path(), &["sweep", "merge", "joined", "part-1", "part-3"]);
    two.success();
    assert!(two.err.contains("of 8 folds are finished"), "{}", two.err);
    trainer(folder.path(), &["sweep", "merge", "joined", "part-2"]).success();
    for table in ["results.csv", "summary.csv"] {
        let [joined, whole] = ["joined", "whole"].map(|name| without_seconds(&folder.path().join(name).join(table)));
        assert_eq!(joined, whole, "{table}");
    }
    sweep_file(folder.path(), "epochs = 1");
    trainer(folder.path(), &["sweep", "test.toml", "--out", "other", "--no-cache"]).success();
    trainer(folder.path(), &["sweep", "merge", "joined", "other"]).refused("other holds results of other runs");
    assert!(trainer(folder.path(), &["sweep", "merge", "nothing"]).refusal().contains("no experiment is here"));
    // A part with a truncated file.
    let run =
        std::fs::read_dir(folder.path().join("other/runs")).expect("runs").next().expect("one").expect("readable");
    let fold = run.path().join("fold-1.json");
    let whole = std::fs::read(&fold).expect("a fold");
    std::fs::write(&fold, &whole[..whole.len() / 2]).expect("written");
    let torn = trainer(folder.path(), &["sweep", "merge", "new", "other"]);
    assert!(
        torn.refusal().contains("fold-1.json: EOF") && torn.err.contains("delete the file to run this fold again"),
        "{}",
        torn.err
    );
}

/// Waits for a condition, long enough for a busy machine.
fn wait_for(what: &str, mut is_there: impl FnMut() -> bool) {
    let start = Instant::now();
    while !is_there() {
        assert!(start.elapsed() < Duration::from_mins(2), "no {what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn killed_sweep_resumes_to_the_same_result() {
    let folder = tempfile::tempdir().expect("a folder");
    sweep_file(folder.path(), "epochs = 40\nlr = [0.001, 0.002]");
    let arguments = ["sweep", "test.toml", "--no-cache", "--out"];
    trainer(folder.path(), &[&arguments[..], &["whole"]].concat()).success();
    // Killed twice: within a fold, and after the first run's folds.
    for (what, seen) in [("checkpoint", 1), ("json", 2)] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_trainer"))
            .current_dir(folder.path())
            .args(arguments)
            .arg("killed")
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("it starts");
        let runs = folder.path().join("killed/runs");
        let count = || {
            let files = std::fs::read_dir(&runs).into_iter().flatten().flatten();
            let files = files.flat_map(|run| std::fs::read_dir(run.path()).into_iter().flatten().flatten());
            files.filter(|file| file.path().extension().is_some_and(|ending| ending == what)).count()
        };
        wait_for(what, || count() >= seen || child.try_wait().expect("it can be asked").is_some());
        child.kill().expect("it is ours");
        child.wait().expect("it ends");
    }
    let plan = std::fs::read_to_string(folder.path().join("killed/plan.json")).expect("saved before the first run");
    assert!(plan.contains("\"seed\": 1") && plan.contains("0.002"), "{plan}");
    trainer(folder.path(), &[&arguments[..], &["killed"]].concat()).success();
    let [killed, whole] =
        ["killed", "whole"].map(|name| without_seconds(&folder.path().join(name).join("results.csv")));
    assert_eq!(killed, whole);
}

#[test]
fn cross_validation_resumes_from_its_checkpoint() {
    let folder = tempfile::tempdir().expect("a folder");
    let data = sample();
    let arguments = [
        "cross-validate",
        "--data",
        data.to_str().expect("a name"),
        "--rows",
        "6000",
        "--no-cache",
        "--net",
        "dual [16]",
        "--batch",
        "256",
        "--epochs",
        "2",
        "--folds",
        "3",
    ];
    let plain = trainer(folder.path(), &arguments);
    let saved = [&arguments[..], &["--save", "state"]].concat();
    assert_eq!(trainer(folder.path(), &saved).success(), plain.success());
    let again = trainer(folder.path(), &saved);
    assert_eq!(again.success(), plain.success());
    assert!(again.err.contains("3 of 3 folds are already finished"), "{}", again.err);
    // The same table for documents: three folds, their mean and deviation, the constant predictor.
    trainer(folder.path(), &[&saved[..], &["--markdown", "table.md", "--latex", "table.tex"]].concat()).success();
    let [markdown, latex] =
        ["table.md", "table.tex"].map(|name| std::fs::read_to_string(folder.path().join(name)).expect("a table"));
    assert_eq!(markdown.lines().filter(|line| line.starts_with("| ")).count(), 1 + 3 + 3, "{markdown}");
    assert!(latex.contains("\nmean & ") && latex.contains("\nconstant predictor & "), "{latex}");
    // Extra rows change the training rows, not the validation rows.
    let extra = trainer(folder.path(), &[&arguments[..], &["--extra", data.to_str().expect("a name")]].concat());
    let rows = |out: &str| out.lines().nth(3).map(|line| line.split_whitespace().nth(1).unwrap_or("").to_owned());
    assert_eq!(rows(extra.success()), rows(&plain.out));
    assert_ne!(extra.out, plain.out);
}

/// A table that an interrupted run left behind would stop the run that continues it.
#[cfg(unix)]
#[test]
fn an_interrupted_cross_validation_writes_its_table_when_it_is_complete() {
    let folder = tempfile::tempdir().expect("a folder");
    let data = sample();
    let data = ["cross-validate", "--no-cache", "--rows", "6000", "--data", data.to_str().expect("a name")];
    let training = [
        "--start",
        "random",
        "--net",
        "dual [16]",
        "--batch",
        "64",
        "--epochs",
        "10",
        "--folds",
        "4",
        "--save",
        "state",
    ];
    let arguments = [&data[..], &training, &["--csv", "table.csv"]].concat();
    let mut child = Command::new(env!("CARGO_BIN_EXE_trainer"))
        .current_dir(folder.path())
        .args(&arguments)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("it starts");
    let has_fold = || {
        let runs = std::fs::read_dir(folder.path().join("state/runs")).into_iter().flatten().flatten();
        runs.into_iter().any(|run| run.path().join("fold-1.json").exists())
    };
    wait_for("fold", || has_fold() || child.try_wait().expect("it can be asked").is_some());
    let id = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &id]).status().expect("kill").success());
    child.wait().expect("it ends");
    assert!(!folder.path().join("table.csv").exists(), "it wrote a table, or was stopped too late");
    trainer(folder.path(), &arguments).success();
    let table = std::fs::read_to_string(folder.path().join("table.csv")).expect("a table");
    assert_eq!(table.lines().count(), 5, "{table}");
    // On standard output, JSON stands alone.
    let json = trainer(folder.path(), &[&data[..], &training, &["--json", "-"]].concat());
    let report: serde_json::Value = serde_json::from_str(json.success()).expect("JSON");
    assert_eq!(report["results"].as_array().map(Vec::len), Some(4));
}

#[test]
fn invalid_sweeps_are_rejected_with_one_sentence() {
    let folder = tempfile::tempdir().expect("a folder");
    let error_of = |text: &str| {
        std::fs::write(folder.path().join("bad.toml"), text).expect("written");
        trainer(folder.path(), &["sweep", "bad.toml"]).refusal().to_owned()
    };
    assert_eq!(error_of("title = 1\n"), "bad.toml: line 1: invalid type: integer `1`, expected a string");
    assert!(error_of("data = ['x.csv']\n[run]\ndropuot = 0.1\n").contains("unknown setting `dropuot`"));
    assert!(error_of("data = ['x.csv']\n[run]\nlr = [1e-3, 99]\n").contains("run `lr=99`: learning rate is 99"));
    assert!(error_of("data = ['missing.csv']\n").contains("missing.csv"));
    let sample = sample();
    assert!(error_of(&format!("data = [{sample:?}]\nrows = 100\n[run]\nextra_rows = 5\n")).contains("--extra"));
    assert!(error_of(&format!("data = [{sample:?}]\nrows = 0\n")).contains("`rows` is 0, expected at least 1"));
    // Settings that a later run cannot satisfy are rejected before the first run starts.
    let late = |run: &str| {
        error_of(&format!("data = [{sample:?}]\nrows = 2000\n[run]\nnet = \"white []\"\nepochs = 1\n{run}\n"))
    };
    assert!(late("folds = [2, 1000]").starts_with("run `folds=1000`: "));
    assert!(late("folds = [2, 70000]").starts_with("run `folds=70000`: 70000 folds; expected 2 to 65535"));
    #[cfg(not(feature = "cuda"))]
    assert!(late("device = [\"cpu\", \"cuda\"]").starts_with("run `device=cuda`: this build has no cuda"));
    assert!(trainer(folder.path(), &["sweep", "none.toml"]).refusal().contains("none.toml: cannot read it"));
}
