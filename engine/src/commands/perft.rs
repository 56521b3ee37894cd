//! `alfiere perft`: counts move sequences, checks them against a suite, or compares the speed with another engine.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use alfiere_arena::spec::PlayerSpec;
use alfiere_arena::uci_player::UciPlayer;
use alfiere_chess::board::Board;
use alfiere_chess::epd::read_epd;
use alfiere_chess::movegen::{CastlingNotation, divide, format_uci_move, perft};
use alfiere_terminal::{Progress, say};
use clap::Args;

use super::{CommandResult, Failure};

/// The second position of speed comparisons, which has all kinds of moves.
const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
/// Maximum time of the other engine for one count.
const OTHER_TIMEOUT: Duration = Duration::from_hours(1);

/// Count the legal move sequences of a given length.
#[derive(Args)]
#[command(after_help = "Examples:
  alfiere perft 6
  alfiere perft 5 --divide --fen \"8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1\"
  alfiere perft --suite datasets/perft/standard.epd --depth 5
  alfiere perft --versus /usr/games/stockfish")]
pub(crate) struct PerftArgs {
    /// Depth in plies; with --versus the default is 6 for the initial position and 5 for Kiwipete
    #[arg(required_unless_present_any = ["suite", "versus"], value_parser = clap::value_parser!(u32).range(0..=20))]
    depth: Option<u32>,
    /// Position as FEN [default: the initial position]
    #[arg(long)]
    fen: Option<String>,
    /// Print the count of each root move
    #[arg(long, conflicts_with_all = ["suite", "versus"])]
    divide: bool,
    /// Check every count of a file with lines "FEN ;D1 n ;D2 n ..."
    #[arg(long, value_name = "FILE", conflicts_with_all = ["fen", "depth", "versus"])]
    suite: Option<PathBuf>,
    /// Skip counts of the suite beyond this depth
    #[arg(long = "depth", value_name = "DEPTH", requires = "suite")]
    max_depth: Option<u32>,
    /// Compare the speed with a UCI engine that supports "go perft"
    #[arg(long, value_name = "PROGRAM")]
    versus: Option<OsString>,
    /// Number of runs of each engine with --versus; the best time counts
    #[arg(long, default_value_t = 3, requires = "versus", value_parser = clap::value_parser!(u32).range(1..=100))]
    rounds: u32,
}

pub(crate) fn run(args: &PerftArgs) -> CommandResult {
    if let Some(file) = &args.suite {
        return check_suite(file, args.max_depth.unwrap_or(u32::MAX));
    }
    let board = args.fen.as_deref().map_or_else(|| Ok(Board::startpos()), Board::from_fen)?;
    if let Some(program) = &args.versus {
        return compare_speed(program, args, board);
    }
    let depth = args.depth.unwrap_or(1);
    let started = Instant::now();
    let nodes = if args.divide && depth > 0 { print_divided(&board, depth) } else { perft(&board, depth) };
    let seconds = started.elapsed().as_secs_f64();
    say(format_args!("{nodes} nodes {seconds:.3} s {:.1} Mnps", nodes as f64 / seconds / 1e6));
    Ok(())
}

fn print_divided(board: &Board, depth: u32) -> u64 {
    let mut total = 0;
    for (mv, nodes) in divide(board, depth) {
        say(format_args!("{}: {nodes}", format_uci_move(mv, CastlingNotation::Standard)));
        total += nodes;
    }
    total
}

/// A line of a perft suite.
struct Case {
    board: Board,
    line: usize,
    /// Depth and count, in the file's order.
    counts: Vec<(u32, u64)>,
}

fn check_suite(file: &Path, max_depth: u32) -> CommandResult {
    let mut malformed = None;
    let cases = read_epd(file, |record, line| {
        let mut counts = Vec::new();
        for (opcode, operand) in &record.operations {
            match opcode.strip_prefix('D').and_then(|depth| Some((depth.parse().ok()?, operand.parse().ok()?))) {
                Some((depth, nodes)) if depth <= max_depth => counts.push((depth, nodes)),
                Some(_) => {}
                None => malformed = malformed.take().or_else(|| Some((line, format!("{opcode} {operand}")))),
            }
        }
        Ok(Case { board: record.board, line, counts })
    })?;
    if let Some((line, found)) = malformed {
        let file = file.display();
        return Err(Failure::new(format!("{file}, line {line}: expected a count such as D3 8902, found \"{found}\"")));
    }
    if cases.iter().all(|case| case.counts.is_empty()) {
        return Err(Failure::at(file, format_args!("no count up to depth {max_depth}, so nothing is checked")));
    }
    let total = cases.iter().flat_map(|case| &case.counts).map(|&(_, nodes)| nodes).sum();
    let mut progress = Progress::new("nodes", total, "nodes");
    let (mut counted, mut mismatches) = (0, 0);
    let started = Instant::now();
    for case in &cases {
        for &(depth, expected) in &case.counts {
            let found = perft(&case.board, depth);
            counted += found;
            if found != expected {
                mismatches += 1;
                let fen = case.board.to_shredder_fen();
                progress.say(format_args!("line {}: {fen} depth {depth}: {found}, expected {expected}", case.line));
            }
            progress.advance(expected, "");
        }
    }
    drop(progress);
    let seconds = started.elapsed().as_secs_f64();
    let checks: usize = cases.iter().map(|case| case.counts.len()).sum();
    let speed = counted as f64 / seconds / 1e6;
    say(format_args!("{} positions, {checks} counts, {mismatches} wrong", cases.len()));
    say(format_args!("{counted} nodes {seconds:.3} s {speed:.1} Mnps"));
    if mismatches > 0 {
        return Err(Failure::at(file, format_args!("{mismatches} of {checks} counts differ")));
    }
    Ok(())
}

/// Runs both engines in turn on the same positions and compares their best times.
fn compare_speed(program: &OsStr, args: &PerftArgs, board: Board) -> CommandResult {
    let positions = if args.fen.is_some() || args.depth.is_some() {
        vec![("position", board, args.depth.unwrap_or(5))]
    } else {
        vec![("start", Board::startpos(), 6), ("kiwipete", Board::from_fen(KIWIPETE)?, 5)]
    };
    let stop = AtomicBool::new(false);
    let mut other = UciPlayer::start(&PlayerSpec::parse(program, "")?, &stop)?;
    let program = program.to_string_lossy();
    for (name, board, depth) in positions {
        let (mut ours, mut theirs) = (Duration::MAX, Duration::MAX);
        let mut nodes = 0;
        for _ in 0..args.rounds {
            let started = Instant::now();
            nodes = perft(&board, depth);
            ours = ours.min(started.elapsed());
            let (time, found) = count_with_other(&mut other, &board, depth, &stop)?;
            theirs = theirs.min(time);
            if found != Some(nodes) {
                let found = found.map_or_else(|| "nothing".to_owned(), |found| found.to_string());
                let other = other.id_name().unwrap_or(&program);
                return Err(Failure::new(format!("{name} depth {depth}: Alfiere counts {nodes}, {other} {found}")));
            }
        }
        let speed = |time: Duration| nodes as f64 / time.as_secs_f64() / 1e6;
        let other = other.id_name().unwrap_or(&program);
        say(format_args!(
            "{name} depth {depth}: {nodes} nodes, Alfiere {:.1} Mnps, {other} {:.1} Mnps, ratio {:.2}",
            speed(ours),
            speed(theirs),
            speed(ours) / speed(theirs)
        ));
    }
    Ok(())
}

fn count_with_other(
    other: &mut UciPlayer,
    board: &Board,
    depth: u32,
    stop: &AtomicBool,
) -> Result<(Duration, Option<u64>), Failure> {
    other.set_position(board)?;
    let started = Instant::now();
    let total = |text: &str| text.trim_start().to_ascii_lowercase().starts_with("nodes searched");
    let line = other.ask(&format!("go perft {depth}"), OTHER_TIMEOUT, stop, total)?;
    let found = line.text.rsplit(':').next().and_then(|number| number.trim().parse().ok());
    Ok((line.at.saturating_duration_since(started), found))
}
