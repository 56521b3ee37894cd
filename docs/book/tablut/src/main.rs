//! The command line of the Tablut player.
#![allow(clippy::print_stdout, clippy::print_stderr)]

use std::{
    error::Error,
    io::{self, BufRead, Write},
    process::ExitCode,
    time::Duration,
};

use alfiere_tablut::{
    board::{Board, Move, Side},
    experiment::{PLIES, Sums, add_game, generation},
    game::{Game, Outcome},
    player::{Player, Results, TABLE_BITS, play_match},
    search::{Limits, MAX_DEPTH, Searcher},
    table::Lookup,
};
use clap::{Args, Parser, Subcommand, ValueEnum};

const EXAMPLE: &str = "Example: alfiere-tablut match engine greedy --games 100 --nodes 5000";

#[derive(Parser)]
#[command(name = "alfiere-tablut", about = "Plays Tablut and measures what symmetry saves", after_help = EXAMPLE)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Plays games between two players, colours alternated, and prints a table
    Match {
        first: Name,
        second: Name,
        #[arg(long, default_value_t = 100)]
        games: usize,
        /// Random plies at the start of each pair of games
        #[arg(long, default_value_t = 2)]
        random_plies: usize,
        #[arg(long, default_value_t = 1)]
        seed: u64,
        #[command(flatten)]
        limits: LimitArgs,
    },
    /// Plays against you in the terminal
    Play {
        /// Your side
        #[arg(long, default_value = "white")]
        side: SideName,
        #[command(flatten)]
        limits: LimitArgs,
    },
    /// Searches one position and prints the best move
    Search {
        /// Rows 1 to 9 and the side to move; the initial position if absent
        #[arg(long)]
        position: Option<Board>,
        #[command(flatten)]
        limits: LimitArgs,
    },
    /// Measures the generation of moves with sets of squares and with rows of two bits a square
    Rows {
        #[arg(long, default_value_t = 20_000)]
        times: usize,
    },
    /// Searches positions of games with and without symmetric look-up, and prints a table
    Symmetry {
        #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u8).range(1..=i64::from(MAX_DEPTH)))]
        depth: u8,
        #[arg(long, default_value_t = 40)]
        games: usize,
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
}

#[derive(Args, Clone, Copy)]
struct LimitArgs {
    /// Nodes for each move of the engine; 20,000 if no limit is given
    #[arg(long)]
    nodes: Option<u64>,
    /// Milliseconds for each move of the engine
    #[arg(long)]
    time: Option<u64>,
    /// Depth in plies of each search
    #[arg(long, value_parser = clap::value_parser!(u8).range(1..=i64::from(MAX_DEPTH)))]
    depth: Option<u8>,
}

impl From<LimitArgs> for Limits {
    fn from(args: LimitArgs) -> Self {
        let unlimited = args.time.is_none() && args.depth.is_none();
        Self {
            depth: args.depth.unwrap_or(MAX_DEPTH),
            nodes: args.nodes.unwrap_or(if unlimited { 20_000 } else { u64::MAX }),
            time: args.time.map_or(Duration::MAX, Duration::from_millis),
        }
    }
}

#[derive(Clone, Copy, ValueEnum)]
enum Name {
    Random,
    Greedy,
    Engine,
}

impl Name {
    fn player(self, limits: Limits) -> Player {
        match self {
            Self::Random => Player::Random,
            Self::Greedy => Player::Greedy,
            Self::Engine => Player::engine(limits),
        }
    }
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum SideName {
    White,
    Black,
}

fn main() -> ExitCode {
    match run(Cli::parse().command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(command: Command) -> Result<(), Box<dyn Error>> {
    match command {
        Command::Match { first, second, games, random_plies, seed, limits } => {
            let players = || [first, second].map(|name| name.player(limits.into()));
            print_results(games, &play_match(games, random_plies, seed, players));
            Ok(())
        }
        Command::Play { side, limits } => play(side, limits.into()),
        Command::Search { position, limits } => search(position.unwrap_or_default(), limits.into()),
        Command::Rows { times } => {
            for (name, (moves, time)) in ["sets", "rows"].into_iter().zip(generation(times)) {
                println!("{name} {moves} moves, {:.1} million a second", moves as f64 / time.as_secs_f64() / 1e6);
            }
            Ok(())
        }
        Command::Symmetry { depth, games, seed } => {
            let mut sums = [Sums::default(); PLIES.len()];
            for game in 0..games {
                add_game(&mut sums, game, depth, seed);
                eprintln!("game {} of {games}", game + 1);
            }
            print_shares(&sums);
            Ok(())
        }
    }
}

fn print_shares(sums: &[Sums; PLIES.len()]) {
    println!("plies  positions  nodes  time (% of plain look-up)");
    for (plies, Sums { positions, nodes, time }) in PLIES.iter().zip(sums).filter(|(_, sums)| sums.positions > 0) {
        let nodes = 100.0 * nodes[1] as f64 / nodes[0] as f64;
        println!("{plies:5}  {positions:9}  {nodes:5.1}  {:5.1}", 100.0 * time[1].div_duration_f64(time[0]));
    }
}

fn print_results(games: usize, results: &Results) {
    println!("first player   won  drawn   lost");
    for (name, [won, drawn, lost]) in [("with White", results.white), ("with Black", results.black)] {
        println!("{name:12}  {won:4}  {drawn:5}  {lost:5}");
    }
    println!("{games} games, {:.1} plies on average", results.plies as f64 / games.max(1) as f64);
}

fn search(board: Board, limits: Limits) -> Result<(), Box<dyn Error>> {
    let game = Game::new(board);
    let mut searcher = Searcher::new(TABLE_BITS, Lookup::Symmetric);
    let answer = searcher.search(game.board(), &mut game.history().clone(), limits).ok_or("no legal move")?;
    print!("{}", game.board());
    println!("depth {} score {} nodes {} time {:.0?}", answer.depth, answer.score, answer.nodes, answer.time);
    println!("best {}", answer.best);
    Ok(())
}

fn play(side: SideName, limits: Limits) -> Result<(), Box<dyn Error>> {
    let mut game = Game::default();
    let mut engine = Searcher::new(TABLE_BITS, Lookup::Symmetric);
    let mut lines = io::stdin().lock().lines();
    while game.outcome().is_none() {
        print!("{}", game.board());
        if (game.board().side() == Side::White) == (side == SideName::White) {
            print!("your move (e.g. e4f4, or quit): ");
            io::stdout().flush()?;
            let Some(line) = lines.next().transpose()? else { return Ok(()) };
            match line.trim() {
                "quit" => return Ok(()),
                text => match text.parse::<Move>() {
                    Ok(chosen) if game.play(chosen) => {}
                    Ok(chosen) => println!("{chosen} is not legal here"),
                    Err(error) => println!("{error}"),
                },
            }
        } else {
            let answer = engine.search(game.board(), &mut game.history().clone(), limits).ok_or("no legal move")?;
            println!("engine: {} (depth {}, score {})", answer.best, answer.depth, answer.score);
            if !game.play(answer.best) {
                return Err("the engine chose an illegal move".into());
            }
        }
    }
    print!("{}", game.board());
    match game.outcome() {
        Some(Outcome::Win(winner)) => println!("{winner} wins"),
        _ => println!("draw: the position has occurred before"),
    }
    Ok(())
}
