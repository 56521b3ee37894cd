//! `trainer distil`: rows from the engine's own searches, valued by a network of Stockfish's.

use std::path::PathBuf;
use std::time::Instant;

use alfiere_trainer::data::packed::shard_path;
use alfiere_trainer::data::{Fingerprint, atomic};
use alfiere_trainer::distil::{Settings, distil};
use alfiere_trainer::playing_network::PlayingNetwork;
use alfiere_trainer::teacher::Teacher;
use clap::Args;

use super::output::{grouped, line};
use super::progress::Progress;
use super::{Failure, Outcome, interrupt};

/// Make rows from the positions that the engine's searches evaluate, with a Stockfish network's values as labels
///
/// The engine plays against itself; of all positions that its searches evaluate, one in --every is kept. Labels are the
/// teacher's values as they stand, without a search, so that a core makes tens of thousands of rows a second. Files
/// OUT-0001.packed and so on: one that is there is not made again, so a run that was ended is continued by the same
/// command; with other settings it is refused. The same seed gives the same files, whatever the number of threads.
///
/// The teacher is the network of Stockfish 15 or 15.1: `stockfish`, then `export_net teacher.nnue`.
///
/// Example: trainer distil --teacher teacher.nnue --rows 50000000 --out data/tree.packed
#[derive(Args)]
pub(crate) struct Distil {
    /// Network file of Stockfish 15 or 15.1
    #[arg(long, value_name = "FILE")]
    teacher: PathBuf,
    /// Files to write: OUT-0001.packed and so on
    #[arg(long, value_name = "OUT")]
    out: PathBuf,
    /// Rows in all, rounded up to whole files
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    rows: u64,
    /// Rows of a file
    #[arg(long, value_name = "N", default_value_t = 1_000_000, value_parser = clap::value_parser!(u64).range(1..))]
    shard_rows: u64,
    /// Seed of all games
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Fewest and most nodes for a move: few nodes make many games, and a network learns more from many games than from
    /// many positions of each
    #[arg(long, value_name = "LOW HIGH", num_args = 2, default_values_t = [20, 160])]
    nodes: Vec<u32>,
    /// Keep one in so many evaluated positions
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..))]
    every: u32,
    /// Network that plays; the embedded one without
    #[arg(long, value_name = "FILE")]
    net: Option<PathBuf>,
    /// Threads; 0 for one per core
    #[arg(long, value_name = "N", default_value_t = 0)]
    threads: usize,
}

impl Distil {
    pub(crate) fn run(&self) -> Outcome {
        let [low, high] = [self.nodes[0], self.nodes[1]];
        if low == 0 || low > high {
            return Err(Failure::new(format!("--nodes {low} {high}: expected the lower number, above 0, first")));
        }
        let shards = self.rows.div_ceil(self.shard_rows) as usize;
        atomic::check_writable(&shard_path(&self.out, shards))?;
        let teacher = Teacher::load(&self.teacher)?;
        let player = PlayingNetwork::load(self.net.as_deref())?;
        let settings = Settings {
            teacher: Fingerprint::of(&self.teacher)?.to_string(),
            player: player.print,
            seed: self.seed,
            shard_rows: self.shard_rows as usize,
            nodes: [low, high],
            every: self.every,
        };
        let threads = match self.threads {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            threads => threads,
        };
        let begun = Instant::now();
        let mut bar = Progress::new("rows", shards as u64 * self.shard_rows, "rows");
        let made = distil(&self.out, shards, threads, &settings, (&teacher, &player.network), &mut |progress| {
            bar.at(progress.rows, &format!("{} games", grouped(progress.games)));
            interrupt::flow()
        })?;
        bar.finish();
        let rate = made.progress.rows as f64 / begun.elapsed().as_secs_f64();
        line(&format!(
            "{} of {shards} files ({} made now), {} rows of {} games, {rate:.0} rows/s",
            made.found + made.made,
            made.made,
            grouped(made.progress.rows),
            grouped(made.progress.games)
        ));
        if interrupt::requested() {
            return Err(Failure::new("stopped; the same command goes on with the files that are missing"));
        }
        Ok(())
    }
}
