//! Shows an improvement: bars, a line for each round, and the figure of Elo by hours.

use std::ops::ControlFlow;

use alfiere_sources::improve::{ContestScore, Folder, ImproveObserver, MatchLine, Round};
use alfiere_sources::row_files::Progress as RowProgress;
use alfiere_trainer::figures::{Curve, CurveKind, Curves, Figure};
use alfiere_training::record::RowCounts;
use alfiere_training::{TrainingObserver, TrainingOptions};

use super::output::{grouped, line};
use super::progress::{Progress, remark};
use super::training_display::Recording;
use super::{figures, interrupt};

/// Shows an improvement, and stops it on Ctrl-C.
pub(crate) struct ImproveDisplay<'a> {
    folder: &'a Folder,
    bar: Option<(String, Progress)>,
}

impl<'a> ImproveDisplay<'a> {
    pub(crate) fn new(folder: &'a Folder) -> Self {
        Self { folder, bar: None }
    }

    /// The bar of this name, replacing another one.
    fn bar(&mut self, name: &str, total: u64, unit: &'static str) -> &mut Progress {
        if self.bar.as_ref().is_none_or(|(shown, _)| shown != name) {
            self.finish();
            self.bar = Some((name.to_owned(), Progress::new(name, total, unit)));
        }
        &mut self.bar.get_or_insert_with(|| (name.to_owned(), Progress::new(name, total, unit))).1
    }

    /// Removes the bar.
    pub(crate) fn finish(&mut self) {
        if let Some((_, bar)) = self.bar.take() {
            bar.finish();
        }
    }
}

impl ImproveObserver for ImproveDisplay<'_> {
    fn on_rows(&mut self, round: u32, progress: RowProgress, wanted: u64) -> ControlFlow<()> {
        let games = format!("{} games", grouped(progress.games));
        self.bar(&format!("round {round} rows"), wanted, "rows").at(progress.rows, &games);
        interrupt::flow()
    }

    fn training(
        &mut self,
        round: u32,
        options: &TrainingOptions,
        [training, validation]: [u64; 2],
    ) -> Box<dyn TrainingObserver + Send + '_> {
        self.finish();
        remark(&format!("round {round}: training on {} rows", grouped(training)));
        let counts = RowCounts { training, inner: 0, validation };
        Box::new(Recording::of_new(self.folder.training_record(), options.clone(), counts))
    }

    fn on_match(&mut self, name: &str, score: &ContestScore, games: u32) -> ControlFlow<()> {
        let elo = score.pairs.elo().map_or_else(String::new, |elo| format!("Elo {elo}"));
        let text = format!("{} {elo}", score.games);
        self.bar(name, u64::from(games), "games").at(score.games.games(), &text);
        interrupt::flow()
    }

    fn on_round(&mut self, rounds: &[Round]) {
        self.finish();
        let Some(round) = rounds.last() else { return };
        let rate = round.rows_per_second.map_or_else(String::new, |rate| format!(" ({rate:.0}/s)"));
        let [rows, training, matches] = round.seconds;
        line(&format!(
            "round {} after {:.2} h: {} rows{rate}, loss {:.5} to {:.5}, scale {:.3}, {} {}{}; {rows:.0} + {training:.0} + {matches:.0} s",
            round.round,
            round.hours,
            grouped(round.rows),
            round.loss[0],
            round.loss[1],
            round.scale,
            if round.accepted { "accepted" } else { "rejected" },
            match_text(&round.gate),
            round
                .classical
                .as_ref()
                .map_or_else(String::new, |line| format!(", against classical {}", match_text(line))),
        ));
        if let Err(error) = figures::draw(self.folder.path(), "elo", &elo_by_hours(rounds)) {
            remark(&format!("the figure: {}; the run continues", error.0));
        }
    }
}

fn match_text(line: &MatchLine) -> String {
    let elo = line.pentanomial().elo().map_or_else(|| "no pair".to_owned(), |elo| elo.to_string());
    format!("{elo} ({} games)", line.games.games())
}

/// Elo by hours, with intervals: over the start, summed over the matches of the accepted networks, and over the hand-written
/// evaluation, if it was measured.
fn elo_by_hours(rounds: &[Round]) -> Figure {
    let (mut elo, mut variance) = (0.0, 0.0);
    let mut over_start = vec![(0.0, [0.0, 0.0])];
    let mut over_classical = Vec::new();
    for round in rounds {
        if round.accepted {
            // Not known if the network has won all points.
            let [gain, error] = round.gate.elo.unwrap_or_default();
            elo += gain;
            variance += error * error;
        }
        over_start.push((round.hours, [elo, f64::sqrt(variance)]));
        over_classical.extend(round.classical.and_then(|line| Some((round.hours, line.elo?))));
    }
    let mut curves = with_interval("over the start, sum of the matches", "95 % interval", 0, &over_start);
    if !over_classical.is_empty() {
        curves.extend(with_interval("over the hand-written evaluation", "", 1, &over_classical));
    }
    Figure::Curves(Curves {
        title: "Elo by hours".to_owned(),
        subtitle: format!("{} rounds, {} accepted", rounds.len(), rounds.iter().filter(|round| round.accepted).count()),
        x_label: "hours".to_owned(),
        y_label: "Elo".to_owned(),
        curves,
        mark: None,
        baseline: Some(("start".to_owned(), 0.0)),
    })
}

/// A curve and the ends of its interval; each point is the hours, and Elo with half the width of the interval.
fn with_interval(name: &str, interval: &str, color: usize, points: &[(f64, [f64; 2])]) -> Vec<Curve> {
    let curve = |name: &str, kind, sign: f64| Curve {
        name: name.to_owned(),
        color,
        kind,
        points: points.iter().map(|&(hours, [elo, error])| (hours, elo + sign * error)).collect(),
    };
    vec![
        curve(name, CurveKind::Course, 0.0),
        curve(interval, CurveKind::IntervalEnd, 1.0),
        curve("", CurveKind::IntervalEnd, -1.0),
    ]
}
