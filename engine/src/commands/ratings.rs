//! `alfiere ratings`: a rating list of all players in files of games.

use std::path::PathBuf;

use alfiere_arena::anchor::{NamedAnchor, find_anchors};
use alfiere_arena::elo::GameCounts;
use alfiere_arena::encounter::groups;
use alfiere_arena::pgn_results::PgnResults;
use alfiere_arena::ratings::{Rating, Ratings};
use alfiere_terminal::{Replace, say};
use clap::Args;
use serde::Serialize;
use serde_json::json;

use super::progress::FileProgress;
use super::{CommandResult, Failure};

/// Rate the players of PGN games: Elo with errors, relative to their mean or to known ratings.
#[derive(Args)]
#[command(after_help = "Ratings are of maximum likelihood: a draw is half a win, and White's advantage is fitted with
the ratings. \"±\" is half the width of the 95 % interval; draws make it smaller. Without anchors it is relative to the
mean of all players, which is 0. LOS is the likelihood of superiority over the player in the next line.

An anchor is a rating known before the games: NAME=ELO is exact, and NAME=ELO±ERR (or NAME=ELO+-ERR) has a 95 % error.
Several anchors with errors are weighed against each other and the games.

A player with all points or none has no finite rating from its games. In a list with such players, each player also has
one drawn game against an imaginary player.

Games without a result or without two different names, and those that cannot be read, are counted and left out.

Examples:
  alfiere ratings games.pgn
  alfiere ratings gauntlet.pgn.gz more.pgn --anchor 'Stockfish 17=3640±15' --json list.json")]
pub(crate) struct RatingsArgs {
    /// Games in PGN, optionally .gz
    #[arg(value_name = "FILE.pgn", required = true)]
    files: Vec<PathBuf>,
    /// Known rating of a player, ERR with 95 % confidence; repeatable
    #[arg(long = "anchor", value_name = "NAME=ELO[±ERR]")]
    anchors: Vec<NamedAnchor>,
    /// Output file for the results
    #[arg(long, value_name = "OUT")]
    json: Option<PathBuf>,
    #[command(flatten)]
    replace: Replace,
}

#[derive(Serialize)]
struct RatedPlayer<'a> {
    name: &'a str,
    elo: f64,
    error_95: f64,
    games: GameCounts,
    points: f64,
    score: f64,
    draws: f64,
    /// Likelihood of superiority over the next player; `None` for the last.
    superiority: Option<f64>,
}

/// Number of names in an error message, in all groups together.
const SHOWN_NAMES: usize = 12;

pub(crate) fn run(args: &RatingsArgs) -> CommandResult {
    args.replace.check(&args.files, &args.json)?;
    let results = read(&args.files)?;
    let (names, encounters) = (results.names(), results.encounters());
    if names.is_empty() {
        let reasons = left_out(&results).join("; ");
        let reasons = if reasons.is_empty() { reasons } else { format!(": {reasons}") };
        return Err(Failure::new(format!(
            "found no game with a result and two players in the files, expected PGN{reasons}"
        )));
    }
    let anchors = find_anchors(&args.anchors, &names)?;
    let groups = groups(names.len(), &encounters, &anchors);
    if groups.len() > 1 {
        return Err(Failure::new(format!(
            "no games connect these {} groups of players: {}; rate them apart, or anchor a player of each",
            groups.len(),
            shown_groups(&groups, &names)
        )));
    }
    let ratings = Ratings::fit(names.len(), &encounters, &anchors);
    let lines = lines(&results, &ratings);
    let (total, advantage) = (results.total(), ratings.white_advantage());
    if let Some(path) = &args.json {
        let value = json!({
            "files": args.files.iter().map(|file| file.display().to_string()).collect::<Vec<_>>(),
            "games": total.games(),
            "left_out": results.left_out, "unreadable": results.count.left_out, "cut_off": results.count.cut_off,
            "draws": share(total.draws, total),
            "white_advantage": advantage.map(|rating| json!({"elo": rating.elo, "error_95": rating.error})),
            "anchors": args.anchors,
            "imaginary_games": ratings.has_imaginary_games(),
            "players": lines,
        });
        super::write_json(path, &value)?;
    }
    left_out(&results).iter().for_each(say);
    if ratings.has_imaginary_games() {
        say("some results are one-sided: each player also has a drawn game against an imaginary player");
    }
    let white = advantage
        .map_or_else(String::new, |Rating { elo, error }| format!(", White's advantage {elo:+.1} ± {error:.1} Elo"));
    let drawn = 100.0 * share(total.draws, total);
    say(format_args!("{} games of {} players, {drawn:.1} % drawn{white}", total.games(), names.len()));
    table(&lines).iter().for_each(say);
    Ok(())
}

fn read(files: &[PathBuf]) -> Result<PgnResults, Failure> {
    let mut progress = FileProgress::new(files);
    let (bytes, mut results) = (progress.bytes(), PgnResults::default());
    for path in files {
        results.add_file(path, &bytes, || progress.update(""))?;
    }
    drop(progress);
    Ok(results)
}

/// A sentence for each reason why games were left out.
fn left_out(results: &PgnResults) -> Vec<String> {
    let sentence = |(reason, count): (&&str, &u64)| format!("{count} games left out: {reason}");
    results.left_out.iter().map(sentence).chain(results.count.remark()).collect()
}

/// `a, b | c, ... | d`.
fn shown_groups(groups: &[Vec<usize>], names: &[&str]) -> String {
    let per_group = (SHOWN_NAMES / groups.len()).max(1);
    let shown = groups.iter().take(SHOWN_NAMES).map(|group| {
        let more = if group.len() > per_group { ", ..." } else { "" };
        let members: Vec<&str> = group.iter().take(per_group).map(|&player| names[player]).collect();
        members.join(", ") + more
    });
    let more = (groups.len() > SHOWN_NAMES).then(|| "...".to_owned());
    shown.chain(more).collect::<Vec<_>>().join(" | ")
}

/// The list, strongest player first.
fn lines<'a>(results: &'a PgnResults, ratings: &Ratings) -> Vec<RatedPlayer<'a>> {
    let names = results.names();
    let mut order: Vec<usize> = (0..names.len()).collect();
    order.sort_by(|&a, &b| ratings.rating(b).elo.total_cmp(&ratings.rating(a).elo));
    let next = order.iter().skip(1).map(Some).chain([None]);
    let line = |(&player, next): (&usize, Option<&usize>)| {
        let (Rating { elo, error }, games) = (ratings.rating(player), results.of_player(player));
        RatedPlayer {
            name: names[player],
            elo,
            error_95: error,
            games,
            points: games.points(),
            score: games.points() / games.games() as f64,
            draws: share(games.draws, games),
            superiority: next.map(|&next| ratings.superiority(player, next)),
        }
    };
    order.iter().zip(next).map(line).collect()
}

fn share(count: u64, of: GameCounts) -> f64 {
    count as f64 / of.games() as f64
}

/// The list as text, one line per player below a header.
fn table(lines: &[RatedPlayer<'_>]) -> Vec<String> {
    let width = lines.iter().map(|line| line.name.chars().count()).max().unwrap_or(0).max("player".len());
    let head = format!("   # {:width$}      Elo       ±   games    points  score  draws    LOS", "player");
    let row = |(number, line): (usize, &RatedPlayer<'_>)| {
        let RatedPlayer { name, elo, error_95, games, points, score, draws, superiority } = line;
        let (games, score, draws) = (games.games(), 100.0 * score, 100.0 * draws);
        let superiority = superiority.map_or_else(|| "-".to_owned(), |share| format!("{:.1}", 100.0 * share));
        format!(
            "{number:>4} {name:width$} {elo:>+8.1} {error_95:>7.1} {games:>7} {points:>9.1} {score:>5.1}% {draws:>5.1}% \
             {superiority:>6}"
        )
    };
    [head].into_iter().chain((1..).zip(lines).map(row)).collect()
}
