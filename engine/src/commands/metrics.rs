//! `alfiere metrics`: measures nodes and time of searches on the positions of a file.

use std::fmt::Write;
use std::path::PathBuf;

use alfiere::metrics::{Measurement, Run, SpeedUp, Summary, draw_metrics, measure, speed_up};
use alfiere_chess::board::Board;
use alfiere_chess::epd::read_epd;
use alfiere_chess::files::write_atomic;
use alfiere_chess::movegen::has_legal_move;
use alfiere_search::engine::{Engine, Settings};
use alfiere_search::eval::NetworkChoice;
use alfiere_search::search::SearchCounts;
use clap::Args;
use serde_json::json;

use super::progress::{Progress, say};
use super::{CommandResult, Failure, Replace};

/// Measure the search on positions: nodes and time to a depth, nodes per second, branching factor, speed-up by threads.
#[derive(Args)]
#[command(after_help = "The branching factor is the geometric mean of the nodes to a depth divided by the nodes to the
depth before. With several numbers of threads, the gain is relative to the first: in nodes per second, and in time to
the depth (geometric mean over the positions). Each position starts with an empty table.

A build with the feature \"counters\" also counts beta cutoffs, those by the first move, table hits and cutoffs, and
nodes of the quiescence search; it is a little slower:
  cargo build --release -p alfiere --features counters

Examples:
  alfiere metrics datasets/suites/bk.epd --depth 14
  alfiere metrics datasets/suites/bk.epd --depth 16 --threads 1,2,4 --figure metrics.svg")]
pub(crate) struct MetricsArgs {
    /// Positions in EPD, optionally .gz
    #[arg(value_name = "FILE.epd")]
    file: PathBuf,
    /// Depth per position
    #[arg(long, default_value_t = 12, value_parser = clap::value_parser!(u32).range(1..=240))]
    depth: u32,
    /// Numbers of search threads, separated by ","
    #[arg(long, value_name = "LIST", default_value = "1", value_delimiter = ',',
        value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: Vec<u32>,
    /// Hash table size in MiB
    #[arg(long, default_value_t = 16, value_parser = clap::value_parser!(u32).range(1..))]
    hash: u32,
    /// Network file instead of the embedded network
    #[arg(long, value_name = "FILE")]
    net: Option<PathBuf>,
    /// Output file for all iterations, positions and totals
    #[arg(long, value_name = "OUT.json")]
    json: Option<PathBuf>,
    /// Output file with a line for each position and number of threads
    #[arg(long, value_name = "OUT.csv")]
    csv: Option<PathBuf>,
    /// Output file for a chart of the nodes to each depth and of the speed-up by threads
    #[arg(long, value_name = "OUT.svg")]
    figure: Option<PathBuf>,
    #[command(flatten)]
    replace: Replace,
}

pub(crate) fn run(args: &MetricsArgs) -> CommandResult {
    let outputs = [&args.json, &args.csv, &args.figure];
    args.replace.check(args.net.iter().chain([&args.file]), outputs.into_iter().flatten())?;
    let boards: Vec<Board> = read_epd(&args.file, |record, _| Ok(record.board))?;
    let boards: Vec<Board> = boards.into_iter().filter(has_legal_move).collect();
    if boards.is_empty() {
        return Err(Failure::at(&args.file, "found no position with a legal move"));
    }
    let network = NetworkChoice::of(args.net.as_ref())?;
    let mut progress = Progress::new((boards.len() * args.threads.len()) as u64, "positions");
    let mut runs: Vec<Run> = Vec::new();
    for &threads in &args.threads {
        let mut engine = Engine::new();
        let settings =
            Settings { threads: threads as usize, hash_mib: args.hash as usize, ..engine.settings().clone() };
        // Results with fewer threads or a smaller table than requested would be mislabelled.
        if let Some(reduced) = engine.configure(settings).first() {
            return Err(Failure::new(reduced.to_string()));
        }
        engine.set_network(network.clone());
        let mut measured = Vec::with_capacity(boards.len());
        for board in &boards {
            measured.push(measure(&mut engine, board, args.depth)?);
            progress.advance(1, &format!("{threads} threads"));
        }
        runs.push(Run::new(threads as usize, measured));
    }
    progress.finish();
    let gains = speed_up(&runs);
    write(args, &runs, &gains)?;
    if let Some(Run { positions, .. }) = runs.first() {
        say(HEAD);
        (1..).zip(positions).for_each(|(number, each)| say(row(number, each)));
    }
    for (run, gain) in runs.iter().zip(&gains) {
        say(total(&run.total, gain));
    }
    Ok(())
}

fn write(args: &MetricsArgs, runs: &[Run], gains: &[SpeedUp]) -> CommandResult {
    if let Some(path) = &args.json {
        let of_run = |(Run { total, positions }, gain): (&Run, &SpeedUp)| json!({"total": total, "gain": gain, "positions": positions});
        let runs: Vec<_> = runs.iter().zip(gains).map(of_run).collect();
        super::write_json(
            path,
            &json!({"file": args.file.display().to_string(), "depth": args.depth, "hash": args.hash, "runs": runs}),
        )?;
    }
    let write_text =
        |path: &PathBuf, text: &str| write_atomic(path, text.as_bytes()).map_err(|error| Failure::at(path, error));
    if let Some(path) = &args.csv {
        write_text(path, &csv(runs))?;
    }
    if let Some(path) = &args.figure {
        write_text(path, &draw_metrics(runs, gains)?)?;
    }
    Ok(())
}

const HEAD: &str = "  #      nodes  seconds        nps  branching  position";

fn row(number: usize, measured: &Measurement) -> String {
    let factor = measured.branching_factor().map_or_else(|| "-".to_owned(), |factor| format!("{factor:.2}"));
    let (nodes, seconds, rate) = (measured.nodes, measured.seconds, measured.rate());
    format!("{number:>3} {nodes:>10} {seconds:>8.3} {rate:>10.0} {factor:>10}  {}", measured.fen)
}

fn total(summary: &Summary, gain: &SpeedUp) -> String {
    let Summary { threads, nodes, seconds, rate, branching_factor, counts } = summary;
    let mut text = format!("threads {threads}: {nodes} nodes, {seconds:.3} seconds, {rate:.0} nps");
    // Writing to a string cannot fail.
    if let Some(factor) = branching_factor {
        let _ = write!(text, ", branching factor {factor:.3}");
    }
    let _ = write!(text, ", gain {:.2} in nps, {:.2} in time", gain.rate, gain.time);
    if let Some(counts) = counts {
        let [first, hits, cutoffs, quiescence] = shares(counts, *nodes).map(|share| 100.0 * share);
        let _ = write!(
            text,
            "; first-move cutoffs {first:.1} %, table hits {hits:.1} %, table cutoffs {cutoffs:.1} %, quiescence {quiescence:.1} %"
        );
    }
    text
}

/// Share of cutoffs by the first move, of table probes that hit and that cut off, and of nodes in quiescence.
fn shares(counts: &SearchCounts, nodes: u64) -> [f64; 4] {
    let share = |part: u64, of: u64| part as f64 / of.max(1) as f64;
    [
        share(counts.first_move_cutoffs, counts.cutoffs),
        share(counts.table_hits, counts.table_probes),
        share(counts.table_cutoffs, counts.table_probes),
        share(counts.quiescence_nodes, nodes),
    ]
}

/// A line for each position and number of threads; shares are empty without counts.
fn csv(runs: &[Run]) -> String {
    let mut text = "threads,position,fen,depth,nodes,seconds,nps,branching_factor,first_move_cutoffs,table_hits,\
                    table_cutoffs,quiescence_nodes\n"
        .to_owned();
    for Run { total, positions } in runs {
        for (number, each) in (1..).zip(positions) {
            let depth = each.iterations.last().map_or(0, |iteration| iteration.depth);
            let factor = each.branching_factor().map_or_else(String::new, |factor| format!("{factor:.4}"));
            let shares = each.counts.map_or_else(
                || vec![String::new(); 4],
                |counts| shares(&counts, each.nodes).iter().map(|share| format!("{share:.4}")).collect(),
            );
            // Writing to a string cannot fail.
            let _ = writeln!(
                text,
                "{},{number},{},{depth},{},{:.6},{:.0},{factor},{}",
                total.threads,
                each.fen,
                each.nodes,
                each.seconds,
                each.rate(),
                shares.join(",")
            );
        }
    }
    text
}
