//! The charts of the page.

use alfiere_trainer::figures::{Bar, Bars, Figure};

use super::results::{DEPTHS, Results};

/// Solved positions at depth 4, from the report that this project continues.
pub(super) const REPORT_SOLVED: [(&str, u32); 4] =
    [(REPORT_CONSTANT, 3), ("network of 2 layers", 9), ("network of 4 layers", 14), ("Stockfish", 17)];

/// The player whose number was a constant in the report's program.
const REPORT_CONSTANT: &str = "alpha-beta";

/// All figures with their file names.
pub(super) fn all(results: &Results) -> Vec<(&'static str, Figure)> {
    let mut pictures = Vec::new();
    if !results.eret.is_empty() {
        pictures.push(("eret", eret(results)));
    }
    if results.players.iter().any(|player| results.standing(player).is_some()) {
        pictures.push(("ladder", ladder(results)));
    }
    pictures
}

fn eret(results: &Results) -> Figure {
    let players = &results.players;
    let mut names: Vec<String> = players.iter().map(|player| (*player).to_owned()).collect();
    let theirs = |name: &str| format!("report: {name}");
    names.extend(REPORT_SOLVED.iter().map(|(name, _)| theirs(name)));
    let bar = |value: u32| Some(Bar { value: f64::from(value), error: None });
    let series = DEPTHS.map(|depth| {
        let ours = players.iter().map(|&player| results.eret.get(&(player.to_owned(), depth)));
        let mut bars: Vec<Option<Bar>> = ours.map(|score| bar(score?.all.solved)).collect();
        bars.extend(REPORT_SOLVED.iter().map(|&(_, solved)| if depth == 4 { bar(solved) } else { None }));
        (format!("depth {depth}"), bars)
    });
    Figure::Bars(Bars {
        title: "Eigenmann Rapid Engine Test".to_owned(),
        subtitle: "positions solved, of 111; the report's own numbers are of depth 4".to_owned(),
        x_label: String::new(),
        y_label: "positions solved".to_owned(),
        names,
        series: series.to_vec(),
        hatched: Some((theirs(REPORT_CONSTANT), "not measured: a constant in the report's program".to_owned())),
    })
}

fn ladder(results: &Results) -> Figure {
    let standings = results.players.iter().filter_map(|player| Some((*player, results.standing(player)?)));
    let (names, bars): (Vec<String>, Vec<Option<Bar>>) = standings
        .map(|(player, (share, error))| {
            (player.to_owned(), Some(Bar { value: (1000.0 * share).round() / 10.0, error: Some(100.0 * error) }))
        })
        .unzip();
    Figure::Bars(Bars {
        title: "Round robin".to_owned(),
        subtitle: "score in percent over all matches, with its 95 % error".to_owned(),
        x_label: String::new(),
        y_label: "points, %".to_owned(),
        names,
        series: vec![("points".to_owned(), bars)],
        hatched: None,
    })
}
