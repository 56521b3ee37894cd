//! `alfiere rate`: the strength of a network, by games against players of this program whose ratings are known.

use std::path::PathBuf;
use std::thread;

use alfiere::ladder::{LADDER, RateSettings, Rung, Standings, neighbours, rate};
use alfiere_arena::ratings::Rating;
use alfiere_arena::runner::MatchEnd;
use alfiere_nnue::Network;
use alfiere_terminal::{Progress, Replace, interrupt, say};
use clap::Args;
use serde_json::{Value, json};

use super::{CommandResult, Failure, own_program, write_json};

/// Measure the strength of a network, in about two minutes on two cores.
#[derive(Args)]
#[command(
    after_help = "The network plays with the full search and --nodes nodes a move. Its opponents are the rungs of a
ladder inside this program, from random moves to the embedded network (\"nnue\"); --ladder lists them. The first games
find the rungs near the network, and most games are played against those. Each opening is played twice with colours
exchanged; openings are random moves that leave the position balanced.

The rating is Elo on the scale of the ladder, where classical at 5000 nodes has 2000. \"±\" is half of its 95 % interval.
The same network, --nodes, --games and --seed give the same result with any number of concurrent games.

Examples:
  alfiere rate --net mine.nnue
  alfiere rate --net mine.nnue --games 1000 --json mine.json
  alfiere rate --ladder"
)]
pub(crate) struct RateArgs {
    /// The network [default: the embedded network]
    #[arg(long, value_name = "FILE")]
    net: Option<PathBuf>,
    /// Nodes per move of the network
    #[arg(long, default_value_t = 5_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Number of games, in pairs; four times as many halve the error
    #[arg(long, default_value_t = 200, value_parser = clap::value_parser!(u64).range(2..=1_000_000))]
    games: u64,
    /// Random seed of the openings
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Number of concurrent games [default: the number of cores]
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=1024))]
    concurrency: Option<u32>,
    /// Output file for the results
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Print the rungs of the ladder with their ratings, and play no games
    #[arg(long, conflicts_with_all = ["net", "games", "json"])]
    ladder: bool,
    #[command(flatten)]
    replace: Replace,
}

pub(crate) fn run(args: &RateArgs) -> CommandResult {
    if args.ladder {
        print_ladder();
        return Ok(());
    }
    args.replace.check(&args.net, &args.json)?;
    let loaded = args.net.as_deref().map(Network::load).transpose()?;
    let network = loaded.as_ref().unwrap_or_else(|| Network::embedded());
    let games = args.games.next_multiple_of(2);
    let settings = RateSettings {
        program: own_program()?,
        net: args.net.clone(),
        nodes: args.nodes,
        games,
        seed: args.seed,
        concurrency: args.concurrency.map_or_else(cores, |games| games as usize),
    };
    let stop = interrupt::watch()?;
    say(format_args!("network: {}, {} nodes a move", network.architecture(), args.nodes));
    let mut progress = Progress::new("games", games, "games");
    let played = rate(&settings, &stop, |standings| {
        let rating = standings.rating().map_or_else(String::new, |rating| format!(" | Elo {}", shown(rating)));
        progress.advance(1, &format!("{}{rating}", standings.games()));
    });
    drop(progress);
    let (standings, end) = played?;
    if let Some(path) = &args.json {
        write_json(path, &json_of(&settings, network, &standings, end))?;
    }
    print(&standings, end);
    if end == MatchEnd::Stopped { Err(Failure::Stopped) } else { Ok(()) }
}

fn cores() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

/// `1234 ± 56`.
fn shown(Rating { elo, error }: Rating) -> String {
    format!("{elo:.0} ± {error:.0}")
}

/// What the result means, in words.
fn sentence(standings: &Standings) -> String {
    let Some(Rating { elo, .. }) = standings.rating() else {
        let (games, points) = (standings.games().games(), standings.games().points());
        return match (games, points > 0.0) {
            (0, _) => "no game was finished".to_owned(),
            (_, true) => format!("no rating: no point was lost in {games} games"),
            (_, false) => format!("no rating: no point was won in {games} games"),
        };
    };
    let named = |rung: &Rung| format!("{rung} ({:.0})", rung.elo);
    match neighbours(elo) {
        [Some(weaker), Some(stronger)] => format!("between {} and {}", named(weaker), named(stronger)),
        [None, Some(lowest)] => format!("weaker than {}", named(lowest)),
        [Some(highest), None] => format!("stronger than {}", named(highest)),
        [None, None] => String::new(),
    }
}

/// Prints the games against each rung; the last line is the rating.
fn print(standings: &Standings, end: MatchEnd) {
    if end == MatchEnd::Stopped {
        say("stopped before the end");
    }
    let played = (0..).zip(&LADDER).filter(|(index, _)| standings.against(*index).games() > 0);
    let lines: Vec<_> = played.map(|(index, rung)| (rung, standings.against(index))).collect();
    let width = lines.iter().map(|(rung, _)| rung.to_string().len()).max().unwrap_or(0).max("opponent".len());
    say(format_args!("{:width$}   Elo  games   won drawn  lost  score", "opponent"));
    for (rung, games) in lines.iter().rev() {
        let percent = 100.0 * games.points() / games.games() as f64;
        say(format_args!(
            "{:width$} {:>5.0} {:>6} {:>5} {:>5} {:>5} {percent:>5.1}%",
            rung.to_string(),
            rung.elo,
            games.games(),
            games.wins,
            games.draws,
            games.losses
        ));
    }
    let rating = standings.rating().map_or_else(String::new, |rating| format!("Elo {}: ", shown(rating)));
    say(format_args!("{rating}{}", sentence(standings)));
}

/// Prints the rungs, strongest first, with the words that describe them to `alfiere match`.
fn print_ladder() {
    let width = LADDER.iter().map(|rung| rung.to_string().len()).max().unwrap_or(0);
    say(format_args!("{:width$}   Elo   ±  for alfiere match", "player"));
    for rung in LADDER.iter().rev() {
        let Rung { elo, error, .. } = rung;
        say(format_args!("{:width$} {elo:>5.0} {error:>3.0}  alfiere {}", rung.to_string(), rung.words()));
    }
}

fn json_of(settings: &RateSettings, network: &Network, standings: &Standings, end: MatchEnd) -> Value {
    let rung = |(index, rung): (usize, &Rung)| {
        json!({
            "name": rung.to_string(),
            "player": rung.player.name(),
            "limit": rung.limit,
            "elo": rung.elo,
            "error_95": rung.error,
            "games": standings.against(index),
        })
    };
    let rating = standings.rating();
    json!({
        "net": settings.net.as_ref().map(|net| net.display().to_string()),
        "architecture": network.architecture().to_string(),
        "nodes": settings.nodes,
        "seed": settings.seed,
        "elo": rating.map(|rating| rating.elo),
        "error_95": rating.map(|rating| rating.error),
        "summary": sentence(standings),
        "games": standings.games(),
        "end": end.to_string(),
        "ladder": LADDER.iter().enumerate().map(rung).collect::<Vec<_>>(),
    })
}
