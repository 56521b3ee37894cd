//! `alfiere eval`: evaluates a position with its parts, or measures a network on a file of labelled positions.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::thread;

use alfiere_chess::board::Board;
use alfiere_chess::types::{Color, Square};
use alfiere_nnue::{FeatureLists, Network, piece_values};
use alfiere_search::engine::{Player, ScoreScale};
use alfiere_search::eval::ClassicalReport;
use alfiere_search::fit::{
    EvaluationMode, FitMetrics, QuiescenceEval, StaticEval, best_scale, evaluate_rows, fit_at_scale, read_rows,
};
use alfiere_search::search::Score;
use clap::Args;
use ndarray::Array1;
use serde_json::json;

use super::progress::{Progress, say};
use super::{CommandResult, Failure, Replace, interrupt_flag};

/// Show the evaluation of a position with its parts, or measure a network's R² on a CSV of labelled positions.
#[derive(Args)]
#[command(after_help = "Examples:
  alfiere eval --fen \"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1\"
  alfiere eval --player classical
  alfiere eval --csv datasets/kaggle/sample.csv.gz --quiescence
  zstdcat games.csv.zst | alfiere eval --csv - --rows 100000 --net new.nnue")]
pub(crate) struct EvalArgs {
    /// Position as FEN [default: the initial position]
    #[arg(long, conflicts_with = "csv")]
    fen: Option<String>,
    /// CSV of labelled positions, "FEN,Evaluation" in centipawns from White's point of view, optionally .gz; "-" reads
    /// standard input
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Resolve captures by quiescence search before evaluating
    #[arg(long, requires = "csv")]
    quiescence: bool,
    /// Maximum number of rows
    #[arg(long, requires = "csv", value_parser = clap::value_parser!(u64).range(1..))]
    rows: Option<u64>,
    /// Number of threads [default: all cores]
    #[arg(long, requires = "csv", value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: Option<u32>,
    /// Output file for the results
    #[arg(long, value_name = "OUT", requires = "csv")]
    json: Option<PathBuf>,
    /// Player whose evaluation is used: nnue, kaggle, perceptron and beam have networks, classical has terms
    #[arg(long, value_parser = super::player, default_value = "nnue")]
    player: Player,
    /// Network file instead of the player's own
    #[arg(long, value_name = "FILE")]
    net: Option<PathBuf>,
    #[command(flatten)]
    replace: Replace,
}

pub(crate) fn run(args: &EvalArgs) -> CommandResult {
    args.replace.check(args.csv.iter().chain(&args.net), &args.json)?;
    let loaded = args.net.as_deref().map(Network::load).transpose()?;
    let Some(own) = args.player.network() else { return explain_terms(args) };
    let network = loaded.as_ref().unwrap_or_else(|| own.network());
    say(format_args!("network: {}", network.architecture()));
    if let Some(path) = &args.csv {
        return measure(path, args, network);
    }
    explain(&position(args)?, network);
    Ok(())
}

fn position(args: &EvalArgs) -> Result<Board, Failure> {
    Ok(args.fen.as_deref().map_or_else(|| Ok(Board::startpos()), Board::from_fen)?)
}

/// Prints the classical evaluation, term by term.
fn explain_terms(args: &EvalArgs) -> CommandResult {
    let name = args.player.name();
    if args.net.is_some() || args.csv.is_some() {
        return Err(Failure::new(format!("player {name} has no network: --net and --csv cannot be used")));
    }
    if args.player != Player::Classical {
        return Err(Failure::new(format!("player {name} has no evaluation")));
    }
    let board = position(args)?;
    say(format_args!("{board}"));
    say(ClassicalReport::of(&board));
    Ok(())
}

/// Prints the evaluation, the contribution of every piece, and the values of the other output buckets.
fn explain(board: &Board, network: &Network) {
    let side = board.side_to_move();
    let white = |value: i32| if side == Color::White { value } else { -value };
    let values = piece_values(network, board);
    say(format_args!("{board}"));
    say(
        "centipawns from White's point of view; a piece's contribution is the value minus the value without the piece (kings excluded)",
    );
    // Writing to a string cannot fail.
    for rank in (0..8).rev() {
        let mut line = String::new();
        for file in 0..8 {
            let square = Square::from_index(rank * 8 + file);
            let cell = match board.piece_on(square) {
                None => ".".to_owned(),
                Some(piece) => match values.pieces.iter().find(|(_, other, _)| *other == square) {
                    Some((_, _, part)) => format!("{}{part:+}", piece.letter()),
                    None => piece.letter().to_string(),
                },
            };
            let _ = write!(line, "{cell:>7}");
        }
        say(line);
    }
    let buckets = network.architecture().output_buckets;
    if buckets.count() > 1 {
        let pieces = board.occupied().into_iter().filter_map(|square| Some((board.piece_on(square)?, square)));
        let all = FeatureLists::new(network.architecture(), side, pieces);
        let own = buckets.bucket(all.piece_count);
        let mut line = "output buckets by number of pieces:".to_owned();
        for bucket in 0..buckets.count() {
            let piece_count = (2..=32).find(|&count| buckets.bucket(count) == bucket).unwrap_or(all.piece_count);
            let other = FeatureLists { piece_count, ..all.clone() };
            let mark = if bucket == own { "*" } else { "" };
            let _ = write!(line, " {mark}{:+}", white(network.evaluate_features(side, &other)));
        }
        say(line);
    }
    say(format_args!("quiescence search: {:+}", white(QuiescenceEval::new(network).evaluate(board))));
    let fast = StaticEval::new(network).evaluate(board);
    let (scale, score) = (ScoreScale::of(board), Score::evaluation(fast));
    let (shown, wdl_permille) = (scale.normalise(score), scale.wdl_permille(score));
    say(format_args!("as a search score for the side to move: {shown}, wdl {wdl_permille}"));
    say(format_args!("evaluation {:+} centipawns ({:+} for the side to move)", white(fast), fast));
}

fn measure(path: &Path, args: &EvalArgs, network: &Network) -> CommandResult {
    let limit = args.rows.map_or(usize::MAX, |rows| rows as usize);
    let read = read_rows(path, limit)?;
    if let Some(problem) = &read.first_problem {
        say(format_args!("{} rows skipped, the first at {problem}", read.refused));
    }
    let threads = args.threads.map_or_else(|| thread::available_parallelism().map_or(1, usize::from), |n| n as usize);
    let mode = if args.quiescence { EvaluationMode::Quiescence } else { EvaluationMode::Static };
    let stop = interrupt_flag()?;
    let mut progress = Progress::new(read.rows.len() as u64, "rows");
    let values = evaluate_rows(network, &read.rows, mode, threads, |done| {
        progress.advance(done as u64, "");
        !stop.load(Ordering::Relaxed)
    });
    progress.finish();
    if values.len() < read.rows.len() {
        say(format_args!("stopped after {} of {} rows", values.len(), read.rows.len()));
    }
    if values.is_empty() {
        return Err(Failure::new("stopped before any row was evaluated"));
    }
    let values = Array1::from(values);
    let targets: Array1<f64> = read.rows.iter().take(values.len()).map(|row| row.target).collect();
    let plain = fit_at_scale(&values, &targets, 1.0);
    let best = best_scale(&values, &targets);
    if let Some(out) = &args.json {
        let value = json!({
            "csv": path.display().to_string(), "net": args.net.as_ref().map(|net| net.display().to_string()), "architecture": network.architecture().to_string(),
            "quiescence": args.quiescence, "refused": read.refused, "unscaled": plain, "best": best,
        });
        super::write_json(out, &value)?;
    }
    say(format_args!(
        "clipped centipawns clamp(cp/1000, -1, 1), White's point of view{}",
        if args.quiescence { ", with quiescence" } else { "" }
    ));
    say(format_args!("unscaled: R2 {:.4} MSE {:.5} MAE {:.5}", plain.r2, plain.mse, plain.mae));
    say(format_args!("best linear scale {:.3}:", best.scale));
    let FitMetrics { r2, mse, mae, rows, .. } = best;
    say(format_args!("R2 {r2:.4} MSE {mse:.5} MAE {mae:.5} rows {rows}"));
    if rows < read.rows.len() { Err(Failure::Stopped) } else { Ok(()) }
}
