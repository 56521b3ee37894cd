//! `trainer improve`: a network learns from its own searches.

use std::io;
use std::ops::ControlFlow;
use std::path::PathBuf;

use alfiere_chess::openings::{Opening, read_openings};
use alfiere_nnue::{FloatNetwork, Network};
use alfiere_search::genfens::PlyRange;
use alfiere_trainer::data::Fingerprint;
use alfiere_trainer::figures::{Curve, CurveKind, Curves, Figure};
use alfiere_trainer::improve::{
    ContestScore, Folder, GateSettings, ImproveObserver, ImproveSettings, Improvement, LearnSettings, MatchLine, Round,
    RowSettings,
};
use alfiere_trainer::record::{Recorder, RowCounts};
use alfiere_trainer::row_files::Progress as RowProgress;
use alfiere_trainer::training::{
    EpochRecord, StepReport, TrainingObserver, TrainingOptions, TrainingProgress,
};
use clap::Args;

use super::output::{check_places, grouped, line};
use super::output_lock::OutputLock;
use super::progress::{Progress, remark};
use super::training_display::TrainingDisplay;
use super::{CommandResult, Failure, figures, interrupt};

/// Improve a network by its own games and searches, without a teacher
///
/// Each round, the network plays against itself. Every position that its searches have evaluated and then searched more
/// deeply gives a row, labelled by the search. A copy of the network is trained on these rows and those of the last
/// rounds, and plays a match against the last accepted network. It is kept if it wins (SPRT); otherwise the next round
/// starts from the old network, with more rows.
///
/// All files are in NET.improve: a stopped run continues with the same command. `record.jsonl` has a line for each round,
/// `elo.svg` and `elo.png` show Elo by hours, and `trainer watch NET.improve/training.run.jsonl` shows the current training.
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
    /// Start games and matches from these positions or lines, EPD or PGN, also .gz
    #[arg(long, value_name = "FILE", num_args = 1..)]
    openings: Vec<PathBuf>,
    /// Random plies before a game starts [default: 6-9, 0-4 with --openings]
    #[arg(long, value_name = "N|A-B")]
    random_plies: Option<PlyRange>,
    #[command(flatten)]
    rows: RowArgs,
    #[command(flatten)]
    learning: LearnArgs,
    #[command(flatten)]
    gate: GateArgs,
    /// Threads; 0 for one per core
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = super::threads::parse_threads)]
    threads: usize,
}

/// How rows are made.
#[derive(Args)]
struct RowArgs {
    /// New rows of a round, rounded up to whole files
    #[arg(long, value_name = "N", default_value_t = RowSettings::default().count, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    rows: u64,
    /// Rows of a file; the last file of a round is not trained on, but validated
    #[arg(long, value_name = "N", default_value_t = RowSettings::default().per_file, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    file_rows: u64,
    /// Minimum and maximum nodes per move of games
    #[arg(long, value_name = "LOW HIGH", num_args = 2, default_values_t = RowSettings::default().nodes)]
    nodes: Vec<u32>,
    /// Least depth to which a position must be searched, in plies
    #[arg(long, value_name = "PLIES", default_value_t = RowSettings::default().min_depth)]
    min_depth: u32,
    /// Use one in this many evaluated positions: more games for the same number of rows
    #[arg(long, value_name = "N", default_value_t = RowSettings::default().every, value_parser = clap::value_parser!(u32).range(1..))]
    every: u32,
    /// Share, 0 to 1, of the positions whose bound agrees with the network that become rows, labelled by the network itself
    #[arg(long, value_name = "SHARE", default_value_t = RowSettings::default().anchors)]
    anchors: f64,
    /// Keep positions whose best move is a capture or promotion
    #[arg(long)]
    keep_captures: bool,
    /// Share of games, 0 to 1, in which one move in twelve is random
    #[arg(long, value_name = "SHARE", default_value_t = RowSettings::default().stumbles)]
    stumbles: f64,
    /// A row has the result of its game if its label is within UNITS of the game's score, in internal units
    #[arg(long, value_name = "UNITS", default_value_t = RowSettings::default().result_window)]
    result_window: i32,
}

/// How a network learns.
#[derive(Args)]
struct LearnArgs {
    /// Train on the rows of this number of rounds, the newest included
    #[arg(long, value_name = "N", default_value_t = LearnSettings::default().rounds, value_parser = clap::value_parser!(u32).range(1..))]
    keep_rounds: u32,
    /// Passes over the rows
    #[arg(long, value_name = "N", default_value_t = LearnSettings::default().epochs, value_parser = clap::value_parser!(u32).range(1..))]
    epochs: u32,
    /// Positions per step
    #[arg(long, value_name = "N", default_value_t = LearnSettings::default().batch_size)]
    batch: usize,
    /// Peak learning rate
    #[arg(long, value_name = "RATE", default_value_t = LearnSettings::default().learning_rate)]
    lr: f32,
    /// Scale of the loss, in internal units
    #[arg(long, value_name = "UNITS", default_value_t = LearnSettings::default().scale)]
    scale: f32,
    /// Weight of the game result in the target, 0 to 1
    #[arg(long, value_name = "SHARE", default_value_t = LearnSettings::default().result_share)]
    result_share: f32,
}

/// The matches.
#[derive(Args)]
struct GateArgs {
    /// Nodes per move in matches
    #[arg(long, value_name = "N", default_value_t = GateSettings::default().nodes, value_parser = clap::value_parser!(u64).range(1..))]
    match_nodes: u64,
    /// Elo differences of the two hypotheses; the new network is kept if the second is accepted
    #[arg(long, value_name = "ELO0 ELO1", num_args = 2, allow_hyphen_values = true, default_values_t = [GateSettings::default().elo0, GateSettings::default().elo1])]
    sprt: Vec<f64>,
    /// Most games of a match; a network is rejected if it is undecided then
    #[arg(long, value_name = "N", default_value_t = GateSettings::default().games, value_parser = clap::value_parser!(u32).range(2..))]
    games: u32,
    /// Games of each accepted network against the hand-written evaluation, for the record
    #[arg(long, value_name = "N", default_value_t = 0)]
    classical_games: u32,
}

impl Improve {
    pub(crate) fn run(&self) -> CommandResult {
        let out = self.out.clone().unwrap_or_else(|| {
            let stem = self.network.file_stem().unwrap_or_default().to_string_lossy();
            self.network.with_file_name(format!("{stem}-improved.nnue"))
        });
        let inputs = self.openings.iter().chain([&self.network]).map(PathBuf::as_path);
        check_places(inputs, [out.as_path()])?;
        let settings = self.settings()?;
        let start = Network::load(&self.network)?;
        let folder = self.folder.as_deref().map_or_else(|| Folder::beside(&self.network), Folder::at);
        let _lock = OutputLock::new(folder.path())?;
        let mut openings: Vec<Opening> = Vec::new();
        for path in &self.openings {
            openings.append(&mut read_openings(path)?);
        }
        let threads = match self.threads {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            threads => threads,
        };
        let improvement =
            Improvement { folder: &folder, out: &out, settings: &settings, openings, hours: self.hours, threads };
        let mut display = Display { folder: &folder, bar: None };
        let rounds = improvement.run(&start, &mut display)?;
        display.finish();
        if !rounds.is_empty() {
            let accepted = rounds.iter().filter(|round| round.accepted).count();
            let hours = rounds.last().map_or(0.0, |round| round.hours);
            line(&format!("{accepted} of {} rounds accepted in {hours:.2} hours", rounds.len()));
            if accepted > 0 {
                line(&format!("wrote {}", out.display()));
            }
        }
        if interrupt::requested() {
            return Err(Failure::new("stopped; run the same command again to continue"));
        }
        Ok(())
    }

    fn settings(&self) -> Result<ImproveSettings, Failure> {
        let Self { rows, learning, gate, .. } = self;
        let [low, high] = [rows.nodes[0], rows.nodes[1]];
        if low == 0 || low > high {
            return Err(Failure::new(format!("--nodes {low} {high}: expected the lower number, above 0, first")));
        }
        for (name, share) in [("anchors", rows.anchors), ("stumbles", rows.stumbles)] {
            if !(0.0..=1.0).contains(&share) {
                return Err(Failure::new(format!("--{name} {share}: expected a share from 0 to 1")));
            }
        }
        let [elo0, elo1] = [gate.sprt[0], gate.sprt[1]];
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
            rows: RowSettings {
                count: rows.rows,
                per_file: rows.file_rows,
                nodes: [low, high],
                min_depth: rows.min_depth,
                every: rows.every,
                anchors: rows.anchors,
                quiet: !rows.keep_captures,
                stumbles: rows.stumbles,
                result_window: rows.result_window,
            },
            learning: LearnSettings {
                rounds: learning.keep_rounds,
                epochs: learning.epochs,
                batch_size: learning.batch,
                learning_rate: learning.lr,
                scale: learning.scale,
                result_share: learning.result_share,
            },
            gate: GateSettings { nodes: gate.match_nodes, elo0, elo1, games: gate.games },
            measured_games: gate.classical_games,
        })
    }
}

/// Shows an improvement, and stops it on Ctrl-C.
struct Display<'a> {
    folder: &'a Folder,
    bar: Option<(String, Progress)>,
}

impl Display<'_> {
    /// The bar of this name, replacing another one.
    fn bar(&mut self, name: &str, total: u64, unit: &'static str) -> &mut Progress {
        if self.bar.as_ref().is_none_or(|(shown, _)| shown != name) {
            self.finish();
            self.bar = Some((name.to_owned(), Progress::new(name, total, unit)));
        }
        &mut self.bar.get_or_insert_with(|| (name.to_owned(), Progress::new(name, total, unit))).1
    }

    fn finish(&mut self) {
        if let Some((_, bar)) = self.bar.take() {
            bar.finish();
        }
    }
}

impl ImproveObserver for Display<'_> {
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
        let recorder = Recorder::create(&self.folder.training_record(), options, counts, None);
        Box::new(Training { display: TrainingDisplay::default(), recorder })
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
            round.classical.as_ref().map_or_else(String::new, |line| format!(", against classical {}", match_text(line))),
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

/// Elo over the start by hours, summed over the matches of the accepted networks, with its interval.
fn elo_by_hours(rounds: &[Round]) -> Figure {
    let (mut elo, mut variance) = (0.0, 0.0);
    let mut points = vec![(0.0, 0.0, 0.0)];
    let mut classical = Vec::new();
    for round in rounds {
        if round.accepted {
            // Not known if the network has won all points.
            let [gain, error] = round.gate.elo.unwrap_or_default();
            elo += gain;
            variance += error * error;
            if let Some([elo, _]) = round.classical.and_then(|line| line.elo) {
                classical.push((round.hours, elo));
            }
        }
        points.push((round.hours, elo, f64::sqrt(variance)));
    }
    let curve = |name: &str, color, kind, points| Curve { name: name.to_owned(), color, kind, points };
    let over = |sign: f64| points.iter().map(|&(hours, elo, error)| (hours, elo + sign * error)).collect();
    let mut curves = vec![
        curve("over the start, sum of the matches", 0, CurveKind::Course, over(0.0)),
        curve("upper end of its 95 % interval", 0, CurveKind::Training, over(1.0)),
        curve("lower end", 0, CurveKind::Training, over(-1.0)),
    ];
    if !classical.is_empty() {
        curves.push(curve("over the hand-written evaluation", 1, CurveKind::Course, classical));
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

/// Shows a training, and writes its record.
struct Training {
    display: TrainingDisplay,
    recorder: io::Result<Recorder>,
}

impl Training {
    /// A record that cannot be written does not end the run.
    fn record(&mut self, write: impl FnOnce(&mut Recorder) -> io::Result<()>) {
        if let Ok(recorder) = &mut self.recorder
            && let Err(error) = write(recorder)
        {
            self.recorder = Err(error);
        }
    }
}

impl TrainingObserver for Training {
    fn on_start(&mut self, progress: TrainingProgress, history: &[EpochRecord]) {
        self.display.on_start(progress, history);
    }

    fn on_batch(&mut self, progress: &StepReport) -> ControlFlow<()> {
        self.record(|recorder| recorder.step(progress));
        self.display.on_batch(progress)
    }

    fn on_weights(&mut self, network: &FloatNetwork) {
        self.record(|recorder| recorder.weights(network));
    }

    fn on_validation(&mut self, network: &FloatNetwork, _: &[alfiere_trainer::training::RowError]) {
        if let Ok(recorder) = &mut self.recorder {
            recorder.validated(network, Vec::new);
        }
    }

    fn on_epoch(&mut self, record: &EpochRecord) {
        self.record(|recorder| recorder.epoch(record));
        self.display.on_epoch(record);
    }
}
