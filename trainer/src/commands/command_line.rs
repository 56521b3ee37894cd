//! The `train` command with the settings of a run, for a shell.

use std::ffi::OsString;
use std::path::Path;

use alfiere_data::{DataFile, Filter, LabelUnit, LabelView};
use alfiere_trainer::experiment::{EpochSelection, Plan, RunSettings};
use alfiere_trainer::stated_options::command_line;
use alfiere_training::EMBEDDED_SHAPE;
use clap::ValueEnum;
use clap::builder::PossibleValue;

/// The command that trains a network with the settings of this run on the rows of its plan. Extra files are data like
/// the others; limits of the folds' rows have no option.
pub(super) fn train_command(plan: &Plan, settings: &RunSettings, out: &Path) -> String {
    let mut words = vec!["train".to_owned(), "--data".to_owned()];
    let extra = if settings.extra_rows == Some(0) { &[][..] } else { &plan.extra };
    words.extend(plan.data.iter().chain(extra).map(file));
    let meaning = plan.data.first().map(|file| file.labels).unwrap_or_default();
    if meaning.view == LabelView::SideToMove {
        words.extend(["--labels", "side-to-move"].map(str::to_owned));
    }
    if meaning.unit == LabelUnit::Pawns {
        words.extend(["--unit", "pawns"].map(str::to_owned));
    }
    words.extend(plan.rows.iter().flat_map(|rows| ["--rows".to_owned(), rows.to_string()]));
    words.extend(filter(&plan.filter));
    words.extend(command_line(&settings.training).into_iter().flatten());
    if settings.selection == EpochSelection::Inner {
        words.extend(["--select", "inner"].map(str::to_owned));
    }
    words.extend(["--out".to_owned(), out.display().to_string()]);
    format!("trainer {}", quoted(&words))
}

fn file(file: &DataFile) -> String {
    let path = file.path.display();
    if (file.scale - 1.0).abs() < f64::EPSILON { path.to_string() } else { format!("{path}:scale={}", file.scale) }
}

fn filter(filter: &Filter) -> Vec<String> {
    let &Filter { in_check, noisy_best_move, mates, max_centipawns, min_ply, max_ply, min_pieces, max_pieces } = filter;
    let flags = [("--skip-checks", in_check), ("--skip-captures", noisy_best_move), ("--skip-mates", mates)];
    let limits = [
        ("--max-cp", max_centipawns),
        ("--min-ply", min_ply),
        ("--max-ply", max_ply),
        ("--min-pieces", min_pieces),
        ("--max-pieces", max_pieces),
    ];
    let flags = flags.into_iter().filter(|(_, is_set)| *is_set).map(|(name, _)| name.to_owned());
    let limits = limits.into_iter().filter_map(|(name, limit)| Some([name.to_owned(), limit?.to_string()]));
    flags.chain(limits.flatten()).collect()
}

/// Quotes arguments for a shell.
pub(crate) fn quoted(arguments: &[String]) -> String {
    let plain = |text: &str| text.chars().all(|letter| letter.is_ascii_alphanumeric() || "-_./:=,%+".contains(letter));
    let quote = |text: &String| if plain(text) { text.clone() } else { format!("'{}'", text.replace('\'', "'\\''")) };
    arguments.iter().map(quote).collect::<Vec<_>>().join(" ")
}

const OPTION: &str = "--preset";
/// Commands with the options of the presets.
const COMMANDS: [&str; 2] = ["train", "cross-validate"];

/// A starting point.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Preset {
    Simple,
    KingBuckets,
    LayerStacks,
}

impl Preset {
    const fn name(self) -> &'static str {
        match self {
            Self::Simple => "simple",
            Self::KingBuckets => "king-buckets",
            Self::LayerStacks => "layer-stacks",
        }
    }

    const fn about(self) -> &'static str {
        match self {
            Self::Simple => "one hidden layer, easy to read in an engine of your own",
            Self::KingBuckets => "one wide hidden layer, inputs relative to the own king",
            Self::LayerStacks => "small layers for each number of pieces, as in the embedded network",
        }
    }

    const fn options(self) -> &'static [[&'static str; 2]] {
        match self {
            Self::Simple => &[["--net", "dual [256] screlu"], ["--loss", "sigmoid"]],
            Self::KingBuckets => {
                &[["--net", "dual [1024] screlu x8 kings=4"], ["--loss", "sigmoid"], ["--final-lr", "0.002"]]
            }
            Self::LayerStacks => &[
                ["--net", EMBEDDED_SHAPE],
                ["--loss", "sigmoid"],
                ["--scale", "220"],
                ["--lr", "0.003"],
                ["--final-lr", "0.002"],
                ["--warmup", "100"],
            ],
        }
    }
}

impl ValueEnum for Preset {
    fn value_variants<'a>() -> &'a [Self] {
        &[Self::Simple, Self::KingBuckets, Self::LayerStacks]
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        let options: Vec<String> = self.options().concat().into_iter().map(str::to_owned).collect();
        Some(PossibleValue::new(self.name()).help(format!("{}: {}", self.about(), quoted(&options))))
    }
}

/// The preset of a command line with its program name: where it is, how many words it takes, and which it is. `None`
/// without one, and if clap will reject the command line: an unknown preset, none, or two.
fn find(words: &[OsString]) -> Option<(usize, usize, Preset)> {
    words.get(1).and_then(|command| command.to_str()).filter(|command| COMMANDS.contains(command))?;
    let mut places = words.iter().enumerate().filter_map(|(at, word)| Some((at, word.to_str()?.strip_prefix(OPTION)?)));
    let (at, rest) = places.find(|(_, rest)| rest.is_empty() || rest.starts_with('='))?;
    if places.any(|(_, rest)| rest.is_empty() || rest.starts_with('=')) {
        return None;
    }
    let (name, count) = match rest.strip_prefix('=') {
        Some(name) => (name, 1),
        None => (words.get(at + 1)?.to_str()?, 2),
    };
    let preset = Preset::value_variants().iter().find(|preset| preset.name() == name)?;
    Some((at, count, *preset))
}

/// The command line with the options of its preset instead of the preset, except those that it has already.
pub(crate) fn spell_out(mut words: Vec<OsString>) -> Vec<OsString> {
    let Some((at, count, preset)) = find(&words) else { return words };
    words.drain(at..at + count);
    let is_given = |option: &str| {
        let is_option =
            |word: &str| word.strip_prefix(option).is_some_and(|rest| rest.is_empty() || rest.starts_with('='));
        words.iter().filter_map(|word| word.to_str()).any(is_option)
    };
    let missing: Vec<[&str; 2]> = preset.options().iter().filter(|[option, _]| !is_given(option)).copied().collect();
    let missing = missing.into_iter().flatten().map(OsString::from);
    words.splice(at..at, missing);
    words
}

/// The arguments of this program as [`spell_out`] gives them, and the name of the preset.
pub(crate) fn arguments() -> (Vec<String>, Option<&'static str>) {
    let words: Vec<OsString> = std::env::args_os().collect();
    let name = find(&words).map(|(_, _, preset)| preset.name());
    (spell_out(words).into_iter().skip(1).map(|word| word.to_string_lossy().into_owned()).collect(), name)
}

#[cfg(test)]
mod tests {
    use clap::{Args, Command, FromArgMatches};

    use super::*;
    use alfiere_search::eval::NetworkChoice;
    use alfiere_trainer::stated_options::StatedOptions;
    use alfiere_training::TrainingOptions;

    #[test]
    fn the_embedded_network_has_the_shape_that_is_said_to_be_its_own() {
        let said = EMBEDDED_SHAPE.parse().expect("an architecture");
        assert_eq!(*NetworkChoice::default().architecture(), said);
    }

    #[test]
    fn the_command_has_every_setting_of_the_run() {
        let text = "data = ['my data.csv:scale=1.3']\nextra = ['b']\nrows = 500\n[filter]\nmates = true\nmin_ply = 8\n[run]\nselect = 'inner'\n";
        for run in [
            "",
            "net = 'dual [16,8] x8 screlu'\nepochs = 3\nbatch = 100\nlr = 0.3\nschedule = 'step'\ngamma = 0.7\nstep_epochs = 2\n\
             warmup = 5\noptimizer = 'adamw'\nweight_decay = 0.0\ndropout = 0.25\naverage = 0.99\nloss = 'tanh'\nscale = 321.5\n\
             patience = 4\nflips = false\nside_to_move = false\nseed = 9\n",
            "schedule = 'linear'\nfinal_lr = 0.5\noptimizer = 'ranger'\nloss = 'sigmoid'\nscale = 220\npower = 2.5\n\
             result_share = '0:0.3'\n",
            "schedule = 'constant'\nresult_share = 0.2\nlr = 1e-7\ncaptures = 'drop'\nstart = 'classical:9'\n",
        ] {
            let plan = Plan::parse(&format!("{text}{run}"), Path::new("in/some.toml"), None).expect("a plan");
            let settings = &plan.runs[0].settings;
            let command = train_command(&plan, settings, Path::new("out/best.nnue"));
            let start =
                "trainer train --data 'in/my data.csv:scale=1.3' in/b --rows 500 --skip-mates --min-ply 8 --net ";
            assert!(command.starts_with(start), "{command}");
            assert!(command.ends_with(" --select inner --out out/best.nnue"), "{command}");
            let words = [vec!["train".to_owned()], command_line(&settings.training).concat()].concat();
            let parsed =
                StatedOptions::augment_args(Command::new("train")).try_get_matches_from(words).expect("options");
            let stated = StatedOptions::from_arg_matches(&parsed).expect("options");
            assert_eq!(stated.options(TrainingOptions::default()), settings.training);
        }
    }

    fn spelled(line: &[&str]) -> Vec<String> {
        let words = line.iter().map(OsString::from).collect();
        spell_out(words).into_iter().map(|word| word.into_string().expect("UTF-8")).collect()
    }

    #[test]
    fn a_preset_becomes_its_options_without_those_that_are_given() {
        let simple = ["trainer", "train", "--net", "dual [256] screlu", "--loss", "sigmoid", "--out", "a"];
        assert_eq!(spelled(&["trainer", "train", "--preset", "simple", "--out", "a"]), simple);
        assert_eq!(spelled(&["trainer", "train", "--preset=simple", "--out", "a"]), simple);
        let own = ["trainer", "cross-validate", "--net=dual [8]", "--preset", "simple", "--loss", "tanh"];
        assert_eq!(spelled(&own), ["trainer", "cross-validate", "--net=dual [8]", "--loss", "tanh"]);
        let longer = spelled(&["trainer", "train", "--preset", "layer-stacks", "--lr-x", "1"]);
        assert!(longer.windows(2).any(|two| two == ["--lr", "0.003"]), "{longer:?}");
    }

    #[test]
    fn other_command_lines_stay() {
        for line in [
            &["trainer"][..],
            &["trainer", "sweep", "--preset", "simple"],
            &["trainer", "train", "--preset", "best"],
            &["trainer", "train", "--preset"],
            &["trainer", "train", "--preset", "simple", "--preset=simple"],
            &["trainer", "train", "--presets", "simple"],
        ] {
            assert_eq!(spelled(line), line);
        }
    }
}
