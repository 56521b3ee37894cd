//! The `train` command with the settings of a run, for a shell.

use std::path::Path;

use alfiere_data::{DataFile, Filter, LabelUnit, LabelView};
use alfiere_model::Objective;
use alfiere_trainer::experiment::{EpochSelection, Plan, RunSettings};
use alfiere_trainer::stated_options::command_line;
use alfiere_training::{EMBEDDED_SHAPE, Schedule, TrainingOptions};
use clap::ValueEnum;

/// The command that trains a network with the settings of this run on the rows of its plan. Extra files are data like
/// the others; limits of the folds' rows have no option.
pub(super) fn train_command(plan: &Plan, settings: &RunSettings, out: &Path) -> String {
    let extra = if settings.extra_rows == Some(0) { &[][..] } else { &plan.extra };
    let mut words = data(plan, extra);
    words.extend(command_line(&settings.training).into_iter().flatten());
    if settings.selection == EpochSelection::Inner {
        words.extend(["--select", "inner"].map(str::to_owned));
    }
    words.extend(["--out".to_owned(), out.display().to_string()]);
    format!("trainer {}", quoted(&words))
}

/// The command that trains a network for the engine on the rows of a plan, with the options that `train` chooses.
pub(super) fn play_command(plan: &Plan, out: &Path) -> String {
    let mut words = data(plan, &plan.extra);
    words.extend(["--out".to_owned(), out.display().to_string()]);
    format!("trainer {}", quoted(&words))
}

/// `train` with the rows of a plan.
fn data(plan: &Plan, extra: &[DataFile]) -> Vec<String> {
    let mut words = vec!["train".to_owned(), "--data".to_owned()];
    words.extend(plan.data.iter().chain(extra).map(file));
    let meaning = plan.data.first().map(|file| file.labels).unwrap_or_default();
    if meaning.view == LabelView::SideToMove {
        words.extend(["--labels", "side-to-move"].map(str::to_owned));
    }
    if meaning.unit == LabelUnit::Pawns {
        words.extend(["--unit", "pawns"].map(str::to_owned));
    }
    words.extend(plan.rows.iter().flat_map(|rows| ["--rows".to_owned(), rows.to_string()]));
    if !plan.columns.is_empty() {
        words.extend(["--columns".to_owned(), plan.columns.to_string()]);
    }
    words.extend(filter(&plan.filter));
    words
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

/// Options for millions of rows from nothing, in place of the recommended ones.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Preset {
    /// One hidden layer, easy to read in an engine of your own: dual [256] screlu
    Simple,
    /// One wide hidden layer, inputs relative to the own king: dual [1024] screlu x8 kings=4
    KingBuckets,
    /// The shape of the embedded network: small layers for each number of pieces
    LayerStacks,
}

impl Preset {
    pub(crate) const fn shape(self) -> &'static str {
        match self {
            Self::Simple => "dual [256] screlu",
            Self::KingBuckets => "dual [1024] screlu x8 kings=4",
            Self::LayerStacks => EMBEDDED_SHAPE,
        }
    }

    /// Changes recommended options to those of the preset.
    pub(crate) fn apply(self, options: &mut TrainingOptions) {
        options.dropout = 0.0;
        if self != Self::Simple {
            options.schedule = Schedule::Cosine { final_share: 0.002 };
        }
        if self == Self::LayerStacks {
            options.objective = Objective::Sigmoid { scale: 220.0, power: 2.0 };
            options.learning_rate = 3e-3;
            options.warmup_steps = 100;
        }
    }
}

/// The arguments of this program.
pub(crate) fn arguments() -> Vec<String> {
    std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect()
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
        let text = "data = ['my data.csv:scale=1.3']\nextra = ['b']\nrows = 500\ncolumns = 'game=url'\n[filter]\nmates = true\nmin_ply = 8\n[run]\nselect = 'inner'\n";
        for run in [
            "",
            "net = 'dual [16,8] x8 screlu'\nepochs = 3\nbatch = 100\nlr = 0.3\nschedule = 'step'\ngamma = 0.7\nstep_epochs = 2\n\
             warmup = 5\noptimizer = 'adamw'\nweight_decay = 0.0\ndropout = 0.25\naverage = 0.99\nloss = 'tanh'\nscale = 321.5\n\
             patience = 4\nflips = false\nside_to_move = false\nseed = 9\n",
            "schedule = 'linear'\nfinal_lr = 0.5\noptimizer = 'ranger'\nloss = 'sigmoid'\nscale = 220\npower = 2.5\n\
             result_share = '0:0.3'\n",
            "schedule = 'constant'\nresult_share = 0.2\nlr = 1e-7\ncaptures = 'keep'\nstart = 'classical:9'\n",
        ] {
            let plan = Plan::parse(&format!("{text}{run}"), Path::new("in/some.toml"), None, None).expect("a plan");
            let settings = &plan.runs[0].settings;
            let command = train_command(&plan, settings, Path::new("out/best.nnue"));
            let start = "trainer train --data 'in/my data.csv:scale=1.3' in/b --rows 500 --columns game=url --skip-mates --min-ply 8 --net ";
            assert!(command.starts_with(start), "{command}");
            assert!(command.ends_with(" --select inner --out out/best.nnue"), "{command}");
            let words = [vec!["train".to_owned()], command_line(&settings.training).concat()].concat();
            let parsed =
                StatedOptions::augment_args(Command::new("train")).try_get_matches_from(words).expect("options");
            let stated = StatedOptions::from_arg_matches(&parsed).expect("options");
            let start = stated.start.clone().expect("every start is stated");
            assert_eq!(stated.options(TrainingOptions { start, ..TrainingOptions::default() }), settings.training);
        }
    }
}
