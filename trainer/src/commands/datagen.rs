//! `trainer datagen`: self-play games for training data.

use std::ffi::OsString;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::Instant;

use alfiere_chess::game::{DrawRule, GameRules, ResignRule};
use alfiere_search::genfens::PlyRange;
use alfiere_sources::datagen::{Book, DatagenSettings, Event, PlayerChoice, Summary, Target, run};
use alfiere_sources::shard::Shard;
use alfiere_terminal::{Progress, check_outputs, interrupt, remark, say};
use alfiere_trainer::bench::own_and_programs_time;
use clap::Args;

use super::output::grouped;
use super::{CommandResult, Failure};

/// Generate self-play games labelled with the player's scores
///
/// The file is viriformat: games in four bytes per position, read by `train`, `stats` and `convert`. Scores are from
/// White's point of view, in internal units for the built-in engine and in centipawns for an external one. Every
/// position of a game is kept with its score, best move and result; filter when training (`--skip-checks`,
/// `--skip-captures`).
///
/// Running the same command again resumes an existing file, also after a crash, by its index beside it (FILE.index). The
/// games depend only on seed, shard and settings: shards of one seed are different games, and the number of threads has
/// no effect.
///
/// Example: trainer datagen --out a.vf --positions 1000000 --seed 7 --shard 1/8 --threads 2
#[derive(Args)]
#[command(group(clap::ArgGroup::new("target").required(true).args(["games", "positions"])))]
pub(crate) struct Datagen {
    /// File to write or resume, viriformat
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Stop when the file holds this many games
    #[arg(long, value_name = "N")]
    games: Option<u64>,
    /// Stop after the game that brings the file to this many positions
    #[arg(long, value_name = "N")]
    positions: Option<u64>,
    /// Random seed
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Play the I-th of N shards of the seed's games
    #[arg(long, value_name = "I/N", default_value = "1/1")]
    shard: Shard,
    /// Games played in parallel
    #[arg(long, value_name = "T", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// Network of the built-in engine [default: the embedded one]
    #[arg(long, value_name = "FILE", conflicts_with = "engine")]
    net: Option<PathBuf>,
    /// External UCI engine instead of the built-in one: 'PROGRAM option.Hash=1', as for `alfiere match`
    #[arg(long, value_name = "SPEC")]
    engine: Option<OsString>,
    /// Nodes per move: the built-in engine finishes its iteration, an external engine receives `go nodes`
    #[arg(long, value_name = "N", default_value_t = 5_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Hard node limit, at which the built-in engine stops within an iteration [default: 8 times --nodes]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    hard_nodes: Option<u64>,
    /// Hash size of the built-in engine in MiB, per thread
    #[arg(long, value_name = "MIB", default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..=4096))]
    hash: u32,
    /// Random plies before a game starts [default: 6-9, none with --openings]
    #[arg(long, value_name = "N|A-B")]
    random_plies: Option<PlyRange>,
    /// Start from these positions or lines, EPD or PGN, also .gz, in an order determined by the seed
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// Only start from positions with a score within this many centipawns
    #[arg(long, value_name = "CP", default_value_t = 300, value_parser = clap::value_parser!(i32).range(0..))]
    max_opening_cp: i32,
    /// Share of games, 0 to 1, with random moves in between; such a game is written from its last random move on
    #[arg(long, value_name = "SHARE", default_value_t = 0.0)]
    noise: f64,
    /// In such games, one move in N is random
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..))]
    noise_every: u32,
    /// Adjudicate a win after MOVES moves of each side with a score beyond CP
    #[arg(long, value_name = "MOVES,CP", default_value = "2,1000")]
    resign: ResignRule,
    /// Adjudicate a draw from move FROM on after MOVES moves of each side with a score within CP
    #[arg(long, value_name = "FROM,MOVES,CP", default_value = "40,5,8")]
    draw: DrawRule,
    /// Play games to their end: no --resign, no --draw, and mates are played out
    #[arg(long)]
    play_on: bool,
    /// Adjudicate a draw after this number of plies
    #[arg(long, value_name = "N", default_value_t = 400, value_parser = clap::value_parser!(u32).range(1..=8_000))]
    max_plies: u32,
}

impl Datagen {
    pub(crate) fn run(&self) -> CommandResult {
        let settings = self.settings()?;
        let inputs = self.openings.iter().chain(&self.net).map(PathBuf::as_path);
        check_outputs(inputs, [self.out.as_path()])?;
        let target = match (self.games, self.positions) {
            (Some(games), _) => Target::Games(games),
            (_, positions) => Target::Positions(positions.unwrap_or(0)),
        };
        let mut display = DatagenDisplay::new(target, settings.player.name());
        let summary = run(&self.out, &settings, target, usize::from(self.threads), &mut |event| display.event(event));
        let seconds = display.begun.elapsed().as_secs_f64();
        drop(display);
        print(&summary?, seconds);
        Ok(())
    }

    /// Validates the arguments.
    fn settings(&self) -> Result<DatagenSettings, Failure> {
        if !(0.0..=1.0).contains(&self.noise) {
            return Err(Failure::new(format!("--noise {}: expected a share from 0 to 1", self.noise)));
        }
        let hard_nodes = self.hard_nodes.unwrap_or(self.nodes.saturating_mul(8));
        if hard_nodes < self.nodes {
            return Err(Failure::new(format!("--hard-nodes {hard_nodes}: expected at least --nodes {}", self.nodes)));
        }
        let player = match &self.engine {
            Some(text) => PlayerChoice::program(text)?,
            None => PlayerChoice::built_in(self.net.as_deref(), self.hash as usize)?,
        };
        let book = self.openings.as_deref().map(|path| Book::read(path, self.seed)).transpose()?;
        book.iter().filter_map(|book| book.remark.as_deref()).for_each(remark);
        let usual = if book.is_some() { PlyRange { min: 0, max: 0 } } else { PlyRange { min: 6, max: 9 } };
        let (draw, resign) = if self.play_on { (None, None) } else { (Some(self.draw), Some(self.resign)) };
        Ok(DatagenSettings {
            player,
            nodes: self.nodes,
            hard_nodes,
            seed: self.seed,
            shard: self.shard,
            random_plies: self.random_plies.unwrap_or(usual),
            book: book.unwrap_or_default(),
            max_opening_cp: self.max_opening_cp,
            noise: self.noise,
            noise_every: self.noise_every,
            rules: GameRules { draw, resign, max_plies: self.max_plies },
            mate_ends: !self.play_on,
        })
    }
}

/// Shows the progress of a run.
struct DatagenDisplay<'a> {
    target: Target,
    player: &'a str,
    progress: Option<Progress>,
    held: (u64, u64),
    begun: Instant,
}

impl<'a> DatagenDisplay<'a> {
    fn new(target: Target, player: &'a str) -> Self {
        Self { target, player, progress: None, held: (0, 0), begun: Instant::now() }
    }

    fn event(&mut self, event: Event<'_>) -> ControlFlow<()> {
        match event {
            Event::Begun { held, cut } => self.begin(held, cut),
            Event::Held(games, positions) => self.held(games, positions),
            // Ctrl-C also reaches the external engines.
            Event::Fault(..) if interrupt::requested() => {}
            Event::Fault(game, fault) => {
                self.progress = None;
                remark(format_args!(
                    "engine \"{}\" {fault}; it is restarted, and game {game} is played again",
                    self.player
                ));
            }
        }
        interrupt::flow()
    }

    fn begin(&mut self, held: (u64, u64), cut: u64) {
        self.held = held;
        self.begun = Instant::now();
        if cut > 0 {
            remark(format_args!("the last {cut} bytes of the file are unfinished games; cut off"));
        }
        if held.0 > 0 {
            remark(format_args!("resuming after {} games, {} positions", grouped(held.0), grouped(held.1)));
        }
    }

    fn held(&mut self, games: u64, positions: u64) {
        let (new_games, new_positions) = (games - self.held.0, positions - self.held.1);
        let (total, unit, done) = match self.target {
            Target::Games(total) => (total.saturating_sub(self.held.0), "games", new_games),
            Target::Positions(total) => (total.saturating_sub(self.held.1), "positions", new_positions),
        };
        let rate = new_positions as f64 / self.begun.elapsed().as_secs_f64().max(1e-9);
        let remark = format!("{} games, {} positions, {rate:.0} positions/s", grouped(games), grouped(positions));
        self.progress.get_or_insert_with(|| Progress::new("playing", total, unit)).at(done, &remark);
    }
}

fn print(summary: &Summary, seconds: f64) {
    if summary.dropped > 0 {
        remark(format_args!(
            "dropped {} games that repeated an earlier one, found no start position or ended with a random move",
            grouped(summary.dropped)
        ));
    }
    let per_position = summary.bytes as f64 / summary.positions.max(1) as f64;
    let new = summary.new_positions as f64;
    let core_seconds = own_and_programs_time().map(|(own, programs)| (own + programs).as_secs_f64());
    let per_core =
        core_seconds.map_or_else(String::new, |used| format!(", {:.1} per core-second", new / used.max(1e-9)));
    say(format_args!(
        "{} games, {} positions, {per_position:.2} bytes/position, {:.1} positions/s{per_core}",
        grouped(summary.games),
        grouped(summary.positions),
        new / seconds.max(1e-9)
    ));
}
