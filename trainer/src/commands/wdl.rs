//! `trainer wdl`: fits the win/draw/loss model on the engine's own games.

use std::path::PathBuf;

use alfiere_search::eval::{Material, WdlModel};
use alfiere_terminal::{Replace, say};
use alfiere_trainer::wdl::{
    CalibrationBin, OutcomeCounts, ReadGames, WdlAgreement, WrittenScores, agreement, calibration, fit_wdl,
};
use clap::Args;
use serde_json::json;

use super::CommandResult;
use super::output::write_json;

/// Width of the table's bins in normalised centipawns, and the number of bins on each side of zero.
const BIN_WIDTH: i32 = 50;
const BINS: i32 = 8;
/// Step of the material amounts in the second table.
const MATERIAL_STEP: usize = 8;

/// Fit the engine's win/draw/loss model on games of `alfiere match --pgn`, and show how well it fits
#[derive(Args)]
#[command(
    after_help = "Use games of this program against itself without --draw and --resign, because adjudicated results
only repeat the scores. The scores in the games are normalised by the WDL model of the version that played, and
converted back by the model of this version, so both must be the same version. Games of a version without normalised
scores need --internal.

Positions are used from ply 16 on, with a score within 1000 internal units and no mate. Games decided by time, a crash
or an illegal move are skipped. Copy the lines \"even\" and \"spread\" to WdlModel::CURRENT
(engine/search/src/eval/wdl.rs).

Examples:
  alfiere match --engine alfiere --engine \"alfiere name=other\" --tc 8+0.08 --games 2000 \\
      --openings 8moves_v3.pgn.gz --pgn games.pgn
  trainer wdl games.pgn more.pgn.gz --json wdl.json"
)]
pub(crate) struct Wdl {
    /// Games in PGN, optionally .gz
    #[arg(value_name = "GAMES.pgn", required = true)]
    files: Vec<PathBuf>,
    /// The games' scores are in internal units, not normalised centipawns
    #[arg(long)]
    internal: bool,
    /// Output file for the results
    #[arg(long, value_name = "OUT")]
    json: Option<PathBuf>,
    #[command(flatten)]
    replace: Replace,
}

impl Wdl {
    pub(crate) fn run(self) -> CommandResult {
        run(&self)
    }
}

fn run(args: &Wdl) -> CommandResult {
    args.replace.check(args.files.iter().map(PathBuf::as_path), args.json.as_deref())?;
    let scores = if args.internal { WrittenScores::Internal } else { WrittenScores::Normalised };
    let mut read = ReadGames::default();
    for file in &args.files {
        read.add_file(file, scores)?;
    }
    let model = fit_wdl(&read.counts)?;
    let (before, after) = (agreement(&WdlModel::CURRENT, &read.counts), agreement(&model, &read.counts));
    let bins = calibration(&model, &read.counts, BIN_WIDTH, BINS);
    if let Some(path) = &args.json {
        let value = json!({
            "files": args.files, "games": read.games, "adjudicated": read.adjudicated, "left_out": read.left_out,
            "unreadable": read.count.left_out, "cut_off": read.count.cut_off, "unread_scores": read.unread_scores,
            "results": read.counts.results(), "even": model.even, "spread": model.spread, "fitted": after,
            "current": before, "bins": bins,
        });
        write_json(path, &value)?;
    }
    print_games(&read);
    print_bins(&bins);
    print_materials(&model, &read.counts);
    say("constants:");
    say(format_args!("    even: {},", coefficients(&model.even)));
    say(format_args!("    spread: {},", coefficients(&model.spread)));
    say(format_args!("before, with the constants of this version: {}", figures(&before)));
    say(format_args!("{} games {} positions {}", figures(&after), read.games, after.positions));
    Ok(())
}

fn print_games(read: &ReadGames) {
    let [wins, draws, losses] = read.counts.results();
    say(format_args!("{} games; positions won {wins}, drawn {draws}, lost {losses}", read.games));
    if read.adjudicated > 0 {
        say(format_args!("{} of the games were adjudicated: if by score, the fit is too good", read.adjudicated));
    }
    for (reason, count) in &read.left_out {
        say(format_args!("{count} games left out: {reason}"));
    }
    if read.unread_scores > 0 {
        say(format_args!("{} scores left out: they cannot be read", read.unread_scores));
    }
    read.count.remark().iter().for_each(say);
}

fn print_bins(bins: &[CalibrationBin]) {
    say("normalised score | positions | won: predicted, seen | drawn: predicted, seen | lost: predicted, seen");
    for CalibrationBin { centre, positions, predicted, seen } in bins {
        let pairs: Vec<String> = predicted
            .iter()
            .zip(seen)
            .map(|(predicted, seen)| format!("{:5.1} % {:5.1} %", 100.0 * predicted, 100.0 * seen))
            .collect();
        say(format_args!("{centre:+5} | {positions:8} | {}", pairs.join(" | ")));
    }
}

fn print_materials(model: &WdlModel, counts: &OutcomeCounts) {
    say("material | positions | normalised 100: even chance | spread, in internal units");
    for material in Material::all().step_by(MATERIAL_STEP) {
        let group = material.count()..material.count() + MATERIAL_STEP as u32;
        let counted = counts.cells().filter(|cell| group.contains(&cell.material.count()));
        let positions: u64 = counted.map(|cell| cell.results.iter().sum::<u64>()).sum();
        let (even, spread) = (model.even(material), model.spread(material));
        say(format_args!("{:3} | {positions:8} | {even:6.1} | {spread:6.1}", material.count()));
    }
}

fn coefficients(values: &[f64]) -> String {
    let rounded: Vec<String> = values.iter().map(|value| format!("{value:.2}")).collect();
    format!("[{}]", rounded.join(", "))
}

fn figures(found: &WdlAgreement) -> String {
    format!("log-likelihood {:.4} Brier {:.4}", found.log_likelihood, found.brier)
}
