//! `--preset`: named starting points, which stand for other options on the command line.

use std::ffi::OsString;

use clap::ValueEnum;
use clap::builder::PossibleValue;

use super::train_command::quoted;

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

    /// The options and their values.
    const fn options(self) -> &'static [[&'static str; 2]] {
        match self {
            Self::Simple => &[["--net", "dual [256] screlu"], ["--loss", "sigmoid"]],
            Self::KingBuckets => {
                &[["--net", "dual [1024] screlu x8 kings=4"], ["--loss", "sigmoid"], ["--final-lr", "0.002"]]
            }
            Self::LayerStacks => &[
                ["--net", "dual [1024,32,32] x8 stacks pairwise skip kings=1"],
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
    use super::*;

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
