//! Figures of stores with known results.

use std::path::Path;

use super::{has_training_r2, pictures};
use crate::experiment::effects::effects;
use crate::experiment::plan::Plan;
use crate::experiment::results::Results;
use crate::experiment::store::Store;
use crate::experiment::test_store;
use crate::figures::{Comparison, Figure, XAxis};

/// A store whose R² values encode the run and the fold.
fn store(folder: &Path, text: &str) -> Store {
    test_store::store(folder, text, |run, fold| 0.1 * (run + 1) as f64 + 0.01 * fold as f64)
}

fn drawn(store: &Store) -> Vec<(String, Figure)> {
    let results = Results::read(store).expect("results");
    pictures(&results, &effects(&results))
}

fn comparison_of(store: &Store, name: &str) -> Comparison {
    match drawn(store).into_iter().find(|(found, _)| found == name) {
        Some((_, Figure::Comparison(comparison))) => comparison,
        other => panic!("{name} is {other:?}"),
    }
}

#[test]
fn grid_has_a_series_per_split_and_a_dot_per_fold() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = "data = ['a']\n[run]\nfolds = 3\nhidden = [[64], [8, 8], [16]]\nsplit = ['games', 'rows']\n";
    let store = store(folder.path(), text);
    let names: Vec<String> = drawn(&store).into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["effects", "r2-by-hidden", "r2-by-epoch"]);
    let found = comparison_of(&store, "r2-by-hidden");
    let series: Vec<&str> = found.series.iter().map(|series| series.name.as_str()).collect();
    assert_eq!(series, ["split by games", "split by rows"]);
    let labels: Vec<&str> = found.series[1].groups.iter().map(|group| group.label.as_str()).collect();
    assert_eq!(labels, ["[8,8]", "[16]", "[64]"], "the smallest network first");
    let near = |values: &[f64], expected: [f64; 3]| values.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-9);
    assert!(near(&found.series[1].groups[2].values, [0.2, 0.21, 0.22]), "{found:?}");
    assert_eq!(found.x_axis, XAxis::Categories);
    assert!(found.subtitle.starts_with("n = 1k training, 250 validation rows; 3 folds;"), "{}", found.subtitle);
}

#[test]
fn training_rows_have_a_logarithmic_axis() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = "data = ['a']\n[run]\nfolds = 2\ntraining_rows = [10, 100, 1000000]\n";
    let found = comparison_of(&store(folder.path(), text), "r2-by-training-rows");
    assert_eq!(found.x_axis, XAxis::Logarithmic);
    let places: Vec<Option<f64>> = found.series[0].groups.iter().map(|group| group.x).collect();
    assert_eq!(places, [Some(10.0), Some(100.0), Some(1_000.0)]);
    assert_eq!(found.series[0].name, "split by games");
}

#[test]
fn figure_with_different_fold_counts_shows_their_range() {
    let folder = tempfile::tempdir().expect("a folder");
    let found = comparison_of(&store(folder.path(), "data = ['a']\n[run]\nfolds = [2, 3]\n"), "r2-by-folds");
    assert!(found.subtitle.contains("; 2 to 3 folds split by games;"), "{}", found.subtitle);
}

#[test]
fn figures_name_the_validated_epoch_and_the_spread() {
    let subtitles = |select: &str| {
        let folder = tempfile::tempdir().expect("a folder");
        let store = store(folder.path(), &format!("data = ['a']\n[run]\nfolds = 2\nselect = {select}\n"));
        drawn(&store)
            .into_iter()
            .filter_map(|(_, figure)| match figure {
                Figure::Comparison(figure) => Some(figure.subtitle),
                Figure::Curves(figure) => Some(figure.subtitle),
                _ => None,
            })
            .collect::<Vec<String>>()
    };
    for (select, validated, validation) in [
        ("'last'", "validated after the last epoch", "validation: the held-out fold;"),
        ("'inner'", "validated at the epoch selected on inner rows", "validation: the tenth of the training side"),
    ] {
        let [by_epoch] = subtitles(select).try_into().expect("one figure");
        assert!(by_epoch.contains(validated), "{by_epoch}");
        assert!(by_epoch.contains(validation), "{by_epoch}");
    }
    let [by_select, by_epoch] = subtitles("['last', 'inner']").try_into().expect("two figures");
    assert!(!by_select.contains("validated a"), "{by_select}");
    assert!(by_epoch.contains("or with select=inner a tenth"), "{by_epoch}");
}

#[test]
fn training_r2_requires_a_clipped_mse_loss() {
    let has = |text: &str| {
        let plan = Plan::parse(&format!("data = ['a']\n{text}\n"), Path::new("some.toml"), None, None).expect("a plan");
        has_training_r2(&plan, &plan.runs[0])
    };
    let report = "[run]\nstart = 'random'\nloss = 'report'\n";
    assert!(has(report));
    assert!(has(&format!("extra = ['b']\n{report}extra_rows = 0")));
    for text in
        ["[run]\nloss = 'tanh'", &format!("{report}result_share = '0:0.3'"), &format!("extra = ['b']\n{report}")]
    {
        assert!(!has(text), "{text}");
    }
}

#[test]
fn figures_say_which_runs_they_show() {
    let subtitles = |axes: &str| {
        let folder = tempfile::tempdir().expect("a folder");
        let store = store(folder.path(), &format!("data = ['a']\n[run]\nfolds = 2\nlr = [1, 2]\n{axes}\n"));
        let by_lr = comparison_of(&store, "r2-by-lr");
        assert!(by_lr.series.len() <= 6);
        let by_epoch = drawn(&store).into_iter().find_map(|(_, figure)| match figure {
            Figure::Curves(figure) => Some(figure.subtitle),
            _ => None,
        });
        [by_lr.subtitle, by_epoch.expect("curves")]
            .map(|words| words.split("n = ").next().unwrap_or_default().to_owned())
    };
    assert_eq!(subtitles("dropout = [0.0, 0.1]"), ["", ""]);
    let all = "dropout = [0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6]";
    let best = "other settings as in the best run: dropout 0.6; ";
    assert_eq!(subtitles(all), [best, "the best 4 of 14 runs; "]);
    let [_, by_epoch] = subtitles("dropout = [0.0, 0.1]\nsplit = ['games', 'rows']");
    assert_eq!(by_epoch, "4 of 8 runs, the best of each kind of split; ");
}

#[test]
fn one_at_a_time_has_one_series_per_axis_through_the_base() {
    let folder = tempfile::tempdir().expect("a folder");
    let text =
        "data = ['a']\ndesign = 'one-at-a-time'\n[run]\nfolds = 2\ndropout = [0.0, 0.1, 0.2]\nlr = [0.001, 0.01]\n";
    let store = store(folder.path(), text);
    let dropout = comparison_of(&store, "r2-by-dropout");
    assert_eq!((dropout.series.len(), dropout.series[0].groups.len()), (1, 3));
    assert_eq!(dropout.x_axis, XAxis::Linear);
    let rate = comparison_of(&store, "r2-by-lr");
    assert_eq!((rate.series.len(), rate.series[0].groups.len()), (1, 2));
    assert_eq!(rate.series[0].groups[0].values, dropout.series[0].groups[0].values);
}
