//! Plays a match of 20 games between two limits of the engine, as a program of your own would.
//!
//! `cargo run --release -p alfiere --example play_match`, in the root of the repository after `cargo build --release -p alfiere`

#![allow(clippy::print_stdout, reason = "this program prints its results")]

use std::error::Error;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use alfiere_arena::game::GameSettings;
use alfiere_arena::runner::{MatchObserver, MatchSettings, run_match};
use alfiere_arena::schedule::{Format, Schedule};
use alfiere_arena::score::{FinishedGame, MatchScore};
use alfiere_arena::spec::PlayerSpec;
use alfiere_chess::game::{GameRecord, GameRules, Limit};
use alfiere_chess::movegen::CastlingNotation;
use alfiere_chess::openings::read_openings;

/// Prints the score after each game.
struct Printer;

impl MatchObserver for Printer {
    fn game_finished(&mut self, _: &FinishedGame, _: &GameRecord, scores: &[MatchScore]) {
        println!("{}", scores[0].summary(None));
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let settings = MatchSettings {
        players: vec![
            PlayerSpec::parse("target/release/alfiere name=two nodes=2000", "option.Hash=8")?,
            PlayerSpec::parse("target/release/alfiere name=one", "option.Hash=8")?,
        ],
        schedule: Schedule::new(Format::RoundRobin, 2, 20),
        limit: Limit::Nodes(1_000),
        openings: read_openings("datasets/openings/noob_3moves_1000.epd".as_ref())?.openings,
        game: GameSettings {
            rules: GameRules { draw: None, resign: None, max_plies: 600 },
            margin: Duration::ZERO,
            patience: Duration::from_mins(1),
            notation: CastlingNotation::Standard,
        },
        endgames: None,
        concurrency: 2,
        sprt: None,
        finished: Vec::new(),
    };
    run_match(&settings, &AtomicBool::new(false), &mut Printer)?;
    Ok(())
}
