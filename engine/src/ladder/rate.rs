//! The games of a network against the ladder.

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use alfiere_arena::elo::GameCounts;
use alfiere_arena::finished::FinishedGame;
use alfiere_arena::game::GameSettings;
use alfiere_arena::ladder::{Round, is_one_sided, total};
use alfiere_arena::ratings::Rating;
use alfiere_arena::runner::{MatchEnd, MatchError, MatchObserver, MatchSettings, run_match};
use alfiere_arena::schedule::{Format, Schedule};
use alfiere_arena::score::{FaultCounts, MatchScore};
use alfiere_arena::spec::PlayerSpec;
use alfiere_chess::game::{DrawRule, GameRecord, GameRules, Limit, ResignRule};
use alfiere_chess::movegen::CastlingNotation;
use alfiere_chess::openings::Opening;
use alfiere_chess::random::Random;
use alfiere_search::engine::Player;
use alfiere_search::genfens::{GenfensError, Request, generate};
use thiserror::Error;

use super::rungs::{LADDER, Rung, ladder};

/// Nodes per move of `beam` and `random`, which need fewer.
const UNLIMITED: u64 = 5_000;
/// The rules by which games are adjudicated; `scripts/ladder` plays by the same.
const RULES: GameRules = GameRules {
    draw: Some(DrawRule { from_move: 40, moves: 8, centipawns: 10 }),
    resign: Some(ResignRule { moves: 3, centipawns: 600 }),
    max_plies: 400,
};
/// Maximum score of an opening in internal units.
const BALANCE: i32 = 100;

/// What is played.
#[derive(Clone, Debug)]
pub struct RateSettings {
    /// The path of this program.
    pub program: PathBuf,
    /// The network file; `None` for the embedded network.
    pub net: Option<PathBuf>,
    /// Nodes per move of the rated network.
    pub nodes: u64,
    /// The number of games, rounded down to whole pairs.
    pub games: u64,
    /// Seed of the openings and of the player `random`.
    pub seed: u64,
    /// Number of concurrent games, which changes no result.
    pub concurrency: usize,
}

/// The results so far.
#[derive(Clone, PartialEq, Debug)]
pub struct Standings {
    /// Results against each rung with White and with Black.
    pub results: Vec<[GameCounts; 2]>,
}

/// Why there is no rating.
#[derive(Debug, Error)]
pub enum RateError {
    /// A player cannot be started.
    #[error(transparent)]
    Match(#[from] MatchError),
    /// The openings cannot be made.
    #[error(transparent)]
    Openings(#[from] GenfensError),
    /// Games were lost by faults, as by a machine that is too busy.
    #[error("games lost by faults give no rating; the network: {}; its opponents: {}", .0[0], .0[1])]
    Faults([FaultCounts; 2]),
}

impl Standings {
    fn new() -> Self {
        Self { results: vec![Default::default(); LADDER.len()] }
    }

    /// All games.
    pub fn games(&self) -> GameCounts {
        total(&self.results)
    }

    /// The games against a rung.
    pub fn against(&self, rung: usize) -> GameCounts {
        total(&self.results[rung..=rung])
    }

    /// The rating; `None` if no point was won or none lost.
    pub fn rating(&self) -> Option<Rating> {
        (!is_one_sided(self.games())).then(|| ladder().estimate(&self.results))
    }

    /// These standings with the scores of a round.
    fn with_round(&self, round: &Round, scores: &[MatchScore]) -> Self {
        let mut sum = self.clone();
        for (&rung, score) in round.rungs.iter().zip(scores) {
            sum.results[rung].iter_mut().zip(score.by_color).for_each(|(sum, games)| sum.merge(games));
        }
        sum
    }
}

/// Plays the games and calls `each` with the results after every one. Also returns how the last round ended.
///
/// The results depend only on the program, the network, its nodes, the number of games and the seed.
///
/// # Errors
/// If a player cannot be started, there are no openings, or a game was lost by a fault.
pub fn rate(
    settings: &RateSettings,
    stop: &AtomicBool,
    mut each: impl FnMut(&Standings),
) -> Result<(Standings, MatchEnd), RateError> {
    let (ladder, mut standings) = (ladder(), Standings::new());
    let mut number = 0;
    while let Some(round) =
        ladder.next_round(&standings.results, settings.games.saturating_sub(standings.games().games()))
    {
        let mut observer = RoundObserver { before: &standings, round: &round, each: &mut each };
        let (scores, end) = run_match(&match_of(settings, &round, number)?, stop, &mut observer)?;
        let mut faults = [FaultCounts::default(); 2];
        for score in &scores {
            faults.iter_mut().zip(score.faults).for_each(|(sum, faults)| sum.merge(faults));
        }
        if faults.iter().any(|faults| faults.total() > 0) {
            return Err(RateError::Faults(faults));
        }
        standings = standings.with_round(&round, &scores);
        if end != MatchEnd::Complete {
            return Ok((standings, end));
        }
        number += 1;
    }
    Ok((standings, MatchEnd::Complete))
}

/// The match of a round, with openings of its own.
fn match_of(settings: &RateSettings, round: &Round, number: u64) -> Result<MatchSettings, GenfensError> {
    let seed = Random::for_part(settings.seed, number).next_number();
    let request = Request { count: round.pairs, seed, book: None, plies: None, max_centipawns: BALANCE, nodes: 1_000 };
    let mut openings = Vec::with_capacity(round.pairs as usize);
    generate(&request, |board| openings.push(Opening { start: board.clone(), moves: Vec::new() }))?;
    let opponents = round.rungs.iter().map(|&rung| opponent(&LADDER[rung], settings, seed));
    let players: Vec<PlayerSpec> = [rated(settings)].into_iter().chain(opponents).collect();
    Ok(MatchSettings {
        schedule: Schedule::new(Format::Gauntlet, players.len(), 2 * round.pairs),
        players,
        limit: Limit::Nodes(UNLIMITED),
        openings,
        game: GameSettings {
            rules: RULES,
            margin: Duration::ZERO,
            patience: Duration::from_mins(2),
            notation: CastlingNotation::Standard,
        },
        endgames: None,
        concurrency: settings.concurrency,
        sprt: None,
        finished: Vec::new(),
    })
}

fn rated(settings: &RateSettings) -> PlayerSpec {
    let net = settings.net.as_ref().map(|path| path.display().to_string());
    PlayerSpec {
        program: settings.program.clone(),
        name: net.clone().unwrap_or_else(|| Player::Nnue.name().to_owned()),
        options: net.map(|net| ("EvalFile".to_owned(), net)).into_iter().collect(),
        limit: Some(Limit::Nodes(settings.nodes)),
        ..PlayerSpec::default()
    }
}

fn opponent(rung: &Rung, settings: &RateSettings, seed: u64) -> PlayerSpec {
    let is_random = rung.player == Player::Random;
    let mut options = vec![("Player".to_owned(), rung.player.name().to_owned())];
    if is_random {
        // A seed of 0 is none.
        options.push(("Seed".to_owned(), (1 + seed % i32::MAX as u64).to_string()));
    }
    PlayerSpec {
        program: settings.program.clone(),
        name: rung.to_string(),
        options,
        limit: rung.limit,
        // Its moves also depend on the number of games that the program has played.
        restart: is_random,
        ..PlayerSpec::default()
    }
}

/// Adds the games of a round to those before it.
struct RoundObserver<'a, F> {
    before: &'a Standings,
    round: &'a Round,
    each: &'a mut F,
}

impl<F: FnMut(&Standings)> MatchObserver for RoundObserver<'_, F> {
    fn game_finished(&mut self, _: &FinishedGame, _: &GameRecord, scores: &[MatchScore]) {
        (self.each)(&self.before.with_round(self.round, scores));
    }
}
