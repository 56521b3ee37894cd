//! `trainer improve`: a network learns from its own searches.

use std::ops::ControlFlow;
use std::path::PathBuf;

use alfiere_chess::openings::{Opening, read_openings};
use alfiere_data::Fingerprint;
use alfiere_nnue::Network;
use alfiere_search::genfens::PlyRange;
use alfiere_sources::improve::{
    ContestScore, Folder, GateSettings, ImproveObserver, ImproveSettings, Improvement, LearnSettings, MatchLine, Round,
    RowSettings,
};
use alfiere_sources::row_files::Progress as RowProgress;
use alfiere_terminal::{Progress, check_outputs, interrupt, remark, say};
use alfiere_trainer::figures::{Curve, CurveKind, Curves, Figure};
use alfiere_training::record::RowCounts;
use alfiere_training::{TrainingObserver, TrainingOptions};
use clap::Args;

use super::output::{OutputLock, grouped};
use super::training_display::Recording;
use super::{CommandResult, Failure};

/// Improve a network by its own games and searches, without a teacher
///
/// Each round, the network plays against itself. Every position that its searches have evaluated and then searched more
/// deeply gives a row, labelled by the search. A copy of the network is trained on these rows and those of the last
/// rounds, and plays a match against the last accepted network. It is kept if it wins (SPRT); otherwise the next round
/// starts from the old network, with more rows.
///
/// All files are in NET.improve: a stopped run continues with the same command. `record.jsonl` has a line for each round,
/// `elo.svg` shows Elo by hours, and `trainer watch NET.improve/training.run.jsonl` shows the current training.
/// The last accepted network is written to --out after each round.
///
/// Example: trainer improve mine.nnue --hours 3
#[derive(Args)]
pub(crate) struct Improve {
    /// Network to start from
    #[arg(value_name = "NET.nnue")]
    network: PathBuf,
    /// Hours of work, those of earlier sessions included; a round that has begun is finished
    #[arg(long, value_name = "H")]
    hours: f64,
    /// Network file to write after each accepted round [default: NET-improved.nnue]
    #[arg(long, value_name = "NET.nnue")]
    out: Option<PathBuf>,
    /// Folder of the improvement [default: NET.improve]
    #[arg(long, value_name = "FOLDER")]
    folder: Option<PathBuf>,
    /// Random seed of games, training and matches
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Threads; 0 for one per core
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = alfiere_trainer::stated_options::parse_threads)]
    threads: usize,
    /// Start games and matches from these positions or lines, EPD or PGN, also .gz
    #[arg(long, value_name = "FILE", num_args = 1.., help_heading = "Games")]
    openings: Vec<PathBuf>,
    /// Random plies before a game starts [default: 6-9, 0-4 with --openings]
    #[arg(long, value_name = "N|A-B", help_heading = "Games")]
    random_plies: Option<PlyRange>,
    /// Minimum and maximum nodes per move of games
    #[arg(long, value_name = "LOW HIGH", help_heading = "Games", num_args = 2, default_values_t = RowSettings::default().nodes)]
    nodes: Vec<u32>,
    #[command(flatten)]
    rows: RowSettings,
    #[command(flatten)]
    learning: LearnSettings,
    /// Elo differences of the two hypotheses; the new network is kept if the second is accepted
    #[arg(long, value_name = "ELO0 ELO1", help_heading = "Match", num_args = 2, allow_hyphen_values = true, default_values_t = [GateSettings::default().elo0, GateSettings::default().elo1])]
    sprt: Vec<f64>,
    #[command(flatten)]
    gate: GateSettings,
    /// Games of each accepted network against the hand-written evaluation, with 5,000 nodes per move, for the record
    #[arg(long, value_name = "N", help_heading = "Match", default_value_t = 0)]
    classical_games: u32,
}

impl Improve {
    pub(crate) fn run(&self) -> CommandResult {
        let out = self.out.clone().unwrap_or_else(|| {
            let stem = self.network.file_stem().unwrap_or_default().to_string_lossy();
            self.network.with_file_name(format!("{stem}-improved.nnue"))
        });
        let inputs = self.openings.iter().chain([&self.network]).map(PathBuf::as_path);
        check_outputs(inputs, [out.as_path()])?;
        let settings = self.settings()?;
        let start = Network::load(&self.network)?;
        let folder = self.folder.as_deref().map_or_else(|| Folder::beside(&self.network), Folder::at);
        let _lock = OutputLock::new(folder.path())?;
        let mut openings: Vec<Opening> = Vec::new();
        for path in &self.openings {
            let mut list = read_openings(path)?;
            list.remark.iter().for_each(remark);
            openings.append(&mut list.openings);
        }
        let threads = match self.threads {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            threads => threads,
        };
        let improvement =
            Improvement { folder: &folder, out: &out, settings: &settings, openings, hours: self.hours, threads };
        let mut display = ImproveDisplay::new(&folder);
        let rounds = improvement.run(&start, &mut display)?;
        drop(display);
        if !rounds.is_empty() {
            let accepted = rounds.iter().filter(|round| round.accepted).count();
            let hours = rounds.last().map_or(0.0, |round| round.hours);
            say(format_args!("{accepted} of {} rounds accepted in {hours:.2} hours", rounds.len()));
            if accepted > 0 {
                say(format_args!("wrote {}", out.display()));
            }
        }
        if interrupt::requested() {
            return Err(Failure::new("stopped; run the same command again to continue"));
        }
        Ok(())
    }

    fn settings(&self) -> Result<ImproveSettings, Failure> {
        let rows = &self.rows;
        let [low, high] = [self.nodes[0], self.nodes[1]];
        if low == 0 || low > high {
            return Err(Failure::new(format!("--nodes {low} {high}: expected the lower number, above 0, first")));
        }
        for (name, share) in [("bounds", rows.bounds), ("anchors", rows.anchors), ("stumbles", rows.stumbles)] {
            if !(0.0..=1.0).contains(&share) {
                return Err(Failure::new(format!("--{name} {share}: expected a share from 0 to 1")));
            }
        }
        let [elo0, elo1] = [self.sprt[0], self.sprt[1]];
        if !(elo0.is_finite() && elo1.is_finite() && elo0 < elo1) {
            return Err(Failure::new(format!("--sprt {elo0} {elo1}: expected the lower difference first")));
        }
        if !(self.hours > 0.0 && self.hours.is_finite()) {
            return Err(Failure::new(format!("--hours {}: expected a number above 0", self.hours)));
        }
        let usual = if self.openings.is_empty() { [6, 9] } else { [0, 4] };
        let fingerprint = |path: &PathBuf| Fingerprint::of(path).map(|print| print.to_string());
        Ok(ImproveSettings {
            start: fingerprint(&self.network)?,
            seed: self.seed,
            openings: self.openings.iter().map(fingerprint).collect::<Result<_, _>>()?,
            random_plies: self.random_plies.map_or(usual, |plies| [plies.min, plies.max]),
            rows: RowSettings { nodes: [low, high], ..rows.clone() },
            learning: self.learning.clone(),
            gate: GateSettings { elo0, elo1, ..self.gate.clone() },
            measured_games: self.classical_games,
        })
    }
}

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
        self.bar.take_if(|(shown, _)| shown != name);
        &mut self.bar.get_or_insert_with(|| (name.to_owned(), Progress::new(name, total, unit))).1
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
        self.bar = None;
        remark(format_args!("round {round}: training on {} rows", grouped(training)));
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
        self.bar = None;
        let Some(round) = rounds.last() else { return };
        let rate = round.rows_per_second.map_or_else(String::new, |rate| format!(" ({rate:.0}/s)"));
        let [rows, training, matches] = round.seconds;
        say(format_args!(
            "round {} after {:.2} h: {} rows{rate}, loss {:.5} to {:.5}, scale {:.3}, {} {}{}; {rows:.0} + {training:.0} + {matches:.0} s",
            round.round,
            round.hours,
            grouped(round.rows),
            round.loss[0],
            round.loss[1],
            round.scale,
            match (round.accepted, round.undecided) {
                (true, _) => "accepted",
                (false, true) => "undecided, not kept:",
                (false, false) => "rejected",
            },
            match_text(&round.gate),
            round
                .classical
                .as_ref()
                .map_or_else(String::new, |line| format!(", against classical {}", match_text(line))),
        ));
        if let Err(error) = elo_by_hours(rounds).write(&self.folder.path().join("elo.svg")) {
            remark(format_args!("the figure: {error}; the run continues"));
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
