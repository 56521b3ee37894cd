//! The `train` command with the settings of a run, for a shell.

use std::path::Path;

use alfiere_data::{DataFile, Filter, LabelUnit, LabelView};
use alfiere_model::Compute;
use alfiere_model::{Objective, UpdateRule};
use alfiere_trainer::experiment::{EpochSelection, Plan, RunSettings};
use alfiere_training::{Flips, ResultShare, Schedule, TrainingOptions};

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
    words.extend(training(&settings.training).into_iter().flatten());
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

/// All options of a training that have an effect with their values, also the default ones; without threads.
pub(super) fn training(options: &TrainingOptions) -> Vec<Vec<String>> {
    let mut words = Vec::new();
    let mut add = |name: &str, value: &dyn ToString| words.push(vec![format!("--{name}"), value.to_string()]);
    add("net", &options.architecture);
    add("captures", &options.captures.name());
    add("start", &options.start);
    add("epochs", &options.epochs);
    add("batch", &options.batch_size);
    add("lr", &options.learning_rate);
    let (schedule, share) = match options.schedule {
        Schedule::Constant => ("constant", None),
        Schedule::Cosine { final_share } => ("cosine", Some(final_share)),
        Schedule::Linear { final_share } => ("linear", Some(final_share)),
        Schedule::Step { .. } => ("step", None),
    };
    add("schedule", &schedule);
    if let Some(share) = share {
        add("final-lr", &share);
    }
    if let Schedule::Step { gamma, every } = options.schedule {
        add("gamma", &gamma);
        add("step-epochs", &every);
    }
    add("warmup", &options.warmup_steps);
    let optimizer = match options.optimizer {
        UpdateRule::AdamW => "adamw",
        UpdateRule::Adam => "adam",
        UpdateRule::Sgd => "sgd",
        UpdateRule::Ranger => "ranger",
    };
    add("optimizer", &optimizer);
    add("weight-decay", &options.weight_decay);
    add("dropout", &options.dropout);
    if let Some(decay) = options.average {
        add("average", &decay);
    }
    match options.objective {
        Objective::ClippedCentipawns => add("loss", &"report"),
        Objective::Tanh { scale } => {
            add("loss", &"tanh");
            add("scale", &scale);
        }
        Objective::Sigmoid { scale, power } => {
            add("loss", &"sigmoid");
            add("scale", &scale);
            add("power", &power);
        }
    }
    match options.result_share {
        ResultShare::Constant(share) => add("result-share", &share),
        ResultShare::Linear { from, to } => add("result-share", &format!("{from}:{to}")),
    }
    if let Some(epochs) = options.patience {
        add("patience", &epochs);
    }
    add("seed", &options.seed);
    if options.device != Compute::Cpu {
        add("device", &options.device);
    }
    if options.flips == Flips::Never {
        words.push(vec!["--no-flips".to_owned()]);
    }
    words
}

/// Quotes arguments for a shell.
pub(crate) fn quoted(arguments: &[String]) -> String {
    let plain = |text: &str| text.chars().all(|letter| letter.is_ascii_alphanumeric() || "-_./:=,%+".contains(letter));
    let quote = |text: &String| if plain(text) { text.clone() } else { format!("'{}'", text.replace('\'', "'\\''")) };
    arguments.iter().map(quote).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use clap::{Args, Command, FromArgMatches};

    use super::super::train_args::TrainArgs;
    use super::*;

    #[test]
    fn the_command_has_every_setting_of_the_run() {
        let text = "data = ['my data.csv:scale=1.3']\nextra = ['b']\nrows = 500\n[filter]\nmates = true\nmin_ply = 8\n[run]\nselect = 'inner'\n";
        for run in [
            "",
            "net = 'white [16,8] x8 screlu'\nepochs = 3\nbatch = 100\nlr = 0.3\nschedule = 'step'\ngamma = 0.7\nstep_epochs = 2\n\
             warmup = 5\noptimizer = 'sgd'\nweight_decay = 0.0\ndropout = 0.25\naverage = 0.99\nloss = 'tanh'\nscale = 321.5\n\
             patience = 4\nflips = false\nseed = 9\n",
            "schedule = 'linear'\nfinal_lr = 0.5\noptimizer = 'ranger'\nloss = 'sigmoid'\nscale = 220\npower = 2.5\n\
             result_share = '0:0.3'\n",
            "schedule = 'constant'\noptimizer = 'adam'\nresult_share = 0.2\nlr = 1e-7\ncaptures = 'drop'\nstart = 'classical:9'\n",
        ] {
            let plan = Plan::parse(&format!("{text}{run}"), Path::new("in/some.toml"), None).expect("a plan");
            let settings = &plan.runs[0].settings;
            let command = train_command(&plan, settings, Path::new("out/best.nnue"));
            let start =
                "trainer train --data 'in/my data.csv:scale=1.3' in/b --rows 500 --skip-mates --min-ply 8 --net ";
            assert!(command.starts_with(start), "{command}");
            assert!(command.ends_with(" --select inner --out out/best.nnue"), "{command}");
            let words = [vec!["train".to_owned()], training(&settings.training).concat()].concat();
            let parsed = TrainArgs::augment_args(Command::new("train")).try_get_matches_from(words).expect("options");
            let config = TrainArgs::from_arg_matches(&parsed).expect("options").config(0);
            assert_eq!(config.ok().map(|config| config.options().clone()), Some(settings.training.clone()));
        }
    }
}
