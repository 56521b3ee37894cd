//! `alfiere match`: two programs against each other, and what the games prove.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use alfiere::arena::adjudication::{DrawRule, GameRules, ResignRule};
use alfiere::arena::game::{EndReason, GameRecord, GameSettings};
use alfiere::arena::limit::{Limit, TimeControl};
use alfiere::arena::openings::{Opening, read_openings, shuffle};
use alfiere::arena::pgn_writer::{GameTags, format_game};
use alfiere::arena::runner::{MatchEnd, MatchObserver, MatchSettings, run_match};
use alfiere::arena::score::{GameNumber, MatchScore};
use alfiere::arena::spec::PlayerSpec;
use alfiere::arena::sprt::Sprt;
use alfiere::movegen::CastlingNotation;
use alfiere::types::Color;
use clap::Args;
use serde_json::json;

use super::progress::{Progress, say};
use super::{Failure, Outcome, interrupt, own_program};

/// Play two programs against each other, in pairs of games with colours swapped.
#[derive(Args)]
#[command(
    group(clap::ArgGroup::new("limit").required(true).args(["tc", "nodes", "depth", "movetime"])),
    after_help = "An engine is PROGRAM followed by words, all in one argument:
  name=NAME           how it is called in results
  option.NAME=VALUE   a UCI option; quote the word if the name has a space: 'option.Move Overhead=5'
  net=FILE player=P   short for option.EvalFile=FILE and option.Player=P
  elo=N               short for option.UCI_LimitStrength=true and option.UCI_Elo=N
  tc= nodes= depth= movetime=   a limit of its own
  proto=xboard        for programs that speak the XBoard protocol (fairymax, phalanx); those without \"setboard\" need
                      openings in PGN
  dir=FOLDER arg=ARGUMENT
\"alfiere\" as PROGRAM is this very program.

Examples:
  alfiere match --engine alfiere --engine \"/usr/games/stockfish name=SF option.Skill\\ Level=3\" --tc 1+0.01 --games 100
  alfiere match --engine \"alfiere name=new net=new.nnue\" --engine \"alfiere name=old\" --tc 8+0.08 --games 20000 \\
      --sprt 0 5 --openings UHO_4060_v4.epd.gz --each option.Hash=16 --concurrency 2 --pgn games.pgn
  alfiere match --engine alfiere --engine \"/usr/games/fairymax proto=xboard\" --tc 1+0.01 --games 100 --openings 8moves_v3.pgn.gz"
)]
pub(crate) struct MatchArgs {
    /// A player; to be given twice
    #[arg(long = "engine", value_name = "SPEC", required = true)]
    engines: Vec<String>,
    /// Words that both players' specs begin with
    #[arg(long, value_name = "WORDS", default_value = "")]
    each: String,
    /// Clock: [MOVES/]SECONDS[+INCREMENT]
    #[arg(long)]
    tc: Option<TimeControl>,
    /// Nodes a move
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Plies a move
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,
    /// Milliseconds a move
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    movetime: Option<u64>,
    /// Games to play; rounded up to whole pairs
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    /// Openings, EPD or PGN, also .gz [default: the start of a game]
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// Order of the openings
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Stop when the difference is known to be E0 or E1 Elo
    #[arg(long, num_args = 2, value_names = ["E0", "E1"], allow_hyphen_values = true)]
    sprt: Option<Vec<f64>>,
    /// Call a draw from this move on, when both scores stay within CP for so many moves: FROM,MOVES,CP
    #[arg(long, value_name = "RULE")]
    draw: Option<DrawRule>,
    /// Call a win when both scores agree beyond CP for so many moves: MOVES,CP
    #[arg(long, value_name = "RULE")]
    resign: Option<ResignRule>,
    /// A game of so many plies is a draw
    #[arg(long, default_value_t = 600, value_parser = clap::value_parser!(u32).range(1..))]
    max_plies: u32,
    /// How much later than its clock a move may come, in milliseconds
    #[arg(long, default_value_t = 5)]
    margin_ms: u64,
    /// After so many seconds without a move a player without a time limit counts as hanging
    #[arg(long, default_value_t = 120)]
    patience: u64,
    /// Games at a time
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1024))]
    concurrency: u32,
    /// Chess960: castling as king takes rook, `UCI_Chess960` set
    #[arg(long)]
    chess960: bool,
    /// Write the games here as they are finished
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,
    /// Write the result here
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Do not print a line for each game
    #[arg(long)]
    quiet: bool,
}

pub(crate) fn run(args: &MatchArgs) -> Outcome {
    let settings = settings(args)?;
    let pgn = args.pgn.as_deref().map(create).transpose()?;
    let stop = interrupt::flag()?;
    let started = Instant::now();
    let mut show = Show {
        settings: &settings,
        progress: Progress::new(settings.games, "games"),
        pgn,
        write_error: None,
        quiet: args.quiet,
    };
    let outcome = run_match(&settings, &stop, &mut show);
    let write_error = show.write_error.take();
    show.progress.finish();
    let (score, end) = outcome?;
    print_summary(&settings, &score, end);
    if let Some(path) = &args.json {
        write_json(path, &settings, &score, end, started.elapsed())?;
    }
    match (write_error, &args.pgn) {
        (Some(error), Some(path)) => Err(Failure::new(format!("{}: {error}", path.display()))),
        _ => Ok(()),
    }
}

/// Turns what was typed into checked settings.
fn settings(args: &MatchArgs) -> Result<MatchSettings, Failure> {
    let [first, second] = args.engines.as_slice() else {
        return Err(Failure::new(format!("a match is between two engines, found {} --engine", args.engines.len())));
    };
    let mut players = [PlayerSpec::parse(first, &args.each)?, PlayerSpec::parse(second, &args.each)?];
    for player in &mut players {
        if player.program == Path::new("alfiere") {
            player.program = own_program()?;
        }
    }
    if players[0].name == players[1].name {
        players[1].name.push_str("-2");
    }
    let limit = match (args.tc, args.nodes, args.depth, args.movetime) {
        (Some(control), ..) => Limit::Clock(control),
        (_, Some(nodes), ..) => Limit::Nodes(nodes),
        (_, _, Some(depth), _) => Limit::Depth(depth),
        (_, _, _, time) => Limit::MoveTime(Duration::from_millis(time.unwrap_or(1))),
    };
    let sprt = match args.sprt.as_deref() {
        Some(&[elo0, elo1]) => {
            let message = || Failure::new(format!("--sprt {elo0} {elo1}: expected E0 smaller than E1"));
            Some(Sprt::new(elo0, elo1).ok_or_else(message)?)
        }
        _ => None,
    };
    let mut openings = match &args.openings {
        Some(path) => read_openings(path)?,
        None => vec![Opening::startpos()],
    };
    shuffle(&mut openings, args.seed);
    let notation = if args.chess960 { CastlingNotation::Chess960 } else { CastlingNotation::Standard };
    let rules = GameRules { draw: args.draw, resign: args.resign, max_plies: args.max_plies };
    let game = GameSettings {
        rules,
        margin: Duration::from_millis(args.margin_ms),
        patience: Duration::from_secs(args.patience),
        notation,
    };
    let concurrency = args.concurrency as usize;
    Ok(MatchSettings { players, limit, games: args.games.next_multiple_of(2), openings, game, concurrency, sprt })
}

fn create(path: &Path) -> Result<BufWriter<File>, Failure> {
    let file = File::create(path).map_err(|error| Failure::new(format!("{}: {error}", path.display())))?;
    Ok(BufWriter::new(file))
}

/// Prints and writes games as they are finished.
struct Show<'a> {
    settings: &'a MatchSettings,
    progress: Progress,
    pgn: Option<BufWriter<File>>,
    write_error: Option<std::io::Error>,
    quiet: bool,
}

impl MatchObserver for Show<'_> {
    fn game_finished(&mut self, number: GameNumber, record: &GameRecord, score: &MatchScore) {
        let mut order = [0, 1];
        if number.first_player_color() == Color::Black {
            order.reverse();
        }
        let names = order.map(|index| self.settings.players[index].name.as_str());
        let claim = score.claim(self.settings.sprt.as_ref());
        let is_fault = matches!(record.reason, EndReason::Fault(..));
        if !self.quiet || is_fault {
            let reason = match &record.reason {
                EndReason::Fault(side, fault) => format!("{} {fault}", names[side.index()]),
                EndReason::Resignation(side) => format!("{} resigns", names[side.index()]),
                reason => reason.to_string(),
            };
            let [white, black] = names;
            let plies = record.moves.len();
            self.progress.print(format_args!(
                "game {number} {white} - {black} {} {plies} plies, {reason} | {}",
                record.result, score.games
            ));
        }
        self.progress.advance(1, &format!("{} | {claim}", score.games));
        if let Some(file) = &mut self.pgn {
            let limits =
                order.map(|index| self.settings.players[index].limit.unwrap_or(self.settings.limit).to_string());
            let tags =
                GameTags { players: names, round: number.to_string(), limits, notation: self.settings.game.notation };
            let written = file.write_all(format_game(record, &tags).as_bytes()).and_then(|()| file.flush());
            if let Err(error) = written {
                self.pgn = None;
                self.progress.print(format_args!("the games cannot be written any more: {error}"));
                self.write_error = Some(error);
            }
        }
    }
}

fn print_summary(settings: &MatchSettings, score: &MatchScore, end: MatchEnd) {
    let [first, second] = &settings.players;
    match end {
        MatchEnd::Stopped => say("stopped before the end"),
        MatchEnd::Decided => say("the test is decided"),
        MatchEnd::Complete => {}
    }
    let percent = 100.0 * score.games.points() / score.games.games().max(1) as f64;
    let endings: Vec<_> = score.endings.iter().map(|(name, count)| format!("{name} {count}")).collect();
    let [white, black] = score.by_color;
    say(format_args!(
        "{} - {}: {} ({percent:.1} %), White {white}, Black {black}",
        first.name, second.name, score.games
    ));
    say(format_args!("endings: {}", endings.join(", ")));
    for (player, faults) in settings.players.iter().zip(&score.faults) {
        say(format_args!("{}: {faults}", player.name));
    }
    say(score.claim(settings.sprt.as_ref()));
}

fn write_json(path: &Path, settings: &MatchSettings, score: &MatchScore, end: MatchEnd, elapsed: Duration) -> Outcome {
    let player = |index: usize| {
        let spec = &settings.players[index];
        json!({
            "name": spec.name,
            "program": spec.program,
            "options": spec.options,
            "limit": spec.limit.unwrap_or(settings.limit),
            "faults": score.faults[index],
        })
    };
    let estimate = score.pairs.elo();
    // Infinity is no number in JSON: unbounded values become null.
    let finite = |value: f64| value.is_finite().then_some(value);
    let value = json!({
        "players": [player(0), player(1)],
        "games": score.games,
        "white": score.by_color[0],
        "black": score.by_color[1],
        "pentanomial": score.pairs,
        "elo": estimate.and_then(|estimate| finite(estimate.elo)),
        "error_95": estimate.and_then(|estimate| finite(estimate.error)),
        "sprt": settings.sprt.map(|sprt| json!({
            "test": sprt,
            "llr": sprt.llr(&score.pairs),
            "bounds": sprt.bounds(),
            "verdict": sprt.verdict(&score.pairs),
        })),
        "endings": score.endings,
        "end": format!("{end:?}").to_ascii_lowercase(),
        "seconds": elapsed.as_secs_f64(),
        "claim": score.claim(settings.sprt.as_ref()),
    });
    super::write_json(path, &value)
}
