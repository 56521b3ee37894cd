//! `trainer label`: evaluations and best moves from any UCI engine, or static evaluations of a network.

use std::ffi::OsString;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::thread::available_parallelism;
use std::time::Duration;

use alfiere_arena::spec::PlayerSpec;
use alfiere_arena::uci_player::UciPlayer;
use alfiere_chess::game::Limit;
use alfiere_data::{Conversion, DataFile, Format, ReadOptions, RequiredFields, Row, relabel};
use alfiere_sources::labelling::{
    self, Assignment, Counts, End, LabelFile, LabelObserver, LabelSettings, ProcessFailure,
};
use alfiere_sources::playing_network::fingerprint_of_options;
use alfiere_sources::shard::Shard;
use alfiere_teacher::Teacher;
use alfiere_terminal::{Progress, Replace, check_outputs, interrupt, remark, say};
use clap::Args;

use super::convert::{self, output_format};
use super::data_args::RowArgs;
use super::input_files::read_rows;
use super::output::grouped;
use super::{CommandResult, Failure, input_files};

/// Maximum number of failed positions that are listed.
const MAX_LISTED: usize = 10;

/// Label positions with a UCI engine: FEN, Evaluation, Move, and Result if known
///
/// Evaluations are the engine's centipawns from White's point of view, mates are `#+3`; rows are in input order.
/// Positions in which the game is over are skipped. Consecutive games form a chunk of at least 32 rows, which one
/// process labels in sequence as one game, so that it can reuse its hash table. Finished chunks are kept in OUT.part:
/// after Ctrl-C or a crash, the same command resumes and writes the same file. A process that crashes or hangs is
/// restarted and the position is repeated; a position on which it fails three times is skipped and reported.
///
/// With --teacher, the labels are the static evaluations of a network, computed here at a hundred thousand positions per
/// second. Rows are streamed to any format that `convert` writes, with their results and best moves; positions in check
/// are left out.
///
/// Examples:
///
/// trainer label games.csv.zst --engine 'stockfish option.Hash=8' --nodes 1000 --out labels.csv.zst
///
/// trainer label old.packed --engine 'alfiere net=nets/mine.nnue' --nodes 5000 --out labels.csv.zst
///
/// trainer label old.packed --teacher nets/mine.nnue --out new.packed
#[derive(Args)]
#[command(group(clap::ArgGroup::new("bound").required(true).args(["nodes", "depth", "teacher"])))]
#[command(group(clap::ArgGroup::new("source").required(true).args(["engine", "teacher"])))]
pub(crate) struct Label {
    /// Positions: a file of any format that `convert` reads (its evaluations are ignored), or one FEN or EPD per line;
    /// also .gz, .zst
    #[arg(value_name = "IN")]
    input: PathBuf,
    /// The engine: PROGRAM, then `option.NAME=VALUE`, `net=FILE`, `arg=WORD`; `alfiere` is also found next to this
    /// program
    #[arg(long, value_name = "SPEC")]
    engine: Option<OsString>,
    /// Network file of this project or of Stockfish 19, instead of an engine
    #[arg(long, value_name = "FILE")]
    teacher: Option<PathBuf>,
    /// Nodes per position
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Depth per position
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=240))]
    depth: Option<u32>,
    /// File to write: .csv, .csv.gz or .csv.zst, with --teacher also another format
    #[arg(long, value_name = "OUT")]
    out: PathBuf,
    /// Number of engine processes [default: one per core]
    #[arg(long, value_name = "P", value_parser = clap::value_parser!(u16).range(1..), conflicts_with = "teacher")]
    processes: Option<u16>,
    /// Label only the I-th of N contiguous parts of the games; concatenate the parts' files to get the whole
    #[arg(long, value_name = "I/N", default_value_t = Shard::WHOLE, conflicts_with = "teacher")]
    shard: Shard,
    /// Seconds after which a process that has not answered counts as hanging
    #[arg(long, value_name = "SECONDS", default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..=31_536_000))]
    timeout: u64,
    #[command(flatten)]
    rows: RowArgs,
    /// Replace the output file if it exists
    #[arg(long, requires = "teacher")]
    force: bool,
}

impl Label {
    pub(crate) fn run(&self) -> CommandResult {
        let is_csv = Format::of_name(&self.out) == Some(Format::Csv);
        if self.teacher.is_none() && !is_csv {
            let name = self.out.display();
            return Err(Failure::new(format!(
                "{name}: labels are written as CSV; expected a name ending in .csv, .csv.gz or .csv.zst"
            )));
        }
        let inputs = self.teacher.iter().chain([&self.input]).map(PathBuf::as_path);
        check_outputs(inputs, [self.out.as_path()])?;
        if let Some(teacher) = &self.teacher {
            Replace { force: self.force }.check_new([self.out.as_path()])?;
            return self.label_statically(&Teacher::load(teacher)?);
        }
        let settings = self.settings()?;
        let rows = self.read()?;
        let assignment = Assignment::new(rows, self.shard)?;
        let engine = introduce(&settings.engine)?;
        let mut labels = LabelFile::open(&self.out, &assignment, &engine, &settings.limit.to_string())?;
        let (all, before) = (assignment.row_count(), labels.counts().total());
        if before > 0 {
            remark(format_args!("{} of {} positions are already labelled", grouped(before), grouped(all)));
        }
        let mut display =
            LabelDisplay { name: &settings.engine.name, bar: Progress::new("labelling", all - before, "positions") };
        let end = labelling::label(&assignment, &settings, &mut labels, &mut display);
        drop(display);
        if end? == End::Stopped {
            let (done, path) = (labels.counts().total(), labels.path().display());
            remark(format_args!(
                "stopped after {} of {} positions; run the same command again to resume from {path}",
                grouped(done),
                grouped(all)
            ));
            return Ok(());
        }
        let counts = labels.publish()?;
        report(&counts);
        say(format_args!("{}: {} rows", self.out.display(), grouped(counts.rows)));
        Ok(())
    }

    fn label_statically(&self, teacher: &Teacher) -> CommandResult {
        let to = output_format(&self.out, None)?;
        let inputs = [DataFile::new(input_files::as_file(&self.input)?)];
        let job = Conversion { read: self.read_options(), ..Conversion::new(&inputs, &self.out, to) };
        let labels = |rows: &[Row]| {
            let label = |value: Option<i32>| value.map(|value| alfiere_data::Label::centipawns(i64::from(value)));
            alfiere_teacher::values(teacher, rows).into_iter().map(label).collect()
        };
        let mut display = self.rows.display()?;
        let made = relabel(&job, &labels, &mut display)?;
        display.list()?;
        convert::report(&made, to);
        Ok(())
    }

    fn settings(&self) -> Result<LabelSettings, Failure> {
        let description = self.engine.clone().unwrap_or_default();
        let mut engine = PlayerSpec::parse(&description, "")?;
        if engine.limit.is_some() {
            let sentence =
                format!("engine \"{}\": expected one without a limit; use --nodes or --depth", description.display());
            return Err(Failure::new(sentence));
        }
        if let Some(own) = own_engine(&engine.program) {
            engine.program = own;
        }
        let limit = match (self.nodes, self.depth) {
            (Some(nodes), _) => Limit::Nodes(nodes),
            (_, depth) => Limit::Depth(depth.unwrap_or(1)),
        };
        let cores = || available_parallelism().map_or(1, usize::from);
        let processes = self.processes.map_or_else(cores, usize::from);
        Ok(LabelSettings { engine, limit, patience: Duration::from_secs(self.timeout), processes })
    }

    fn read_options(&self) -> ReadOptions {
        ReadOptions { required: RequiredFields::Positions, ..self.rows.options() }
    }

    fn read(&self) -> Result<Vec<Row>, Failure> {
        let file = DataFile::new(input_files::as_file(&self.input)?);
        read_rows(&file, &self.read_options(), self.rows.display()?)
    }
}

/// `alfiere` next to this program, if that is the requested engine.
fn own_engine(program: &Path) -> Option<PathBuf> {
    let beside = std::env::current_exe().ok()?.with_file_name("alfiere");
    (program == Path::new("alfiere") && beside.exists()).then_some(beside)
}

/// Starts the engine once, to check that it starts and to describe it with its settings.
fn introduce(spec: &PlayerSpec) -> Result<String, Failure> {
    let failure = |error| Failure::new(format!("engine \"{}\" {error}", spec.name));
    let player = UciPlayer::start(spec, &AtomicBool::new(false)).map_err(failure)?;
    let options = spec.options.iter().map(|(name, value)| format!(" {name}={}", value.display()));
    let arguments = spec.arguments.iter().map(|argument| format!(" {}", argument.display()));
    let files = fingerprint_of_options(spec)?;
    let words: String = arguments.chain(options).chain([files]).collect();
    let name = player.id_name().unwrap_or(&spec.name).to_owned();
    Ok(format!("{name} ({}{words})", spec.program.display()))
}

fn report(counts: &Counts) {
    for (count, what) in [
        (counts.over, "positions where the game is over"),
        (counts.refused, "positions that are not standard chess"),
        (counts.failed.len() as u64, "positions that the engine failed on three times"),
    ] {
        if count > 0 {
            remark(format_args!("skipped {} {what}", grouped(count)));
        }
    }
    for fen in counts.failed.iter().take(MAX_LISTED) {
        remark(format_args!("  {fen}"));
    }
    if counts.failed.len() > MAX_LISTED {
        remark("  ...");
    }
}

/// Shows the progress of a run; stops it on Ctrl-C.
struct LabelDisplay<'a> {
    name: &'a str,
    bar: Progress,
}

impl LabelObserver for LabelDisplay<'_> {
    fn progress(&mut self, done: u64) -> ControlFlow<()> {
        self.bar.at(done, "");
        interrupt::flow()
    }

    fn process_failed(&mut self, failure: &ProcessFailure) {
        let ProcessFailure { process, problem, fen, attempts, is_given_up } = failure;
        let then =
            if *is_given_up { "the position is skipped" } else { "it is restarted and the position is repeated" };
        self.bar.remark(format_args!(
            "engine \"{}\" (process {process}) {problem}, failure {attempts} at {fen}; {then}",
            self.name
        ));
    }
}
