//! The keys of a sweep file, for its reference page and for messages.

use std::fmt::Write;

use clap::{Arg, Args, Command};

use crate::stated_options::StatedOptions;

/// A key and its meaning.
type Key = (&'static str, &'static str);

/// Keys at the top of the file.
const FILE: [Key; 11] = [
    ("title", "Title of tables and figures; the file's name without it"),
    ("data", "Files whose rows are split into folds, relative to the sweep file; `FILE:scale=1.3` multiplies labels"),
    ("extra", "Files of extra training rows, which are never held out"),
    ("rows", "Number of rows read from the start of `data`"),
    ("columns", "Names of columns in a CSV's header, as `--columns` takes them: `game=url`"),
    ("labels", "The view of the labels of all files: `white` or `side-to-move`"),
    ("unit", "Their unit: `centipawns` or `pawns`"),
    (
        "design",
        "`grid`: every combination of the lists; `one-at-a-time`: the first values, and each change of one of them",
    ),
    (
        "[filter]",
        "Rows that are left out: `in_check`, `noisy_best_move`, `mates` (true), `max_centipawns`, `min_ply`, `max_ply`, \
         `min_pieces`, `max_pieces` (a number)",
    ),
    ("[run]", "The settings below: a value each, or a list of values to compare"),
    ("[[variant]]", "A `name` and any of the settings below: several of them varied together"),
];

/// Settings that are no option of a training.
const RUN: [Key; 13] = [
    (
        "hidden",
        "Widths of the hidden layers, in place of those in `net`: `[128, 32]` is one network of two layers, `[[128], [32]]` \
         are two networks of one",
    ),
    ("perspective", "`dual` or `white`, in place of that in `net`"),
    ("activation", "Activation function, in place of that in `net`"),
    ("buckets", "Output buckets, `x1` or `x8`, in place of those in `net`"),
    ("kings", "Number of king buckets, 0 for none, in place of that in `net`"),
    ("folds", "Number of folds, at least 2 [default: 5]"),
    (
        "repeats",
        "How often the cross-validation is repeated, each time with the next `seed` and `split_seed` [default: 1]",
    ),
    ("split", "`games` or `rows` [default: games, or positions where games are unknown]"),
    ("split_seed", "Seed of the split [default: `seed`]"),
    (
        "select",
        "`last`: the last epoch is validated; `inner`: the best on a tenth of the training side [default: last]",
    ),
    ("training_rows", "Most training rows of a fold, in whole games"),
    ("validation_rows", "Most validation rows of a fold, in whole games"),
    ("extra_rows", "Number of rows of `extra`"),
];

/// The options of a training, by their keys.
fn options() -> Vec<(String, Arg)> {
    let command = StatedOptions::augment_args(Command::new("run"));
    let key = |arg: &Arg| arg.get_id().as_str().trim_start_matches("no_").to_owned();
    command.get_arguments().map(|arg| (key(arg), arg.clone())).collect()
}

/// All keys of `[run]`.
pub(super) fn run_keys() -> Vec<String> {
    RUN.iter().map(|(key, _)| (*key).to_owned()).chain(options().into_iter().map(|(key, _)| key)).collect()
}

/// The reference page: every key of a sweep file with its meaning, values and default, in Markdown.
pub fn sweep_keys() -> String {
    let cell = |text: &str| text.replace('\n', " ").replace('|', "\\|");
    let table = |head: &str, keys: &[Key]| {
        let head = format!("\n{head}\n\n| key | meaning |\n|---|---|\n");
        keys.iter().fold(head, |text, (key, meaning)| text + &format!("| `{key}` | {} |\n", cell(meaning)))
    };
    let mut text = "# Keys of a sweep file\n\nPrinted by `trainer sweep keys`.\n".to_owned();
    text += &table("## The file", &FILE);
    text += &table("## Settings of a run: network, folds and rows", &RUN);
    text += "\n## Settings of a run: training\n\nThe options of `trainer train`, with `_` in place of `-`.\n\n| key | meaning | values | default |\n|---|---|---|---|\n";
    for (key, arg) in options() {
        let help = arg.get_long_help().or_else(|| arg.get_help()).map_or_else(String::new, ToString::to_string);
        let is_inverted = arg.get_id().as_str().starts_with("no_");
        let values: Vec<String> =
            arg.get_possible_values().iter().map(|value| format!("`{}`", value.get_name())).collect();
        let values = if is_inverted { "`true`, `false`".to_owned() } else { values.join(", ") };
        let default =
            arg.get_default_values().iter().map(|value| value.to_string_lossy()).collect::<Vec<_>>().join(" ");
        let default = if is_inverted { "true" } else { default.as_str() };
        let help = if is_inverted { format!("If false: {help}") } else { help };
        // Writing to a string cannot fail.
        let _ = writeln!(text, "| `{key}` | {} | {values} | {default} |", cell(&help));
    }
    text
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::super::plan::Plan;
    use super::*;

    #[test]
    fn the_guide_has_today_s_keys() {
        let page = include_str!("../../../docs/guide/sweep-keys.md");
        assert_eq!(page, sweep_keys(), "write it again: trainer sweep keys > docs/guide/sweep-keys.md");
    }

    #[test]
    fn every_key_is_known_to_the_file_and_every_unknown_one_is_answered_with_all() {
        let parse =
            |text: &str| Plan::parse(text, Path::new("some.toml"), None, None).map_err(|error| error.to_string());
        let error = parse("data = ['a']\n[run]\ndropuot = 0.1\n").expect_err("unknown");
        assert!(error.contains("unknown setting `dropuot`"), "{error}");
        for key in run_keys() {
            assert!(error.contains(&format!(" {key}")), "{key}: {error}");
            let found = parse(&format!("data = ['a']\n[run]\n{key} = 'x'\n"));
            assert!(!found.is_err_and(|error| error.contains("unknown setting")), "{key}");
        }
        let keys = FILE.iter().map(|(key, _)| *key).filter(|key| !key.starts_with('['));
        for key in keys {
            let found = parse(&format!("{key} = 1.5\n"));
            assert!(found.is_err_and(|error| !error.contains("unknown field")), "{key}");
        }
    }
}
