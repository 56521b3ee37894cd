//! Generates the report page.

use std::fmt::{Result, Write};

use super::super::output::grouped;
use super::pictures::REPORT_SOLVED;
use super::results::{DEPTHS, GameCounts, Match, Results};

/// The page in Markdown; `played` says when and by which version.
pub(super) fn text(results: &Results, played: Option<&str>) -> String {
    let mut text = String::from(
        "# The players, and a repetition of the report's experiments\n\n\
         Made by [`scripts/report`](../../scripts/report), which repeats all games. The players are `random` (any legal move), \
         `perceptron` (the full search with a linear network), `beam` (the report's NNUEP: a minimax of the three best moves by a \
         network `white [769,384,192,96]` at each node), `classical` (the full search with a hand-crafted evaluation) and `nnue` (the full engine).\n",
    );
    // Writing to a string cannot fail.
    let _ = played.map_or(Ok(()), |played| writeln!(text, "\nPlayed {played}."));
    let _ = eret(&mut text, results);
    let _ = position(&mut text, results);
    let _ = ten_games(&mut text, results);
    let _ = ladder(&mut text, results);
    text
}

fn eret(text: &mut String, results: &Results) -> Result {
    if results.eret.is_empty() {
        return Ok(());
    }
    writeln!(text, "\n## Eigenmann Rapid Engine Test\n\n![Positions solved](eret.svg)\n")?;
    writeln!(text, "Solved positions, with a best move (bm, 106) or a move to avoid (am, 5):\n")?;
    writeln!(
        text,
        "| player | depth 2 | depth 4 | depth 6 | nodes, depth 6 | seconds, depth 6 |\n|---|---|---|---|---|---|"
    )?;
    for player in &results.players {
        let score = |depth: u32| results.eret.get(&((*player).to_owned(), depth));
        let cells = DEPTHS.map(|depth| {
            score(depth).map_or_else(String::new, |score| {
                format!("**{}** (bm {}, am {})", score.all.solved, score.best.solved, score.avoid.solved)
            })
        });
        let (nodes, seconds) = score(6).map_or_else(Default::default, |score| {
            (grouped(score.nodes), format!("{:.1}", score.milliseconds as f64 / 1000.0))
        });
        writeln!(text, "| {player} | {} | {nodes} | {seconds} |", cells.join(" | "))?;
    }
    let theirs: Vec<String> = REPORT_SOLVED.iter().map(|(name, solved)| format!("{name} {solved}")).collect();
    writeln!(
        text,
        "\nThe report, at depth 4: {}. Its number for alpha-beta was a constant in its program, and it scored moves to avoid as best \
         moves. The suite does not measure strength, as the games below show: a random move avoids most moves to avoid, and \
         a fixed-depth search is scored regardless of the number of nodes it needs.",
        theirs.join(", ")
    )
}

fn position(text: &mut String, results: &Results) -> Result {
    if results.position.is_empty() {
        return Ok(());
    }
    writeln!(text, "\n## The position of figures 1.5 and 1.6\n")?;
    writeln!(
        text,
        "`r1bqk2r/2pp1ppp/p4n2/1pb1N3/3nP3/1B1P4/PPP2PPP/RNBQK2R w KQkq - 1 8`; the report's programs both played Bxf7.\n"
    )?;
    writeln!(text, "| player | limit | move | depth | nodes | seconds |\n|---|---|---|---|---|---|")?;
    for player in &results.players {
        for (kind, limit) in [("depth", "depth 4"), ("time", "2.22 s")] {
            let Some(attempt) = results.position.get(&((*player).to_owned(), kind)) else { continue };
            writeln!(
                text,
                "| {player} | {limit} | {} | {} | {} | {:.3} |",
                attempt.played.as_deref().unwrap_or("none"),
                attempt.depth,
                grouped(attempt.nodes),
                attempt.milliseconds as f64 / 1000.0
            )?;
        }
    }
    writeln!(
        text,
        "| the report's C++ | | Bxf7 | | 22,245,796 | 2.22 |\n| the report's Python | | Bxf7 | | 7,976,783 | 84.7 |"
    )
}

fn ten_games(text: &mut String, results: &Results) -> Result {
    if results.ten.is_none() && results.fair.is_none() {
        return Ok(());
    }
    writeln!(text, "\n## Beam against alpha-beta\n")?;
    writeln!(
        text,
        "| match | games | beam won, drew, lost | Elo of beam | game endings | faults |\n|---|---|---|---|---|---|"
    )?;
    let rows = [
        ("the report's: beam at depth 4, `classical` with 3 s a move, from the start", &results.ten),
        ("fair: 20 ms a move for both, 3-move openings, each with both colours", &results.fair),
    ];
    for (name, played) in rows {
        let Some(played) = played else { continue };
        let games = played.games;
        let endings: Vec<String> = played.endings.iter().map(|(end, count)| format!("{end} {count}")).collect();
        writeln!(
            text,
            "| {name} | {} | +{} ={} −{} | {} | {} | {} |",
            games.games(),
            games.wins,
            games.draws,
            games.losses,
            elo(played),
            endings.join(", "),
            played.faults()
        )?;
    }
    writeln!(
        text,
        "\nThe report has 4 wins and 6 draws of its network, against an alpha-beta that returned the first legal move when its time was \
         up. Deterministic players repeat the same games from one start position: the ten games are effectively two."
    )
}

fn ladder(text: &mut String, results: &Results) -> Result {
    if results.matches.is_empty() {
        return Ok(());
    }
    let players: Vec<&str> =
        results.players.iter().copied().filter(|player| results.standing(player).is_some()).collect();
    writeln!(text, "\n## Round robin\n\n![Points](ladder.svg)\n")?;
    writeln!(
        text,
        "2,000 nodes per move, 3-move openings, each played with both colours. The row's score in percent, and Elo with its 95 % error, or \
         a bound if (nearly) all games were won by one side:\n"
    )?;
    writeln!(text, "| | {} | all |", players.join(" | "))?;
    writeln!(text, "|---|{}", "---|".repeat(players.len() + 1))?;
    for one in &players {
        write!(text, "| **{one}** |")?;
        for other in &players {
            let cell = results.between(one, other).map_or_else(String::new, |(games, elo, error)| {
                let points = 100.0 * games.share();
                match (elo, error) {
                    (Some(elo), Some(error)) => format!("{points:.1} ({elo:+.0} ± {error:.0})").replace('-', "−"),
                    _ => format!("{points:.1} ({})", beyond(games)),
                }
            });
            write!(text, " {cell} |")?;
        }
        let (share, error) = results.standing(one).unwrap_or_default();
        writeln!(text, " **{:.1} ± {:.1}** |", 100.0 * share, 100.0 * error)?;
    }
    let (games, faults, seconds) = results.matches.values().fold((0, 0, 0.0), |(games, faults, seconds), played| {
        (games + played.games.games(), faults + played.faults(), seconds + played.seconds)
    });
    writeln!(
        text,
        "\n{games} games in {:.0} minutes; illegal moves, losses on time and crashes: {faults}. `classical` against Debian's Phalanx and \
         Fairy-Max: [its card](../../nets/classical.md).",
        seconds / 60.0
    )
}

/// Elo of the first player with its 95 % error.
fn elo(played: &Match) -> String {
    match (played.elo, played.error_95) {
        (Some(elo), Some(error)) => format!("{elo:+.0} ± {error:.0}").replace('-', "−"),
        _ => beyond(played.games),
    }
}

/// A bound of the Elo difference if one side made all or nearly all points: with a smaller difference, so few points
/// (rounded up) occur in at most one of twenty matches, if games are independent.
fn beyond(games: GameCounts) -> String {
    let count = games.games().max(1) as i32;
    let points = (2 * games.wins.min(games.losses) + games.draws).div_ceil(2) as i32;
    // Likelihood of so few points for a player with this expected score per game.
    let likelihood = |chance: f64| {
        let mut term = (1.0 - chance).powi(count);
        let mut sum = term;
        for point in 1..=points {
            term *= chance / (1.0 - chance) * f64::from(count - point + 1) / f64::from(point);
            sum += term;
        }
        sum
    };
    let (mut low, mut high) = (0.0, 0.5);
    for _ in 0..50 {
        let middle = f64::midpoint(low, high);
        if likelihood(middle) > 0.05 { low = middle } else { high = middle }
    }
    let elo = 400.0 * ((1.0 - low) / low).log10();
    if games.share() > 0.5 { format!("above +{elo:.0}") } else { format!("below −{elo:.0}") }
}
