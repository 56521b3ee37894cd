//! `alfiere suite`: runs a test suite with this engine or any UCI engine.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use alfiere::suite::{Attempt, SolveError, SuiteScore, TestPosition, TestSuite, UciSolver, read_suite};
use alfiere_arena::spec::PlayerSpec;
use alfiere_chess::epd::EpdError;
use alfiere_chess::files::write_atomic;
use alfiere_chess::game::Limit;
use alfiere_nnue::Network;
use alfiere_search::engine::Player;
use alfiere_terminal::{Progress, Replace, interrupt, say};
use clap::Args;
use serde_json::{Value, json};

use super::arguments::{start_failure, with_own_program};
use super::growing_file::has_content;
use super::{CommandResult, Failure, VERSION, write_json};

/// Run a test suite: best moves (bm), moves to avoid (am), points (STS), mates (bm #n).
#[derive(Args)]
#[command(
    group(clap::ArgGroup::new("limit").required(true).multiple(true).args(["depth", "nodes", "movetime"])),
    after_help = "Examples:
  alfiere suite datasets/suites/eret.epd --depth 4
  alfiere suite datasets/suites/wac.epd --movetime 1000 --threads 2 --json wac.json
  alfiere suite datasets/suites/eret.epd --depth 4 --player beam
  alfiere suite datasets/suites/eret.epd --depth 4 --engine /usr/games/stockfish
  alfiere suite datasets/suites/eret.epd --depth 1,2,3,4,5,6 --nodes 20000 --net a.nnue --net b.nnue --csv eret.csv"
)]
pub(crate) struct SuiteArgs {
    /// The suite in EPD, optionally .gz
    #[arg(value_name = "FILE.epd")]
    file: PathBuf,
    /// Depth per move; with several limits or networks, the suite is run with each
    #[arg(long, value_name = "PLIES,...", value_delimiter = ',', value_parser = clap::value_parser!(u32).range(1..=240))]
    depth: Vec<u32>,
    /// Nodes per move
    #[arg(long, value_name = "N,...", value_delimiter = ',', value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Vec<u64>,
    /// Milliseconds per move
    #[arg(long, value_name = "MS,...", value_delimiter = ',', value_parser = clap::value_parser!(u64).range(1..))]
    movetime: Vec<u64>,
    /// Number of search threads
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: Option<u32>,
    /// Hash table size in MiB
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    hash: Option<u32>,
    /// Player: nnue, classical, kaggle, perceptron, beam or random
    #[arg(long, value_parser = super::player, conflicts_with = "engine")]
    player: Option<Player>,
    /// Network file instead of the embedded network; more than one compares them
    #[arg(long, value_name = "FILE")]
    net: Vec<PathBuf>,
    /// Another UCI engine, described as for `alfiere match`
    #[arg(long, value_name = "SPEC")]
    engine: Option<OsString>,
    /// Output file for all answers and the counts; written after every answer, in place of an earlier file at the end
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Output file for the counts, a row for each network and limit
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Stop at an invalid line, for instance if its best move is illegal
    #[arg(long)]
    strict: bool,
    /// Print only the counts
    #[arg(long)]
    quiet: bool,
    #[command(flatten)]
    replace: Replace,
}

/// One run of the suite: a limit and, unless it is the embedded one, a network.
#[derive(Clone, Copy)]
struct Condition<'a> {
    limit: Limit,
    net: Option<&'a Path>,
}

impl SuiteArgs {
    /// Every network with every limit.
    fn conditions(&self) -> Vec<Condition<'_>> {
        let times = self.movetime.iter().map(|&time| Limit::MoveTime(Duration::from_millis(time)));
        let limits = self.depth.iter().copied().map(Limit::Depth).chain(self.nodes.iter().copied().map(Limit::Nodes));
        let limits: Vec<Limit> = limits.chain(times).collect();
        let nets: Vec<Option<&Path>> = match self.net.as_slice() {
            [] => vec![None],
            nets => nets.iter().map(|net| Some(net.as_path())).collect(),
        };
        nets.into_iter().flat_map(|net| limits.iter().map(move |&limit| Condition { limit, net })).collect()
    }
}

pub(crate) fn run(args: &SuiteArgs) -> CommandResult {
    let engine = args.engine.as_ref().map(|text| PlayerSpec::parse(text, "")).transpose()?;
    let files: Vec<PathBuf> = engine.iter().flat_map(PlayerSpec::option_files).map(|(_, path)| path.into()).collect();
    let inputs = args.net.iter().chain([&args.file]).chain(&files);
    args.replace.check(inputs, args.json.iter().chain(&args.csv))?;
    let TestSuite { positions, mut refused } = read_suite(&args.file)?;
    if args.strict && !refused.is_empty() {
        return Err(refused.swap_remove(0).into());
    }
    for error in &refused {
        say(format_args!("skipped: {error}"));
    }
    for net in &args.net {
        // Checked here, so that the reason is reported before the engine is started.
        Network::load(net)?;
    }
    let stop = interrupt::watch()?;
    let conditions = args.conditions();
    let mut finished: Vec<(Condition<'_>, SuiteScore)> = Vec::new();
    let mut results = Results::new(args, conditions.len() == 1, &refused);
    for &condition in &conditions {
        if conditions.len() > 1 {
            say(format_args!("{}", name_of(condition)));
        }
        results.begin(condition);
        let mut solver = start_solver(args, condition, &stop)?;
        let ended = solve_all(&positions, &mut solver, &mut results);
        let is_complete = results.attempts.len() == positions.len();
        let is_last = finished.len() + 1 == conditions.len();
        if (is_complete && is_last) || !results.is_replacement {
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
        if !is_complete {
            return Err(Failure::Stopped);
        }
        finished.push((condition, results.score));
    }
    if finished.len() > 1 {
        print_table(&finished);
    }
    args.csv.as_ref().map_or(Ok(()), |path| write_csv(path, &finished))
}

fn name_of(condition: Condition<'_>) -> String {
    let net = condition.net.map_or_else(String::new, |net| format!("{}, ", net.display()));
    format!("{net}{}", condition.limit)
}

/// Prints a row for each condition, in Markdown.
fn print_table(finished: &[(Condition<'_>, SuiteScore)]) {
    say("\n| network | limit | solved | nodes | s |\n|---|---|---:|---:|---:|");
    for (Condition { limit, net }, score) in finished {
        let net = net.map_or_else(String::new, |net| net.display().to_string());
        let (share, seconds) = (score.all, score.milliseconds as f64 / 1000.0);
        say(format_args!("| {net} | {limit} | {}/{} | {} | {seconds:.1} |", share.solved, share.total, score.nodes));
    }
}

fn write_csv(path: &Path, finished: &[(Condition<'_>, SuiteScore)]) -> CommandResult {
    let row = |(Condition { limit, net }, score): &(Condition<'_>, SuiteScore)| {
        let quoted = |net: &Path| format!("\"{}\"", net.display().to_string().replace('"', "\"\""));
        let [mut depth, mut nodes, mut time] = [const { String::new() }; 3];
        match limit {
            Limit::Depth(plies) => depth = plies.to_string(),
            Limit::Nodes(count) => nodes = count.to_string(),
            Limit::MoveTime(duration) => time = duration.as_millis().to_string(),
            Limit::Clock(_) => {}
        }
        let (net, share, seconds) =
            (net.map_or_else(String::new, quoted), score.all, score.milliseconds as f64 / 1000.0);
        format!("{net},{depth},{nodes},{time},{},{},{},{seconds:.3}\n", share.solved, share.total, score.nodes)
    };
    let head = "network,depth,nodes_per_move,milliseconds_per_move,solved,positions,nodes,seconds\n".to_owned();
    let text = finished.iter().map(row).fold(head, |text, row| text + &row);
    write_atomic(path, text.as_bytes()).map_err(|error| Failure::at(path, error))
}

/// Starts this or another engine over UCI, so that the suite tests what a GUI would play with.
fn start_solver(args: &SuiteArgs, condition: Condition<'_>, stop: &Arc<AtomicBool>) -> Result<UciSolver, Failure> {
    let mut spec = with_own_program(match &args.engine {
        Some(text) => PlayerSpec::parse(text, "")?,
        None => PlayerSpec { program: "alfiere".into(), ..PlayerSpec::default() },
    })?;
    let mut option =
        |name: &str, value: Option<OsString>| spec.options.extend(value.map(|value| (name.to_owned(), value)));
    option("Threads", args.threads.map(|threads| threads.to_string().into()));
    option("Hash", args.hash.map(|size| size.to_string().into()));
    option("Player", args.player.map(|player| player.name().into()));
    option("EvalFile", condition.net.map(Into::into));
    UciSolver::start(spec, Arc::clone(stop)).map_err(start_failure)
}

/// Runs the suite until it is complete, the user stops it, or the solver cannot be restarted.
fn solve_all(positions: &[TestPosition], solver: &mut UciSolver, results: &mut Results<'_>) -> CommandResult {
    let mut progress = Progress::new("positions", positions.len() as u64, "positions");
    for position in positions {
        let attempt = match solver.solve(&position.board, results.condition.limit) {
            Ok(answer) => Attempt::new(position, &answer),
            Err(SolveError::NoAnswer(fault)) => Attempt::failed(position, fault),
            Err(SolveError::Stopped) => break,
            Err(SolveError::Unusable(reason)) => {
                return Err(Failure::new(format!("{}: {reason}", position.id)));
            }
        };
        if !results.args.quiet || attempt.fault.is_some() {
            progress.say(line_of(&attempt));
        }
        results.add(attempt)?;
        progress.advance(1, &format!("solved {}", results.score.all.solved));
    }
    drop(progress);
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
    condition: Condition<'a>,
    refused: &'a [EpdError],
    attempts: Vec<Attempt>,
    score: SuiteScore,
    /// Whether there is one condition, whose run is the whole file.
    is_only: bool,
    /// The finished runs with other limits or networks.
    finished: Vec<Value>,
    /// The file has an earlier run's results, which stay until this run ends.
    is_replacement: bool,
}

impl<'a> Results<'a> {
    /// Without answers.
    fn new(args: &'a SuiteArgs, is_only: bool, refused: &'a [EpdError]) -> Self {
        let is_replacement = args.json.as_ref().is_some_and(|path| has_content(path));
        let condition = Condition { limit: Limit::Depth(1), net: None };
        let (attempts, score, finished) = (Vec::new(), SuiteScore::default(), Vec::new());
        Self { args, condition, refused, attempts, score, is_only, finished, is_replacement }
    }

    /// Keeps the answers of the run before, if there was one, and begins another.
    fn begin(&mut self, condition: Condition<'a>) {
        if !self.attempts.is_empty() {
            self.finished.push(self.json());
        }
        self.condition = condition;
        self.attempts.clear();
        self.score = SuiteScore::default();
    }

    fn add(&mut self, attempt: Attempt) -> CommandResult {
        self.score.add(&attempt);
        self.attempts.push(attempt);
        // Writes after every answer, or less often for very long suites, whose file takes longer to write.
        let is_due = self.attempts.len() <= 300 || self.attempts.len().is_multiple_of(100);
        if is_due && !self.is_replacement { self.write_all() } else { Ok(()) }
    }

    /// The run: its conditions, counts and answers.
    fn json(&self) -> Value {
        json!({
            "program": VERSION,
            "suite": self.args.file.display().to_string(),
            "limit": self.condition.limit.to_string(),
            "threads": self.args.threads,
            "hash": self.args.hash,
            "player": self.args.player.map(Player::name),
            "net": self.condition.net.map(|net| net.display().to_string()),
            "engine": self.args.engine,
            "score": self.score,
            "skipped": self.refused.iter().map(ToString::to_string).collect::<Vec<_>>(),
            "attempts": self.attempts,
        })
    }

    /// Writes the run, or a list of runs if there are several.
    fn write_all(&self) -> CommandResult {
        let Some(path) = &self.args.json else { return Ok(()) };
        let run = self.json();
        if self.is_only {
            return write_json(path, &run);
        }
        write_json(path, &self.finished.iter().chain([&run]).collect::<Vec<_>>())
    }
}
