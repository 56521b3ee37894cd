//! `alfiere suite`: runs a test suite with this engine or any UCI engine.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use alfiere::suite::{Attempt, SolveError, SuiteScore, TestPosition, TestSuite, UciSolver, read_suite};
use alfiere_arena::player::PlayError;
use alfiere_arena::spec::PlayerSpec;
use alfiere_chess::epd::EpdError;
use alfiere_chess::files::check_writable;
use alfiere_chess::game::Limit;
use alfiere_nnue::Network;
use alfiere_search::engine::Player;
use clap::Args;
use serde_json::json;

use super::arguments::LimitArgs;
use super::growing_file::has_content;
use super::progress::{Progress, say};
use super::{CommandResult, Failure, Replace, interrupt_flag, own_program, write_json};

/// Run a test suite: best moves (bm), moves to avoid (am), points (STS), mates (bm #n).
#[derive(Args)]
#[command(
    group(clap::ArgGroup::new("limit").required(true).args(["depth", "nodes", "movetime"])),
    after_help = "Examples:
  alfiere suite datasets/suites/eret.epd --depth 4
  alfiere suite datasets/suites/wac.epd --movetime 1000 --threads 2 --json wac.json
  alfiere suite datasets/suites/eret.epd --depth 4 --player beam
  alfiere suite datasets/suites/eret.epd --depth 4 --engine /usr/games/stockfish"
)]
pub(crate) struct SuiteArgs {
    /// The suite in EPD, optionally .gz
    #[arg(value_name = "FILE.epd")]
    file: PathBuf,
    #[command(flatten)]
    limit: LimitArgs,
    /// Number of search threads
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: Option<u32>,
    /// Hash table size in MiB
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    hash: Option<u32>,
    /// Player: nnue, classical, kaggle, perceptron, beam or random
    #[arg(long, value_parser = super::player, conflicts_with = "engine")]
    player: Option<Player>,
    /// Network file instead of the embedded network
    #[arg(long, value_name = "FILE")]
    net: Option<PathBuf>,
    /// Another UCI engine, described as for `alfiere match`
    #[arg(long, value_name = "SPEC")]
    engine: Option<OsString>,
    /// Output file for all answers and the counts; written after every answer, in place of an earlier file at the end
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Stop at an invalid line, for instance if its best move is illegal
    #[arg(long)]
    strict: bool,
    /// Print only the counts
    #[arg(long)]
    quiet: bool,
    #[command(flatten)]
    replace: Replace,
}

pub(crate) fn run(args: &SuiteArgs) -> CommandResult {
    let engine = args.engine.as_ref().map(|text| PlayerSpec::parse(text, "")).transpose()?;
    let files: Vec<PathBuf> = engine.iter().flat_map(PlayerSpec::option_files).map(|(_, path)| path.into()).collect();
    args.replace.check(args.net.iter().chain([&args.file]).chain(&files), &args.json)?;
    let TestSuite { positions, mut refused } = read_suite(&args.file)?;
    if args.strict && !refused.is_empty() {
        return Err(refused.swap_remove(0).into());
    }
    for error in &refused {
        say(format_args!("skipped: {error}"));
    }
    if let Some(net) = &args.net {
        // Checked here, so that the reason is reported before the engine is started.
        Network::load(net)?;
    }
    let limit = args.limit.limit().ok_or_else(|| Failure::new("expected --depth, --nodes or --movetime"))?;
    let stop = interrupt_flag()?;
    let mut results = Results::new(args, limit, &refused)?;
    let mut solver = start_solver(args, &stop)?;
    let ended = solve_all(&positions, &mut solver, &mut results);
    let is_complete = results.attempts.len() == positions.len();
    if is_complete || !results.is_replacement {
        results.write_all()?;
    }
    if !is_complete {
        say(format_args!("stopped after {} of {} positions", results.attempts.len(), positions.len()));
    }
    if !refused.is_empty() {
        say(format_args!("skipped {} lines", refused.len()));
    }
    print_counts(&results.score);
    ended?;
    if is_complete { Ok(()) } else { Err(Failure::Stopped) }
}

/// Starts this or another engine over UCI, so that the suite tests what a GUI would play with.
fn start_solver(args: &SuiteArgs, stop: &Arc<AtomicBool>) -> Result<UciSolver, Failure> {
    let mut spec = match &args.engine {
        Some(text) => PlayerSpec::parse(text, "")?,
        None => PlayerSpec { program: "alfiere".into(), ..PlayerSpec::default() },
    };
    if spec.program == Path::new("alfiere") {
        spec.program = own_program()?;
    }
    let mut option =
        |name: &str, value: Option<OsString>| spec.options.extend(value.map(|value| (name.to_owned(), value)));
    option("Threads", args.threads.map(|threads| threads.to_string().into()));
    option("Hash", args.hash.map(|size| size.to_string().into()));
    option("Player", args.player.map(|player| player.name().into()));
    option("EvalFile", args.net.as_ref().map(Into::into));
    UciSolver::start(spec, Arc::clone(stop)).map_err(|error| match error {
        PlayError::Stopped => Failure::Stopped,
        PlayError::Fault(_) => error.into(),
    })
}

/// Runs the suite until it is complete, the user stops it, or the solver cannot be restarted.
fn solve_all(positions: &[TestPosition], solver: &mut UciSolver, results: &mut Results<'_>) -> CommandResult {
    let mut progress = Progress::new(positions.len() as u64, "positions");
    for position in positions {
        let attempt = match solver.solve(&position.board, results.limit) {
            Ok(answer) => Attempt::new(position, &answer),
            Err(SolveError::NoAnswer(fault)) => Attempt::failed(position, fault),
            Err(SolveError::Stopped) => break,
            Err(SolveError::Unusable(reason)) => {
                return Err(Failure::new(format!("{}: {reason}", position.id)));
            }
        };
        if !results.args.quiet || attempt.fault.is_some() {
            progress.print(line_of(&attempt));
        }
        results.add(attempt)?;
        progress.advance(1, &format!("solved {}", results.score.all.solved));
    }
    progress.finish();
    Ok(())
}

fn line_of(attempt: &Attempt) -> String {
    let Attempt { id, solution, depth, nodes, milliseconds, .. } = attempt;
    let played = attempt.played.as_deref().unwrap_or("nothing");
    let value = match (attempt.mate, attempt.centipawns) {
        (Some(moves), _) => format!("#{moves}"),
        (None, Some(value)) => format!("{:+.2}", f64::from(value) / 100.0),
        (None, None) => "no score".to_owned(),
    };
    let points =
        attempt.points.map_or_else(String::new, |(earned, max_points)| format!(" {earned}/{max_points} points"));
    if let Some(fault) = &attempt.fault {
        return format!("failed {id}: {solution}, {fault}");
    }
    let mark = if attempt.solved { "solved" } else { "-     " };
    format!("{mark} {id}: {solution}, played {played} {value}{points}, depth {depth}, {nodes} nodes, {milliseconds} ms")
}

fn print_counts(score: &SuiteScore) {
    for (name, share) in [("best moves (bm)", score.best), ("moves to avoid (am)", score.avoid), ("mates", score.mate)]
    {
        if share.total > 0 {
            say(format_args!("{name}: {}/{}", share.solved, share.total));
        }
    }
    if score.mate.total > 0 {
        say(format_args!("shortest mates: {}/{}", score.shortest_mates, score.mate.total));
    }
    let (earned, max_points) = score.points;
    if max_points > 0 {
        say(format_args!("points: {earned}/{max_points} ({:.1} %)", 100.0 * earned as f64 / max_points as f64));
    }
    if score.faults > 0 {
        say(format_args!("no answer to {} positions, which count as unsolved", score.faults));
    }
    say(format_args!("{} nodes, {:.1} s", score.nodes, score.milliseconds as f64 / 1000.0));
    say(format_args!("solved {}/{}", score.all.solved, score.all.total));
}

/// The answers so far, written as they arrive.
struct Results<'a> {
    args: &'a SuiteArgs,
    limit: Limit,
    refused: &'a [EpdError],
    attempts: Vec<Attempt>,
    score: SuiteScore,
    /// The file has an earlier run's results, which stay until this run ends.
    is_replacement: bool,
}

impl<'a> Results<'a> {
    /// Without answers. A file that cannot be written is an error here.
    fn new(args: &'a SuiteArgs, limit: Limit, refused: &'a [EpdError]) -> Result<Self, Failure> {
        let is_replacement = args.json.as_ref().is_some_and(|path| has_content(path));
        let (attempts, score) = (Vec::new(), SuiteScore::default());
        let results = Self { args, limit, refused, attempts, score, is_replacement };
        match &args.json {
            Some(path) if is_replacement => {
                check_writable(path).map_err(|error| Failure::at(path, error))?;
            }
            _ => results.write_all()?,
        }
        Ok(results)
    }

    fn add(&mut self, attempt: Attempt) -> CommandResult {
        self.score.add(&attempt);
        self.attempts.push(attempt);
        // Writes after every answer, or less often for very long suites, whose file takes longer to write.
        let is_due = self.attempts.len() <= 300 || self.attempts.len().is_multiple_of(100);
        if is_due && !self.is_replacement { self.write_all() } else { Ok(()) }
    }

    fn write_all(&self) -> CommandResult {
        let Some(path) = &self.args.json else { return Ok(()) };
        let value = json!({
            "suite": self.args.file.display().to_string(),
            "limit": self.limit.to_string(),
            "threads": self.args.threads,
            "hash": self.args.hash,
            "player": self.args.player.map(Player::name),
            "net": self.args.net.as_ref().map(|net| net.display().to_string()),
            "engine": self.args.engine,
            "score": self.score,
            "skipped": self.refused.iter().map(ToString::to_string).collect::<Vec<_>>(),
            "attempts": self.attempts,
        });
        write_json(path, &value)
    }
}
