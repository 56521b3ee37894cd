//! The commands, one file each: arguments, validation and printing of results.
//!
//! A command parses typed arguments, calls the library and prints the results; it computes no statistics itself.
//! Results go to standard output, progress and messages to standard error.

mod bench;
mod card;
mod check;
pub(crate) mod command_line;
mod convert;
mod cross_validate;
mod data_args;
mod datagen;
mod distil;
mod earlier;
mod export;
mod figures;
mod improve;
pub(crate) mod input_files;
mod label;
mod manual;
mod output;
mod run_data;
mod stats;
mod sweep;
mod train;
mod train_args;
mod training_display;
mod watch;
mod wdl;

pub(crate) use alfiere_terminal::{CommandResult, Failure};
use clap::Subcommand;

/// Limits what runs beside the training, such as reading rows, to this number of threads; 0 for one per core.
fn use_threads(count: usize) {
    // A second call, in a test, changes nothing.
    let _ = rayon::ThreadPoolBuilder::new().num_threads(count).build_global();
}

#[derive(Subcommand)]
pub(crate) enum Command {
    Train(Box<train::Train>),
    Watch(watch::Watch),
    CrossValidate(Box<cross_validate::CrossValidate>),
    Sweep(Box<sweep::Sweep>),
    Check(check::Check),
    Stats(stats::Stats),
    Convert(convert::Convert),
    Datagen(Box<datagen::Datagen>),
    Export(export::Export),
    Distil(distil::Distil),
    Improve(Box<improve::Improve>),
    Label(label::Label),
    Manual(manual::ManualArgs),
    Bench(bench::Bench),
    Wdl(wdl::Wdl),
}

/// The commands by what they are for, in the order in which they are used.
const GROUPS: [(&str, &[&str]); 4] = [
    ("Data", &["stats", "convert", "label", "datagen", "distil"]),
    ("Training", &["train", "watch", "cross-validate", "sweep", "improve"]),
    ("Networks", &["check", "export", "wdl"]),
    ("Program", &["bench", "manual"]),
];

/// The program's command line, whose help lists the commands in groups.
pub(crate) fn in_groups(program: clap::Command) -> clap::Command {
    let line = |name: &&str| {
        let about = program.find_subcommand(name).and_then(clap::Command::get_about);
        format!("  {name:<16}{}\n", about.map(ToString::to_string).unwrap_or_default())
    };
    let group = |(group, names): (&str, &[&str])| format!("{group}:\n{}\n", names.iter().map(line).collect::<String>());
    let text: String = GROUPS.into_iter().map(group).collect();
    program
        .help_template("{about-with-newline}\n{usage-heading} {usage}{after-help}\n\nOptions:\n{options}")
        .after_help(text.trim_end().to_owned())
}

#[cfg(test)]
#[test]
fn every_command_is_in_one_group() {
    let program = <crate::Cli as clap::CommandFactory>::command();
    let mut known: Vec<&str> = program.get_subcommands().map(clap::Command::get_name).collect();
    let mut grouped = GROUPS.map(|(_, names)| names).concat();
    known.sort_unstable();
    grouped.sort_unstable();
    assert_eq!(known, grouped);
}

impl Command {
    pub(crate) fn run(self) -> CommandResult {
        match self {
            Self::Train(train) => train.run(),
            Self::Watch(watch) => watch.run(),
            Self::CrossValidate(cross_validate) => cross_validate.run(),
            Self::Sweep(sweep) => sweep.run(),
            Self::Check(check) => check.run(),
            Self::Stats(stats) => stats.run(),
            Self::Convert(convert) => convert.run(),
            Self::Datagen(datagen) => datagen.run(),
            Self::Export(export) => export.run(),
            Self::Distil(distil) => distil.run(),
            Self::Improve(improve) => improve.run(),
            Self::Label(label) => label.run(),
            Self::Manual(args) => manual::run(&args),
            Self::Bench(bench) => bench.run(),
            Self::Wdl(wdl) => wdl.run(),
        }
    }
}
