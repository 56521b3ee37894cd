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
mod fit_classical;
mod improve;

pub(crate) mod input_files;
pub(crate) mod interrupt;
mod label;
mod manual;
mod output;
mod progress;
mod run_data;
mod sort_neurons;
mod stats;
mod sweep;
mod train;
mod train_args;
mod training_display;
mod uci;
mod watch;
mod wdl;

use std::process::ExitCode;

use clap::Subcommand;

pub(crate) use output::all_printed;
pub(crate) use output::{CommandResult, Failure};

/// Prints the failure on standard error and returns its exit code.
pub(crate) fn report(failure: &Failure) -> ExitCode {
    progress::remark(&format!("error: {}", failure.0));
    if interrupt::requested() { interrupt::INTERRUPTED.into() } else { ExitCode::FAILURE }
}

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
    Merge(sweep::Merge),
    Check(check::Check),
    Stats(stats::Stats),
    Convert(convert::Convert),
    Datagen(Box<datagen::Datagen>),
    Export(export::Export),
    SortNeurons(sort_neurons::SortNeurons),
    Distil(distil::Distil),
    Improve(Box<improve::Improve>),
    Label(label::Label),
    FitClassical(fit_classical::FitClassical),
    Manual(manual::ManualArgs),
    Bench(bench::Bench),
    Uci(uci::Uci),
    Wdl(wdl::Wdl),
}

impl Command {
    pub(crate) fn run(self) -> CommandResult {
        match self {
            Self::Train(train) => train.run(),
            Self::Watch(watch) => watch.run(),
            Self::CrossValidate(cross_validate) => cross_validate.run(),
            Self::Sweep(sweep) => sweep.run(),
            Self::Merge(merge) => merge.run(),
            Self::Check(check) => check.run(),
            Self::Stats(stats) => stats.run(),
            Self::Convert(convert) => convert.run(),
            Self::Datagen(datagen) => datagen.run(),
            Self::Export(export) => export.run(),
            Self::SortNeurons(sort) => sort.run(),
            Self::Distil(distil) => distil.run(),
            Self::Improve(improve) => improve.run(),
            Self::Label(label) => label.run(),
            Self::FitClassical(fit) => fit.run(),
            Self::Manual(args) => manual::run(&args),
            Self::Bench(bench) => bench.run(),
            Self::Uci(uci) => uci.run(),
            Self::Wdl(wdl) => wdl.run(),
        }
    }
}
