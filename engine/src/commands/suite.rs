//! `alfiere suite`: a file of positions with best moves, put to the engine or to any UCI program.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use alfiere::suite::{Attempt, Effort, Problem, ReadProblems, Solver, SuiteScore, UciSolver, read_problems};
use alfiere_arena::spec::PlayerSpec;
use alfiere_arena::uci_player::UciPlayer;
use alfiere_chess::epd::EpdError;
use alfiere_nnue::Network;
use alfiere_search::engine::Player;
use clap::Args;
use serde_json::json;

use super::progress::{Progress, say};
use super::{Failure, Outcome, check_outputs, interrupt, own_program};

/// Score a test suite: best moves (bm), moves to avoid (am), points (STS), mates (bm #n).
#[derive(Args)]
#[command(
    group(clap::ArgGroup::new("effort").required(true).args(["depth", "nodes", "movetime"])),
    after_help = "Examples:
  alfiere suite datasets/suites/eret.epd --depth 4
  alfiere suite datasets/suites/wac.epd --movetime 1000 --threads 2 --json wac.json
  alfiere suite datasets/suites/eret.epd --depth 4 --player beam
  alfiere suite datasets/suites/eret.epd --depth 4 --engine /usr/games/stockfish"
)]
pub(crate) struct SuiteArgs {
    /// The suite, EPD, also .gz
    #[arg(value_name = "FILE.epd")]
    file: PathBuf,
    /// Plies for each position
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=240))]
    depth: Option<u32>,
    /// Nodes for each position
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Milliseconds for each position
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    movetime: Option<u64>,
    /// Threads that search
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: Option<u32>,
    /// Table size in MiB
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    hash: Option<u32>,
    /// Who plays: nnue, classical, perceptron, beam or random
    #[arg(long, value_parser = super::player, conflicts_with = "engine")]
    player: Option<Player>,
    /// Network in place of the embedded one
    #[arg(long, value_name = "FILE")]
    net: Option<PathBuf>,
    /// A UCI program in place of this one, with words as for `alfiere match`
    #[arg(long, value_name = "SPEC")]
    engine: Option<String>,
    /// Write every answer and the counts here
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Stop at a line that sets no problem, for instance because its best move is illegal
    #[arg(long)]
    strict: bool,
    /// Print only the counts
    #[arg(long)]
    quiet: bool,
}

pub(crate) fn run(args: &SuiteArgs) -> Outcome {
    check_outputs(args.net.iter().chain([&args.file]), &[&args.json])?;
    let ReadProblems { problems, mut refused } = read_problems(&args.file)?;
    if args.strict && !refused.is_empty() {
        return Err(refused.swap_remove(0).into());
    }
    for error in &refused {
        say(format_args!("skipped: {error}"));
    }
    if let Some(net) = &args.net {
        // Refused here with the reason, before a program is started with it.
        Network::load(net)?;
    }
    let effort = match (args.depth, args.nodes, args.movetime) {
        (Some(depth), ..) => Effort::Depth(depth),
        (_, Some(nodes), _) => Effort::Nodes(nodes),
        (_, _, time) => Effort::MoveTime(Duration::from_millis(time.unwrap_or(1))),
    };
    let stop = interrupt::flag()?;
    let mut solver = start_solver(args, &stop)?;
    let (attempts, score) = solve_all(&problems, effort, &mut solver, args, &stop)?;
    if attempts.len() < problems.len() {
        say(format_args!("stopped after {} of {} positions", attempts.len(), problems.len()));
    }
    if let Some(path) = &args.json {
        write_json(path, args, effort, &attempts, &score, &refused)?;
    }
    if !refused.is_empty() {
        say(format_args!("skipped {} lines", refused.len()));
    }
    print_counts(&score);
    Ok(())
}

/// This program or another, as a UCI program: what is scored is what a GUI would play with.
fn start_solver(args: &SuiteArgs, stop: &Arc<AtomicBool>) -> Result<UciSolver, Failure> {
    let mut spec = match &args.engine {
        Some(text) => PlayerSpec::parse(text, "")?,
        None => PlayerSpec { program: "alfiere".into(), ..PlayerSpec::default() },
    };
    if spec.program == Path::new("alfiere") {
        spec.program = own_program()?;
    }
    let mut option =
        |name: &str, value: Option<String>| spec.options.extend(value.map(|value| (name.to_owned(), value)));
    option("Threads", args.threads.map(|threads| threads.to_string()));
    option("Hash", args.hash.map(|size| size.to_string()));
    option("Player", args.player.map(|player| player.name().to_owned()));
    option("EvalFile", args.net.as_ref().map(|path| path.display().to_string()));
    Ok(UciSolver::new(UciPlayer::start(&spec, stop)?, Arc::clone(stop)))
}

fn solve_all(
    problems: &[Problem],
    effort: Effort,
    solver: &mut dyn Solver,
    args: &SuiteArgs,
    stop: &AtomicBool,
) -> Result<(Vec<Attempt>, SuiteScore), Failure> {
    let mut progress = Progress::new(problems.len() as u64, "positions");
    let (mut attempts, mut score) = (Vec::with_capacity(problems.len()), SuiteScore::default());
    for problem in problems {
        let answer = match solver.solve(&problem.board, effort) {
            Ok(answer) => answer,
            Err(_) if stop.load(Ordering::Relaxed) => break,
            Err(error) => return Err(Failure::new(format!("{}: {error}", problem.id))),
        };
        let attempt = Attempt::new(problem, &answer);
        score.add(&attempt);
        if !args.quiet {
            progress.print(line_of(&attempt));
        }
        progress.advance(1, &format!("solved {}", score.all.solved));
        attempts.push(attempt);
    }
    progress.finish();
    Ok((attempts, score))
}

fn line_of(attempt: &Attempt) -> String {
    let Attempt { id, wanted, depth, nodes, milliseconds, .. } = attempt;
    let played = attempt.played.as_deref().unwrap_or("nothing");
    let value = match (attempt.mate, attempt.centipawns) {
        (Some(moves), _) => format!("#{moves}"),
        (None, Some(value)) => format!("{:+.2}", f64::from(value) / 100.0),
        (None, None) => "no score".to_owned(),
    };
    let points = attempt.points.map_or_else(String::new, |(earned, most)| format!(" {earned}/{most} points"));
    let mark = if attempt.solved { "solved" } else { "-     " };
    format!("{mark} {id}: {wanted}, played {played} {value}{points}, depth {depth}, {nodes} nodes, {milliseconds} ms")
}

fn print_counts(score: &SuiteScore) {
    for (name, share) in [("best moves (bm)", score.best), ("moves to avoid (am)", score.avoid), ("mates", score.mate)]
    {
        if share.total > 0 {
            say(format_args!("{name}: {}/{}", share.solved, share.total));
        }
    }
    if score.mate.total > 0 {
        say(format_args!("mates as short as they are: {}/{}", score.shortest_mates, score.mate.total));
    }
    let (earned, most) = score.points;
    if most > 0 {
        say(format_args!("points: {earned}/{most} ({:.1} %)", 100.0 * f64::from(earned) / f64::from(most)));
    }
    say(format_args!("{} nodes, {:.1} s", score.nodes, score.milliseconds as f64 / 1000.0));
    say(format_args!("solved {}/{}", score.all.solved, score.all.total));
}

fn write_json(
    path: &Path,
    args: &SuiteArgs,
    effort: Effort,
    attempts: &[Attempt],
    score: &SuiteScore,
    refused: &[EpdError],
) -> Outcome {
    let value = json!({
        "suite": args.file,
        "effort": effort.to_string(),
        "threads": args.threads,
        "hash": args.hash,
        "player": args.player.map(Player::name),
        "net": args.net,
        "engine": args.engine,
        "score": score,
        "skipped": refused.iter().map(ToString::to_string).collect::<Vec<_>>(),
        "attempts": attempts,
    });
    super::write_json(path, &value)
}
