//! Tests sweeps with the real binary: interrupted, resumed, sharded and merged.

use std::fs;

use crate::support::{Folder, Run, SAMPLE, signal, wait_for};

/// Writes a sweep file with these lines in its `[run]` table.
fn sweep_file(folder: &Folder, run: &str) {
    let text = format!(
        "title = \"a test\"\ndata = ['{SAMPLE}']\nrows = 6000\n[run]\nstart = \"random\"\nnet = \"dual [16]\"\nbatch = 256\nfolds = 2\n{run}\n"
    );
    folder.write("test.toml", text);
}

/// The lines of a CSV without its last column (seconds), sorted.
fn without_seconds(folder: &Folder, name: &str) -> Vec<String> {
    let text = folder.text(name);
    let mut lines: Vec<String> =
        text.lines().map(|line| line.rsplit_once(',').expect("columns").0.to_owned()).collect();
    lines.sort();
    lines
}

const SWEEP: &str = "sweep test.toml --out out --no-cache";
const GRID: &str = "epochs = 2\ndropout = [0.0, 0.2]\nsplit = [\"games\", \"rows\"]";

#[test]
fn sweep_writes_rows_tables_and_figures_and_runs_nothing_twice() {
    let folder = Folder::new();
    sweep_file(&folder, GRID);
    let run = folder.trainer(SWEEP);
    let last = run.success().lines().last().expect("a last line");
    assert!(last.starts_with("best R2 ") && last.contains(" folds 2 dropout="), "{last}");
    assert!(last.ends_with(" split=games"), "{last}");
    let rows = without_seconds(&folder, "out/results.csv");
    assert_eq!(rows.len(), 1 + 4 * 2, "a head and a row for each fold of each run");
    assert_eq!(without_seconds(&folder, "out/curves.csv").len(), 1 + 4 * 2 * 2);
    for name in ["r2-by-dropout", "r2-by-epoch"] {
        let svg = folder.text(&format!("out/figures/{name}.svg"));
        assert!(svg.contains("a test") && svg.contains("constant predictor"), "{name}");
    }
    let summary = folder.text("out/summary.csv");
    let means: Vec<f64> =
        summary.lines().skip(1).map(|line| line.split(',').nth(4).expect("R2").parse().expect("a number")).collect();
    let json = folder.json("out/summary.json");
    let train = json["train"].as_str().expect("a command");
    assert!(train.starts_with("trainer train --data ") && train.contains(" --net 'dual [16] "), "{train}");
    let play = json["train_to_play"].as_str().expect("the runs start from nothing");
    let text = folder.text("out/summary.md");
    assert!(text.contains(&format!("{train}\n```\n")) && text.ends_with(&format!("{play}\n```\n")), "{text}");
    assert!(folder.text("out/summary.tex").contains("{minus best} & "));
    let effects = folder.text("out/effects.csv");
    assert!(effects.starts_with("setting,value,against_first,"), "{effects}");
    assert!(means.len() == 4 && means.chunks(2).all(|of_one_split| of_one_split[0] >= of_one_split[1]), "{summary}");
    assert_eq!(rows.iter().filter(|row| row.contains(",last,2,")).count(), 8, "{rows:?}");
    let again = folder.trainer(SWEEP);
    again.success();
    assert!(again.err.contains("8 of 8 folds are already finished"), "{}", again.err);
    assert!(!again.err.contains("  epoch "), "{}", again.err);
    // A different selection gives a separate result.
    let inner = folder.trainer(&format!("{SWEEP} --select inner"));
    assert!(inner.success().contains("Selected epoch, inner: ") && !inner.out.contains("last:"), "{}", inner.out);
    assert!(!inner.err.contains("already finished"), "{}", inner.err);
    let rows = without_seconds(&folder, "out/results.csv");
    assert!(rows.len() == 9 && rows.iter().filter(|row| row.contains(",inner,")).count() == 8, "{rows:?}");
    let svg = folder.text("out/figures/r2-by-dropout.svg");
    assert!(svg.contains("selected on inner rows"), "{svg}");
    // A folder must not mix results of different data.
    folder.trainer(&format!("{SWEEP} --rows 5000")).refused("other data");
    // Results without the selection of their epoch are rejected too.
    let plan = folder.text("out/plan.json");
    let earlier: Vec<&str> = plan.lines().filter(|line| !line.contains("\"selection\"")).collect();
    folder.write("out/plan.json", earlier.join("\n"));
    let failed = folder.trainer(SWEEP);
    failed.refused("missing field `selection`");
    assert!(failed.err.contains("choose another folder"), "{}", failed.err);
}

#[test]
fn a_sweep_and_a_cross_validation_of_one_setting_agree() {
    let folder = Folder::new();
    let text = format!(
        "data = [{SAMPLE:?}]\nrows = 3000\n[run]\nstart = 'random'\nnet = 'dual [8]'\nepochs = 1\nfolds = 2\nrepeats = 2\nseed = 5\n"
    );
    folder.write("one.toml", text);
    let sweep = folder.trainer("sweep one.toml --out out --no-cache");
    let r2 = |run: &Run| {
        let last = run.success().lines().last().expect("a last line");
        last.split_once("R2 ").expect("R2").1.split(" folds 4").next().map(str::to_owned)
    };
    let folds = folder.trainer(
        "cross-validate --data SAMPLE --rows 3000 --no-cache --net 'dual [8]' --epochs 1 --folds 2 --repeats 2 --seed 5",
    );
    assert_eq!(r2(&sweep), r2(&folds));
}

/// The engine has integers for clipped networks only.
#[test]
fn relu_and_tanh_are_measured_but_not_made() {
    let folder = Folder::new();
    let text = format!(
        "data = [{SAMPLE:?}]\nrows = 2000\n[run]\nstart = 'random'\nhidden = [[8], [8, 4]]\nactivation = ['relu', 'tanh', 'crelu']\n\
         epochs = 2\nbatch = 64\nfolds = 2\n"
    );
    folder.write("one.toml", text);
    let sweep = folder.trainer("sweep one.toml --out out --no-cache");
    let said = sweep.success();
    for shape in ["dual [8] relu", "dual [8] tanh", "dual [8,4] relu", "dual [8,4] tanh"] {
        let results = folder.text("out/plan.json");
        assert!(results.contains(shape), "{shape}: {results}");
    }
    let train = said.lines().find(|line| line.starts_with("trainer train")).expect("a command");
    assert!(train.contains("crelu"), "{train}");
    for options in ["--net 'dual [8] relu'", "--net 'dual [8,4] tanh' --epochs 1"] {
        let train = folder.trainer(&format!("train --data SAMPLE --rows 2000 --no-cache --out a.nnue {options}"));
        train.refused("have no integers");
        train.refused("trainer cross-validate");
    }
    assert!(!folder.at("a.nnue").exists());
}

#[test]
fn merged_shards_equal_a_single_run() {
    let folder = Folder::new();
    sweep_file(&folder, GRID);
    folder.trainer("sweep test.toml --out whole --no-cache").success();
    for part in 1..=3 {
        // Shards may run on machines with different numbers of cores.
        let line = format!("sweep test.toml --out part-{part} --shard {part}/3 --no-cache --threads {part}");
        folder.trainer(&line).success();
    }
    let two = folder.trainer("sweep merge joined part-1 part-3");
    two.success();
    assert!(two.err.contains("of 8 folds are finished"), "{}", two.err);
    folder.trainer("sweep merge joined part-2").success();
    for table in ["results.csv", "summary.csv"] {
        let [joined, whole] = ["joined", "whole"].map(|name| without_seconds(&folder, &format!("{name}/{table}")));
        assert_eq!(joined, whole, "{table}");
    }
    sweep_file(&folder, "epochs = 1");
    folder.trainer("sweep test.toml --out other --no-cache").success();
    folder.trainer("sweep merge joined other").refused("other holds results of other runs");
    folder.trainer("sweep merge nothing").refused("no experiment is here");
    // A part with a truncated file.
    let run = fs::read_dir(folder.at("other/runs")).expect("runs").next().expect("one").expect("readable");
    let fold = run.path().join("fold-1.json");
    let whole = fs::read(&fold).expect("a fold");
    fs::write(&fold, &whole[..whole.len() / 2]).expect("written");
    let torn = folder.trainer("sweep merge new other");
    torn.refused("fold-1.json: EOF");
    torn.refused("delete the file to run this fold again");
}

#[test]
fn killed_sweep_resumes_to_the_same_result() {
    let folder = Folder::new();
    sweep_file(&folder, "epochs = 40\nlr = [0.001, 0.002]");
    folder.trainer("sweep test.toml --no-cache --out whole").success();
    // Killed twice: within a fold, and after the first run's folds.
    for (what, seen) in [("checkpoint", 1), ("json", 2)] {
        let mut child = folder.start("sweep test.toml --no-cache --out killed");
        let runs = folder.at("killed/runs");
        let count = || {
            let files = fs::read_dir(&runs).into_iter().flatten().flatten();
            let files = files.flat_map(|run| fs::read_dir(run.path()).into_iter().flatten().flatten());
            files.filter(|file| file.path().extension().is_some_and(|ending| ending == what)).count()
        };
        wait_for(what, || count() >= seen || child.try_wait().expect("it can be asked").is_some());
        child.kill().expect("it is ours");
        child.wait().expect("it ends");
    }
    let plan = folder.text("killed/plan.json");
    assert!(plan.contains("\"seed\": 1") && plan.contains("0.002"), "{plan}");
    folder.trainer("sweep test.toml --no-cache --out killed").success();
    let [killed, whole] = ["killed", "whole"].map(|name| without_seconds(&folder, &format!("{name}/results.csv")));
    assert_eq!(killed, whole);
}

#[test]
fn cross_validation_resumes_from_its_checkpoint() {
    let folder = Folder::new();
    let folds =
        "cross-validate --data SAMPLE --rows 6000 --no-cache --net 'dual [16]' --batch 256 --epochs 2 --folds 3";
    let plain = folder.trainer(folds);
    let saved = format!("{folds} --save state");
    assert_eq!(folder.trainer(&saved).success(), plain.success());
    let again = folder.trainer(&saved);
    assert_eq!(again.success(), plain.success());
    assert!(again.err.contains("3 of 3 folds are already finished"), "{}", again.err);
    // The same table for documents: three folds, their mean and deviation, the constant predictor.
    folder.trainer(&format!("{saved} --markdown table.md --latex table.tex")).success();
    let [markdown, latex] = ["table.md", "table.tex"].map(|name| folder.text(name));
    assert_eq!(markdown.lines().filter(|line| line.starts_with("| ")).count(), 1 + 3 + 3, "{markdown}");
    assert!(latex.contains("\nmean & ") && latex.contains("\nconstant predictor & "), "{latex}");
    // Extra rows change the training rows, not the validation rows.
    let extra = folder.trainer(&format!("{folds} --extra SAMPLE"));
    let rows = |out: &str| out.lines().nth(3).map(|line| line.split_whitespace().nth(1).unwrap_or("").to_owned());
    assert_eq!(rows(extra.success()), rows(&plain.out));
    assert_ne!(extra.out, plain.out);
}

/// A table that an interrupted run left behind would stop the run that continues it.
#[cfg(unix)]
#[test]
fn an_interrupted_cross_validation_writes_its_table_when_it_is_complete() {
    let folder = Folder::new();
    let folds = "cross-validate --data SAMPLE --no-cache --rows 6000 --net 'dual [16]' --batch 64 --epochs 10 --folds 4 \
                 --save state";
    let with_table = format!("{folds} --csv table.csv");
    let mut child = folder.start(&with_table);
    let has_fold = || {
        let mut runs = fs::read_dir(folder.at("state/runs")).into_iter().flatten().flatten();
        runs.any(|run| run.path().join("fold-1.json").exists())
    };
    wait_for("fold", || has_fold() || child.try_wait().expect("it can be asked").is_some());
    signal(&child, "-INT");
    child.wait().expect("it ends");
    assert!(!folder.at("table.csv").exists(), "it wrote a table, or was stopped too late");
    folder.trainer(&with_table).success();
    let table = folder.text("table.csv");
    assert_eq!(table.lines().count(), 5, "{table}");
    // On standard output, JSON stands alone.
    let report = folder.trainer(&format!("{folds} --json -")).json();
    assert_eq!(report["results"].as_array().map(Vec::len), Some(4));
}

#[test]
fn invalid_sweeps_are_rejected_with_one_sentence() {
    let folder = Folder::new();
    let error_of = |text: &str| {
        folder.write("bad.toml", text);
        folder.trainer("sweep bad.toml").refusal().to_owned()
    };
    assert_eq!(error_of("title = 1\n"), "bad.toml: line 1: invalid type: integer `1`, expected a string");
    assert!(error_of("data = ['x.csv']\n[run]\nlr = [1e-3, 99]\n").contains("run `lr=99`: learning rate is 99"));
    assert!(error_of("data = ['missing.csv']\n").contains("missing.csv"));
    assert!(error_of(&format!("data = [{SAMPLE:?}]\nrows = 100\n[run]\nextra_rows = 5\n")).contains("--extra"));
    assert!(error_of(&format!("data = [{SAMPLE:?}]\nrows = 0\n")).contains("`rows` is 0, expected at least 1"));
    // Settings that a later run cannot satisfy are rejected before the first run starts.
    let late = |run: &str| {
        error_of(&format!("data = [{SAMPLE:?}]\nrows = 2000\n[run]\nnet = \"white []\"\nepochs = 1\n{run}\n"))
    };
    assert!(late("folds = [2, 1000]").starts_with("run `folds=1000`: "));
    assert!(late("folds = [2, 70000]").starts_with("run `folds=70000`: 70000 folds; expected 2 to 65535"));
    #[cfg(not(feature = "cuda"))]
    assert!(late("device = [\"cpu\", \"cuda\"]").starts_with("run `device=cuda`: this build has no cuda"));
    folder.trainer("sweep none.toml").refused("none.toml: cannot read it");
}
