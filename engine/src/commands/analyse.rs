//! `alfiere analyse`: annotates games with the engine.

use std::ffi::OsString;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use alfiere::analysis::{Analyst, Collection, Game, GameReport, annotate, read_collection};
use alfiere_chess::game::Limit;
use alfiere_chess::review::{Judgement, SideReview};
use alfiere_search::engine::{Engine, Settings};
use alfiere_search::eval::NetworkChoice;
use alfiere_terminal::{Progress, Replace, interrupt, say};
use clap::Args;
use serde_json::{Value, json};

use super::arguments::{LimitArgs, open_tablebases};
use super::growing_file::{GrowingFile, GrowingJson};
use super::{CommandResult, Failure};

const DEFAULT_MOVE_TIME: Duration = Duration::from_millis(500);

/// Annotate games with evaluations, inaccuracies, mistakes and blunders, better lines, and accuracy.
#[derive(Args)]
#[command(
    group(clap::ArgGroup::new("limit").args(["depth", "nodes", "movetime"])),
    mut_arg("movetime", |time| time.help("Milliseconds per position [default: 500]")),
    after_help = "A move is an inaccuracy (?!), a mistake (?) or a blunder (??) if it loses at least 5, 10 or 15
percent points of the winning chances. These and the accuracy use the formulas of lichess.org.

Tags, comments and glyphs of the games are kept, variations are dropped. A game ends before a move that cannot be
read; such games are reported. OUT.pgn and OUT.json are complete after every game: a run that is stopped or killed loses only the current
game. With --force, an earlier file stays until the run ends.

With --multipv, OUT.json has the best N lines of each position. OUT.pgn has them as variations with evaluations after
inaccuracies, mistakes and blunders.

Examples:
  alfiere analyse game.pgn --out annotated.pgn
  alfiere analyse games.pgn.gz --nodes 200000 --threads 2 --out annotated.pgn --json reports.json
  alfiere analyse endgames.pgn --syzygy /tables/wdl:/tables/dtz --multipv 3 --out annotated.pgn"
)]
pub(crate) struct AnalyseArgs {
    /// Games in PGN, optionally .gz
    #[arg(value_name = "GAMES.pgn")]
    file: PathBuf,
    #[command(flatten)]
    limit: LimitArgs,
    /// Number of search threads
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: u32,
    /// Hash table size in MiB
    #[arg(long, default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..=1_048_576))]
    hash: u32,
    /// Number of lines per position (`MultiPV`); they share its time or nodes
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=256))]
    multipv: u32,
    /// Folders of Syzygy endgame tables, separated as in the option `SyzygyPath`
    #[arg(long, value_name = "PATH")]
    syzygy: Option<OsString>,
    /// Network file instead of the embedded network
    #[arg(long, value_name = "FILE")]
    net: Option<PathBuf>,
    /// Output file for the annotated games
    #[arg(long, value_name = "OUT.pgn")]
    out: Option<PathBuf>,
    /// Output file for all positions, moves and counts
    #[arg(long, value_name = "OUT.json")]
    json: Option<PathBuf>,
    #[command(flatten)]
    replace: Replace,
}

pub(crate) fn run(args: &AnalyseArgs) -> CommandResult {
    let Collection { games, total, faults } = read_collection(&args.file)?;
    if games.is_empty() {
        let reason = faults.first().map_or_else(String::new, |fault| format!(": {fault}"));
        return Err(Failure::at(&args.file, format_args!("found no game to analyse, expected PGN{reason}")));
    }
    let limit = args.limit.limit().unwrap_or(Limit::MoveTime(DEFAULT_MOVE_TIME));
    let mut analyst = Analyst::new(engine(args)?, limit);
    let mut written = OutputFiles::create(args, limit)?;
    let stop = interrupt::watch()?;
    let mut progress =
        Progress::new("positions", games.iter().map(|game| game.position_count() as u64).sum(), "positions");
    let mut finished = 0;
    for game in &games {
        let message = format!("game {} of {}", finished + 1, games.len());
        let Some(report) = analyst.analyse(game, &stop, || progress.advance(1, &message))? else { break };
        finished += 1;
        written.add(game, &report)?;
        progress.say(format_report(game, &report));
    }
    drop(progress);
    if finished == games.len() {
        written.finish()?;
    } else {
        say(format_args!("stopped after {finished} of {} games", games.len()));
    }
    let dropped = games[..finished].iter().filter(|game| game.pgn.had_variations).count();
    if args.out.is_some() && dropped > 0 {
        say(format_args!("the variations of {dropped} games were dropped"));
    }
    for fault in &faults {
        say(fault);
    }
    match faults.first() {
        _ if finished < games.len() => Err(Failure::Stopped),
        None => Ok(()),
        Some(first) => {
            Err(Failure::new(format!("{} of {total} games could not be read, the first: {first}", faults.len())))
        }
    }
}

fn engine(args: &AnalyseArgs) -> Result<Engine, Failure> {
    let mut engine = Engine::new();
    let [threads, hash_mib, lines] = [args.threads, args.hash, args.multipv].map(|number| number as usize);
    let settings = Settings { threads, hash_mib, lines, ..engine.settings().clone() };
    for reduced in engine.configure(settings) {
        say(reduced);
    }
    if let Some(net) = &args.net {
        engine.set_network(NetworkChoice::of(Some(net))?);
    }
    if let Some(path) = &args.syzygy {
        engine.set_tablebases(open_tablebases(path)?);
    }
    Ok(engine)
}

struct OutputFiles<'a> {
    annotator: String,
    pgn: Option<(GrowingFile, &'a Path)>,
    json: Option<GrowingJson>,
}

impl<'a> OutputFiles<'a> {
    /// Creates the output files, so that errors occur before the analysis.
    fn create(args: &'a AnalyseArgs, limit: Limit) -> Result<Self, Failure> {
        args.replace.check(args.net.iter().chain([&args.file]), args.out.iter().chain(&args.json))?;
        let create = |path: &'a PathBuf| {
            GrowingFile::create(path).map(|file| (file, path.as_path())).map_err(|error| Failure::at(path, error))
        };
        let pgn = args.out.as_ref().map(create).transpose()?;
        let annotator = format!("Alfiere {}, {limit}", env!("CARGO_PKG_VERSION"));
        let head = json!({ "file": args.file.display().to_string(), "annotator": annotator });
        let json = args.json.as_ref().map(|path| GrowingJson::create(path, &head, "games")).transpose()?;
        Ok(Self { annotator, pgn, json })
    }

    fn add(&mut self, game: &Game, report: &GameReport) -> CommandResult {
        if let Some((file, path)) = &mut self.pgn {
            let text = annotate(game, report, &self.annotator);
            file.file().write_all(text.as_bytes()).map_err(|error| Failure::at(path, error))?;
        }
        match &mut self.json {
            Some(json) => json.push(&as_json(game, report)),
            None => Ok(()),
        }
    }

    /// Puts the files in the place of earlier ones; without this, those stay.
    fn finish(self) -> CommandResult {
        if let Some((file, path)) = self.pgn {
            file.finish().map_err(|error| Failure::at(path, error))?;
        }
        self.json.map_or(Ok(()), GrowingJson::finish)
    }
}

/// Formats the judged moves and a summary of each side.
fn format_report(game: &Game, report: &GameReport) -> String {
    let mut lines = vec![game.title()];
    for (index, judged) in report.moves.iter().enumerate() {
        let (Some(better), Some(_)) = (&judged.better, judged.review.judgement) else { continue };
        let name = judged.name();
        let (before, after) = (report.positions[index].evaluation.score, report.positions[index + 1].evaluation.score);
        lines.push(format!("  {name:14} {before} → {after}, better {better}"));
    }
    let width = game.players().map(|player| player.chars().count()).into_iter().max().unwrap_or(0);
    lines.push(format!("{:width$}   accuracy   centipawns lost   moves   inaccuracies   mistakes   blunders", ""));
    for (player, side) in game.players().iter().zip(&report.sides) {
        let SideReview { moves, judged: [inaccuracies, mistakes, blunders], .. } = side;
        let (accuracy, lost) = (side.accuracy, side.average_centipawn_loss);
        lines.push(format!(
            "{player:width$}   {accuracy:6.1} %   {lost:15.1}   {moves:5}   {inaccuracies:12}   {mistakes:8}   {blunders:8}"
        ));
    }
    if let Some((plies, draw)) = game.automatic_draw() {
        let after = report.moves.len() - plies;
        lines.push(format!("  drawn by {draw} after {plies} plies; the {after} plies after it are also analysed"));
    }
    lines.join("\n") + "\n"
}

fn as_json(game: &Game, report: &GameReport) -> Value {
    let sides = game.players().into_iter().zip(&report.sides).map(|(player, side)| {
        let counts =
            Judgement::ALL.iter().zip(side.judged).map(|(kind, count)| (kind.plural().to_owned(), json!(count)));
        json!({
            "player": player, "moves": side.moves, "accuracy": side.accuracy,
            "average_centipawn_loss": side.average_centipawn_loss,
            "judged": Value::Object(counts.collect()),
        })
    });
    let moves = report.moves.iter().zip(report.positions.windows(2)).map(|(judged, pair)| {
        json!({
            "number": judged.number, "side": judged.side.to_string(), "move": judged.san,
            "before": pair[0].evaluation.score.to_string(), "after": pair[1].evaluation.score.to_string(),
            "expected_before": pair[0].evaluation.expected_score, "expected_after": pair[1].evaluation.expected_score,
            "depth": pair[0].depth, "nodes": pair[0].nodes,
            "loss": judged.review.loss, "centipawn_loss": judged.review.centipawn_loss,
            "accuracy": judged.review.accuracy,
            "judgement": judged.review.judgement.map(Judgement::name), "better": judged.better,
            "lines": judged.lines.iter().map(|line| json!({ "value": line.value.to_string(), "moves": line.moves }))
                .collect::<Vec<_>>(),
        })
    });
    json!({
        "title": game.title(), "result": game.result(),
        "sides": sides.collect::<Vec<_>>(), "moves": moves.collect::<Vec<_>>(),
    })
}
