//! `trainer distil`: rows from the engine's own searches, labelled by a Stockfish network.

use std::path::PathBuf;
use std::time::Instant;

use alfiere_chess::openings::{Opening, read_openings};
use alfiere_data::packed::shard_path;
use alfiere_data::{DataError, DataFile, Fingerprint, ReadOptions, Row};
use alfiere_search::genfens::PlyRange;
use alfiere_sources::distil::{DistilSettings, GameRules, Starts, Window, distil, missing_shards, searched_root};
use alfiere_sources::playing_network::PlayingNetwork;
use alfiere_teacher::Teacher;
use alfiere_terminal::{Progress, check_outputs, interrupt, remark, say};
use clap::Args;

use super::data_args::paths;
use super::input_files::{LoadDisplay, read_rows};
use super::output::grouped;
use super::{CommandResult, Failure, input_files};

/// Most rows of a file: it is kept in memory until it is complete.
const MAX_SHARD_ROWS: u64 = 1_000_000_000;
/// Most files of a name.
const MAX_SHARDS: u64 = 1_000_000;

/// Collect positions that the engine's searches evaluate, labelled by a Stockfish network
///
/// The engine plays against itself; of all positions that its searches evaluate, one in --every is kept. Labels are the
/// teacher's static evaluations, without a search, so one core generates tens of thousands of rows per second. Existing
/// files OUT-0001.packed and so on are not generated again: the same command resumes a stopped run, and different
/// settings are rejected. The same seed gives the same files, independent of the number of threads.
///
/// Example: trainer distil --teacher teacher.nnue --positions 50000000 --out data/tree.packed
#[derive(Args)]
pub(crate) struct Distil {
    /// Network file of Stockfish 19, its lite variant, or of this project
    #[arg(long, value_name = "FILE")]
    teacher: PathBuf,
    /// Files to write: OUT-0001.packed and so on
    #[arg(long, value_name = "OUT")]
    out: PathBuf,
    /// Number of positions, rounded up to whole files
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    positions: u64,
    /// Rows per file
    #[arg(long, value_name = "N", default_value_t = 1_000_000, value_parser = clap::value_parser!(u64).range(1..=MAX_SHARD_ROWS))]
    shard_rows: u64,
    /// Random seed of all games
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Minimum and maximum nodes per move. Small values give many games, which train a network better than many
    /// positions of each game
    #[arg(long, value_name = "LOW HIGH", num_args = 2, default_values_t = [20, 160])]
    nodes: Vec<u32>,
    /// Keep one in this many evaluated positions
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..))]
    every: u32,
    /// Start games from these positions or lines, EPD or PGN, also .gz; all files have equal probability
    #[arg(long, value_name = "FILE", num_args = 1..)]
    openings: Vec<PathBuf>,
    /// Search positions of these files, CSV or packed with evaluations, instead of playing games. Positions are drawn
    /// at random, each is searched once with --nodes, and --window is centred on its evaluation
    #[arg(long, value_name = "FILE[:scale=F]", num_args = 1.., conflicts_with = "openings")]
    roots: Vec<DataFile>,
    /// Random plies before a game starts [default: 4-9, none with --openings]
    #[arg(long, value_name = "N|A-B")]
    random_plies: Option<PlyRange>,
    /// Share of games, 0 to 1, in which one move in twelve is random [default: 0.5, 0 with --openings]
    #[arg(long, value_name = "SHARE")]
    stumbles: Option<f64>,
    /// End a game when its score stays beyond this value, in internal units
    #[arg(long, value_name = "UNITS", default_value_t = 2_000, value_parser = clap::value_parser!(i32).range(1..))]
    decided: i32,
    /// End a game as a draw when, after 30 moves, its score stays within this value for 10 plies, in internal units; 0:
    /// never
    #[arg(long, value_name = "UNITS", default_value_t = 0, value_parser = clap::value_parser!(i32).range(0..))]
    drawn: i32,
    /// Keep only one in N of the positions whose static evaluation differs by more than UNITS from the game's score
    #[arg(long, value_names = ["UNITS", "N"], num_args = 2)]
    window: Option<Vec<u32>>,
    /// Network that plays [default: the embedded one]
    #[arg(long, value_name = "FILE")]
    net: Option<PathBuf>,
    /// Threads; 0 for one per core
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = alfiere_trainer::stated_options::parse_threads)]
    threads: usize,
}

impl Distil {
    pub(crate) fn run(mut self) -> CommandResult {
        let [low, high] = [self.nodes[0], self.nodes[1]];
        if low == 0 || low > high {
            return Err(Failure::new(format!("--nodes {low} {high}: expected the lower number, above 0, first")));
        }
        let shards = self.positions.div_ceil(self.shard_rows);
        if shards > MAX_SHARDS {
            let (rows, each) = (grouped(self.positions), grouped(self.shard_rows));
            return Err(Failure::new(format!(
                "--positions {rows} in files of {each} are more than {} files; expected fewer, or more of them in a file",
                grouped(MAX_SHARDS)
            )));
        }
        let shards = shards as usize;
        let inputs = self.openings.iter().chain(&self.net).chain([&self.teacher]).map(PathBuf::as_path);
        let last = shard_path(&self.out, shards);
        check_outputs(inputs.chain(paths(&self.roots)), [last.as_path()])?;
        for file in &mut self.roots {
            file.path = input_files::as_file(&file.path)?;
        }
        let teacher = Teacher::load(&self.teacher)?;
        let player = PlayingNetwork::load(self.net.as_deref())?;
        let settings = DistilSettings {
            teacher: Fingerprint::of(&self.teacher)?.to_string(),
            player: player.fingerprint,
            seed: self.seed,
            shard_rows: self.shard_rows as usize,
            nodes: [low, high],
            every: self.every,
            games: self.game_rules()?,
            window: self.window()?,
        };
        let openings = self.read_openings()?;
        let roots = self.read_roots()?;
        let starts = if self.roots.is_empty() { Starts::Openings(&openings) } else { Starts::Roots(&roots) };
        let threads = match self.threads {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            threads => threads,
        };
        let begun = Instant::now();
        let missing = missing_shards(&self.out, shards).len();
        let mut bar = Progress::new("rows", missing as u64 * self.shard_rows, "rows");
        let made =
            distil(&self.out, shards, threads, &settings, (&teacher, &player.network, starts), &mut |progress| {
                bar.at(progress.rows, &format!("{} games", grouped(progress.games)));
                interrupt::flow()
            })?;
        drop(bar);
        let rate = made.progress.rows as f64 / begun.elapsed().as_secs_f64();
        say(format_args!(
            "{} of {shards} files ({} new), {} rows of {} games, {rate:.0} rows/s",
            made.found + made.made,
            made.made,
            grouped(made.progress.rows),
            grouped(made.progress.games)
        ));
        if interrupt::requested() {
            return Err(Failure::new("stopped; run the same command again to generate the missing files"));
        }
        Ok(())
    }

    fn game_rules(&self) -> Result<GameRules, Failure> {
        let usual = if self.openings.is_empty() {
            GameRules::default()
        } else {
            GameRules { random_plies: [0, 0], stumbles: 0.0, ..GameRules::default() }
        };
        let stumbles = self.stumbles.unwrap_or(usual.stumbles);
        if !(0.0..=1.0).contains(&stumbles) {
            return Err(Failure::new(format!("--stumbles {stumbles}: expected a share from 0 to 1")));
        }
        let fingerprint = |path: &PathBuf| Fingerprint::of(path).map(|print| print.to_string());
        let root_fingerprint = |file: &DataFile| Ok(format!("{} times {}", fingerprint(&file.path)?, file.scale));
        Ok(GameRules {
            openings: self.openings.iter().map(fingerprint).collect::<Result<_, _>>()?,
            roots: self.roots.iter().map(root_fingerprint).collect::<Result<_, DataError>>()?,
            random_plies: self.random_plies.map_or(usual.random_plies, |plies| [plies.min, plies.max]),
            stumbles,
            decided: self.decided,
            drawn: self.drawn,
        })
    }

    fn window(&self) -> Result<Option<Window>, Failure> {
        match self.window.as_deref() {
            None => Ok(None),
            Some(&[units, outside]) if outside > 0 && units <= 30_000 => {
                Ok(Some(Window { units: units as i32, outside }))
            }
            Some(words) => {
                Err(Failure::new(format!("--window {words:?}: expected at most 30000 units, and N above 0")))
            }
        }
    }

    fn read_roots(&self) -> Result<Vec<Row>, Failure> {
        let mut roots = Vec::new();
        for file in &self.roots {
            roots.append(&mut read_rows(file, &ReadOptions::default(), LoadDisplay::default())?);
        }
        if !self.roots.is_empty() && roots.iter().all(|root| searched_root(root, self.decided).is_none()) {
            let (rows, decided) = (grouped(roots.len() as u64), self.decided);
            return Err(Failure::new(format!(
                "--roots: none of {rows} positions can be searched; expected some out of check, with evaluations within --decided {decided}"
            )));
        }
        Ok(roots)
    }

    /// The openings of all files; those of shorter files are repeated so that each file has the same share.
    fn read_openings(&self) -> Result<Vec<Opening>, Failure> {
        let mut books = Vec::new();
        for path in &self.openings {
            let list = read_openings(path)?;
            list.remark.iter().for_each(remark);
            books.push(list.openings);
        }
        let longest = books.iter().map(Vec::len).max().unwrap_or(0);
        Ok(books.into_iter().flat_map(|book| book.into_iter().cycle().take(longest).collect::<Vec<_>>()).collect())
    }
}
