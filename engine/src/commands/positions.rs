//! `alfiere positions`: samples positions from games for labelling.

use std::path::PathBuf;

use alfiere_chess::files::write_atomic;
use alfiere_chess::pgn::{PositionChoice, PositionSampler};
use clap::Args;

use super::progress::say;
use super::{CommandResult, Failure, Replace};

/// Sample distinct positions from games at random plies, and write them as FEN, one per line.
#[derive(Args)]
#[command(
    after_help = "Positions in check and the last position of a game are skipped. Two positions of a game are at least
two plies apart. A game ends at a move that cannot be read; such games are counted, and the first is reported. The same
games in the same order and the same seed give the same positions.

Example: alfiere positions games.pgn more.pgn.gz --per-game 25 --seed 1 --out positions.fen"
)]
pub(crate) struct PositionsArgs {
    /// Games in PGN, optionally .gz
    #[arg(value_name = "GAMES.pgn", required = true)]
    files: Vec<PathBuf>,
    /// Maximum number of positions from one game
    #[arg(long, value_name = "N", default_value_t = 25, value_parser = clap::value_parser!(u32).range(1..))]
    per_game: u32,
    /// First ply of the game, by its move numbers, at which positions are sampled
    #[arg(long, value_name = "PLY", default_value_t = 20)]
    from_ply: u32,
    /// Random seed
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Output file
    #[arg(long, value_name = "OUT.fen")]
    out: PathBuf,
    #[command(flatten)]
    replace: Replace,
}

pub(crate) fn run(args: &PositionsArgs) -> CommandResult {
    args.replace.check(&args.files, [&args.out])?;
    let choice = PositionChoice { per_game: args.per_game as usize, first_ply: args.from_ply, seed: args.seed };
    let (mut sampler, mut taken) = (PositionSampler::new(choice), Vec::new());
    for path in &args.files {
        sampler.add_file(path, &mut taken)?;
    }
    let count = &sampler.count;
    if taken.is_empty() {
        let remark = count.remark().map_or_else(String::new, |remark| format!(": {remark}"));
        return Err(Failure::new(format!("found no position in {} games, expected PGN{remark}", count.games)));
    }
    let text: String = taken.iter().map(|board| board.to_fen() + "\n").collect();
    write_atomic(&args.out, text.as_bytes()).map_err(|error| Failure::at(&args.out, error))?;
    count.remark().iter().for_each(say);
    say(format_args!("{} games, {} positions", count.games, taken.len()));
    Ok(())
}
