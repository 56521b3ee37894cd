//! `alfiere book`: builds opening books from games, and lists their moves. `alfiere positions`: samples positions from games.

use std::path::{Path, PathBuf};

use alfiere_chess::board::Board;
use alfiere_chess::book::{Book, BookBuilder, MinCounts, add_games};
use alfiere_chess::files::write_atomic;
use alfiere_chess::movegen::format_san;
use alfiere_chess::pgn::{GameCount, PositionChoice, PositionSampler};
use alfiere_terminal::{Replace, say};
use clap::{Args, Subcommand};

use super::progress::FileProgress;
use super::{CommandResult, Failure};

const EMBEDDED: &str = "embedded";

/// Build a Polyglot opening book from games, or list a book's moves for a position.
#[derive(Args)]
#[command(after_help = "Examples:
  alfiere book make games.pgn more.pgn.gz mine.bin --plies 20 --min-games 3
  alfiere book show mine.bin --fen \"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1\"
  alfiere book show embedded")]
pub(crate) struct BookArgs {
    #[command(subcommand)]
    what: BookCommand,
}

#[derive(Subcommand)]
enum BookCommand {
    /// Build a book from games; a move's weight is 2 per win and 1 per draw
    #[command(after_help = "Example: alfiere book make games.pgn more.pgn.gz mine.bin --plies 20 --min-games 3

A game without a result counts as a draw. A game ends at a move that cannot be read; such games are counted, and the
first is reported.")]
    Make(MakeArgs),
    /// List a book's moves for a position with weights and shares
    #[command(after_help = "Example: alfiere book show mine.bin")]
    Show(ShowArgs),
}

#[derive(Args)]
struct MakeArgs {
    /// Games in PGN, optionally .gz, followed by the output file
    #[arg(value_name = "GAMES.pgn... OUT.bin", num_args = 2.., required = true)]
    files: Vec<PathBuf>,
    /// Number of plies from the start of each game
    #[arg(long, default_value_t = 24, value_parser = clap::value_parser!(u32).range(1..=1000))]
    plies: u32,
    /// Minimum number of games with the move in the position
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..))]
    min_games: u32,
    /// Minimum share of the position's games that have the move, in percent
    #[arg(long, default_value_t = 0.0, value_name = "PERCENT", value_parser = percent)]
    min_share: f64,
    #[command(flatten)]
    replace: Replace,
}

#[derive(Args)]
struct ShowArgs {
    /// The book, or "embedded" for the embedded book
    #[arg(value_name = "BOOK.bin")]
    book: PathBuf,
    /// Position as FEN [default: the initial position]
    #[arg(long)]
    fen: Option<String>,
}

fn percent(text: &str) -> Result<f64, String> {
    text.parse().ok().filter(|value| (0.0..=100.0).contains(value)).ok_or_else(|| "expected 0 to 100".to_owned())
}

pub(crate) fn run(args: &BookArgs) -> CommandResult {
    match &args.what {
        BookCommand::Make(args) => make(args),
        BookCommand::Show(args) => show(args),
    }
}

fn make(args: &MakeArgs) -> CommandResult {
    let Some((out, games)) = args.files.split_last() else {
        return Err(Failure::new("expected PGN files and an output file"));
    };
    if looks_like_games(out) {
        let found = out.display();
        return Err(Failure::new(format!("{found}: the last file is the output, expected a name such as book.bin")));
    }
    args.replace.check(games, [out])?;
    let mut progress = FileProgress::new(games);
    let (mut builder, mut count) = (BookBuilder::new(args.plies as usize), GameCount::default());
    let bytes = progress.bytes();
    for path in games {
        add_games(path, &mut builder, &mut count, &bytes, |count| progress.update(&format!("{} games", count.games)))?;
    }
    drop(progress);
    if count.games == 0 {
        let remark = count.remark().map_or_else(String::new, |remark| format!(": {remark}"));
        return Err(Failure::new(format!("found no game in the files, expected PGN{remark}")));
    }
    let min_counts = MinCounts { min_games: args.min_games, min_share: args.min_share / 100.0 };
    let (book, stats) = builder.finish(min_counts);
    if book.is_empty() {
        let min_games = args.min_games;
        return Err(Failure::new(format!(
            "no move of {} games occurs in {min_games} games: nothing written, expected more games or a smaller --min-games",
            count.games
        )));
    }
    write_atomic(out, &book).map_err(|error| Failure::at(out, error))?;
    count.remark().iter().for_each(say);
    say(format_args!(
        "{} games, {} positions, {} moves, {} rarer ones left out; {} of {} bytes",
        count.games,
        stats.positions,
        stats.moves,
        stats.left_out,
        out.display(),
        book.len()
    ));
    Ok(())
}

fn looks_like_games(path: &Path) -> bool {
    let name = path.to_string_lossy().to_lowercase();
    [".pgn", ".pgn.gz"].iter().any(|end| name.ends_with(end))
}

fn show(args: &ShowArgs) -> CommandResult {
    let board = args.fen.as_deref().map_or_else(|| Ok(Board::startpos()), Board::from_fen)?;
    let loaded;
    let book = if args.book == Path::new(EMBEDDED) {
        Book::embedded()
    } else {
        loaded = Book::load(&args.book)?;
        &loaded
    };
    let moves = book.moves(&board);
    let total: u64 = moves.iter().map(|found| u64::from(found.weight)).sum();
    say(format_args!("{} entries; {}", book.entry_count(), board.to_fen()));
    for found in &moves {
        let share = 100.0 * f64::from(found.weight) / total.max(1) as f64;
        say(format_args!("{:8} {:5} {share:5.1} %", format_san(&board, found.mv), found.weight));
    }
    if moves.is_empty() {
        say("no move for this position");
    }
    Ok(())
}

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

pub(crate) fn sample_positions(args: &PositionsArgs) -> CommandResult {
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
